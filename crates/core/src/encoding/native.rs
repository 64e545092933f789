//! Vertices of the variant's own board.

use super::special_kind_at;
use crate::board::{Color, Point};
use crate::rules::{Game, Illegal, Step, StepKind, Turn};

/// The step of a move on `point`: the latest point of an unfinished turn ends it; otherwise the
/// variant's own kind of step to such a point, or a stone.
pub fn decode(game: &Game, color: Color, point: Point) -> Step {
    if game.is_mid_turn() && game.points_so_far().last() == Some(&point) {
        return Step::END;
    }
    let kind = special_kind_at(game, color, point, |info| info.on_board);
    Step::new(kind.unwrap_or(StepKind::STONE), point)
}

/// The point for a step; `None` for a pass, and for steps that this encoding cannot express.
pub fn encode(game: &Game, step: Step) -> Option<Point> {
    match step {
        Step::END => game.points_so_far().last().copied(),
        _ => {
            let info = game.info().kind(step.kind());
            step.point().filter(|_| info.is_some_and(|info| info.on_board))
        }
    }
}

/// Whether `color` may make a written turn. In the middle of a turn: whether it may play that
/// vertex, or pass while the other side continues.
pub fn check(game: &Game, color: Color, turn: &Turn) -> Result<(), Illegal> {
    match turn.stone_point() {
        _ if !game.is_mid_turn() || game.is_final() => game.check(color, turn),
        Some(point) => game.position().check(color, decode(game, color, point)),
        None if turn.is_pass() && game.to_move() != color => Ok(()),
        None => Err(Illegal::MidTurn),
    }
}
