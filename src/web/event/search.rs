//! What searches and counts say.

use crate::rules::{Sides, Tally};
use crate::web::tree::NodeNumber;
use serde::Serialize;

/// What a search says of a position; Black's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NodeValue {
    /// Win rate, 0 to 1.
    pub win_rate: f32,
    /// Margin in points.
    pub margin: f32,
    /// Visits of the search; 0 if a record told the value.
    pub visits: u64,
}

/// A move as a search reports it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportedMove {
    #[serde(flatten)]
    pub step: StepView,
    /// Simulations.
    pub visits: u32,
    /// Win rate, 0 to 1.
    pub win_rate: f32,
    /// Margin in points.
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
    /// The kind; none of a pass and of an end.
    pub kind: Option<u8>,
    /// The point; none of a pass and of an end.
    pub at: Option<String>,
    /// In words.
    pub text: String,
}

/// A step of a side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColoredStep {
    /// The side.
    pub color: &'static str,
    #[serde(flatten)]
    pub step: StepView,
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisEvent {
    pub node: NodeNumber,
    /// Simulations.
    pub visits: u64,
    /// Win rate, 0 to 1.
    pub win_rate: f32,
    /// Margin in points.
    pub margin: f32,
    /// The best moves, the best first.
    pub moves: Vec<ReportedMove>,
    /// Ownership of each cell of the flat form from the top left, −100 to 100.
    pub ownership: Vec<i8>,
    /// Share of the policy prior of the likeliest step on each cell, likewise, 0 to 1000.
    pub policy: Vec<u16>,
}

/// A position of a review.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewEvent {
    pub node: NodeNumber,
    /// Searches made.
    pub done: usize,
    /// All searches, as far as they are known: the turns that may be the worst get a second one.
    pub total: usize,
    /// What the search says of the position.
    #[serde(flatten)]
    pub value: NodeValue,
    /// The best move there.
    pub best: Option<ReportedMove>,
    /// The turns beside it, as far as both of their sides are known.
    pub losses: Vec<TurnLoss>,
    /// The turns that lost most so far, the worst first, if the list has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<Vec<Mistake>>,
}

/// What a turn lost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TurnLoss {
    /// The node behind the turn.
    pub node: NodeNumber,
    /// The side that made it.
    pub color: &'static str,
    /// Points that it lost for sure.
    pub loss: f32,
    /// Whether it is the search's own choice.
    pub best: bool,
    /// Prior of the turn, if it is the search's own choice: a low one was hard to find.
    pub prior: Option<f32>,
}

/// What a review says of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReviewSummary {
    /// The turns that lost most, the worst first.
    pub worst: Vec<Mistake>,
    /// How well each side played, in percent: the mean over its turns of 100 that shrink by a
    /// quarter with every point that the turn lost; none without a turn.
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
    /// What happened in words, where the owners of the points tell.
    pub reason: Option<String>,
    /// The turn for a person who looks at the board.
    pub caption: String,
    /// The first step of a better turn.
    pub better: Option<ReportedMove>,
    /// The first step of the answer that makes it a mistake.
    pub answer: Option<ReportedMove>,
}

/// The count of a board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreView {
    /// By the rules, no stone taken off.
    pub rules: String,
    /// The same as area.
    pub area: String,
    /// The same as territory and captures.
    pub territory: String,
    /// By the rules, the dead stones taken off.
    pub agreed: String,
    /// The same as a sentence.
    pub sentence: String,
    /// How many stones count as dead, in a sentence.
    pub taken: String,
    /// The rules' own count in a line, with the reason where it differs.
    pub rules_sentence: String,
    /// What the points of both sides are made of, the dead stones taken off.
    pub tally: Tally,
    /// What speaks against the marks, in sentences.
    pub objections: Vec<String>,
    /// The stones marked as dead.
    pub dead: Vec<String>,
    /// Whose each point is, the dead stones taken off: rows of `X`, `O` and `.`.
    pub owned: Vec<String>,
}
