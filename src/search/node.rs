//! A node of the search tree: the step that leads to it and its statistics, shared by all threads.
//!
//! Threads read and write the statistics without locks (Enzenberger and Müller, "A Lock-Free
//! Multithreaded Monte-Carlo Tree Search Algorithm", 2009): of two updates at once, one may be
//! lost, which is harmless. The publication of children and of a visit is ordered: a thread that
//! sees a visit also sees the state, value and bounds that were set before it.

use super::bounds::Bounds;
use super::evaluator::Outcome;
use crate::board::Color;
use crate::rules::Step;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeState {
    /// The game goes on; the node can be expanded.
    Open,
    /// The game is over; the node's value is exact.
    Terminal,
    /// Superko forbids the step; the node is never entered again.
    Illegal,
}

/// A floating-point number that threads read and write without locks.
#[derive(Debug, Default)]
struct AtomicF32(AtomicU32);

impl AtomicF32 {
    #[inline]
    fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Relaxed))
    }

    #[inline]
    fn set(&self, value: f32) {
        self.0.store(value.to_bits(), Relaxed);
    }

    /// Moves the mean towards `value`, whose share of the total weight is `part`.
    #[inline]
    fn update_mean(&self, value: f32, part: f32) {
        let mean = self.get();
        self.set(mean + (value - mean) * part);
    }
}

/// A step and its statistics. All means are from Black's point of view.
#[derive(Debug, Default)]
pub(super) struct Node {
    visits: AtomicU32,
    value: AtomicF32,
    prior: AtomicF32,
    win: AtomicF32,
    margin: AtomicF32,
    margin_variance: AtomicF32,
    win_variance: AtomicF32,
    bounds: AtomicU32,
    first_child: AtomicU32,
    virtual_losses: AtomicU16,
    child_count: AtomicU16,
    step: AtomicU16,
    /// A [`NodeState`], and [`WHITE`].
    state: AtomicU8,
    /// For the first node of a block: the number of nodes up to the last one that a simulation has
    /// entered.
    reach: AtomicU8,
}

/// A bit of the state: White is to move after the step.
const WHITE: u8 = 1 << 7;

/// In place of the first child: one thread expands the node.
const CLAIMED: u32 = u32::MAX;

/// The reach of a block that may be entered as a whole.
const WHOLE: u8 = u8::MAX;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Statistics {
    pub(super) visits: u32,
    pub(super) value: f32,
    pub(super) mean: Outcome,
    pub(super) margin_variance: f32,
    pub(super) win_variance: f32,
}

impl Statistics {
    #[must_use]
    pub(super) fn with(self, other: Statistics) -> Statistics {
        self.combined(other, 1.0)
    }

    /// The statistics of these visits without `part`, which is among them.
    #[must_use]
    pub(super) fn without(self, part: Statistics) -> Statistics {
        self.combined(part, -1.0)
    }

    fn combined(self, other: Statistics, sign: f32) -> Statistics {
        let weight = self.visits as f32 + sign * other.visits as f32;
        if weight <= 0.0 {
            return Statistics::default();
        }
        let (own, others) = (self.visits as f32 / weight, sign * other.visits as f32 / weight);
        let mean = |a: f32, b: f32| a * own + b * others;
        let margin = mean(self.mean.margin, other.mean.margin);
        let win = mean(self.mean.win, other.mean.win);
        let square = |of: Statistics| of.margin_variance + (of.mean.margin - margin).powi(2);
        let win_square = |of: Statistics| of.win_variance + (of.mean.win - win).powi(2);
        Statistics {
            visits: weight as u32,
            value: mean(self.value, other.value),
            mean: Outcome { win, margin },
            margin_variance: mean(square(self), square(other)).max(0.0),
            win_variance: mean(win_square(self), win_square(other)).max(0.0),
        }
    }
}

