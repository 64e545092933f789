//! Which steps the tree considers.

use crate::board::Random;
use crate::rules::{Position, Step, Variant};

/// Boards of so many points (of the flat form) are searched without leaving
/// anything out: there even an eye may have to be filled.
const SMALL: u16 = 21;

/// Collects into `steps` what the side to move may do, superko apart, but,
/// unless `eyes` are asked for, for filling its own eyes. A pass, or the end of
/// a growth, is always among it.
///
/// The order is random, for the tree takes alike steps in this order.
pub(super) fn collect<V: Variant>(
    position: &Position<V>,
    eyes: bool,
    random: &mut Random,
    steps: &mut Vec<Step>,
) {
    steps.clear();
    let grid = position.board.grid();
    let everything = eyes || u16::from(grid.width()) * u16::from(grid.height()) <= SMALL;
    V::for_each_step(position, position.to_move, &mut |step| {
        if everything || !fills_eye(position, step) {
            steps.push(step);
        }
    });
    for last in (1..steps.len()).rev() {
        steps.swap(last, random.below(last as u32 + 1) as usize);
    }
}

/// Whether a step puts something into an eye of the side to move.
fn fills_eye<V: Variant>(position: &Position<V>, step: Step) -> bool {
    match step {
        Step::Stone(point) | Step::Grow(point) | Step::Tao(point) => {
            position.board.is_eye(point, position.to_move)
        }
        Step::Pass | Step::Nuke(_) | Step::Done => false,
    }
}
