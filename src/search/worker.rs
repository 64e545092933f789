//! One thread of a search. A simulation selects a path down the tree, expands and evaluates its
//! last node, and backpropagates the outcome.

use super::bounds::Bounds;
use super::candidates::collect_candidates;
use super::context::SearchContext;
use super::evaluator::{Evaluator, Leaf, Outcome, Ownership, Trace};
use super::node::{Node, NodeState};
use super::node_pool::NodePool;
use super::ownership::sign;
use super::params::SearchParams;
use super::select;
use crate::board::{Color, Point, Random};
use crate::rules::{AnyPosition, History, Ko, Step};

enum Descent {
    Evaluated(Outcome),
    /// Superko forbids the step, which no simulation enters again.
    Illegal,
}

#[derive(Debug)]
pub(super) struct Worker {
    evaluator: Box<dyn Evaluator>,
    random: Random,
    position: Box<dyn AnyPosition>,
    history: History,
    root_history_len: usize,
    /// The nodes of the current path and the side to move at each.
    path: Vec<(u32, Color)>,
    /// The utility of the latest simulation at each node of the path.
    values: Vec<f32>,
    pub(super) trace: Trace,
    amaf: select::AmafUpdater,
    steps: Vec<Step>,
    priors: Vec<f32>,
    /// Priors, numbers and steps; see [`Worker::sort_by_prior`].
    ranked: Vec<(f32, u16, Step)>,
    /// Ownership counts of each child of the root, if the task asks for them.
    pub(super) child_ownership: Vec<Ownership>,
    /// The ownership counts before the latest simulation.
    ownership_before: Ownership,
    /// The ownership counts before a check of a pass under way.
    before_check: Option<Ownership>,
    pub(super) out_of_nodes: bool,
}

impl Worker {
    pub(super) fn new(position: &dyn AnyPosition, evaluator: Box<dyn Evaluator>) -> Self {
        Worker {
            evaluator,
            random: Random::new(0),
            position: position.boxed(),
            history: History::new(0),
            root_history_len: 0,
            path: Vec::new(),
            values: Vec::new(),
            trace: Trace::default(),
            amaf: select::AmafUpdater::new(position.info()),
            steps: Vec::new(),
            priors: Vec::new(),
            ranked: Vec::new(),
            child_ownership: Vec::new(),
            ownership_before: Ownership::default(),
            before_check: None,
            out_of_nodes: false,
        }
    }

    /// Prepares for another search. Workers share evaluations, so they share the view seed; their
    /// playouts differ.
    pub(super) fn reset(&mut self, history: &History, seed: u64, view_seed: u64) {
        self.evaluator.begin(view_seed);
        self.history = history.clone();
        self.root_history_len = history.len();
        self.random = Random::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        self.trace.ownership = Ownership::default();
        self.before_check = None;
        self.clear_root_children();
        self.out_of_nodes = false;
    }

    /// Makes a simulation, through the child `forced` if given; false if that child is illegal.
    pub(super) fn simulate(&mut self, context: &SearchContext<'_>, forced: Option<u32>) -> bool {
        loop {
            self.position.copy_from(context.start);
            self.path.clear();
            self.trace.steps.clear();
            self.push_node(context, context.root);
            let end = self.descend(context, forced);
            self.history.truncate(self.root_history_len);
            match end {
                Descent::Evaluated(outcome) => {
                    self.backpropagate(context, outcome);
                    return true;
                }
                Descent::Illegal => {
                    self.remove_virtual_losses(context);
                    let forced = forced.map(|child| context.nodes.node(child).state());
                    if forced == Some(NodeState::Illegal) {
                        return false;
                    }
                }
            }
        }
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
        if context.is_shared() {
            context.nodes.node(at).add_virtual_loss();
        }
        self.path.push((at, self.position.to_move));
    }

    fn remove_virtual_losses(&self, context: &SearchContext<'_>) {
        if context.is_shared() {
            for &(at, _) in &self.path {
                context.nodes.node(at).remove_virtual_loss();
            }
        }
    }