impl Node {
    pub(super) fn reset(&self, step: Step, prior: f32) {
        self.visits.store(0, Relaxed);
        self.virtual_losses.store(0, Relaxed);
        self.value.set(0.5);
        self.prior.set(prior);
        self.win.set(0.5);
        self.margin.set(0.0);
        self.margin_variance.set(0.0);
        self.win_variance.set(0.0);
        self.bounds.store(Bounds::UNKNOWN.packed(), Relaxed);
        self.step.store(step.code(), Relaxed);
        self.state.store(NodeState::Open as u8, Relaxed);
        self.reach.store(0, Relaxed);
        self.drop_children();
    }

    /// Copies `other`, links to its children included.
    pub(super) fn copy_from(&self, other: &Node) {
        self.visits.store(other.visits(), Relaxed);
        self.virtual_losses.store(0, Relaxed);
        self.value.set(other.value.get());
        self.prior.set(other.prior.get());
        self.win.set(other.win.get());
        self.margin.set(other.margin.get());
        self.margin_variance.set(other.margin_variance.get());
        self.win_variance.set(other.win_variance.get());
        self.bounds.store(other.bounds.load(Relaxed), Relaxed);
        self.step.store(other.step.load(Relaxed), Relaxed);
        self.state.store(other.state.load(Relaxed), Relaxed);
        self.reach.store(other.reach.load(Relaxed), Relaxed);
        self.child_count.store(other.child_count.load(Relaxed), Relaxed);
        self.first_child.store(other.first_child.load(Relaxed), Relaxed);
    }

    #[inline]
    pub(super) fn step(&self) -> Step {
        Step::from_code(self.step.load(Relaxed))
    }

