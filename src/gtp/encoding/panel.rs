//! A second copy of the board: what a copy of a point stands for.

use crate::board::{Color, Point};
use crate::rules::{AnyGame, Step, Vocabulary};

/// Whether there is anything to say with copies.
pub fn is_needed(words: &Vocabulary) -> bool {
    words.nuke || words.tao
}

/// The step that playing on the copy of `point` stands for: the special turn
/// that the variant adds to stones.
pub fn decode(game: &AnyGame, color: Color, point: Point) -> Step {
    let words = game.info().words;
    let is_own = || game.cell(point).color() == Some(color);
    if words.nuke && (!words.tao || is_own()) {
        Step::Nuke(point)
    } else {
        Step::Tao(point)
    }
}

/// The point whose copy stands for a step; none if no copy does.
pub fn encode(step: Step) -> Option<Point> {
    match step {
        Step::Nuke(point) | Step::Tao(point) => Some(point),
        _ => None,
    }
}
