//! One thread of a search. A simulation selects a path down the tree, expands and evaluates its
//! last node, and backpropagates the outcome.

use super::bounds::Bounds;
use super::candidates::collect_candidates;
use super::context::SearchContext;
use super::edge::PackedPrior;
use super::evaluator::{Evaluator, Leaf, Outcome, Ownership, Trace};
use super::node::{Node, NodeState};
use super::node_pool::NodePool;
use super::ownership::sign;
use super::select;
use crate::board::{Color, Point, PointMap, Random};
use crate::rules::{History, Ko, Position, Step};

enum Descent {
    Evaluated(Outcome),
    /// Superko forbids the step, which no simulation enters again.
    Illegal,
    /// Others evaluate the leaf.
    Waiting,
    /// Another simulation waits for the evaluation of the leaf.
    Taken,
}

/// How far a simulation has come that may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Its outcome is in the tree.
    Done,
    /// It [waits](Worker::is_waiting).
    Waiting,
    /// It has ended without an outcome: another one waits for its leaf.
    Taken,
}

#[derive(Debug)]
pub(super) struct Worker {
    evaluator: Box<dyn Evaluator>,
    random: Random,
    position: Box<Position>,
    history: History,
    root_history_len: usize,
    /// The nodes of the current path and the side to move at each.
    path: Vec<(u32, Color)>,
    /// The utility of the latest simulation at each node of the path.
    values: Vec<f32>,
    pub(super) trace: Trace,
    steps: Vec<Step>,
    priors: Vec<f32>,
    /// Keys of priors; see [`Worker::rank`].
    ranked: Vec<u32>,
    /// Ownership counts of each child of the root, if the task asks for them.
    pub(super) child_ownership: Vec<Ownership>,
    /// The ownership counts before the latest simulation.
    ownership_before: Ownership,
    /// The ownership counts before the present check of a pass.
    before_check: Option<Ownership>,
    pub(super) out_of_nodes: bool,
    /// Whether simulations may wait for evaluations that others make.
    may_wait: bool,
    is_waiting: bool,
    /// Whether the simulation has virtual losses.
    keeps_apart: bool,
}

impl Worker {
    pub(super) fn new(position: &Position, evaluator: Box<dyn Evaluator>) -> Self {
        Worker {
            evaluator,
            random: Random::new(0),
            position: position.boxed(),
            history: History::new(0),
            root_history_len: 0,
            path: Vec::new(),
            values: Vec::new(),
            trace: Trace::default(),
            steps: Vec::new(),
            priors: Vec::new(),
            ranked: Vec::new(),
            child_ownership: Vec::new(),
            ownership_before: Ownership::default(),
            before_check: None,
            out_of_nodes: false,
            may_wait: false,
            is_waiting: false,
            keeps_apart: false,
        }
    }

    /// Prepares for another search.
    pub(super) fn reset(&mut self, history: &History, seed: u64) {
        self.history = history.clone();
        self.root_history_len = history.len();
        self.random = Random::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        self.trace.ownership = Ownership::default();
        self.before_check = None;
        self.clear_root_children();
        self.out_of_nodes = false;
    }

    /// See [`Evaluator::symmetries`].
    pub(super) fn symmetries(&mut self, position: &Position) -> Vec<PointMap<Point>> {
        self.evaluator.symmetries(position)
    }

    /// Prepares the evaluator; see [`Evaluator::begin`]. Workers share evaluations, so they share
    /// the view seed; their playouts differ.
    pub(super) fn begin(&mut self, view_seed: u64, is_new_tree: bool) {
        self.evaluator.begin(view_seed, is_new_tree);
    }

    /// Makes a simulation, through the child `forced` if given; false if that child is illegal.
    pub(super) fn simulate(&mut self, context: &SearchContext<'_>, forced: Option<u32>) -> bool {
        self.may_wait = false;
        loop {
            let end = self.descend_from_root(context, forced);
            if self.finish(context, end).is_some() {
                return true;
            }
            let forced = forced.map(|child| context.nodes.node(child).state());
            if forced == Some(NodeState::Illegal) {
                return false;
            }
        }
    }

    /// Makes a simulation that may wait, or continues the one that waits.
    pub(super) fn advance(&mut self, context: &SearchContext<'_>) -> Progress {
        self.may_wait = true;
        loop {
            let end = match std::mem::take(&mut self.is_waiting) {
                true => self.descend_from_leaf(context),
                false => self.descend_from_root(context, None),
            };
            if let Some(progress) = self.finish(context, end) {
                return progress;
            }
        }
    }

