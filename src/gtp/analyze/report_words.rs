//! Reports in the words of the analysis commands, and the lead that an engine reports in them.

use super::options::AnalysisOptions;
use crate::board::Color;
use crate::encoding::{ColoredMove, DisplayBoard, VertexCodec};
use crate::gtp::joined;
use crate::json;
use crate::playing::analysis_report::{AnalysisReport, Client};
use crate::rules::{Game, Step};
use crate::search::{Choice, SearchProgress, SearchReport, StepReport};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write;

/// The commands that report a search with their move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// KataGo's: values as fractions, and more fields.
    Kata,
    /// CGOS: one line of JSON at the end.
    Cgos,
    /// Leela Zero's: values as integers out of 10000; only some engines add `scoreLead`.
    Leela,
}

impl Format {
    /// The first that an engine knows.
    pub fn of(knows: impl Fn(&str) -> bool) -> Option<Format> {
        let all = [Format::Kata, Format::Cgos, Format::Leela];
        all.into_iter().find(|format| knows(format.command()))
    }

    pub fn command(self) -> &'static str {
        match self {
            Format::Kata => "kata-genmove_analyze",
            Format::Cgos => "cgos-genmove_analyze",
            Format::Leela => "lz-genmove_analyze",
        }
    }

    /// The move of a response, and the lead of its side in the last report; `None` without a move.
    pub fn read(self, response: &str) -> Option<(&str, Option<f64>)> {
        let (mut chosen, mut lead) = (None, None);
        for line in response.lines() {
            match line.trim().strip_prefix("play ") {
                Some(text) => chosen = Some(text.trim()),
                None => lead = self.lead_of(line).or(lead),
            }
        }
        chosen.map(|chosen| (chosen, lead.filter(|lead| lead.is_finite())))
    }

    fn lead_of(self, line: &str) -> Option<f64> {
        if self == Format::Cgos {
            return serde_json::from_str(line).ok().map(|CgosLead { score }| score);
        }
        // The best move comes first.
        let mut words = line.split_ascii_whitespace();
        words.find(|word| ["scoreLead", "scoreMean"].contains(word))?;
        words.next()?.parse().ok()
    }
}

/// A client of GTP.
pub struct GtpClient<'c> {
    pub codec: &'c VertexCodec,
    pub game: &'c Game,
    pub color: Color,
}

impl Client for GtpClient<'_> {
    type Move = ColoredMove;

    fn game(&self) -> &Game {
        self.game
    }

    fn color(&self) -> Color {
        self.color
    }

    fn encode(&self, step: Step) -> Option<ColoredMove> {
        let gtp_move = self.codec.encode(self.game, step)?;
        Some(ColoredMove { color: self.color, gtp_move })
    }

    fn variation(&self, steps: &[Step]) -> Vec<(ColoredMove, usize)> {
        self.codec.encode_variation(self.game, self.color, steps).into_iter().zip(0..).collect()
    }

    fn display(&self) -> DisplayBoard {
        *self.codec.display()
    }
}

/// The report of a search in progress; empty without visits.
pub fn line(options: &AnalysisOptions, game: &Game, progress: &dyn SearchProgress) -> String {
    report_line(options, game, &progress.report(), Some(progress))
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
    report_line(options, game, &report, None)
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

fn report_line(
    options: &AnalysisOptions,
    game: &Game,
    report: &SearchReport,
    progress: Option<&dyn SearchProgress>,
) -> String {
    let client = GtpClient { codec: &options.codec, game, color: options.color };
    let report = AnalysisReport::new(&client, &options.report, report, progress);
    if report.move_infos.is_empty() {
        return String::new();
    }
    let names = match options.format {
        Format::Cgos => return json::text(&CgosRoot::new(&report)),
        Format::Kata => KATA_MOVE,
        Format::Leela => LEELA_MOVE,
    };
    let infos =
        report.move_infos.iter().map(|info| format!("info{}", words(options.format, info, names)));
    let mut text = joined(infos, " ");
    if options.format == Format::Kata {
        if options.root {
            let _ = write!(text, " rootInfo{}", words(Format::Kata, &report.root_info, KATA_ROOT));
        }
        text.push_str(&words(Format::Kata, &report.ownership, "ownership ownershipStdev"));
    }
    text
}

const KATA_MOVE: &str = "move visits utility winrate scoreMean scoreStdev scoreLead prior lcb \
    isSymmetryOf order pv pvVisits pvEdgeVisits movesOwnership movesOwnershipStdev";

const LEELA_MOVE: &str = "move visits winrate prior lcb order pv pvVisits pvEdgeVisits";

const KATA_ROOT: &str = "visits utility winrate scoreMean scoreStdev scoreLead rawStWrError \
    rawStScoreError";

/// The fields with six decimals in KataGo's format; others have four.
const SHARES: [&str; 5] = ["utility", "winrate", "prior", "lcb", "rawStWrError"];

/// These fields of a part of a report, each after its name, as far as it has them.
fn words(format: Format, part: &impl Serialize, names: &str) -> String {
    let fields = json::fields(part);
    let mut text = String::new();
    for name in names.split(' ') {
        let field = match name {
            "movesOwnership" => "ownership",
            "movesOwnershipStdev" => "ownershipStdev",
            name => name,
        };
        let fraction = |x: f64| match format {
            Format::Leela => (x as f32 * 10_000.0).round().to_string(),
            _ if SHARES.contains(&name) => format!("{x:.6}"),
            _ => format!("{x:.4}"),
        };
        let word = |value: &Value| match value {
            Value::String(text) => text.clone(),
            value => match value.as_f64().filter(|_| value.is_f64()) {
                Some(x) => fraction(x),
                None => value.to_string(),
            },
        };
        let values: Vec<String> = match fields.get(field) {
            Some(Value::Array(values)) => values.iter().map(word).collect(),
            value => value.into_iter().map(word).collect(),
        };
        if !values.is_empty() {
            let _ = write!(text, " {name} {}", values.join(" "));
        }
    }
    text
}

#[derive(Serialize)]
struct CgosRoot {
    winrate: f32,
    score: f32,
    visits: u64,
    moves: Vec<CgosMove>,
    #[serde(skip_serializing_if = "String::is_empty")]
    ownership: String,
}

#[derive(Serialize)]
struct CgosMove {
    #[serde(rename = "move")]
    first: ColoredMove,
    visits: u32,
    winrate: f32,
    score: f32,
    prior: f32,
    /// Without the move itself.
    pv: String,
}

#[derive(Deserialize)]
struct CgosLead {
    score: f64,
}

impl CgosRoot {
    fn new(report: &AnalysisReport<ColoredMove>) -> CgosRoot {
        let moves = report.move_infos.iter().map(|info| CgosMove {
            first: info.first,
            visits: info.visits,
            winrate: info.values.winrate,
            score: info.values.score_lead,
            prior: info.prior,
            pv: joined(info.pv.iter().skip(1), " "),
        });
        let root = &report.root_info;
        CgosRoot {
            winrate: root.values.winrate,
            score: root.values.score_lead,
            visits: root.visits,
            moves: moves.collect(),
            ownership: report.ownership.ownership.iter().flatten().map(|&of| letter(of)).collect(),
        }
    }
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
