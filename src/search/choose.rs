//! Choosing a step or a turn at the end of a search.

use super::evaluator::Outcome;
use super::params::SearchParams;
use super::passing::{self, Look};
use super::report::{RunningSearch, SearchProgress, best_child, principal_variation};
use super::searcher::{Choice, Restriction, Task, TurnChoice};
use super::slices::SignalCallback;
use super::tree::SearchTree;
use super::worker::{SearchContext, Worker};
use crate::rules::{AnyGame, Step, Turn, TurnPoints};

/// Maximum number of playouts of a search without a limit.
const MAX_PLAYOUTS: u64 = 1 << 31;

/// The choice if no search is needed: the game is over, the other side is in the
/// middle of its turn, or a pass ends the game and wins it.
pub(super) fn choose_without_search(
    game: &AnyGame,
    task: &Task,
    params: &SearchParams,
) -> Option<Choice> {
    let mut start = game.position().boxed();
    let others_turn = start.is_mid_turn() && start.to_move != task.color;
    if start.ending.is_some() || others_turn {
        return Some(unsearched_pass(Outcome::of(&*start).for_color(task.color)));
    }
    start.to_move = task.color;
    if task.resumes {
        start.passes = 0;
    }
    // The restrictions may forbid the pass.
    let free = Restriction::allow(&task.restrictions, 0, task.color, Step::PASS);
    let may_end = free && !task.conservative_pass && !start.is_mid_turn();
    let wins = may_end && passing::wins_by_passing(&*start, params);
    wins.then(|| unsearched_pass(passing::outcome_if_both_pass(&*start)))
}

/// A pass without a search.
pub(super) fn unsearched_pass(outcome: Outcome) -> Choice {
    Choice {
        step: Step::PASS,
        win_rate: outcome.win,
        margin: outcome.margin,
        visits: 0,
        playouts: 0,
        root_visits: 0,
        pv: vec![Step::PASS],
    }
}

/// Searches and chooses a step; also returns its node.
pub(super) async fn choose_step(
    game: &AnyGame,
    tree: &mut SearchTree,
    task: &Task,
    signal: &mut SignalCallback<'_>,
) -> (Option<u32>, Choice) {
    run_search(tree, task, task.playouts.unwrap_or(MAX_PLAYOUTS), signal).await;
    let child = best_root_child(tree, task, signal).await;
    let child = child.filter(|&child| is_legal(game, tree, child));
    let mut choice = choice_of(tree, task, child);
    if child.is_none() {
        choice.step = first_legal_step(game, task).unwrap_or(choice.step);
    }
    tree.end_looks();
    choice.visits = child.map_or(0, |child| tree.nodes.node(child).visits());
    (child, choice)
}

/// Makes up to `limit` playouts, or only one if there is nothing to choose.
pub(super) async fn run_search(
    tree: &mut SearchTree,
    task: &Task,
    limit: u64,
    signal: &mut SignalCallback<'_>,
) {
    tree.run(task, 1, signal).await;
    let is_decided = {
        let (context, worker) = tree.first(task);
        RunningSearch::new(&context, worker, 1).stability().is_decided
    };
    if !is_decided {
        tree.run(task, limit.saturating_sub(1), signal).await;
    }
}

/// The child of the root to play; none if no child may be played.
async fn best_root_child(
    tree: &mut SearchTree,
    task: &Task,
    signal: &mut SignalCallback<'_>,
) -> Option<u32> {
    let playouts = tree.playouts;
    let pass = tree.first(task).0.pass().map(|at| (at, tree.begin_look(at)));
    let (context, worker) = tree.first(task);
    let best = best_child(&context, &|node| node.step() != Step::PASS);
    let best = best.map(|best| passing::unless_it_fills(&context, &worker.trace.ownership, best));
    // After few playouts possibly only the pass was visited.
    let best = best.or_else(|| first_legal(&context, worker));
    match (best, pass) {
        (Some(best), Some((pass, visits)))
            if passing::is_better(
                &context,
                worker,
                &mut Look { pass, visits, playouts, signal },
                best,
            )
            .await =>
        {
            Some(pass)
        }
        (None, pass) => pass.map(|(pass, _)| pass),
        (best, _) => best,
    }
}

