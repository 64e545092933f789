//! The search tree, which is kept from turn to turn.
//!
//! The tree starts at some position of the game (`TREE_ROOT`), and the search root is the position
//! of the present search; `root_path` has the nodes between. While the game continues from the
//! start of the tree, the search root follows it, forwards and, after undo, backwards. A full node
//! pool reduces the tree to the part below the search root.
//!
//! Visits under restrictions (`avoid`, `allow`, steps that an encoding cannot express) do not tell
//! how good other steps are. A tree with such visits serves only the same search, or one below the
//! restricted depth; a search with `avoid` or `allow` starts with an empty tree.

use super::context::SearchContext;
use super::edge::Edge;
use super::evaluator::{Evaluator, Outcome, Ownership};
use super::follow::{follow_turn, is_same_start, turns_since};
use super::images::MirrorImages;
use super::neural::EvaluationPool;
use super::node::NodeState;
use super::node_pool::{NodePool, TREE_ROOT};
use super::noise;
use super::params::SearchParams;
use super::prune;
use super::report::{RunningSearch, SearchProgress};
use super::root_visits::RootVisits;
use super::signal::{Signal, SignalCallback};
use super::task::{Restriction, Task};
use super::utility::Utility;
use super::worker::{Progress, Worker};
use crate::board::{Color, Point, Random};
use crate::rules::{Game, Position, StepSet, Turn};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// The main thread calls the callback after this number of its playouts.
const PLAYOUTS_BETWEEN_CALLBACKS: u64 = 8;

/// The position where a tree starts, and the game before it.
#[derive(Clone, Debug)]
struct TreeStart {
    start: Box<Position>,
    turns: Vec<(Color, Turn)>,
    points_so_far: usize,
    position: Box<Position>,
}

#[derive(Debug, PartialEq)]
struct RestrictedVisits {
    root_path: Vec<u32>,
    exclude: StepSet,
    restrictions: Vec<Restriction>,
    resumes: bool,
}

impl RestrictedVisits {
    fn new(task: &Task, root_path: &[u32]) -> Option<RestrictedVisits> {
        let restricts = !task.exclude.is_empty() || !task.restrictions.is_empty() || task.resumes;
        restricts.then(|| RestrictedVisits {
            root_path: root_path.to_vec(),
            exclude: task.exclude.clone(),
            restrictions: task.restrictions.clone(),
            resumes: task.resumes,
        })
    }

