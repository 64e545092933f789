//! When to pass.
//!
//! Nothing is taken off as dead, so a pass accepts the board as it stands:
//! the opponent may pass too. That count is weighed against playing on; and
//! because random playouts see some chance in everything, a pass is also only
//! made where little is left to play for, or late.

use super::evaluator::{Ends, Outcome};
use super::knobs::Knobs;
use super::node::Node;
use super::ownership::sign;
use super::worker::{Ground, Worker};
use crate::board::Cell;
use crate::rules::{Position, Step, Variant};

/// A won count is accepted only if playing on wins as surely as this.
const DECIDED: f32 = 0.9;
/// How much more often playing on may win than a count that wins or draws.
const WON_TOLERANCE: f32 = 0.02;
/// How often playing on may win before a lost count is accepted.
const LOST_TOLERANCE: f32 = 0.05;
/// A pass is looked at no longer than this.
const MOST_LOOKS: u64 = 512;
/// A point is settled if its mean owner is so far from nobody.
const SETTLED: f32 = 0.8;
/// With fewer stones than one for so many points a board is open, however sure
/// playouts are.
const OPEN_PART: usize = 4;
/// One point in so many may be unsettled.
const UNSETTLED_PART: usize = 12;
/// On boards of so many points a search sees far enough to play for every
/// point of the margin; on larger ones a count that wins is good enough.
const SMALL: usize = 25;
/// On boards of so few points a search proves more the less it explores.
const LEAST: usize = 9;
/// Points that playing on must promise where the margin is played for.
const GAIN: f32 = 0.5;
/// A win at hand is risked for them only if it is as sure as this.
const SURE: f32 = 0.97;

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

/// Whether a pass ends the game and wins it, by enough.
pub(super) fn wins_at_once<V: Variant>(position: &Position<V>) -> bool {
    position.passes >= 1 && !is_small(position) && standing(position).win == 1.0
}

/// The constants for a board: small ones have some of their own.
pub(super) fn knobs<V: Variant>(position: &Position<V>, given: &Knobs) -> Knobs {
    let mut knobs = *given;
    if is_small(position) {
        (knobs.exploration, knobs.curiosity) = match points(position) <= LEAST {
            true => (given.least_exploration, given.least_curiosity),
            false => (given.small_exploration, given.small_curiosity),
        };
        knobs.amaf_equivalence = given.small_amaf_equivalence;
        knobs.margin_share = given.small_margin_share;
        knobs.widening = 0.0; // they are solved
    }
    knobs
}

/// Whether a board is so small that what was learned on others hardly fits.
pub(super) fn is_small<V: Variant>(position: &Position<V>) -> bool {
    points(position) <= SMALL
}

fn points<V: Variant>(position: &Position<V>) -> usize {
    position.board.grid().points().count()
}

/// Whether the child `pass` of the root is to be taken rather than `best`,
/// the favourite of all others.
pub(super) fn is_better<V: Variant>(
    ground: &Ground<'_, V>,
    worker: &mut Worker<V>,
    pass: u32,
    best: u32,
    playouts: u64,
) -> bool {
    if let Some(proven) = proven_choice(ground, pass, best) {
        return proven;
    }
    let played_out = is_small(ground.start) && lateness(ground.start) == 0.0;
    is_good(ground, worker, pass, best, playouts)
        && !(played_out && gains(ground, worker, pass, best, playouts))
}

/// Whether a pass is good enough where points of the margin are no matter.
fn is_good<V: Variant>(
    ground: &Ground<'_, V>,
    worker: &mut Worker<V>,
    pass: u32,
    best: u32,
    playouts: u64,
) -> bool {
    let (color, hurry) = (ground.color(), lateness(ground.start));
    let mean = |place: u32| ground.arena.node(place).mean().seen_by(color);
    let promise = |place: u32| mean(place).win;
    let standing = standing(ground.start);
    let count = standing.win;
    if ground.start.passes >= 1 && count == 1.0 {
        return true;
    }
    let tolerance = hurry
        + if count > 0.0 {
            WON_TOLERANCE
        } else {
            LOST_TOLERANCE
        };
    let playing_on = promise(best);
    let tried = |place: u32| ground.arena.node(place).visits();
    // The opponent may pass too. Where every stone loses more, a pass is the way
    // to lose least.
    let value = |outcome: Outcome| outcome.value(ground.knobs);
    let wins_no_less = promise(pass).min(count) >= playing_on;
    let worth_no_less = || value(mean(pass)).min(value(standing)) >= value(mean(best));
    if tried(pass) > tried(best) && (wins_no_less || worth_no_less()) {
        return true;
    }
    if count + tolerance < playing_on || count == 1.0 && playing_on + hurry < DECIDED {
        return false;
    }
    let worth = if ground.start.passes >= 1 || count == 0.0 {
        count
    } else {
        look(ground, worker, pass, playouts);
        promise(pass).min(count)
    };
    worth + tolerance >= playing_on && (hurry > 0.0 || is_settled(ground, &worker.trace.ends))
}