    /// Whether a simulation waits for its evaluation. It keeps its virtual losses meanwhile.
    pub(super) fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    /// Drops the simulation that waits, if there is one.
    pub(super) fn stop_waiting(&mut self, nodes: &NodePool) {
        if std::mem::take(&mut self.is_waiting) {
            self.evaluator.forget_leaf();
            self.remove_virtual_losses(nodes);
            self.history.truncate(self.root_history_len);
            if let Some(&(leaf, _)) = self.path.last() {
                nodes.node(leaf).drop_children();
            }
        }
    }

    fn descend_from_root(&mut self, context: &SearchContext<'_>, forced: Option<u32>) -> Descent {
        self.position.copy_from(context.start);
        self.path.clear();
        self.trace.steps.clear();
        self.keeps_apart = context.is_shared;
        self.push_node(context, context.root);
        self.descend(context, context.root, forced)
    }

    /// Continues at the leaf that has waited.
    fn descend_from_leaf(&mut self, context: &SearchContext<'_>) -> Descent {
        let at = self.path.last().map_or(context.root, |&(at, _)| at);
        let end = self.expand_claimed(context, at, self.position.mid_turn_key());
        end.unwrap_or_else(|| self.descend(context, at, None))
    }

    /// Ends a descent; `None` after an illegal step.
    fn finish(&mut self, context: &SearchContext<'_>, end: Descent) -> Option<Progress> {
        if let Descent::Waiting = end {
            self.is_waiting = true;
            return Some(Progress::Waiting);
        }
        self.history.truncate(self.root_history_len);
        if let Descent::Evaluated(outcome) = end {
            self.backpropagate(context, outcome);
            return Some(Progress::Done);
        }
        self.remove_virtual_losses(context.nodes);
        matches!(end, Descent::Taken).then_some(Progress::Taken)
    }

    /// Makes a simulation through a child of the root. The root does not count it, because
    /// selection did not choose the step.
    pub(super) fn simulate_check(&mut self, context: &SearchContext<'_>, child: u32) {
        let ownership = &self.trace.ownership;
        self.before_check.get_or_insert_with(|| ownership.clone());
        self.simulate(context, Some(child));
    }

    /// Ends a check and drops its ownership counts.
    pub(super) fn end_check(&mut self) {
        if let Some(before) = self.before_check.take() {
            self.trace.ownership = before;
        }
    }

    fn push_node(&mut self, context: &SearchContext<'_>, at: u32) {
        if self.keeps_apart {
            context.nodes.node(at).add_virtual_loss();
        }
        self.path.push((at, self.position.situation.to_move));
    }

    fn remove_virtual_losses(&self, nodes: &NodePool) {
        if self.keeps_apart {
            for &(at, _) in &self.path {
                nodes.node(at).remove_virtual_loss();
            }
        }
    }

    /// Walks down from a node to a leaf or the end of the game and evaluates it.
    fn descend(
        &mut self,
        context: &SearchContext<'_>,
        mut at: u32,
        mut forced: Option<u32>,
    ) -> Descent {
        loop {
            let node = context.nodes.node(at);
            if at != context.root
                && let Some(outcome) = node.bounds().exact()
            {
                self.add_end_ownership();
                return Descent::Evaluated(outcome);
            }
            if node.state() == NodeState::Terminal {
                self.add_end_ownership();
                return Descent::Evaluated(node.mean());
            }
            if node.block().is_none()
                && let Some(end) = self.expand_or_share(context, at)
            {
                return end;
            }
            let Some(child) = forced.take().or_else(|| self.enter_child(context, at)) else {
                let outcome =
                    self.evaluator.value(&self.position, &mut self.random, &mut self.trace);
                return Descent::Evaluated(outcome);
            };
            if !self.make_step(context, child) {
                return Descent::Illegal;
            }
            self.push_node(context, child);
            at = child;
        }
    }

    fn add_end_ownership(&mut self) {
        if self.position.situation.is_over() {
            let board = &self.position.board;
            let owners = board.owners();
            let owned = board.ownable_points().map(|at| (at, sign(owners.of(at)) as f32));
            self.trace.ownership.add_evaluation(owned);
        }
    }

    /// The selected child; `None` without a child, or if the pool has no room for it.
    fn enter_child(&mut self, context: &SearchContext<'_>, at: u32) -> Option<u32> {
        let number = self.select_child(context, at)?;
        let child = context.nodes.enter(at, number);
        self.out_of_nodes |= child.is_none();
        child
    }