/// Any legal child other than the pass.
fn first_legal(context: &SearchContext<'_>, worker: &mut Worker) -> Option<u32> {
    context.nodes.child_indices(context.root).find(|&node_index| {
        let step = context.nodes.node(node_index).step();
        step != Step::PASS
            && context.allows(0, context.color(), step)
            && worker.simulate(context, Some(node_index))
    })
}

/// Whether the rules accept the step; if not, there is a bug, but for a first step of a turn
/// of which superko forbids all ends.
fn is_legal(game: &AnyGame, tree: &SearchTree, child: u32) -> bool {
    let step = tree.nodes.node(child).step();
    let verdict = game.check_next_step(tree.start.to_move, step);
    debug_assert!(verdict.is_ok() || !game.info().has_single_steps_only(), "{step:?}: {verdict:?}");
    verdict.is_ok()
}

/// The search's numbers of a child of the root; without a child, of a pass or the
/// end of the growth.
fn choice_of(tree: &mut SearchTree, task: &Task, child: Option<u32>) -> Choice {
    let playouts = tree.playouts;
    let (context, _) = tree.first(task);
    let stay = if context.start.is_mid_turn() { Step::END } else { Step::PASS };
    let node = context.nodes.node(child.unwrap_or(context.root));
    let root_visits = context.root_statistics().visits.into();
    let mean = node.mean().for_color(context.color());
    Choice {
        step: child.map_or(stay, |_| node.step()),
        win_rate: mean.win,
        margin: mean.margin,
        visits: child.map_or(0, |_| node.visits()),
        playouts,
        root_visits,
        pv: child.map_or_else(|| vec![stay], |child| principal_variation(&context, child).0),
    }
}

/// Searches and chooses a whole turn.
pub(super) async fn choose_turn(
    game: &AnyGame,
    tree: &mut SearchTree,
    task: &Task,
    signal: &mut SignalCallback<'_>,
) -> TurnChoice {
    let (child, mut choice) = choose_step(game, tree, task, signal).await;
    let whole = game.info().whole_turn(choice.step).filter(|_| !game.is_mid_turn());
    let turn = match (whole, child) {
        (Some(turn), _) => turn,
        (None, None) => game.turn_under_way().cloned().unwrap_or(Turn::pass()),
        (None, Some(child)) => choose_further_steps(game, tree, child, task, signal).await,
    };
    let turn = whole_and_legal(game, task, turn);
    choice.playouts = tree.playouts;
    TurnChoice { turn, choice }
}

/// A turn; another one where the game has no free passes or superko has left none of the ends
/// of a turn that has begun.
fn whole_and_legal(game: &AnyGame, task: &Task, turn: Turn) -> Turn {
    let info = game.info();
    let needs_look =
        !info.has_single_steps_only() && !info.ko_has_no_effect || !info.passes_are_free;
    if !needs_look || game.is_mid_turn() || game.check(task.color, &turn).is_ok() {
        return turn;
    }
    game.legal_turns(task.color).into_iter().next().unwrap_or(turn)
}

/// Any legal step, in a game without free passes.
fn first_legal_step(game: &AnyGame, task: &Task) -> Option<Step> {
    if game.info().passes_are_free && !game.position().is_mid_turn() {
        return None;
    }
    let mut steps = game.steps(task.color).into_iter();
    steps.find(|&step| game.check_next_step(task.color, step).is_ok())
}

/// Extends a turn of several steps until it ends.
async fn choose_further_steps(
    game: &AnyGame,
    tree: &mut SearchTree,
    first: u32,
    task: &Task,
    signal: &mut SignalCallback<'_>,
) -> Turn {
    let (fewest, divisor) = {
        let params = tree.params();
        (params.step_min_playouts.into(), u64::from(params.step_playouts_divisor))
    };
    let mut playouts_left = task.playouts.unwrap_or(tree.playouts);
    let kind = game.turn_under_way().map(Turn::kind);
    let mut points = TurnPoints::from_slice(game.points_so_far());
    let kind = kind.unwrap_or_else(|| tree.nodes.node(first).step().kind());
    let mut next = Some(first);
    while let Some(child) = next {
        let step = tree.nodes.node(child).step();
        points.extend(step.point());
        if tree.start.boxed().make(tree.start.to_move, step) {
            break;
        }
        tree.advance(child);
        run_search(tree, task, (playouts_left / divisor).max(fewest), signal).await;
        playouts_left -= playouts_left / divisor;
        next = best_root_child(tree, task, signal).await;
    }
    Turn::new(kind, points)
}
