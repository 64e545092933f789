//! Chooses a step or a turn at the end of a search.

use super::context::SearchContext;
use super::evaluator::Outcome;
use super::level::WeakenedTurn;
use super::params::SearchParams;
use super::passing::{self, PassCheck, PassVerdict};
use super::report::{RunningSearch, SearchProgress};
use super::searcher::Searcher;
use super::signal::{Search, SignalCallback};
use super::task::{Choice, Restriction, Task, TurnChoice};
use super::tree::SearchTree;
use super::worker::Worker;
use crate::rules::{AnyGame, Step, StepKind, Turn, TurnPoints};

/// Maximum number of playouts of a search without a limit.
const MAX_PLAYOUTS: u64 = 1 << 31;

/// The choice if no search is needed: the game is over, the other side's turn is under way, or a
/// pass ends the game and wins it.
pub(super) fn choose_without_search(
    game: &AnyGame,
    task: &Task,
    params: &SearchParams,
) -> Option<Choice> {
    let mut start = game.position().boxed();
    let others_turn = start.situation().is_mid_turn() && start.situation().to_move != task.color;
    if start.situation().ending.is_some() || others_turn {
        return Some(unsearched_pass(Outcome::at_end(&*start).for_color(task.color)));
    }
    start.situation_mut().to_move = task.color;
    if task.resumes {
        start.situation_mut().forget_passes();
    }
    // The restrictions may forbid the pass.
    let free = Restriction::allow(&task.restrictions, 0, task.color, Step::PASS);
    let may_end = free && !task.conservative_pass && !start.situation().is_mid_turn();
    let wins = may_end && passing::wins_by_passing(&*start, params);
    wins.then(|| unsearched_pass(passing::outcome_if_both_pass(&*start)))
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

/// The choice of a child of the root: a search, and checks of a pass.
struct ChildChoice {
    /// Playouts of the remaining runs, the last first.
    runs: Vec<u64>,
    check: Option<PassCheck>,
}

impl ChildChoice {
    /// A choice by at most `limit` playouts. After the first one it may be decided already.
    fn new(limit: u64) -> ChildChoice {
        ChildChoice { runs: vec![limit.saturating_sub(1), 1], check: None }
    }

    /// Goes on until `signal` pauses it (`None`) or a child is chosen; `Some(None)` without a legal
    /// child.
    fn advance(
        &mut self,
        tree: &mut SearchTree,
        task: &Task,
        signal: &mut SignalCallback<'_>,
    ) -> Option<Option<u32>> {
        while let Some(&playouts) = self.runs.last() {
            tree.run(task, playouts, signal).then_some(())?;
            self.runs.pop();
            let (context, worker) = tree.first(task);
            if RunningSearch::new(&context, worker, 1).stability().is_decided {
                self.runs.clear();
            }
        }
        let check = match &mut self.check {
            Some(check) => check,
            None => match ChildChoice::judge(tree, task) {
                Ok(chosen) => return Some(chosen),
                Err(check) => self.check.insert(check),
            },
        };
        loop {
            let (context, worker) = tree.first(task);
            check.advance(&context, worker, signal).then_some(())?;
            match check.verdict(&context, &worker.trace.ownership) {
                PassVerdict::Plays(child) => return Some(Some(child)),
                PassVerdict::Open(another) => *check = another,
            }
        }
    }

    /// The child to play after the search, or a check that decides.
    fn judge(tree: &mut SearchTree, task: &Task) -> Result<Option<u32>, PassCheck> {
        let playouts = tree.playouts;
        let pass = tree.first(task).0.pass().map(|at| (at, tree.begin_check(at)));
        let (context, worker) = tree.first(task);
        let best = context.best_child(&|node| node.step() != Step::PASS);
        let best = best.map(|best| context.unless_it_fills(&worker.trace.ownership, best));
        // After few playouts only the pass may have visits.
        let best = best.or_else(|| context.first_legal(worker));
        let (Some(best), Some((pass, visits))) = (best, pass) else {
            return Ok(best.or(pass.map(|(pass, _)| pass)));
        };
        let ownership = &worker.trace.ownership;
        match context.judge_pass(ownership, (pass, visits, best), playouts) {
            PassVerdict::Plays(child) => Ok(Some(child)),
            PassVerdict::Open(check) => Err(check),
        }
    }
}

pub(super) struct StepStage {
    task: Task,
    child: ChildChoice,
    /// The choice that needs no search.
    known: Option<Choice>,
}

impl StepStage {
    pub(super) fn new(tree: &mut SearchTree, game: &AnyGame, task: &Task) -> StepStage {
        let mut task = task.clone();
        // The search of a weak player starts with an empty tree.
        if let Some(weakness) = task.weakness {
            task.playouts = Some(weakness.playouts.into());
            task.conservative_pass = true;
            tree.empty();
        }
        let known = choose_without_search(game, &task, tree.params());
        if known.is_none() {
            tree.set_game(game, &task);
        }
        let child = ChildChoice::new(task.playouts.unwrap_or(MAX_PLAYOUTS));
        StepStage { task, child, known }
    }

    /// Goes on until `signal` pauses it; returns the choice, and its node after a search.
    pub(super) fn advance(
        &mut self,
        tree: &mut SearchTree,
        game: &AnyGame,
        signal: &mut SignalCallback<'_>,
    ) -> Option<(Option<u32>, Choice)> {
        if let Some(known) = &self.known {
            return Some((None, known.clone()));
        }
        let task = &self.task;
        let child = self.child.advance(tree, task, signal)?;
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
}

/// A search for a step; see [`Searcher::step`](super::Searcher::step).
pub struct StepSearch<'s> {
    tree: &'s mut SearchTree,
    game: &'s AnyGame,
    stage: StepStage,
}

impl<'s> StepSearch<'s> {
    pub(super) fn new(tree: &'s mut SearchTree, game: &'s AnyGame, task: &Task) -> Self {
        StepSearch { stage: StepStage::new(tree, game, task), tree, game }
    }

    /// Calls `see` with the results so far; `None` without a search, or for a weak player.
    pub fn see<R>(&mut self, see: impl FnOnce(&dyn SearchProgress) -> R) -> Option<R> {
        let StepStage { task, known, .. } = &self.stage;
        let is_shown = known.is_none() && task.weakness.is_none();
        is_shown.then(|| self.tree.see(task, see))
    }
}

impl Search for StepSearch<'_> {
    type Found = Choice;

    fn advance(&mut self, signal: &mut SignalCallback<'_>) -> Option<Choice> {
        let chosen = self.stage.advance(self.tree, self.game, signal);
        chosen.map(|(_, choice)| choice)
    }
}