    /// Completed simulations through this node.
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Acquire)
    }

    #[inline]
    pub(super) fn virtual_losses(&self) -> u32 {
        self.virtual_losses.load(Relaxed).into()
    }

    /// Black's mean utility, 0 to 1.
    #[inline]
    pub(super) fn value(&self) -> f32 {
        self.value.get()
    }

    pub(super) fn mean(&self) -> Outcome {
        Outcome { win: self.win.get(), margin: self.margin.get() }
    }

    pub(super) fn margin_variance(&self) -> f32 {
        self.margin_variance.get()
    }

    pub(super) fn win_variance(&self) -> f32 {
        self.win_variance.get()
    }

    pub(super) fn statistics(&self) -> Statistics {
        Statistics {
            visits: self.visits(),
            value: self.value(),
            mean: self.mean(),
            margin_variance: self.margin_variance(),
            win_variance: self.win_variance(),
        }
    }

    /// Replaces the statistics; no thread may be searching.
    pub(super) fn set_statistics(&self, statistics: &Statistics) {
        self.value.set(statistics.value);
        self.win.set(statistics.mean.win);
        self.margin.set(statistics.mean.margin);
        self.margin_variance.set(statistics.margin_variance);
        self.win_variance.set(statistics.win_variance);
        self.visits.store(statistics.visits, Release);
    }

    /// The step's share of the policy prior among its siblings.
    #[inline]
    pub(super) fn prior(&self) -> f32 {
        self.prior.get()
    }

    #[inline]
    pub(super) fn state(&self) -> NodeState {
        match self.state.load(Relaxed) & !WHITE {
            1 => NodeState::Terminal,
            2 => NodeState::Illegal,
            _ => NodeState::Open,
        }
    }

    pub(super) fn set_state(&self, state: NodeState) {
        let white = self.state.load(Relaxed) & WHITE;
        self.state.store(state as u8 | white, Relaxed);
    }

    /// The side to move after the step, once a simulation has made it.
    #[inline]
    pub(super) fn to_move(&self) -> Color {
        match self.state.load(Relaxed) & WHITE {
            0 => Color::Black,
            _ => Color::White,
        }
    }

    pub(super) fn set_to_move(&self, color: Color) {
        let white = if color == Color::White { WHITE } else { 0 };
        self.state.store(self.state.load(Relaxed) & !WHITE | white, Relaxed);
    }

    /// See [`NodePool::reach`](super::node_pool::NodePool::reach).
    #[inline]
    pub(super) fn reach(&self) -> usize {
        match self.reach.load(Relaxed) {
            WHOLE => usize::MAX,
            reach => reach.into(),
        }
    }

    #[inline]
    pub(super) fn extend_reach(&self, count: usize) {
        let count = u8::try_from(count).unwrap_or(WHOLE);
        if self.reach.load(Relaxed) < count {
            self.reach.fetch_max(count, Relaxed);
        }
    }

    #[inline]
    pub(super) fn bounds(&self) -> Bounds {
        Bounds::unpack(self.bounds.load(Relaxed))
    }

    pub(super) fn set_bounds(&self, bounds: Bounds) {
        self.bounds.store(bounds.packed(), Relaxed);
    }

    /// Index of the first child and number of children; (0, 0) before the expansion.
    #[inline]
    pub(super) fn children(&self) -> (u32, u16) {
        let first = self.first_child.load(Acquire);
        match first {
            0 | CLAIMED => (0, 0),
            first => (first, self.child_count.load(Relaxed)),
        }
    }

    #[inline]
    pub(super) fn is_expanded(&self) -> bool {
        !matches!(self.first_child.load(Relaxed), 0 | CLAIMED)
    }

    /// Claims the right to expand the node, for one thread only.
    #[inline]
    pub(super) fn try_claim(&self) -> bool {
        self.first_child.load(Relaxed) == 0
            && self.first_child.compare_exchange(0, CLAIMED, Relaxed, Relaxed).is_ok()
    }

    /// Releases the claim after an expansion that failed because of a full pool.
    pub(super) fn release_claim(&self) {
        self.first_child.store(0, Relaxed);
    }

    pub(super) fn publish(&self, first: u32, count: u16) {
        self.child_count.store(count, Relaxed);
        self.first_child.store(first, Release);
    }

    pub(super) fn drop_children(&self) {
        self.first_child.store(0, Relaxed);
        self.child_count.store(0, Relaxed);
    }

    /// Adds a virtual loss, which makes other threads prefer other nodes.
    #[inline]
    pub(super) fn add_virtual_loss(&self) {
        self.virtual_losses.fetch_add(1, Relaxed);
    }

    #[inline]
    pub(super) fn remove_virtual_loss(&self) {
        self.virtual_losses.fetch_sub(1, Relaxed);
    }

    #[inline]
    pub(super) fn add(&self, outcome: Outcome, value: f32) {
        let visits = self.visits.load(Relaxed).saturating_add(1);
        self.visits.store(visits, Release);
        let part = 1.0 / visits as f32;
        self.value.update_mean(value, part);
        // Welford, "Note on a method for calculating corrected sums of squares", 1962.
        for (mean, variance, found) in [
            (&self.win, &self.win_variance, outcome.win),
            (&self.margin, &self.margin_variance, outcome.margin),
        ] {
            let before = found - mean.get();
            mean.update_mean(found, part);
            variance.update_mean(before * (found - mean.get()), part);
        }
    }

    pub(super) fn add_to_value(&self, change: f32) {
        self.value.set(self.value.get() + change);
    }

    /// Counts a visit without changing the value, which is exact.
    #[inline]
    pub(super) fn count_visit(&self) {
        let visits = self.visits.load(Relaxed).saturating_add(1);
        self.visits.store(visits, Release);
    }

    pub(super) fn set_exact(&self, outcome: Outcome, value: f32) {
        self.value.set(value);
        self.win.set(outcome.win);
        self.margin.set(outcome.margin);
    }

    #[inline]
    pub(super) fn value_for(&self, color: Color) -> f32 {
        value_for_color(self.value(), color)
    }
}

/// Converts a utility of Black to the point of view of `color`.
#[inline]
pub(super) fn value_for_color(value: f32, color: Color) -> f32 {
    match color {
        Color::Black => value,
        Color::White => 1.0 - value,
    }
}