    /// The number of the edge of the selected child.
    fn select_child(&self, context: &SearchContext<'_>, at: u32) -> Option<usize> {
        let depth = self.path.len() - 1;
        let color = self.position.situation.to_move;
        // A second pass has a certain result, which decides the value of the first pass, but its
        // prior is rarely high enough.
        if self.position.situation.passes > 0
            && self.position.pass_ends_game(color)
            && let Some(pass) = untried_pass(context.nodes, at)
            && context.allows(depth, color, Step::PASS)
        {
            return Some(pass);
        }
        let (nodes, params) = (context.nodes, context.params);
        let changed = if depth == 0 { context.root_priors } else { &[] };
        let leaves_out = depth == 0 && !context.images.is_empty();
        if !leaves_out && !context.is_restricted(depth) {
            let bounds = nodes.node(at).bounds();
            return select::select_child(nodes, at, color, params, bounds, |_| true, changed);
        }
        let bounds = context.allowed_bounds(at, depth, color);
        let allowed = |step| context.allows(depth, color, step);
        select::select_child(nodes, at, color, params, bounds, allowed, changed)
    }

    /// Links the node to the edges of its position in the transposition table, or expands a node
    /// with enough visits. Returns the end of the descent if the evaluator found the value of the
    /// position, or the evaluation is not finished.
    #[inline]
    fn expand_or_share(&mut self, context: &SearchContext<'_>, at: u32) -> Option<Descent> {
        let node = context.nodes.node(at);
        let key = self.position.mid_turn_key();
        let shared = key.and_then(|key| context.nodes.transpositions.probe(key));
        if let Some(block) = shared {
            if node.try_claim() {
                node.publish(block);
            }
            return None;
        }
        if at != context.root && node.visits() < context.params.expansion_threshold {
            return None;
        }
        if !node.try_claim() {
            return self.may_wait.then_some(Descent::Taken);
        }
        self.collect(context, at);
        self.expand_claimed(context, at, key)
    }

    /// Collects the steps of a node that is being expanded.
    fn collect(&mut self, context: &SearchContext<'_>, at: u32) {
        // A list of allowed steps may fill an eye of the side to move.
        let is_listed = at == context.root && !context.restrictions.is_empty();
        collect_candidates(
            &self.position,
            (self.evaluator.knows_eyes() || is_listed, !is_listed),
            &mut self.random,
            &mut self.steps,
        );
    }

    /// Creates the edges of a claimed node if the pool has room, and shares them if there is a key.
    /// Returns the end of the descent as [`expand_or_share`](Self::expand_or_share).
    fn expand_claimed(
        &mut self,
        context: &SearchContext<'_>,
        at: u32,
        key: Option<u64>,
    ) -> Option<Descent> {
        let node = context.nodes.node(at);
        let before = match self.trace.steps.as_slice() {
            [] => context.before,
            [_] => context.start.situation.latest.placed,
            [.., step, _] => step.point().unwrap_or(Point::NONE),
        };
        let (position, steps) = (&self.position, &*self.steps);
        let leaf = Leaf { position, before, steps, is_root: self.path.len() == 1 };
        if self.may_wait && self.evaluator.must_wait(leaf) {
            return Some(Descent::Waiting);
        }
        self.priors.clear();
        let outcome = self.evaluator.expand(leaf, &mut self.priors, &mut self.trace);
        let end = outcome.map(Descent::Evaluated);
        let share = context.params.policy_uniform_share;
        let even = share * self.priors.iter().sum::<f32>() / self.priors.len() as f32;
        for prior in &mut self.priors {
            *prior = *prior * (1.0 - share) + even;
        }
        let Some((at, block)) = context.nodes.new_block(self.steps.len() as u16) else {
            self.out_of_nodes = true;
            node.drop_children();
            return end;
        };
        self.rank();
        for (edge, &key) in block.edges().zip(&self.ranked) {
            let (prior, number) = PackedPrior::from_key(key);
            edge.reset(self.steps[usize::from(number)], prior);
        }
        node.publish(at);
        if let Some(key) = key {
            context.nodes.transpositions.store(key, at);
        }
        end
    }

    /// Ranks the steps by prior; equal priors keep their order.
    fn rank(&mut self) {
        let numbered = (0u16..).zip(&self.priors);
        self.ranked.clear();
        self.ranked.extend(numbered.map(|(number, &prior)| PackedPrior::new(prior).key(number)));
        self.ranked.sort_unstable();
    }

