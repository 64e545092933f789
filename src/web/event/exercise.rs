//! Lessons and problems as the page shows them.

use super::{Consequence, Mistake, Sheet, View};
use crate::rules::State;
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct PositionView {
    /// The answer to `kawari-state`.
    pub state: State,
    pub view: View,
    /// What the last turn or step did.
    pub consequences: Vec<Consequence>,
    /// Rows of the board before it.
    pub before: Option<Vec<String>>,
    /// Where the layers are in the flat form.
    pub sheets: Vec<Sheet>,
    /// Pairs of neighbours on different layers.
    pub links: Vec<[String; 2]>,
}

/// Whether an attempt is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It goes on.
    Open,
    Right,
    Wrong,
}

#[derive(Clone, Debug, Serialize)]
pub struct AttemptView {
    /// The position after the last step, and those after the replies to it.
    pub positions: Vec<PositionView>,
    pub verdict: Verdict,
    /// The text after a right attempt.
    pub after: String,
    /// Why the rules refuse the step, if that was the task.
    pub refused: Option<String>,
    /// What searches say against the turn, where they judge it.
    pub mistake: Option<Mistake>,
}

#[derive(Clone, Debug, Serialize)]
pub struct LessonView {
    pub title: &'static str,
    /// The explanation and the task, in Markdown.
    pub text: &'static str,
}

/// A problem in the list of all.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemView {
    /// Its id.
    pub variant: &'static str,
    /// Its number in the file of the variant.
    pub number: u32,
    /// The side to move.
    pub color: &'static str,
    /// Rules of the game that the position does not show.
    pub rules: String,
    /// Its subject, with the answer.
    pub words: String,
    /// The right answers, or the wrong ones if `negated`.
    pub answers: Vec<String>,
    pub negated: bool,
    /// Playouts that the engine needs for it, if they rate it.
    pub playouts: Option<u32>,
    /// Difficulty from 1 to 5, by its playouts or its grade.
    pub stars: u8,
}
