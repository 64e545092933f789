//! Chooses a step or a turn at the end of a search.

use super::context::SearchContext;
use super::evaluator::Outcome;
use super::params::SearchParams;
use super::passing::{self, PassCheck, PassOrPlay, PassVerdict};
use super::report::{RunningSearch, SearchProgress};
use super::signal::{Search, SignalCallback};
use super::task::{Choice, Restriction, Task, TurnChoice};
use super::tree::SearchTree;
use super::worker::Worker;
use crate::board::Random;
use crate::rules::{Game, Step, Turn};
use std::borrow::Cow;

/// Maximum number of playouts of a search without a limit.
const MAX_PLAYOUTS: u64 = 1 << 31;

/// The choice if no search is needed: the game is over, the other side has not finished its turn,
/// or a pass ends the game and wins it.
pub(super) fn choose_without_search(
    game: &Game,
    task: &Task,
    params: &SearchParams,
) -> Option<Choice> {
    let mut start = game.position().boxed();
    let others_turn = start.is_mid_turn() && start.situation.to_move != task.color;
    if start.situation.ending.is_some() || others_turn {
        return Some(unsearched_pass(Outcome::at_end(&start).for_color(task.color)));
    }
    start.situation.to_move = task.color;
    if task.resumes {
        start.situation.forget_passes();
    }
    // The restrictions may forbid the pass.
    let free = Restriction::allow(&task.restrictions, 0, task.color, Step::PASS);
    let may_end = free && !task.conservative_pass && !start.is_mid_turn();
    let wins = may_end && passing::wins_by_passing(&start, params);
    wins.then(|| unsearched_pass(passing::outcome_if_both_pass(&start)))
}

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

/// A search for a step; see [`Searcher::step`](super::Searcher::step).
pub struct StepSearch<'s> {
    tree: &'s mut SearchTree,
    /// The game, with the steps of the turn so far.
    game: Cow<'s, Game>,
    task: Task,
    /// The choice that needs no search.
    unsearched: Option<Choice>,
    /// Playouts of the remaining runs, the last first.
    runs: Vec<u64>,
    check: Option<PassCheck>,
}

impl<'s> StepSearch<'s> {
    pub(super) fn new(tree: &'s mut SearchTree, game: &'s Game, task: &Task) -> Self {
        let (game, task) = (Cow::Borrowed(game), task.clone());
        let mut search =
            StepSearch { tree, game, task, unsearched: None, runs: Vec::new(), check: None };
        search.begin();
        search
    }

    /// Begins to search in the present position of the game.
    fn begin(&mut self) {
        let StepSearch { tree, game, task, .. } = self;
        // The search of a weak player starts with an empty tree.
        if let Some(weakness) = task.weakness {
            task.playouts = Some(weakness.playouts.into());
            task.conservative_pass = true;
            tree.empty();
        }
        self.unsearched = choose_without_search(game, task, tree.params());
        if self.unsearched.is_none() {
            tree.set_game(game, task);
        }
        let playouts = task.playouts.unwrap_or(MAX_PLAYOUTS);
        self.limit(playouts);
    }

    /// Sets the number of playouts. After the first one the choice may be decided already.
    fn limit(&mut self, playouts: u64) {
        self.runs = vec![playouts.saturating_sub(1), 1];
        self.check = None;
    }

    /// Calls `see` with the results so far; `None` without a search, or for a weak player.
    pub fn see<R>(&mut self, see: impl FnOnce(&dyn SearchProgress) -> R) -> Option<R> {
        let is_shown = self.unsearched.is_none() && self.task.weakness.is_none();
        is_shown.then(|| self.tree.see(&self.task, see))
    }

    /// Searches until `signal` pauses it; returns the choice, and its node after a search.
    fn choose(&mut self, signal: &mut SignalCallback<'_>) -> Option<(Option<u32>, Choice)> {
        if let Some(choice) = &self.unsearched {
            return Some((None, choice.clone()));
        }
        let child = self.choose_child(signal)?;
        let StepSearch { tree, game, task, .. } = self;
        let child = child.filter(|&child| is_legal(game, tree, child));
        let mut choice = choice_of(tree, task, child);
        if child.is_none() {
            choice.step = first_legal_step(game, task).unwrap_or(choice.step);
        }
        tree.end_checks();
        choice.visits = child.map_or(0, |child| tree.nodes.node(child).visits());
        if let Some(weakness) = task.weakness {
            let report = tree.see(task, |progress| progress.report());
            choice.step = weakness.step(game, task, &choice, &report);
        }
        Some((child, choice))
    }

