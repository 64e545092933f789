//! Lessons and problems as the page shows them.

use super::{Consequence, Mistake, Sheet, View};
use crate::rules::State;
use serde::Serialize;

/// A position of an exercise.
#[derive(Clone, Debug, Serialize)]
pub struct PositionView {
    /// The answer to `kawari-state`.
    pub state: State,
    /// What else a picture shows.
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
    /// Nothing is decided yet.
    Open,
    /// It is.
    Right,
    /// It is not.
    Wrong,
}

/// An attempt at an exercise.
#[derive(Clone, Debug, Serialize)]
pub struct AttemptView {
    /// The position after the last step, and those after the replies to it.
    pub positions: Vec<PositionView>,
    /// Whether it is right.
    pub verdict: Verdict,
    /// What there is to say after the right one.
    pub after: String,
    /// Why the rules refuse the step, if that was the task.
    pub refused: Option<String>,
    /// What searches say against the turn, where they judge it.
    pub mistake: Option<Mistake>,
}

#[derive(Clone, Debug, Serialize)]
pub struct LessonView {
    /// What it is about.
    pub title: &'static str,
    /// What it says, and the task, in Markdown.
    pub text: &'static str,
}

/// A problem in the list of all.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemView {
    /// The id of the variant.
    pub variant: &'static str,
    /// Its number in the file of the variant.
    pub number: u32,
    /// The side to move.
    pub color: &'static str,
    /// What has to be known of the game beside the position.
    pub rules: String,
    /// What it is about; says the answer too.
    pub words: String,
    /// The right answers, or the wrong ones if `negated`.
    pub answers: Vec<String>,
    /// Whether the answers are the wrong ones.
    pub negated: bool,
    /// Playouts that the engine needs for it, if it is rated by that.
    pub playouts: Option<u32>,
    /// How hard it is, from 1 to 5: by its playouts, or by its grade.
    pub stars: u8,
}