    /// Walks down to a leaf or the end of the game and evaluates it.
    fn descend(&mut self, context: &SearchContext<'_>, mut forced: Option<u32>) -> Descent {
        let mut at = context.root;
        loop {
            let node = context.nodes.node(at);
            if at != context.root
                && let Some(outcome) = node.bounds().exact()
            {
                self.note_end();
                return Descent::Evaluated(outcome);
            }
            if node.state() == NodeState::Terminal {
                self.note_end();
                return Descent::Evaluated(node.mean());
            }
            if !node.is_expanded()
                && let Some(outcome) = self.expand_or_share(context, at)
            {
                return Descent::Evaluated(outcome);
            }
            let Some(child) = forced.take().or_else(|| self.select_child(context, at)) else {
                let outcome =
                    self.evaluator.value(&*self.position, &mut self.random, &mut self.trace);
                return Descent::Evaluated(outcome);
            };
            context.nodes.enter(at, child);
            if !self.make_step(context, child) {
                return Descent::Illegal;
            }
            self.push_node(context, child);
            at = child;
        }
    }

    fn note_end(&mut self) {
        if self.position.is_over() {
            let board = self.position.board();
            let owners = board.owners();
            let owned = board.ownable_points().map(|at| (at, sign(owners.of(at)) as f32));
            self.trace.ownership.add_evaluation(owned);
        }
    }

    fn select_child(&self, context: &SearchContext<'_>, at: u32) -> Option<u32> {
        let depth = self.path.len() - 1;
        let color = self.position.to_move;
        // A second pass has a certain result, which decides the value of the first pass, but its
        // prior is rarely high enough.
        if self.position.passes > 0
            && self.position.pass_ends_game(color)
            && let Some(pass) = untried_pass(context.nodes, at)
            && context.allows(depth, color, Step::PASS)
        {
            return Some(pass);
        }
        let (nodes, params) = (context.nodes, context.params);
        let changed = if depth == 0 { context.root_priors } else { &[] };
        if !context.is_restricted(depth) {
            let bounds = nodes.node(at).bounds();
            return select::select_child(nodes, at, color, params, bounds, |_| true, changed);
        }
        let bounds = context.allowed_bounds(at, depth, color);
        let allowed = |node: &Node| context.allows(depth, color, node.step());
        select::select_child(nodes, at, color, params, bounds, allowed, changed)
    }

    /// Links the node to the children of its position in the transposition table, or expands a node
    /// with enough visits. Returns the value of the position if the evaluator found it.
    #[inline]
    fn expand_or_share(&mut self, context: &SearchContext<'_>, at: u32) -> Option<Outcome> {
        let node = context.nodes.node(at);
        let key = self.position.mid_turn_key();
        let known = key.and_then(|key| context.nodes.transpositions.probe(key));
        if let Some((first, count)) = known {
            if node.try_claim() {
                node.publish(first, count);
            }
            return None;
        }
        if at != context.root && node.visits() < context.params.expansion_threshold {
            return None;
        }
        let outcome = self.expand(context, at);
        if let (Some(key), (first, count @ 1..)) = (key, node.children()) {
            context.nodes.transpositions.store(key, first, count);
        }
        outcome
    }

    /// Creates the children of a node if the pool has room. Returns the value of the position if
    /// the evaluator found it.
    fn expand(&mut self, context: &SearchContext<'_>, at: u32) -> Option<Outcome> {
        let node = context.nodes.node(at);
        if !node.try_claim() {
            return None;
        }
        let before = match self.trace.steps.as_slice() {
            [] => context.before,
            [_] => context.start.latest.placed,
            [.., (_, step), _] => step.point().unwrap_or(Point::NONE),
        };
        // A list of allowed steps may contain an own eye.
        let is_listed = at == context.root && !context.restrictions.is_empty();
        collect_candidates(
            &*self.position,
            (self.evaluator.knows_eyes() || is_listed, !is_listed),
            &mut self.random,
            &mut self.steps,
        );
        self.priors.clear();
        let (position, steps) = (&*self.position, &*self.steps);
        let leaf = Leaf { position, before, steps, is_root: self.path.len() == 1 };
        let outcome = self.evaluator.expand(leaf, &mut self.priors, &mut self.trace);
        let share = context.params.policy_uniform_share;
        let even = share * self.priors.iter().sum::<f32>() / self.priors.len() as f32;
        let count = self.steps.len() as u16;
        let Some(first) = context.nodes.allocate(count) else {
            self.out_of_nodes = true;
            node.release_claim();
            return outcome;
        };
        self.sort_by_prior(context.params);
        let block = context.nodes.block(first, count);
        for (child, &(prior, _, step)) in block.iter().zip(&self.ranked) {
            child.reset(step, prior * (1.0 - share) + even);
        }
        node.publish(first, count);
        outcome
    }