    /// Searches and checks a pass until `signal` pauses it or a child of the root is chosen;
    /// `Some(None)` without a legal child.
    fn choose_child(&mut self, signal: &mut SignalCallback<'_>) -> Option<Option<u32>> {
        let StepSearch { tree, task, runs, check, .. } = self;
        while let Some(&playouts) = runs.last() {
            if !tree.run(task, playouts, signal) {
                return None;
            }
            runs.pop();
            let (context, worker) = tree.first(task);
            if RunningSearch::new(&context, worker, 1).stability().is_decided {
                runs.clear();
            }
        }
        let mut verdict = match check.take() {
            Some(check) => PassVerdict::Open(check),
            None => judge_children(tree, task),
        };
        loop {
            let mut open = match verdict {
                PassVerdict::Plays(child) => return Some(child),
                PassVerdict::Open(open) => open,
            };
            let (context, worker) = tree.first(task);
            if !open.advance(&context, worker, signal) {
                *check = Some(open);
                return None;
            }
            verdict = open.verdict(&context, &worker.trace.ownership);
        }
    }
}

impl Search for StepSearch<'_> {
    type Output = Choice;

    fn advance(&mut self, signal: &mut SignalCallback<'_>) -> Option<Choice> {
        self.choose(signal).map(|(_, choice)| choice)
    }
}

/// The child to play after the search, or a check that decides.
fn judge_children(tree: &mut SearchTree, task: &Task) -> PassVerdict {
    let playouts = tree.playouts;
    let pass = tree.first(task).0.pass().map(|at| (at, tree.begin_check(at)));
    let (context, worker) = tree.first(task);
    let best = context.best_child(&|node| node.step() != Step::PASS);
    let best = best.map(|best| context.unless_it_fills(&worker.trace.ownership, best));
    // After few playouts only the pass may have visits.
    let best = best.or_else(|| context.first_legal(worker));
    let (Some(best), Some((pass, visits))) = (best, pass) else {
        return PassVerdict::Plays(best.or(pass.map(|(pass, _)| pass)));
    };
    context.judge_pass(&worker.trace.ownership, PassOrPlay { pass, best }, visits, playouts)
}

impl SearchContext<'_> {
    fn first_legal(&self, worker: &mut Worker) -> Option<u32> {
        let mut numbered = self.nodes.edges(self.root).enumerate();
        numbered.find_map(|(number, edge)| {
            let may_play = |step| step != Step::PASS && self.allows(0, self.color(), step);
            if !may_play(edge.step()) {
                return None;
            }
            let child = self.nodes.enter(self.root, number)?;
            worker.simulate(self, Some(child)).then_some(child)
        })
    }
}

/// Whether the step is legal. It is illegal only if superko forbids every end of its turn.
fn is_legal(game: &Game, tree: &SearchTree, child: u32) -> bool {
    let step = tree.nodes.node(child).step();
    let verdict = game.check_next_step(tree.start.situation.to_move, step);
    debug_assert!(verdict.is_ok() || !game.info().has_single_steps_only(), "{step:?}: {verdict:?}");
    verdict.is_ok()
}

/// The choice of a child of the root; without a child, of a pass or the end of the
/// unfinished turn.
fn choice_of(tree: &mut SearchTree, task: &Task, child: Option<u32>) -> Choice {
    let playouts = tree.playouts;
    let (context, _) = tree.first(task);
    let stay = if context.start.is_mid_turn() { Step::END } else { Step::PASS };
    let node = context.nodes.node(child.unwrap_or(context.root));
    let root_visits = context.root_statistics().visits.into();
    let margin = match child {
        Some(child) => context.lead_after(child),
        None => context.lead(),
    };
    Choice {
        step: child.map_or(stay, |_| node.step()),
        win_rate: node.mean().for_color(context.color()).win,
        margin,
        visits: child.map_or(0, |_| node.visits()),
        playouts,
        root_visits,
        pv: child.map_or_else(|| vec![stay], |child| context.principal_variation(child).0),
    }
}

/// A search for a whole turn, a search for each of its steps; see
/// [`Searcher::turn`](super::Searcher::turn).
pub struct TurnSearch<'s> {
    step: StepSearch<'s>,
    /// The game before the first step.
    start: &'s Game,
    /// Seeds of the steps of a weak player.
    seeds: Random,
    first: Option<Choice>,
    /// Playouts that the steps after the first one have left.
    later_playouts: Option<u64>,
}

impl<'s> TurnSearch<'s> {
    pub(super) fn new(tree: &'s mut SearchTree, game: &'s Game, task: &Task) -> Self {
        let (mut task, mut seeds) = (task.clone(), Random::new(task.seed));
        if task.weakness.is_some() {
            task.seed = seeds.bits();
        }
        let step = StepSearch::new(tree, game, &task);
        TurnSearch { step, start: game, seeds, first: None, later_playouts: None }
    }