    /// Whether a node lies below the restricted depth.
    fn spare(&self, root_path: &[u32]) -> bool {
        let depths = self.restrictions.iter().map(|restriction| restriction.depth);
        let depth = depths.max().unwrap_or(0).max(1) as usize;
        root_path.starts_with(&self.root_path) && root_path.len() >= self.root_path.len() + depth
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interruption {
    /// All simulations are made, or the callback has ended them.
    Ended,
    Paused,
    OutOfNodes,
}

#[derive(Debug)]
pub(super) struct SearchTree {
    pub(super) nodes: NodePool,
    tree_start: Option<TreeStart>,
    /// The `tree_start` of a tree that starts at the search root.
    root_start: Option<TreeStart>,
    root_path: Vec<u32>,
    root_visits: RootVisits,
    restricted: Option<RestrictedVisits>,
    pub(super) start: Box<Position>,
    before: Point,
    /// The priors of the root's children, if the task changes them.
    root_priors: Vec<f32>,
    images: MirrorImages,
    workers: Vec<Worker>,
    /// With a pool the workers take turns on one thread, and their leaves wait for the pool.
    pool: Option<Arc<EvaluationPool>>,
    /// The parameters as set, and as adapted to this board.
    params: SearchParams,
    utility: Utility,
    is_centered: bool,
    pub(super) playouts: u64,
    /// The number of playouts at which a paused [`run`](Self::run) ends.
    paused_until: Option<u64>,
}

impl SearchTree {
    /// A tree of at most `bytes` bytes, and a search thread for each of one or more evaluators.
    pub(super) fn new(
        position: &Position,
        params: SearchParams,
        bytes: usize,
        evaluators: Vec<Box<dyn Evaluator>>,
    ) -> Self {
        let workers = evaluators.into_iter().map(|evaluator| Worker::new(position, evaluator));
        SearchTree {
            nodes: NodePool::new(bytes),
            tree_start: None,
            root_start: None,
            root_path: vec![TREE_ROOT],
            root_visits: RootVisits::default(),
            restricted: None,
            start: position.boxed(),
            before: Point::NONE,
            root_priors: Vec::new(),
            images: MirrorImages::default(),
            workers: workers.collect(),
            pool: None,
            params,
            utility: Utility::new(&params, position.board.grid().point_count()),
            is_centered: false,
            playouts: 0,
            paused_until: None,
        }
    }

    /// The tree whose evaluators ask this pool; each evaluator has at most one leaf there.
    pub(super) fn asking(self, pool: Arc<EvaluationPool>) -> Self {
        SearchTree { pool: Some(pool), ..self }
    }

    pub(super) fn params(&self) -> &SearchParams {
        &self.params
    }

    pub(super) fn knows(&self, position: &Position) -> bool {
        self.start.is_of_same_game(position)
    }

    /// Makes the next search start with an empty tree.
    pub(super) fn empty(&mut self) {
        self.tree_start = None;
    }

    /// Moves the search root to the position of a game, with the task's colour to move. Keeps the
    /// tree if the game continues from its start.
    pub(super) fn set_game(&mut self, game: &Game, task: &Task) {
        self.playouts = 0;
        self.paused_until = None;
        self.root_priors.clear();
        self.stop_waiting();
        for (worker, number) in self.workers.iter_mut().zip(0..) {
            worker.reset(game.history(), task.seed.wrapping_add(number));
        }
        self.before = game.placed_before();
        let forgets_pass = task.conservative_pass && game.position().situation.passes > 0;
        let followed =
            !forgets_pass && self.follow(game, task.color).is_some() && self.serves(task);
        self.start.copy_from(game.position());
        self.start.situation.to_move = task.color;
        if task.resumes || forgets_pass {
            self.start.situation.forget_passes();
        }
        let points = self.start.board.grid().point_count();
        // A tree without the pass serves no other search.
        self.root_start = (!forgets_pass).then(|| TreeStart {
            start: game.start().boxed(),
            turns: game.turns().to_vec(),
            points_so_far: game.points_so_far().len(),
            position: self.start.clone(),
        });
        if !followed {
            self.utility = Utility::new(&self.params, points);
            self.nodes.clear();
            self.restart_at_root();
        }
        for worker in &mut self.workers {
            worker.begin(task.view_seed, !followed);
        }
        self.is_centered = !self.utility.is_dynamic();
        self.root_visits.leave(&self.nodes, &self.root_path);
        let is_spared =
            |restricted: &RestrictedVisits| restricted.root_path.len() < self.root_path.len();
        if self.restricted.as_ref().is_some_and(is_spared) {
            prune::reroot(&self.nodes, self.root());
            self.restart_at_root();
        }
        self.restricted = RestrictedVisits::new(task, &self.root_path);
        self.root_visits.enter(&self.nodes, self.root());
        self.images = self.mirror_images(game, task);
    }

    /// The steps at the root that are images of others. A task that restricts steps means each of
    /// them, and a net learns from the visits of all.
    fn mirror_images(&mut self, game: &Game, task: &Task) -> MirrorImages {
        let means_each =
            task.root_noise || !task.exclude.is_empty() || !task.restrictions.is_empty();
        let first =
            self.workers.first_mut().filter(|_| !means_each && !self.start.situation.is_over());
        let maps = first.map(|worker| worker.symmetries(&self.start)).unwrap_or_default();
        MirrorImages::new(game, task.color, maps)
    }

    /// Whether the tree, whose root is set, serves a task.
    fn serves(&self, task: &Task) -> bool {
        let visits = self.restricted.as_ref();
        match visits.filter(|visits| !visits.spare(&self.root_path)) {
            None => task.restrictions.is_empty() && !task.resumes,
            visits => visits == RestrictedVisits::new(task, &self.root_path).as_ref(),
        }
    }

    /// Begins to check a pass, a child of the root; returns its visits by selection.
    pub(super) fn begin_check(&mut self, child: u32) -> u32 {
        let visits = self.nodes.node(child).visits();
        self.root_visits.enter(&self.nodes, child);
        visits
    }

    /// Ends all checks: the children of the root keep only visits by selection.
    pub(super) fn end_checks(&mut self) {
        self.root_visits.leave(&self.nodes, &self.root_path);
        if let Some(worker) = self.workers.first_mut() {
            worker.end_check();
        }
    }

    /// Follows a game from the start of the tree; `None` if one of its turns is not in the tree.
    fn follow(&mut self, game: &Game, color: Color) -> Option<()> {
        let tree_start = self.tree_start.as_ref()?;
        if !is_same_start(&tree_start.start, game.start()) {
            return None;
        }
        let (since, unfinished) = turns_since(&tree_start.turns, tree_start.points_so_far, game)?;
        let mut position = tree_start.position.clone();
        let mut root_path = vec![TREE_ROOT];
        for (by, turn) in since {
            follow_turn(&self.nodes, &mut position, &mut root_path, *by, turn, true)?;
        }
        if let Some(turn) = &unfinished {
            let by = game.position().situation.to_move;
            follow_turn(&self.nodes, &mut position, &mut root_path, by, turn, false)?;
        }
        let arrived = position.board.hash() == game.position().board.hash()
            && position.situation.to_move == color
            && position.is_mid_turn() == game.is_mid_turn();
        // The end of a game has no children; a new tree shows how it could continue.
        let is_end = |at: &u32| self.nodes.node(*at).state() == NodeState::Terminal;
        if !arrived || root_path.last().is_some_and(is_end) {
            return None;
        }
        self.root_path = root_path;
        Some(())
    }

    pub(super) fn first<'a>(&'a mut self, task: &'a Task) -> (SearchContext<'a>, &'a mut Worker) {
        let (context, workers) = self.parts(task);
        (context, &mut workers[0])
    }

    pub(super) fn see<R>(&mut self, task: &Task, see: impl FnOnce(&dyn SearchProgress) -> R) -> R {
        let playouts = self.playouts;
        let (context, worker) = self.first(task);
        see(&RunningSearch::new(&context, worker, playouts))
    }

    fn parts<'a>(&'a mut self, task: &'a Task) -> (SearchContext<'a>, &'a mut [Worker]) {
        let context = SearchContext {
            nodes: &self.nodes,
            params: &self.params,
            utility: &self.utility,
            root: self.root_path.last().copied().unwrap_or(TREE_ROOT),
            start: &self.start,
            before: self.before,
            exclude: &task.exclude,
            restrictions: &task.restrictions,
            images: &self.images,
            root_priors: &self.root_priors,
            threads: self.pool.as_ref().map_or(self.workers.len(), |pool| pool.workers()) as u64,
            is_shared: self.pool.as_ref().map_or(self.workers.len(), |pool| pool.room()) > 1,
            move_ownership: task.move_ownership,
        };
        (context, &mut self.workers)
    }