impl SearchContext<'_> {
    fn first_legal(&self, worker: &mut Worker) -> Option<u32> {
        let mut numbered = self.nodes.edges(self.root).enumerate();
        numbered.find_map(|(number, edge)| {
            let may_play = |step| step != Step::PASS && self.allows(0, self.color(), step);
            may_play(edge.step()).then_some(())?;
            let child = self.nodes.enter(self.root, number)?;
            worker.simulate(self, Some(child)).then_some(child)
        })
    }
}

/// Whether the step is legal. It is illegal only if superko forbids every end of its turn.
fn is_legal(game: &AnyGame, tree: &SearchTree, child: u32) -> bool {
    let step = tree.nodes.node(child).step();
    let verdict = game.check_next_step(tree.start.situation().to_move, step);
    debug_assert!(verdict.is_ok() || !game.info().has_single_steps_only(), "{step:?}: {verdict:?}");
    verdict.is_ok()
}

/// The choice of a child of the root; without a child, of a pass or the end of the turn under way.
fn choice_of(tree: &mut SearchTree, task: &Task, child: Option<u32>) -> Choice {
    let playouts = tree.playouts;
    let (context, _) = tree.first(task);
    let stay = if context.start.situation().is_mid_turn() { Step::END } else { Step::PASS };
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

/// A search for a whole turn; see [`Searcher::turn`](super::Searcher::turn).
pub struct TurnSearch<'s>(Strength<'s>);

enum Strength<'s> {
    Full(Box<FullTurn<'s>>),
    Weakened(Box<WeakenedTurn<'s>>),
}

struct FullTurn<'s> {
    first: StepSearch<'s>,
    further: Option<FurtherSteps>,
}

struct FurtherSteps {
    choice: Choice,
    kind: StepKind,
    points: TurnPoints,
    playouts_left: u64,
    child: ChildChoice,
}

impl<'s> TurnSearch<'s> {
    pub(super) fn new(searcher: &'s mut Searcher, game: &'s AnyGame, task: &Task) -> Self {
        TurnSearch(match task.weakness {
            Some(_) => Strength::Weakened(Box::new(WeakenedTurn::new(searcher, game, task))),
            None => {
                let first = searcher.step(game, task);
                Strength::Full(Box::new(FullTurn { first, further: None }))
            }
        })
    }
}