    /// Makes a step; returns the turn if it ends.
    fn make(&mut self, step: Step) -> Option<Turn> {
        let StepSearch { game, task, .. } = &mut self.step;
        let turn = match game.info().whole_turn(step).filter(|_| !game.is_mid_turn()) {
            Some(whole) => whole,
            None => {
                let turns = game.turns().len();
                match game.to_mut().step(task.color, step) {
                    Ok(()) => game.turns().get(turns)?.1.clone(),
                    Err(_) => Turn::pass(),
                }
            }
        };
        Some(legal_turn(self.start, task, turn))
    }

    /// Begins to search for the step after that of `child`.
    fn begin_next_step(&mut self, child: Option<u32>) {
        /// A step after the first gets this part of the playouts that are left: the search of the
        /// first step has already visited it.
        const PLAYOUTS_DIVISOR: u64 = 6;
        const MIN_PLAYOUTS: u64 = 16;
        let StepSearch { tree, task, .. } = &mut self.step;
        let Some(child) = child.filter(|_| task.weakness.is_none()) else {
            task.seed = self.seeds.bits();
            self.step.begin();
            return;
        };
        tree.advance(child);
        let all = task.playouts.unwrap_or(tree.playouts);
        let playouts = self.later_playouts.get_or_insert(all);
        let share = *playouts / PLAYOUTS_DIVISOR;
        *playouts -= share;
        self.step.limit(share.max(MIN_PLAYOUTS));
    }
}

impl Search for TurnSearch<'_> {
    type Output = TurnChoice;

    fn advance(&mut self, signal: &mut SignalCallback<'_>) -> Option<TurnChoice> {
        loop {
            let (child, choice) = self.step.choose(signal)?;
            let (step, playouts) = (choice.step, choice.playouts);
            // The tree counts the playouts of all steps.
            let first = self.first.get_or_insert(choice);
            first.playouts = first.playouts.max(playouts);
            let choice = first.clone();
            if let Some(turn) = self.make(step) {
                return Some(TurnChoice { turn, choice });
            }
            self.begin_next_step(child);
        }
    }
}

/// A search without a choice; see [`Searcher::ponder`](super::Searcher::ponder).
pub struct Pondering<'s> {
    tree: &'s mut SearchTree,
    task: &'s Task,
    /// The playouts at which runs end, the last first; empty if there is nothing to search.
    limits: Vec<u64>,
    is_idle: bool,
}

impl<'s> Pondering<'s> {
    pub(super) fn new(tree: &'s mut SearchTree, game: &Game, task: &'s Task) -> Self {
        let others_turn = game.is_mid_turn() && game.to_move() != task.color;
        let is_idle = game.is_final() || others_turn;
        let mut limits = Vec::new();
        if !is_idle {
            tree.set_game(game, task);
            limits.push(task.playouts.unwrap_or(u64::MAX));
        }
        if task.changes_root_priors() {
            // An expanded root has priors to change.
            let until_expanded = u64::from(tree.params().expansion_threshold);
            limits.extend(limits.first().map(|&limit| limit.min(until_expanded)));
        }
        Pondering { tree, task, limits, is_idle }
    }

    /// Calls `see` with the results so far; `None` if there was nothing to search.
    pub fn see<R>(&mut self, see: impl FnOnce(&dyn SearchProgress) -> R) -> Option<R> {
        (!self.is_idle).then(|| self.tree.see(self.task, see))
    }
}

impl Search for Pondering<'_> {
    type Output = ();

    fn advance(&mut self, signal: &mut SignalCallback<'_>) -> Option<()> {
        while let Some(limit) = self.limits.last() {
            let rest = limit.saturating_sub(self.tree.playouts);
            if !self.tree.run(self.task, rest, signal) {
                return None;
            }
            self.limits.pop();
        }
        Some(())
    }
}

/// Returns `turn` if it is legal, otherwise any legal turn. It may be illegal in games without free
/// passes, and where superko forbids every end of a turn.
fn legal_turn(game: &Game, task: &Task, turn: Turn) -> Turn {
    let info = game.info();
    let may_be_illegal =
        !info.has_single_steps_only() && !info.ko_has_no_effect || !info.passes_are_free;
    if !may_be_illegal || game.is_mid_turn() || game.check(task.color, &turn).is_ok() {
        return turn;
    }
    game.legal_turns(task.color).into_iter().next().unwrap_or(turn)
}

fn first_legal_step(game: &Game, task: &Task) -> Option<Step> {
    if game.info().passes_are_free && !game.position().is_mid_turn() {
        return None;
    }
    let mut steps = game.steps(task.color).into_iter();
    steps.find(|&step| game.check_next_step(task.color, step).is_ok())
}
