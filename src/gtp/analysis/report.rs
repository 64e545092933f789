//! How what a search thinks is written.

use super::ask::{Ask, Format};
use crate::gtp::encoding::{Place, Shown, Word};
use crate::rules::{AnyGame, Step};
use crate::search::{Choice, Owned, Report, StepReport, View};
use serde::Serialize;
use std::fmt::Write;

/// A line about a search; empty if there is nothing to say yet.
pub fn line(ask: &Ask, game: &AnyGame, view: &dyn View) -> String {
    let owned = |after: Option<Step>| match after {
        None => view.ownership(),
        Some(step) => view.ownership_after(step),
    };
    written(ask, game, &view.report(), &owned)
}

/// A line about a choice of which nothing more is known.
pub fn line_of_choice(ask: &Ask, game: &AnyGame, choice: &Choice) -> String {
    let report = Report {
        visits: choice.playouts,
        win_rate: choice.win_rate,
        margin: choice.margin,
        deviation: 0.0,
        steps: vec![StepReport {
            step: choice.step,
            visits: choice.visits,
            win_rate: choice.win_rate,
            margin: choice.margin,
            deviation: 0.0,
            prior: 1.0,
            lcb: choice.win_rate,
            line: choice.line.clone(),
            line_visits: Vec::new(),
        }],
    };
    written(ask, game, &report, &|_| Vec::new())
}

/// A step that one vertex says, as it is said.
struct Said<'r> {
    vertex: Word,
    report: &'r StepReport,
    line: Vec<Word>,
}

/// Whose the points become, in all or after a step; empty if that is not known.
type Owners<'o> = dyn Fn(Option<Step>) -> Vec<Owned> + 'o;

fn written(ask: &Ask, game: &AnyGame, report: &Report, owned: &Owners<'_>) -> String {
    let steps = shown(ask, game, report);
    if steps.is_empty() {
        return String::new();
    }
    match ask.format {
        Format::Cgos => json(ask, report, &steps, &owned(None)),
        Format::Leela | Format::Plain | Format::Kata => infos(ask, report, &steps, owned),
    }
}

/// The steps to show: those that were tried, and others up to the least number
/// asked for.
fn shown<'r>(ask: &Ask, game: &AnyGame, report: &'r Report) -> Vec<Said<'r>> {
    let (fewest, most) = ask.moves;
    let mut steps = Vec::new();
    for step in &report.steps {
        if steps.len() >= most || step.visits == 0 && steps.len() >= fewest.max(1) {
            break;
        }
        if let Some(vertex) = ask.coder.encode(game, step.step) {
            let line = said_line(game, ask, step);
            steps.push(Said {
                vertex,
                report: step,
                line,
            });
        }
    }
    steps
}

fn said_line(game: &AnyGame, ask: &Ask, step: &StepReport) -> Vec<Word> {
    let alone = [step.step];
    let line: &[Step] = match step.line.as_slice() {
        [] => &alone,
        line => line,
    };
    let said = ask.coder.line(game, ask.color, line);
    said.into_iter().map(|(_, word)| word).collect()
}

/// Moves with blanks between.
fn joined(line: &[Word]) -> String {
    let words: Vec<_> = line.iter().map(Word::to_string).collect();
    words.join(" ")
}