    fn make_step(&mut self, context: &SearchContext<'_>, at: u32) -> bool {
        let node = context.nodes.node(at);
        let (step, fresh) = (node.step(), node.visits() == 0);
        let color = self.position.situation.to_move;
        self.trace.steps.push(step);
        let ended = self.position.make(color, step);
        if fresh {
            node.set_to_move(self.position.situation.to_move);
        }
        if ended && needs_history(context.start) {
            let hash = self.position.board.hash();
            if fresh
                && step != Step::PASS
                && self.history.check_repetition(&mut self.position, color).is_err()
            {
                node.set_state(NodeState::Illegal);
                return false;
            }
            self.history.push(hash, color);
        }
        // Another thread may have visited the node, but a finished game must never be expanded.
        if ended && self.position.situation.is_over() && node.state() == NodeState::Open {
            self.mark_terminal(context, at);
        }
        true
    }

    fn mark_terminal(&self, context: &SearchContext<'_>, at: u32) {
        let node = context.nodes.node(at);
        let outcome = Outcome::at_end(&self.position);
        node.set_exact(outcome, context.utility.value(outcome));
        node.set_bounds(Bounds::at_end(&self.position));
        node.set_state(NodeState::Terminal);
    }

    /// Updates every node of the path with the outcome, clamped to its bounds. A
    /// check does not update the root.
    fn backpropagate(&mut self, context: &SearchContext<'_>, mut outcome: Outcome) {
        self.backpropagate_bounds(context);
        self.values.clear();
        self.values.resize(self.path.len(), 0.0);
        let skipped = usize::from(self.before_check.is_some());
        self.remove_virtual_losses(context.nodes);
        let counted = self.path.iter().zip(&mut self.values).skip(skipped);
        for (&(at, _), value) in counted.rev() {
            let node = context.nodes.node(at);
            outcome = node.bounds().clamp(outcome);
            *value = context.utility.value(outcome);
            if node.state() == NodeState::Terminal {
                node.count_visit();
            } else {
                node.add(outcome, *value);
            }
        }
        if context.move_ownership && skipped == 0 {
            self.update_child_ownership(context);
        }
    }

    fn update_child_ownership(&mut self, context: &SearchContext<'_>) {
        let Some(&(child, _)) = self.path.get(1) else {
            return;
        };
        let mut edges = context.nodes.edges(context.root);
        self.child_ownership.resize(edges.len(), Ownership::default());
        let number = edges.position(|edge| edge.child() == Some(child));
        let points = context.start.board.grid().points();
        if let Some(ownership) = number.and_then(|number| self.child_ownership.get_mut(number)) {
            ownership.add(points, &self.ownership_before, &self.trace.ownership);
        }
        self.ownership_before.clone_from(&self.trace.ownership);
    }

    /// Clears the ownership counts of the root's children after a change of the root.
    pub(super) fn clear_root_children(&mut self) {
        self.child_ownership.clear();
        self.ownership_before.clone_from(&self.trace.ownership);
    }

    /// Backpropagates the bounds of the last node of the path.
    fn backpropagate_bounds(&self, context: &SearchContext<'_>) {
        let Some(&(leaf, _)) = self.path.last() else {
            return;
        };
        if context.nodes.node(leaf).bounds() == Bounds::UNKNOWN {
            return;
        }
        for &(at, color) in self.path.iter().rev().skip(1) {
            let bounds = Bounds::best(color, context.nodes.legal_bounds(at, |_| true));
            let node = context.nodes.node(at);
            // Children that proved tighter bounds may have been pruned.
            let bounds = bounds.within(node.bounds());
            // Another path may already have proven a shared child.
            if bounds == node.bounds() && !context.start.info().continues_turn(node.step()) {
                break;
            }
            node.set_bounds(bounds);
        }
    }
}

/// The number of the edge that passes, if no simulation tried it.
fn untried_pass(nodes: &NodePool, at: u32) -> Option<usize> {
    nodes.edges(at).position(|edge| {
        let is_untried = |node: Node<'_>| node.visits() == 0 && node.state() != NodeState::Illegal;
        edge.step() == Step::PASS && nodes.child(edge).is_none_or(is_untried)
    })
}

fn needs_history(position: &Position) -> bool {
    let superko = matches!(position.situation.rules.ko, Ko::Positional | Ko::Situational);
    let info = position.info();
    !info.ko_has_no_effect && (superko || info.repetition_draws)
}
