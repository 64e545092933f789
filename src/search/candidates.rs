//! The candidate steps of a node.

use super::params::SearchParams;
use crate::board::Random;
use crate::rules::{AnyPosition, Step};

/// Collects the candidates of the side to move into `steps`: all steps that are
/// legal but for superko, and without `eyes` no step that fills an own eye unless every
/// step does. A step that wins at once is the only candidate where `may_win` says so.
///
/// The order is random, because the search takes steps of equal priors in this
/// order.
pub(super) fn collect_candidates(
    position: &dyn AnyPosition,
    (eyes, may_win): (bool, bool),
    params: &SearchParams,
    random: &mut Random,
    steps: &mut Vec<Step>,
) {
    steps.clear();
    if let Some(step) = position.winning_step().filter(|_| may_win) {
        steps.push(step);
        return;
    }
    let grid = position.board().grid();
    let area = u32::from(grid.width()) * u32::from(grid.height());
    let everything = eyes || area <= params.exhaustive_candidates_area;
    position.for_each_step(position.to_move, &mut |step| {
        if everything || !fills_eye(position, step) {
            steps.push(step);
        }
    });
    if steps.is_empty() {
        // A game in which a player must play: an eye has to be filled.
        position.for_each_step(position.to_move, &mut |step| steps.push(step));
    }
    for last in (1..steps.len()).rev() {
        steps.swap(last, random.below(last as u32 + 1) as usize);
    }
}

/// Whether a step fills an eye of the side to move.
fn fills_eye(position: &dyn AnyPosition, step: Step) -> bool {
    let (board, own) = (position.board(), position.to_move);
    step.point().is_some_and(|point| board.cell(point).is_open() && board.is_eye(point, own))
}