    /// Makes at most `limit` playouts until `signal` ends them; false if it pauses them. Then the
    /// next call continues these playouts and ignores its limit.
    #[must_use]
    pub(super) fn run(&mut self, task: &Task, limit: u64, signal: &mut SignalCallback<'_>) -> bool {
        let end = match self.paused_until.take() {
            Some(end) => end,
            None => {
                let end = self.playouts.saturating_add(limit);
                self.change_root_priors(task, end);
                self.center_utility(task, end);
                end
            }
        };
        while self.playouts < end {
            match self.simulate(task, end, signal) {
                Interruption::Ended => break,
                Interruption::Paused => {
                    self.paused_until = Some(end);
                    return false;
                }
                Interruption::OutOfNodes => {
                    self.stop_waiting();
                    prune::reroot(&self.nodes, self.root());
                    self.restart_at_root();
                    if !self.prune(task, signal) {
                        break;
                    }
                }
            }
        }
        true
    }

    /// Centres the dynamic score utility and the values in the tree on the expected outcome of the
    /// root, once in each search. A root without visits gets one.
    fn center_utility(&mut self, task: &Task, end: u64) {
        if self.is_centered || self.playouts == end {
            return;
        }
        let root = self.root();
        if self.nodes.node(root).visits() == 0 {
            self.simulate_first(task);
        }
        let (before, expected) = (self.utility, self.nodes.node(root).mean());
        let after = before.centered(expected);
        (self.utility, self.is_centered) = (after, true);
        if after != before {
            let change = |mean: Outcome| after.value(mean) - before.value(mean);
            self.nodes.change_values(change);
            self.root_visits.change_values(change);
        }
    }

