//! The candidate steps of a node.

use crate::board::Random;
use crate::rules::{Position, Step};

/// Board area (width times height of the flat form) up to which every legal step is a candidate,
/// because filling an eye may be the only good step.
const EXHAUSTIVE_AREA: u32 = 21;

/// Collects the candidates of the side to move: all steps that are legal without regard to superko.
/// Without `eyes` they fill no own eye, unless every step does. With `may_win` a step that wins at
/// once is the only candidate.
///
/// The order is random, because the search takes steps of equal priors in order.
pub(super) fn collect_candidates(
    position: &Position,
    (eyes, may_win): (bool, bool),
    random: &mut Random,
    steps: &mut Vec<Step>,
) {
    steps.clear();
    if let Some(step) = position.winning_step().filter(|_| may_win) {
        steps.push(step);
        return;
    }
    let grid = position.board.grid();
    let area = u32::from(grid.width()) * u32::from(grid.height());
    let everything = eyes || area <= EXHAUSTIVE_AREA;
    position.for_each_step(position.situation.to_move, &mut |step| {
        if everything || !fills_eye(position, step) {
            steps.push(step);
        }
    });
    if steps.is_empty() {
        // Where passes are not free, a player may have to fill an eye.
        position.for_each_step(position.situation.to_move, &mut |step| steps.push(step));
    }
    for last in (1..steps.len()).rev() {
        steps.swap(last, random.below(last as u32 + 1) as usize);
    }
}

fn fills_eye(position: &Position, step: Step) -> bool {
    let (board, own) = (&position.board, position.situation.to_move);
    step.point().is_some_and(|point| board.cell(point).is_open() && board.is_eye(point, own))
}
