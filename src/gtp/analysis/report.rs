use super::options::{AnalysisOptions, Format};
use crate::encoding::GtpMove;
use crate::gtp::joined;
use crate::json;
use crate::playing::report::{Values, field};
use crate::rules::{Game, Step};
use crate::search::{Choice, Outcome, PointOwnership, SearchProgress, SearchReport, StepReport};
use serde::Serialize;
use std::fmt::Write;

/// The report of a search in progress; empty without visits.
pub fn line(options: &AnalysisOptions, game: &Game, progress: &dyn SearchProgress) -> String {
    let owned = |after: Option<Step>| match after {
        None => progress.ownership(),
        Some(step) => progress.ownership_after(step),
    };
    written(options, game, &progress.report(), &owned)
}

/// The report of a choice without a search.
pub fn line_of_choice(options: &AnalysisOptions, game: &Game, choice: &Choice) -> String {
    let step = StepReport::from(choice);
    let report = SearchReport {
        visits: choice.root_visits,
        win_rate: step.win_rate,
        margin: step.margin,
        steps: vec![step],
        ..SearchReport::default()
    };
    written(options, game, &report, &|_| Vec::new())
}

/// The response with a whole turn, after a line about the search that chose it. It begins with a line
/// break, as all analyses do.
pub fn whole_turn(turn: &str, choice: Option<&Choice>) -> String {
    let info = |choice: &Choice| {
        let StepReport { visits, win_rate, margin, .. } = choice.into();
        format!("\ninfo move {turn} visits {visits} winrate {win_rate:.6} scoreLead {margin:.4}")
    };
    format!("{}\nplay {turn}", choice.map(info).unwrap_or_default())
}

struct ReportedMove<'r> {
    vertex: GtpMove,
    report: &'r StepReport,
    image_of: Option<GtpMove>,
    pv: Vec<GtpMove>,
}

/// Ownership now or after a step; empty if unknown.
type Owners<'o> = dyn Fn(Option<Step>) -> Vec<PointOwnership> + 'o;

fn written(
    options: &AnalysisOptions,
    game: &Game,
    report: &SearchReport,
    owned: &Owners<'_>,
) -> String {
    let steps = shown(options, game, report);
    if steps.is_empty() {
        return String::new();
    }
    match options.format {
        Format::Cgos => json(options, report, &steps, &owned(None)),
        Format::Leela | Format::Kata => infos(options, report, &steps, owned),
    }
}

/// Visited moves, and unvisited ones up to the minimum.
fn shown<'r>(
    options: &AnalysisOptions,
    game: &Game,
    report: &'r SearchReport,
) -> Vec<ReportedMove<'r>> {
    let (fewest, most) = (options.min_moves, options.max_moves.unwrap_or(usize::MAX));
    let mut steps = Vec::new();
    let unvisited = report.unvisited.iter().filter(|_| !report.steps.is_empty());
    for step in report.steps.iter().chain(unvisited) {
        let is_unvisited = step.visits == 0;
        if steps.len() >= most || is_unvisited && steps.len() >= fewest.max(1) {
            break;
        }
        // The search has not checked superko yet.
        if is_unvisited && game.check_next_step(options.color, step.step).is_err() {
            continue;
        }
        if let Some(vertex) = options.codec.encode(game, step.step) {
            let image_of = step.image_of.and_then(|step| options.codec.encode(game, step));
            let pv = encode_pv(game, options, step);
            steps.push(ReportedMove { vertex, report: step, image_of, pv });
        }
    }
    steps
}

fn encode_pv(game: &Game, options: &AnalysisOptions, step: &StepReport) -> Vec<GtpMove> {
    let reported = options.codec.encode_variation(game, options.color, step.variation());
    reported.into_iter().map(|(_, word)| word).collect()
}