    fn simulate_first(&mut self, task: &Task) {
        let (context, worker) = self.first(task);
        worker.simulate(&context, None);
        self.playouts += 1;
    }

    /// Changes the priors of the root's children as the task asks. A root without children gets
    /// visits until it has some.
    fn change_root_priors(&mut self, task: &Task, end: u64) {
        if !task.changes_root_priors() {
            return;
        }
        for _ in 0..=self.params.expansion_threshold {
            if self.playouts < end && self.nodes.edges(self.root()).len() == 0 {
                self.simulate_first(task);
            }
        }
        let edges = self.nodes.edges(self.root());
        if self.root_priors.len() == edges.len() {
            return;
        }
        let mut priors: Vec<f32> = edges.map(Edge::prior).collect();
        if task.root_temperature != 1.0 {
            noise::apply_temperature(&mut priors, task.root_temperature);
        }
        if task.root_noise {
            let seed = task.seed.wrapping_add(self.root().into());
            let noise = noise::dirichlet(priors.len(), &mut Random::new(seed));
            for (prior, noise) in priors.iter_mut().zip(noise) {
                *prior = *prior * (1.0 - noise::SHARE) + noise * noise::SHARE;
            }
        }
        self.root_priors = priors;
    }

    /// Prunes the tree; false if `signal` ended it. A pause has no effect.
    fn prune(&mut self, task: &Task, signal: &mut SignalCallback<'_>) -> bool {
        let playouts = self.playouts;
        let (context, worker) = self.first(task);
        prune::prune(context.nodes, &mut || {
            signal(&RunningSearch::new(&context, worker, playouts)) == Signal::End
        })
    }

    /// Drops the simulations that wait for the pool.
    fn stop_waiting(&mut self) {
        self.workers.iter_mut().for_each(|worker| worker.stop_waiting(&self.nodes));
    }

    fn simulate(&mut self, task: &Task, end: u64, signal: &mut SignalCallback<'_>) -> Interruption {
        if let Some(pool) = self.pool.clone() {
            return self.simulate_with(&pool, task, end, signal);
        }
        let before = self.playouts;
        let (count, done) = (AtomicU64::new(before), AtomicBool::new(false));
        let (context, workers) = self.parts(task);
        let Some((first, others)) = workers.split_first_mut() else {
            return Interruption::Ended;
        };
        let mut paused = false;
        std::thread::scope(|scope| {
            for worker in others {
                let (context, count, done) = (&context, &count, &done);
                scope.spawn(move || {
                    while !done.load(Relaxed) {
                        if count.fetch_add(1, Relaxed) >= end || !simulate_once(context, worker) {
                            done.store(true, Relaxed);
                        }
                    }
                });
            }
            paused = simulate_main(&context, first, (&count, end), &done, signal);
            done.store(true, Relaxed);
        });
        self.playouts = count.load(Relaxed).min(end).max(before);
        let mut is_out_of_nodes = false;
        for worker in &mut self.workers {
            is_out_of_nodes |= std::mem::take(&mut worker.out_of_nodes);
        }
        if is_out_of_nodes {
            Interruption::OutOfNodes
        } else if paused {
            Interruption::Paused
        } else {
            Interruption::Ended
        }
    }

