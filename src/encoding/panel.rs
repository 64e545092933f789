//! The panel: a second copy of the board, whose vertices stand for special turns.

use crate::board::{Color, Point};
use crate::rules::{AnyGame, Step, Vocabulary};

/// Whether the variant has turns that need the panel.
pub fn is_needed(words: &Vocabulary) -> bool {
    words.nuke || words.tao
}

/// The special step that playing on the copy of `point` stands for.
pub fn decode(game: &AnyGame, color: Color, point: Point) -> Step {
    let words = game.info().words;
    let is_own = || game.cell(point).color() == Some(color);
    if words.nuke && (!words.tao || is_own()) {
        Step::Nuke(point)
    } else {
        Step::Tao(point)
    }
}

/// The point whose copy stands for a step; none for other steps.
pub fn encode(step: Step) -> Option<Point> {
    match step {
        Step::Nuke(point) | Step::Tao(point) => Some(point),
        _ => None,
    }
}
