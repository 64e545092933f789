//! A vertex of the variant's own board as a step, and back.

use crate::board::{Color, Point};
use crate::rules::{AnyGame, Illegal, Step, Turn};

/// The step that playing on `point` stands for: the stone placed last, again,
/// ends a growth; an own stone goes nuclear where there are nukes; a point next
/// to an own stone grows where there are growths; anything else is a stone.
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

/// The point that stands for a step; none for what cannot be said, and for a
/// pass.
pub fn encode(game: &AnyGame, step: Step) -> Option<Point> {
    match step {
        Step::Done => game.grown().last().copied(),
        Step::Tao(_) => None,
        _ => step.point(),
    }
}

/// Whether `color` may make a written turn; in the middle of a growth, whether
/// it may play that vertex, or fill in with that pass.
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