/// Makes the judgement of a pass as good as that of a favourite.
fn look<V: Variant>(ground: &Ground<'_, V>, worker: &mut Worker<V>, pass: u32, playouts: u64) {
    for _ in 0..(playouts / 8).clamp(32, MOST_LOOKS) {
        worker.simulate(ground, Some(pass));
    }
}

/// Whether playing on promises more than a pass: a better chance to win, unless
/// it costs more points than it is worth, or, at no risk, a better margin.
fn gains<V: Variant>(
    ground: &Ground<'_, V>,
    worker: &mut Worker<V>,
    pass: u32,
    best: u32,
    playouts: u64,
) -> bool {
    let color = ground.color();
    let best = ground.arena.node(best);
    let (going_on, worth) = (best.mean().seen_by(color), best.value_for(color));
    let gains = |stopping: Outcome| {
        let safe = going_on.win >= SURE.min(stopping.win);
        safe && going_on.margin > stopping.margin + GAIN
            || going_on.win > stopping.win + WON_TOLERANCE && worth > stopping.value(ground.knobs)
    };
    let counted = standing(ground.start);
    if ground.start.passes >= 1 || gains(counted) {
        return gains(counted);
    }
    // The opponent chooses whether to pass too.
    look(ground, worker, pass, playouts);
    let played = ground.arena.node(pass).mean().seen_by(color);
    gains(Outcome {
        win: counted.win.min(played.win),
        margin: counted.margin.min(played.margin),
    })
}

/// Which is better if what a pass leads to is proven, or that the other wins;
/// of equals the pass, which ends the game.
fn proven_choice<V: Variant>(ground: &Ground<'_, V>, pass: u32, best: u32) -> Option<bool> {
    let color = ground.color();
    let (pass, best) = (ground.arena.node(pass), ground.arena.node(best));
    let exact = |node: &Node| {
        let bounds = node.bounds();
        bounds.exact().map(|_| bounds.seen_by(color).low)
    };
    match (exact(pass), exact(best)) {
        (Some(pass), Some(best)) => Some(pass >= best),
        (Some(_), None) => Some(pass.value_for(color) >= best.value_for(color)),
        (None, _) if best.bounds().wins(color) => Some(false),
        (None, _) => None,
    }
}

/// 0 up to a length that games rarely reach, then growing to 1: what makes
/// any game end that the engine plays with itself.
fn lateness<V: Variant>(position: &Position<V>) -> f32 {
    let points = points(position) as f32;
    ((position.turns as f32 / points - 2.0) / 2.0).clamp(0.0, 1.0)
}

/// Whether nearly all points will belong to whom they belong now.
fn is_settled<V: Variant>(ground: &Ground<'_, V>, ends: &Ends) -> bool {
    let board = &ground.start.board;
    let owners = board.owners();
    let (mut points, mut open) = (0, 0);
    let mut stones = 0;
    for point in board.grid().points() {
        if matches!(board.cell(point), Cell::Wall | Cell::Void) {
            continue;
        }
        let now = sign(owners.of(point)) as f32;
        points += 1;
        stones += usize::from(board.cell(point) != Cell::Empty);
        open += usize::from(ends.mean_owner(point) * now < SETTLED);
    }
    open * UNSETTLED_PART <= points && stones * OPEN_PART >= points
}

#[cfg(test)]
mod tests {
    use super::super::evaluator::RandomPlayouts;
    use super::super::knobs::Knobs;
    use super::super::mind::Mind;
    use super::super::player::Task;
    use crate::board::Color;
    use crate::rules::{AnyGame, Setup, Step, Turn, parse_point, variant};

    #[test]
    fn the_first_answer_to_a_pass_that_is_looked_at_is_a_pass() {
        let setup = Setup::new(variant("go-san").expect("a variant"));
        let mut game = AnyGame::new(&setup).expect("a game");
        let point = parse_point(game.grid(), "C5").expect("a vertex");
        game.play(Color::Black, &Turn::Stone(point)).expect("legal");
        let AnyGame::GoSan(game) = &game else {
            unreachable!("a game of go-san")
        };
        let evaluators = std::iter::once(RandomPlayouts::new(game.position()));
        let mut mind = Mind::new(game.position(), Knobs::default(), 1 << 20, evaluators);
        let task = Task::new(Color::White);
        mind.turn_to(game, &task);
        mind.run(&task, 1, &mut |_| false);
        let (ground, worker) = mind.first(&task);
        let is_pass = |&place: &u32| ground.arena.node(place).step() == Step::Pass;
        let pass = ground.arena.places(ground.root).find(is_pass);
        let pass = pass.expect("among the candidates");
        let most = ground.knobs.expand_after as u32 + 1;
        (0..most).for_each(|_| assert!(worker.simulate(&ground, Some(pass))));
        // One stone owns the board: White is 73.5 points behind, in halves.
        let proven = ground.arena.node(pass).bounds().seen_by(Color::Black);
        assert_eq!(proven.low, 147);
    }
}