fn infos(
    options: &AnalysisOptions,
    report: &SearchReport,
    steps: &[ReportedMove<'_>],
    owned: &Owners<'_>,
) -> String {
    let included = options.included;
    let mut text = String::new();
    for (order, reported) in steps.iter().enumerate() {
        if order > 0 {
            text.push(' ');
        }
        info(&mut text, options.format, order, reported);
        // Every visit of a position comes by the same moves, so both numbers are equal.
        let names = [(included.pv_visits, "pvVisits"), (options.pv_edge_visits, "pvEdgeVisits")];
        for (_, name) in names.into_iter().filter(|&(asked, _)| asked) {
            add_visits(&mut text, name, reported);
        }
        if options.wants_move_ownership() {
            let mean = ("movesOwnership", included.moves_ownership);
            let stdev = ("movesOwnershipStdev", included.moves_ownership_stdev);
            add_owners(&mut text, options, &owned(Some(reported.report.step)), mean, stdev);
        }
    }
    if options.format == Format::Kata {
        if options.root {
            let _ = write!(text, " rootInfo visits {}", report.visits);
            values(&mut text, report.win_rate, report.margin, report.stdev);
            let SearchReport { win_stdev, stdev, .. } = report;
            let _ = write!(text, " rawStWrError {win_stdev:.6} rawStScoreError {stdev:.4}");
        }
        if included.ownership || included.ownership_stdev {
            let mean = ("ownership", included.ownership);
            let stdev = ("ownershipStdev", included.ownership_stdev);
            add_owners(&mut text, options, &owned(None), mean, stdev);
        }
    }
    text
}

fn info(text: &mut String, format: Format, order: usize, reported: &ReportedMove<'_>) {
    let step = reported.report;
    let _ = write!(text, "info move {} visits {}", reported.vertex, step.visits);
    if format == Format::Kata {
        values(text, step.win_rate, step.margin, step.stdev);
        let _ = write!(text, " prior {:.6} lcb {:.6}", step.prior, step.lcb);
        if let Some(original) = &reported.image_of {
            let _ = write!(text, " isSymmetryOf {original}");
        }
    } else {
        let [wins, prior, lcb] = [step.win_rate, step.prior, step.lcb].map(ten_thousandths);
        let _ = write!(text, " winrate {wins} prior {prior} lcb {lcb}");
    }
    let _ = write!(text, " order {order} pv {}", joined(&reported.pv, " "));
}

fn values(text: &mut String, win: f32, margin: f32, stdev: f32) {
    let Values { winrate, score_lead, score_stdev, utility, .. } =
        Values::new(Outcome { win, margin }, stdev);
    let _ = write!(
        text,
        " utility {utility:.6} winrate {winrate:.6} scoreMean {score_lead:.4} \
         scoreStdev {score_stdev:.4} scoreLead {score_lead:.4}"
    );
}

/// Writes the visits along a principal variation if they are known.
fn add_visits(text: &mut String, name: &str, reported: &ReportedMove<'_>) {
    let visits = reported.report.pv_visits.iter().take(reported.pv.len());
    let visits: String = visits.map(|visits| format!(" {visits}")).collect();
    if !visits.is_empty() {
        let _ = write!(text, " {name}{visits}");
    }
}

/// Writes ownership and its standard deviation under these names, if asked for and known.
fn add_owners(
    text: &mut String,
    options: &AnalysisOptions,
    owned: &[PointOwnership],
    mean: (&str, bool),
    stdev: (&str, bool),
) {
    let values: [fn(&PointOwnership) -> f32; 2] = [|owned| owned.mean, |owned| owned.stdev];
    for ((name, asked), value) in [mean, stdev].into_iter().zip(values) {
        if asked && !owned.is_empty() {
            let _ = write!(text, " {name}");
            for value in field(options.codec.shown(), owned, value) {
                let _ = write!(text, " {value:.4}");
            }
        }
    }
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

/// Its `pv` excludes the move itself.
fn json(
    options: &AnalysisOptions,
    report: &SearchReport,
    steps: &[ReportedMove<'_>],
    owned: &[PointOwnership],
) -> String {
    let moves = steps.iter().map(|reported| JsonMove {
        vertex: reported.vertex.to_string(),
        visits: reported.report.visits,
        winrate: reported.report.win_rate,
        score: reported.report.margin,
        prior: reported.report.prior,
        pv: joined(reported.pv.get(1..).unwrap_or_default(), " "),
    });
    let ownership = field(options.codec.shown(), owned, |point| point.mean);
    let root = JsonRoot {
        winrate: report.win_rate,
        score: report.margin,
        visits: report.visits,
        moves: moves.collect(),
        ownership: match owned {
            [] => String::new(),
            _ => ownership.into_iter().map(letter).collect(),
        },
    };
    json::text(&root)
}

/// The character for an ownership from −1 to +1.
fn letter(owner: f32) -> char {
    let index = (31.0 * (owner + 1.0)).round_ties_even() as u8;
    char::from(match index {
        0..26 => b'A' + index,
        26..52 => b'a' + (index - 26),
        52..62 => b'0' + (index - 52),
        _ => b'+',
    })
}

fn ten_thousandths(value: f32) -> u32 {
    (value * 10_000.0).round() as u32
}