    /// Makes simulations whose leaves a pool evaluates.
    fn simulate_with(
        &mut self,
        pool: &EvaluationPool,
        task: &Task,
        end: u64,
        signal: &mut SignalCallback<'_>,
    ) -> Interruption {
        let mut playouts = self.playouts;
        let (context, workers) = self.parts(task);
        let (mut since_signal, mut is_full) = (0, false);
        let interruption = loop {
            let done = take_turns(&context, workers, pool.room(), end - playouts);
            (playouts, since_signal) = (playouts + done, since_signal + done);
            workers
                .iter_mut()
                .for_each(|worker| is_full |= std::mem::take(&mut worker.out_of_nodes));
            if is_full {
                break Interruption::OutOfNodes;
            }
            if playouts == end {
                break Interruption::Ended;
            }
            if done > 0 && since_signal < PLAYOUTS_BETWEEN_CALLBACKS {
                continue;
            }
            since_signal = 0;
            let Some(first) = workers.first() else {
                break Interruption::Ended;
            };
            match signal(&RunningSearch::new(&context, first, playouts)) {
                Signal::GoOn if done > 0 => {}
                Signal::End => break Interruption::Ended,
                Signal::GoOn | Signal::Pause => {
                    if done == 0 {
                        pool.report_stall();
                    }
                    break Interruption::Paused;
                }
            }
        };
        self.playouts = playouts;
        if interruption == Interruption::Ended {
            self.stop_waiting();
        }
        interruption
    }

    /// The ownership counts of the main thread in this search.
    pub(super) fn counted_ownership(&self) -> Ownership {
        self.workers.first().map(|worker| worker.trace.ownership.clone()).unwrap_or_default()
    }

    pub(super) fn root(&self) -> u32 {
        self.root_path.last().copied().unwrap_or(TREE_ROOT)
    }

    fn restart_at_root(&mut self) {
        self.root_path = vec![TREE_ROOT];
        self.root_visits.clear();
        if let Some(restricted) = &mut self.restricted {
            restricted.root_path.clone_from(&self.root_path);
        }
        self.tree_start.clone_from(&self.root_start);
    }

    /// Plays the step of a child in the middle of a turn; the child becomes the search root.
    pub(super) fn advance(&mut self, child: u32) {
        let color = self.start.situation.to_move;
        self.start.make(color, self.nodes.node(child).step());
        self.root_path.push(child);
        self.root_visits.enter(&self.nodes, child);
        if let Some(restricted) = &mut self.restricted {
            restricted.root_path.push(child);
        }
        self.root_start = None;
        for worker in &mut self.workers {
            worker.clear_root_children();
        }
    }
}

/// Runs simulations on the main thread, which calls `signal`; true if that pauses the search.
fn simulate_main(
    context: &SearchContext<'_>,
    worker: &mut Worker,
    (count, end): (&AtomicU64, u64),
    done: &AtomicBool,
    signal: &mut SignalCallback<'_>,
) -> bool {
    let mut own: u64 = 0;
    while !done.load(Relaxed) && count.fetch_add(1, Relaxed) < end && simulate_once(context, worker)
    {
        own += 1;
        if !own.is_multiple_of(PLAYOUTS_BETWEEN_CALLBACKS) {
            continue;
        }
        match signal(&RunningSearch::new(context, worker, count.load(Relaxed).min(end))) {
            Signal::GoOn => {}
            ended => return ended == Signal::Pause,
        }
    }
    false
}

fn simulate_once(context: &SearchContext<'_>, worker: &mut Worker) -> bool {
    worker.simulate(context, None);
    !worker.out_of_nodes
}

/// Continues all simulations that wait, and begins others while fewer than `room` wait, or one
/// that need not wait. Returns how many are done, `most` at most.
fn take_turns(context: &SearchContext<'_>, workers: &mut [Worker], room: usize, most: u64) -> u64 {
    let mut done = 0;
    for worker in workers.iter_mut().filter(|worker| worker.is_waiting()) {
        done += u64::from(worker.advance(context) == Progress::Done);
    }
    let mut waiting = workers.iter().filter(|worker| worker.is_waiting()).count();
    while waiting < room.max(1) && done + (waiting as u64) < most {
        let Some(idle) = workers.iter_mut().find(|worker| !worker.is_waiting()) else {
            break;
        };
        match idle.advance(context) {
            Progress::Waiting => waiting += 1,
            Progress::Taken => break,
            Progress::Done => {
                done += 1;
                break;
            }
        }
    }
    done
}
