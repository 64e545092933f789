//! The native encoding: vertices of the variant's own board.

use crate::board::{Color, Point};
use crate::rules::{AnyGame, Illegal, Step, Turn};

/// The step that playing on `point` stands for: the latest stone of a growth ends
/// it; an own stone is nuked, a point next to an own stone is a growth, in the
/// variants that have them; anything else is a stone.
pub fn decode(game: &AnyGame, color: Color, point: Point) -> Step {
    let words = game.info().words;
    if game.is_mid_turn() && game.grown().last() == Some(&point) {
        return Step::Done;
    }
    if words.nuke && game.cell(point).color() == Some(color) {
        return Step::Nuke(point);
    }
    if words.grow && game.touches(point, color) {
        return Step::Grow(point);
    }
    Step::Stone(point)
}

/// The point that stands for a step; none for a pass and for steps that this
/// encoding cannot express.
pub fn encode(game: &AnyGame, step: Step) -> Option<Point> {
    match step {
        Step::Done => game.grown().last().copied(),
        Step::Tao(_) => None,
        _ => step.point(),
    }
}

/// Whether `color` may make a written turn; in the middle of a growth, whether
/// it may play that vertex, or pass while the other side grows.
///
/// # Errors
/// The rule that forbids it.
pub fn check(game: &AnyGame, color: Color, turn: &Turn) -> Result<(), Illegal> {
    match turn {
        _ if !game.is_mid_turn() || game.is_final() => game.check(color, turn),
        Turn::Stone(point) => game.check_step(color, decode(game, color, *point)),
        Turn::Pass if game.to_move() != color => Ok(()),
        _ => Err(Illegal::MidGrowth),
    }
}
