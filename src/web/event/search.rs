//! What searches and counts say.

use crate::rules::{Sides, Tally};
use crate::web::tree::NodeNumber;
use serde::Serialize;

/// The value of a position by a search, for Black.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NodeValue {
    /// Win rate, 0 to 1.
    pub win_rate: f32,
    /// In points.
    pub margin: f32,
    /// 0 if the value comes from a record.
    pub visits: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportedMove {
    #[serde(flatten)]
    pub step: StepView,
    pub visits: u32,
    /// 0 to 1.
    pub win_rate: f32,
    /// In points.
    pub margin: f32,
    /// Points that the side to move loses with it against the best move; never negative.
    pub loss: f32,
    /// Share of the policy prior, 0 to 1.
    pub prior: f32,
    /// Principal variation, the move first.
    pub pv: Vec<ColoredStep>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepView {
    /// `None` for a pass or an end.
    pub kind: Option<u8>,
    /// `None` for a pass or an end.
    pub at: Option<String>,
    /// In words.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColoredStep {
    pub color: &'static str,
    #[serde(flatten)]
    pub step: StepView,
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisEvent {
    pub node: NodeNumber,
    pub visits: u64,
    /// 0 to 1.
    pub win_rate: f32,
    /// In points.
    pub margin: f32,
    /// The best moves, the best first.
    pub moves: Vec<ReportedMove>,
    /// Ownership of each cell of the flat form from the top left, −100 to 100.
    pub ownership: Vec<i8>,
    /// Share of the policy prior of the likeliest step on each cell, likewise, 0 to 1000.
    pub policy: Vec<u16>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewEvent {
    pub node: NodeNumber,
    pub done: usize,
    /// The number of searches so far known: the turns that may be the worst get a second one.
    pub total: usize,
    #[serde(flatten)]
    pub value: NodeValue,
    /// The best move there.
    pub best: Option<ReportedMove>,
    /// The turns before and after it, if the positions on both sides of them have values.
    pub losses: Vec<TurnLoss>,
    /// The turns that lost most so far, the worst first, if the list has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<Vec<Mistake>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TurnLoss {
    /// The node behind the turn.
    pub node: NodeNumber,
    /// The side that made it.
    pub color: &'static str,
    /// Points, less the uncertainty of the searches.
    pub loss: f32,
    /// Whether the search chooses it too.
    pub best: bool,
    /// Prior of the turn, if the search chooses it too: a low one was hard to find.
    pub prior: Option<f32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReviewSummary {
    /// The turns that lost most, the worst first.
    pub worst: Vec<Mistake>,
    /// Percent: the mean over a side's turns of 100 that shrinks by a quarter with every point that
    /// the turn lost; `None` without a turn.
    pub accuracy: Sides<Option<f32>>,
}

/// A turn that lost points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mistake {
    /// The node behind the turn.
    pub node: NodeNumber,
    /// The side that made it.
    pub color: &'static str,
    pub points: Vec<String>,
    /// Points that it lost against the best turn.
    pub loss: f32,
    /// The effect in words, if the owners of the points show it.
    pub reason: Option<String>,
    /// The turn in the coordinates of the page.
    pub caption: String,
    /// The first step of a better turn.
    pub better: Option<ReportedMove>,
    /// The first step of the answer that makes it a mistake.
    pub answer: Option<ReportedMove>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreView {
    /// By the rules, with all stones.
    pub rules: String,
    /// The same as area.
    pub area: String,
    /// The same as territory and captures.
    pub territory: String,
    /// By the rules, without the dead stones.
    pub agreed: String,
    /// The same as a sentence.
    pub sentence: String,
    /// The number of dead stones, in a sentence.
    pub taken: String,
    /// The rules' own count in a line, with the reason where it differs.
    pub rules_sentence: String,
    /// The parts of both scores, without the dead stones.
    pub tally: Tally,
    /// Objections to the marks, in sentences.
    pub objections: Vec<String>,
    /// The stones marked as dead.
    pub dead: Vec<String>,
    /// The owners of the points without the dead stones: rows of `X`, `O` and `.`.
    pub owned: Vec<String>,
}
