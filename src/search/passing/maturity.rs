//! How far a game has come: whether its board is full and settled, or it is overlong.

use super::super::evaluator::Ownership;
use super::super::ownership::sign;
use super::super::worker::SearchContext;
use crate::board::Cell;
use crate::rules::AnyPosition;

/// How overlong the game is, 0 to 1: the tolerance of passing grows with it, so that
/// self-play games end.
pub(super) fn overlength(position: &dyn AnyPosition) -> f32 {
    /// Turns per point that games rarely reach, and where nothing else counts.
    const TURNS_PER_POINT: (f32, f32) = (2.0, 4.0);
    let (start, end) = TURNS_PER_POINT;
    let turns_per_point = position.turns as f32 / position.board().grid().point_count() as f32;
    ((turns_per_point - start) / (end - start)).clamp(0.0, 1.0)
}

pub(super) fn is_settled(context: &SearchContext<'_>, ownership: &Ownership) -> bool {
    let board = context.start.board();
    let owners = board.owners();
    let params = context.params;
    let (mut points, mut open) = (0, 0);
    for point in board.ownable_points() {
        let now = sign(owners.of(point)) as f32;
        points += 1;
        open += u32::from(ownership.mean_owner(point) * now < params.pass_settled_ownership);
    }
    open * params.pass_points_per_unsettled <= points && has_enough_stones(context)
}

/// Whether the board is full enough to be settled: before, a person would not pass even a game
/// that the search finds lost.
pub(super) fn has_enough_stones(context: &SearchContext<'_>) -> bool {
    let board = context.start.board();
    let (mut points, mut stones) = (0, 0);
    for point in board.ownable_points() {
        points += 1;
        stones += u32::from(board.cell(point) != Cell::Empty);
    }
    stones * context.params.pass_points_per_stone >= points
}