/// Everything but JSON.
fn infos(ask: &Ask, report: &Report, steps: &[Said<'_>], owned: &Owners<'_>) -> String {
    let mut text = String::new();
    for (order, said) in steps.iter().enumerate() {
        if order > 0 {
            text.push(' ');
        }
        info(&mut text, ask.format, order, said);
        // In a tree every visit of a position comes by the same moves.
        let names = [
            (ask.line_visits, "pvVisits"),
            (ask.line_edge_visits, "pvEdgeVisits"),
        ];
        for (_, name) in names.into_iter().filter(|&(asked, _)| asked) {
            add_visits(&mut text, name, said);
        }
        if ask.wants_owners_apart() {
            let owned = owned(Some(said.report.step));
            let asked = [ask.moves_ownership, ask.moves_ownership_deviation];
            if !owned.is_empty() {
                add_owners(
                    &mut text,
                    ask,
                    &owned,
                    ["movesOwnership", "movesOwnershipStdev"],
                    asked,
                );
            }
        }
    }
    if ask.format == Format::Kata {
        if ask.root {
            let _ = write!(text, " rootInfo visits {}", report.visits);
            values(&mut text, report.win_rate, report.margin, report.deviation);
        }
        let asked = [ask.ownership, ask.ownership_deviation];
        if asked.contains(&true) {
            add_owners(
                &mut text,
                ask,
                &owned(None),
                ["ownership", "ownershipStdev"],
                asked,
            );
        }
    }
    text
}

/// What is known of one move.
fn info(text: &mut String, format: Format, order: usize, said: &Said<'_>) {
    let step = said.report;
    let _ = write!(text, "info move {} visits {}", said.vertex, step.visits);
    if format == Format::Kata {
        values(text, step.win_rate, step.margin, step.deviation);
        let (prior, lcb) = (share(step.prior), share(step.lcb));
        let _ = write!(text, " prior {prior:.6} lcb {lcb:.6}");
    } else {
        let [wins, prior, lcb] = [step.win_rate, step.prior, step.lcb].map(ten_thousandths);
        let _ = write!(text, " winrate {wins}");
        if format == Format::Plain {
            let _ = write!(text, " scoreLead {:.3}", finite(step.margin));
        }
        let _ = write!(text, " prior {prior} lcb {lcb}");
    }
    let _ = write!(text, " order {order} pv {}", joined(&said.line));
}

fn values(text: &mut String, win_rate: f32, margin: f32, deviation: f32) {
    let (wins, margin, deviation) = (share(win_rate), finite(margin), finite(deviation));
    let utility = 2.0 * wins - 1.0;
    let _ = write!(
        text,
        " utility {utility:.6} winrate {wins:.6} scoreMean {margin:.4} scoreStdev {deviation:.4} \
         scoreLead {margin:.4}"
    );
}

/// Visits along a line, where they are known.
fn add_visits(text: &mut String, name: &str, said: &Said<'_>) {
    let visits = said.report.line_visits.iter().take(said.line.len());
    let visits: String = visits.map(|visits| format!(" {visits}")).collect();
    if !visits.is_empty() {
        let _ = write!(text, " {name}{visits}");
    }
}

/// Owners and how sure they are, under these names, as far as asked for.
fn add_owners(text: &mut String, ask: &Ask, owned: &[Owned], names: [&str; 2], asked: [bool; 2]) {
    let values: [fn(&Owned) -> f32; 2] = [|owned| owned.mean, |owned| owned.deviation];
    for ((name, asked), value) in names.into_iter().zip(asked).zip(values) {
        if asked {
            add_field(text, name, &field(ask.coder.shown(), owned, value));
        }
    }
}

/// Numbers under a name.
fn add_field(text: &mut String, name: &str, field: &[f32]) {
    let _ = write!(text, " {name}");
    for value in field {
        let _ = write!(text, " {value:.4}");
    }
}

/// A number for every place of the board shown, top left first, row by row; 0
/// where there is no point of the variant's own board or nothing can be owned.
fn field(shown: &Shown, owned: &[Owned], value: fn(&Owned) -> f32) -> Vec<f32> {
    let (width, height) = (usize::from(shown.width()), usize::from(shown.height()));
    let mut field = vec![0.0; width * height];
    for point in owned {
        let Place { column, row } = shown.place(point.point);
        let from_top = height.saturating_sub(1 + usize::from(row));
        if let Some(place) = field.get_mut(from_top * width + usize::from(column)) {
            *place = finite(value(point)).clamp(-1.0, 1.0);
        }
    }
    field
}

#[derive(Serialize)]
struct JsonRoot {
    winrate: f32,
    score: f32,
    visits: u64,
    moves: Vec<JsonMove>,
    #[serde(skip_serializing_if = "String::is_empty")]
    ownership: String,
}

#[derive(Serialize)]
struct JsonMove {
    #[serde(rename = "move")]
    vertex: String,
    visits: u32,
    winrate: f32,
    score: f32,
    prior: f32,
    pv: String,
}

/// One line of JSON; a `pv` is what follows its move.
fn json(ask: &Ask, report: &Report, steps: &[Said<'_>], owned: &[Owned]) -> String {
    let moves = steps.iter().map(|said| JsonMove {
        vertex: said.vertex.to_string(),
        visits: said.report.visits,
        winrate: share(said.report.win_rate),
        score: finite(said.report.margin),
        prior: share(said.report.prior),
        pv: joined(said.line.get(1..).unwrap_or_default()),
    });
    let ownership = field(ask.coder.shown(), owned, |point| point.mean);
    let root = JsonRoot {
        winrate: share(report.win_rate),
        score: finite(report.margin),
        visits: report.visits,
        moves: moves.collect(),
        ownership: match owned {
            [] => String::new(),
            _ => ownership.into_iter().map(letter).collect(),
        },
    };
    serde_json::to_string(&root).unwrap_or_else(|_| "{}".to_owned())
}

/// The character that stands for an owner from -1 to 1.
fn letter(owner: f32) -> char {
    let index = (31.0 * (owner + 1.0)).round_ties_even() as u8;
    char::from(match index {
        0..26 => b'A' + index,
        26..52 => b'a' + (index - 26),
        52..62 => b'0' + (index - 52),
        _ => b'+',
    })
}

fn finite(value: f32) -> f32 {
    // Adding 0 takes the sign off a zero.
    if value.is_finite() { value + 0.0 } else { 0.0 }
}

fn share(value: f32) -> f32 {
    finite(value).clamp(0.0, 1.0)
}

fn ten_thousandths(value: f32) -> u32 {
    (share(value) * 10_000.0).round() as u32
}
