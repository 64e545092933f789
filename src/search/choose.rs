//! From a search to a step or a turn.

use super::evaluator::Outcome;
use super::mind::Mind;
use super::passing;
use super::player::{Choice, Task, TurnChoice, View, Watch};
use super::report::{Sight, favourite, line};
use super::worker::{Ground, Worker};
use crate::rules::{Game, Step, Stones, Turn, Variant};

/// Playouts after which a search without a limit ends anyhow.
const MOST_PLAYOUTS: u64 = 1 << 31;

/// The answer that needs no search, if there is one.
pub(super) fn at_once<V: Variant>(game: &Game<V>, task: &Task) -> Option<Choice> {
    let mut start = game.position().clone();
    let others_turn = V::mid_turn(&start) && start.to_move != task.color;
    if start.ending.is_some() || others_turn {
        return Some(unsearched(Outcome::of(&start).seen_by(task.color)));
    }
    start.to_move = task.color;
    // The pass may be among the steps that are not to be made.
    let free = task
        .restrictions
        .iter()
        .all(|restriction| restriction.allows(0, task.color, Step::Pass));
    let wins = free && !V::mid_turn(&start) && passing::wins_at_once(&start);
    wins.then(|| unsearched(passing::standing(&start)))
}

/// The answer where there is nothing to choose.
pub(super) fn nothing() -> Choice {
    unsearched(Outcome::default())
}

/// A pass with nothing to think about.
fn unsearched(outcome: Outcome) -> Choice {
    Choice {
        step: Step::Pass,
        win_rate: outcome.win,
        margin: outcome.margin,
        visits: 0,
        playouts: 0,
        line: vec![Step::Pass],
    }
}

/// Searches, and picks a child of the root.
pub(super) fn step<V: Variant>(
    game: &Game<V>,
    mind: &mut Mind<V>,
    task: &Task,
    watch: &mut Watch<'_>,
) -> (Option<u32>, Choice) {
    think(mind, task, task.playouts.unwrap_or(MOST_PLAYOUTS), watch);
    let child = pick(mind, task).filter(|&child| is_legal(game, mind, child));
    (child, report(mind, task, child))
}

/// Makes playouts, fewer if there is no choice.
pub(super) fn think<V: Variant>(
    mind: &mut Mind<V>,
    task: &Task,
    limit: u64,
    watch: &mut Watch<'_>,
) {
    mind.run(task, 1, watch);
    let settled = {
        let (ground, worker) = mind.first(task);
        Sight::new(&ground, worker, 1).lead().settled
    };
    if !settled {
        mind.run(task, limit.saturating_sub(1), watch);
    }
}

/// The child of the root to take.
fn pick<V: Variant>(mind: &mut Mind<V>, task: &Task) -> Option<u32> {
    let playouts = mind.playouts;
    let (ground, worker) = mind.first(task);
    let pass = ground
        .arena
        .places(ground.root)
        .find(|&place| ground.arena.node(place).step() == Step::Pass);
    let allowed = |step| ground.allows(0, ground.color(), step);
    let pass = pass.filter(|_| allowed(Step::Pass));
    let best = favourite(&ground, &|node| node.step() != Step::Pass);
    // With hardly any playouts only the pass may have been looked at.
    let best = best.or_else(|| first_legal(&ground, worker));
    match (best, pass) {
        (Some(best), Some(pass)) if passing::is_better(&ground, worker, pass, best, playouts) => {
            Some(pass)
        }
        (None, pass) => pass,
        (best, _) => best,
    }
}

/// Any child that is legal and no pass.
fn first_legal<V: Variant>(ground: &Ground<'_, V>, worker: &mut Worker<V>) -> Option<u32> {
    ground.arena.places(ground.root).find(|&place| {
        let step = ground.arena.node(place).step();
        step != Step::Pass
            && ground.allows(0, ground.color(), step)
            && worker.simulate(ground, Some(place))
    })
}

/// Whether the referee agrees. (It always should.)
fn is_legal<V: Variant>(game: &Game<V>, mind: &Mind<V>, child: u32) -> bool {
    let step = mind.arena.node(child).step();
    let color = mind.start.to_move;
    let legal = match step.whole_turn() {
        Some(turn) if !V::mid_turn(&mind.start) => game.check(color, &turn).is_ok(),
        _ => mind.start.check(color, step).is_ok(),
    };
    debug_assert!(legal, "{step:?}");
    legal
}

/// What is known about a child of the root; without one, about stopping here.
fn report<V: Variant>(mind: &mut Mind<V>, task: &Task, child: Option<u32>) -> Choice {
    let playouts = mind.playouts;
    let (ground, _) = mind.first(task);
    let stay = match V::mid_turn(ground.start) {
        true => Step::Done,
        false => Step::Pass,
    };
    let node = ground.arena.node(child.unwrap_or(ground.root));
    let mean = node.mean().seen_by(ground.color());
    Choice {
        step: child.map_or(stay, |_| node.step()),
        win_rate: mean.win,
        margin: mean.margin,
        visits: child.map_or(0, |_| node.visits()),
        playouts,
        line: child.map_or_else(|| vec![stay], |child| line(&ground, child).0),
    }
}

/// Searches, and picks a whole turn.
pub(super) fn turn<V: Variant>(
    game: &Game<V>,
    mind: &mut Mind<V>,
    task: &Task,
    watch: &mut Watch<'_>,
) -> TurnChoice {
    let (child, mut choice) = step(game, mind, task, watch);
    let whole = choice.step.whole_turn().filter(|_| !game.is_mid_turn());
    let turn = match (whole, child) {
        (Some(turn), _) => turn,
        (None, None) => Turn::Grow(Stones::from_slice(game.grown())),
        (None, Some(child)) => grow(game, mind, child, task, watch),
    };
    choice.playouts = mind.playouts;
    TurnChoice { turn, choice }
}

/// Goes on with a growth until it ends.
fn grow<V: Variant>(
    game: &Game<V>,
    mind: &mut Mind<V>,
    first: u32,
    task: &Task,
    watch: &mut Watch<'_>,
) -> Turn {
    const FEWEST: u64 = 16;
    /// Of what is left, a step gets one part of so many.
    const SHARE: u64 = 6;
    let mut pool = task.playouts.unwrap_or(mind.playouts);
    let mut stones = Stones::from_slice(game.grown());
    let mut next = Some(first);
    while let Some(child) = next {
        let step = mind.arena.node(child).step();
        stones.extend(step.point());
        if !matches!(step, Step::Grow(_)) {
            break;
        }
        mind.advance(child);
        think(mind, task, (pool / SHARE).max(FEWEST), watch);
        pool -= pool / SHARE;
        next = pick(mind, task);
    }
    Turn::Grow(stones)
}