    /// Sorts the steps by prior for progressive widening and for selection without AMAF; equal
    /// priors keep their order.
    fn sort_by_prior(&mut self, params: &SearchParams) {
        let steps = self.priors.iter().zip(&self.steps);
        let numbered = (0u16..).zip(steps);
        self.ranked.clear();
        self.ranked.extend(numbered.map(|(number, (&prior, &step))| (prior, number, step)));
        if params.progressive_widening > 0 || params.amaf_equivalence <= 0.0 {
            self.ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        }
    }

    fn make_step(&mut self, context: &SearchContext<'_>, at: u32) -> bool {
        let node = context.nodes.node(at);
        let (step, fresh) = (node.step(), node.visits() == 0);
        let color = self.position.to_move;
        self.trace.steps.push((color, step));
        let ended = self.position.make(color, step);
        if fresh {
            node.set_to_move(self.position.to_move);
        }
        if ended && needs_history(context.start) {
            let hash = self.position.board().hash();
            if fresh
                && step != Step::PASS
                && self.history.check_repetition(&mut *self.position, color).is_err()
            {
                node.set_state(NodeState::Illegal);
                return false;
            }
            self.history.push(hash, color);
        }
        // Another thread may have visited the node, but a finished game must never be expanded.
        if ended && self.position.is_over() && node.state() == NodeState::Open {
            self.mark_terminal(context, node);
        }
        true
    }

    fn mark_terminal(&self, context: &SearchContext<'_>, node: &Node) {
        let outcome = Outcome::at_end(&*self.position);
        node.set_exact(outcome, context.utility.value(outcome));
        node.set_bounds(Bounds::at_end(&*self.position));
        node.set_state(NodeState::Terminal);
    }

    /// Updates every node of the path with the outcome, clamped to its bounds, and the AMAF
    /// statistics. A check does not update the root.
    fn backpropagate(&mut self, context: &SearchContext<'_>, mut outcome: Outcome) {
        self.backpropagate_bounds(context);
        self.values.clear();
        self.values.resize(self.path.len(), 0.0);
        let skipped = usize::from(self.before_check.is_some());
        self.remove_virtual_losses(context);
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
        if context.params.amaf_equivalence > 0.0 {
            self.amaf.update(
                context.nodes,
                context.params,
                &self.path,
                skipped,
                &self.trace,
                &self.values,
            );
        }
        if context.move_ownership && skipped == 0 {
            self.update_child_ownership(context);
        }
    }

    fn update_child_ownership(&mut self, context: &SearchContext<'_>) {
        let Some(&(child, _)) = self.path.get(1) else {
            return;
        };
        let child_indices = context.nodes.child_indices(context.root);
        self.child_ownership.resize(child_indices.len(), Ownership::default());
        let at = child.wrapping_sub(child_indices.start) as usize;
        let points = context.start.board().grid().points();
        if let Some(ownership) = self.child_ownership.get_mut(at) {
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
            let children = context.nodes.children(at).iter();
            let legal = children.filter(|child| child.state() != NodeState::Illegal);
            let bounds = Bounds::best(color, legal.map(Node::bounds));
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

fn untried_pass(nodes: &NodePool, at: u32) -> Option<u32> {
    nodes.child_indices(at).find(|&node_index| {
        let node = nodes.node(node_index);
        node.step() == Step::PASS && node.visits() == 0 && node.state() != NodeState::Illegal
    })
}

fn needs_history(position: &dyn AnyPosition) -> bool {
    let superko = matches!(position.rules.ko, Ko::Positional | Ko::Situational);
    let info = position.info();
    !info.ko_has_no_effect && (superko || info.repetition_draws)
}