impl Search for TurnSearch<'_> {
    type Found = TurnChoice;

    fn advance(&mut self, signal: &mut SignalCallback<'_>) -> Option<TurnChoice> {
        match &mut self.0 {
            Strength::Full(turn) => turn.advance(signal),
            Strength::Weakened(turn) => turn.advance(signal),
        }
    }
}

impl FullTurn<'_> {
    fn advance(&mut self, signal: &mut SignalCallback<'_>) -> Option<TurnChoice> {
        let StepSearch { tree, game, stage } = &mut self.first;
        let mut taken = None;
        if self.further.is_none() {
            let (child, choice) = stage.advance(tree, game, signal)?;
            if stage.known.is_some() {
                return Some(TurnChoice { turn: Turn::pass(), choice });
            }
            let whole = game.info().whole_turn(choice.step).filter(|_| !game.is_mid_turn());
            taken = child.filter(|_| whole.is_none());
            let Some(child) = taken else {
                let turn = whole.or_else(|| game.turn_under_way().cloned());
                let turn = whole_and_legal(game, &stage.task, turn.unwrap_or(Turn::pass()));
                return Some(TurnChoice { turn, choice });
            };
            let under_way = game.turn_under_way().map(Turn::kind);
            self.further = Some(FurtherSteps {
                choice,
                kind: under_way.unwrap_or_else(|| tree.nodes.node(child).step().kind()),
                points: TurnPoints::from_slice(game.points_so_far()),
                playouts_left: stage.task.playouts.unwrap_or(tree.playouts),
                child: ChildChoice::new(0),
            });
        }
        let further = self.further.as_mut()?;
        loop {
            let next = match taken.take() {
                None => further.child.advance(tree, &stage.task, signal)?,
                taken => taken,
            };
            if next.is_none_or(|child| further.take(tree, child)) {
                break;
            }
        }
        let FurtherSteps { choice, kind, points, .. } = self.further.take()?;
        let choice = Choice { playouts: tree.playouts, ..choice };
        let turn = whole_and_legal(game, &stage.task, Turn::new(kind, points));
        Some(TurnChoice { turn, choice })
    }
}

impl FurtherSteps {
    /// Makes a step and prepares the search for the next one; true if the turn ends with it.
    fn take(&mut self, tree: &mut SearchTree, child: u32) -> bool {
        let (step, color) = (tree.nodes.node(child).step(), tree.start.situation().to_move);
        self.points.extend(step.point());
        if tree.start.boxed().make(color, step) {
            return true;
        }
        /// A step after the first gets this part of the playouts that are left: the search of the
        /// first step has already visited it.
        const PLAYOUTS_DIVISOR: u64 = 6;
        const MIN_PLAYOUTS: u64 = 16;
        let share = self.playouts_left / PLAYOUTS_DIVISOR;
        tree.advance(child);
        self.child = ChildChoice::new(share.max(MIN_PLAYOUTS));
        self.playouts_left -= share;
        false
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
    pub(super) fn new(tree: &'s mut SearchTree, game: &AnyGame, task: &'s Task) -> Self {
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
    type Found = ();

    fn advance(&mut self, signal: &mut SignalCallback<'_>) -> Option<()> {
        while let Some(limit) = self.limits.last() {
            let rest = limit.saturating_sub(self.tree.playouts);
            self.tree.run(self.task, rest, signal).then_some(())?;
            self.limits.pop();
        }
        Some(())
    }
}

/// Returns `turn` if it is legal, otherwise any legal turn. It may be illegal in games without free
/// passes, and where superko forbids every end of a turn.
fn whole_and_legal(game: &AnyGame, task: &Task, turn: Turn) -> Turn {
    let info = game.info();
    let may_be_illegal =
        !info.has_single_steps_only() && !info.ko_has_no_effect || !info.passes_are_free;
    if !may_be_illegal || game.is_mid_turn() || game.check(task.color, &turn).is_ok() {
        return turn;
    }
    game.legal_turns(task.color).into_iter().next().unwrap_or(turn)
}

fn first_legal_step(game: &AnyGame, task: &Task) -> Option<Step> {
    if game.info().passes_are_free && !game.position().situation().is_mid_turn() {
        return None;
    }
    let mut steps = game.steps(task.color).into_iter();
    steps.find(|&step| game.check_next_step(task.color, step).is_ok())
}
