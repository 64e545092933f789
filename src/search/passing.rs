//! When to pass.
//!
//! Nothing is taken off as dead, so a pass accepts the board as it stands:
//! the opponent may pass too. That count is weighed against playing on; and
//! because random playouts see some chance in everything, a pass is also only
//! made where little is left to play for, or late.

use super::evaluator::{Evaluator, Outcome};
use super::ownership::{mean_owners, sign};
use super::uct::Search;
use crate::board::Random;
use crate::rules::{Position, Step, Variant};

/// A won count is accepted only if playing on wins as surely as this.
const DECIDED: f32 = 0.9;
/// How much more often playing on may win than a count that wins or draws.
const WON_TOLERANCE: f32 = 0.02;
/// How often playing on may win before a lost count is accepted.
const LOST_TOLERANCE: f32 = 0.05;
/// Playouts that tell whose the points are.
const JUDGING_PLAYOUTS: u32 = 48;
/// A point is settled if its mean owner is so far from nobody.
const SETTLED: f32 = 0.8;
/// One point in so many may be unsettled.
const UNSETTLED_PART: usize = 12;

/// The outcome if both sides pass from here on, for the side to move.
pub(super) fn standing<V: Variant>(position: &Position<V>) -> Outcome {
    let mut after = position.clone();
    let color = position.to_move;
    loop {
        // A pass may change the board: voids act.
        let mover = after.to_move;
        after.make(mover, Step::Pass);
        if after.is_over() {
            return Outcome::of(&after).seen_by(color);
        }
    }
}

/// Whether a pass ends the game and wins it.
pub(super) fn wins_at_once<V: Variant>(position: &Position<V>) -> bool {
    position.passes >= 1 && standing(position).win == 1.0
}

/// Whether the child `pass` of the root is to be taken rather than `best`,
/// the favourite of all others.
pub(super) fn is_better<V: Variant, E: Evaluator<V>>(
    search: &mut Search<'_, V, E>,
    pass: usize,
    best: usize,
) -> bool {
    let count = standing(search.start()).win;
    let hurry = lateness(search.start());
    let tolerance = hurry
        + if count > 0.0 {
            WON_TOLERANCE
        } else {
            LOST_TOLERANCE
        };
    let playing_on = search.promise(best).win;
    if count + tolerance < playing_on || count == 1.0 && playing_on + hurry < DECIDED {
        return false;
    }
    let worth = if search.start().passes >= 1 || count == 0.0 {
        count
    } else {
        look_into(search, pass);
        search.promise(pass).win.min(count)
    };
    worth + tolerance >= playing_on && (hurry > 0.0 || is_settled(search))
}

/// Makes the judgement of a pass as good as that of a favourite.
fn look_into<V: Variant, E: Evaluator<V>>(search: &mut Search<'_, V, E>, pass: usize) {
    for _ in 0..(search.playouts / 8).max(32) {
        search.simulate(Some(pass));
    }
}

/// 0 up to a length that games rarely reach, then growing to 1: what makes
/// any game end that the engine plays with itself.
fn lateness<V: Variant>(position: &Position<V>) -> f32 {
    let points = position.board.grid().points().count() as f32;
    ((position.turns as f32 / points - 2.0) / 2.0).clamp(0.0, 1.0)
}

/// Whether nearly all points will belong to whom they belong now.
fn is_settled<V: Variant, E: Evaluator<V>>(search: &mut Search<'_, V, E>) -> bool {
    let mut random = Random::new(search.random.bits());
    let position = search.start();
    let owners = position.board.owners();
    let means = mean_owners(position, JUDGING_PLAYOUTS, &mut random);
    let open = means.iter().filter(|&&(point, mean)| {
        let now = sign(owners.of(point)) as f32;
        mean * now < SETTLED
    });
    open.count() * UNSETTLED_PART <= means.len()
}
