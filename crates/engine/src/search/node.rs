//! A node of the search tree: a step that a simulation has entered and its statistics, shared by
//! all threads. Steps without a simulation are only [`Edge`](super::edge::Edge)s.
//!
//! Threads read and write the statistics without locks (Enzenberger and Müller, "A Lock-Free
//! Multithreaded Monte-Carlo Tree Search Algorithm", 2009): of two updates at once, one may be
//! lost, which is harmless. The publication of nodes, of their edges and of a visit is ordered: a
//! thread that sees a visit also sees the state, value and bounds that were set before it.

use super::bounds::Bounds;
use super::evaluator::Outcome;
use super::node_pool::Unit;
use crate::board::Color;
use crate::rules::Step;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeState {
    /// The game continues; the node can be expanded.
    Open,
    /// The game is over; the node's value is exact.
    Terminal,
    /// Superko forbids the step; the node is never entered again.
    Illegal,
}

/// A floating-point number that threads read and write without locks.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtomicF32<'a>(pub(super) &'a AtomicU32);

impl AtomicF32<'_> {
    #[inline]
    pub(super) fn get(self) -> f32 {
        f32::from_bits(self.0.load(Relaxed))
    }

    #[inline]
    pub(super) fn set(self, value: f32) {
        self.0.store(value.to_bits(), Relaxed);
    }

    /// Moves the mean towards `value`, whose share of the total weight is `part`.
    #[inline]
    pub(super) fn update_mean(self, value: f32, part: f32) {
        let mean = self.get();
        self.set(mean + (value - mean) * part);
    }
}

/// The room of a node in its pool.
pub(super) const NODE_UNITS: u32 = 5;

/// A view of a step and its statistics. All means are from Black's point of view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a>(pub(super) &'a [Unit; NODE_UNITS as usize]);

/// In the state, above the [`Step::code`]: a [`NodeState`], and whether White is to move.
const TERMINAL: u32 = 1 << 16;
const ILLEGAL: u32 = 1 << 17;
const WHITE: u32 = 1 << 18;

/// Instead of the edges: one thread expands the node.
const CLAIMED: u32 = u32::MAX;

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

impl<'a> Node<'a> {
    #[inline]
    fn visit_count(self) -> &'a AtomicU32 {
        &self.0[0][0]
    }

    #[inline]
    fn value_mean(self) -> AtomicF32<'a> {
        AtomicF32(&self.0[0][1])
    }

    #[inline]
    fn win_mean(self) -> AtomicF32<'a> {
        AtomicF32(&self.0[1][0])
    }

    #[inline]
    fn margin_mean(self) -> AtomicF32<'a> {
        AtomicF32(&self.0[1][1])
    }

    #[inline]
    fn variance_of_win(self) -> AtomicF32<'a> {
        AtomicF32(&self.0[2][0])
    }

    #[inline]
    fn variance_of_margin(self) -> AtomicF32<'a> {
        AtomicF32(&self.0[2][1])
    }

    #[inline]
    fn packed_bounds(self) -> &'a AtomicU32 {
        &self.0[3][0]
    }

    #[inline]
    fn edges(self) -> &'a AtomicU32 {
        &self.0[3][1]
    }

    #[inline]
    fn pending(self) -> &'a AtomicU32 {
        &self.0[4][0]
    }

    /// The code of the step, and [`TERMINAL`], [`ILLEGAL`] and [`WHITE`].
    #[inline]
    fn step_and_state(self) -> &'a AtomicU32 {
        &self.0[4][1]
    }

    pub(super) fn reset(self, step: Step) {
        self.visit_count().store(0, Relaxed);
        self.value_mean().set(0.5);
        self.win_mean().set(0.5);
        self.margin_mean().set(0.0);
        self.variance_of_win().set(0.0);
        self.variance_of_margin().set(0.0);
        self.packed_bounds().store(Bounds::UNKNOWN.packed(), Relaxed);
        self.edges().store(0, Relaxed);
        self.pending().store(0, Relaxed);
        self.step_and_state().store(step.code().into(), Relaxed);
    }

    #[inline]
    pub(super) fn step(self) -> Step {
        Step::from_code(self.step_and_state().load(Relaxed) as u16)
    }

    /// Completed simulations through this node.
    #[inline]
    pub(super) fn visits(self) -> u32 {
        self.visit_count().load(Acquire)
    }

    #[inline]
    pub(super) fn virtual_losses(self) -> u32 {
        self.pending().load(Relaxed)
    }

    /// Black's mean utility, 0 to 1.
    #[inline]
    pub(super) fn value(self) -> f32 {
        self.value_mean().get()
    }

    pub(super) fn mean(self) -> Outcome {
        Outcome { win: self.win_mean().get(), margin: self.margin_mean().get() }
    }

    pub(super) fn margin_variance(self) -> f32 {
        self.variance_of_margin().get()
    }

    pub(super) fn win_variance(self) -> f32 {
        self.variance_of_win().get()
    }

    pub(super) fn statistics(self) -> Statistics {
        Statistics {
            visits: self.visits(),
            value: self.value(),
            mean: self.mean(),
            margin_variance: self.margin_variance(),
            win_variance: self.win_variance(),
        }
    }

    /// Replaces the statistics; no thread may be searching.
    pub(super) fn set_statistics(self, statistics: &Statistics) {
        self.value_mean().set(statistics.value);
        self.win_mean().set(statistics.mean.win);
        self.margin_mean().set(statistics.mean.margin);
        self.variance_of_margin().set(statistics.margin_variance);
        self.variance_of_win().set(statistics.win_variance);
        self.visit_count().store(statistics.visits, Release);
    }

    #[inline]
    pub(super) fn state(self) -> NodeState {
        match self.step_and_state().load(Relaxed) {
            state if state & TERMINAL != 0 => NodeState::Terminal,
            state if state & ILLEGAL != 0 => NodeState::Illegal,
            _ => NodeState::Open,
        }
    }

    /// Whether superko forbids the step.
    #[inline]
    pub(super) fn is_illegal(self) -> bool {
        self.step_and_state().load(Relaxed) & ILLEGAL != 0
    }

    /// Whether the step is legal and its margin for `color` not proven to be at most `low`.
    #[inline]
    pub(super) fn may_exceed(self, low: i16, color: Color) -> bool {
        let packed = self.packed_bounds().load(Relaxed);
        !self.is_illegal()
            && (packed == Bounds::UNKNOWN.packed()
                || Bounds::unpack(packed).for_color(color).high > low)
    }

    pub(super) fn set_state(self, state: NodeState) {
        let bits = match state {
            NodeState::Open => 0,
            NodeState::Terminal => TERMINAL,
            NodeState::Illegal => ILLEGAL,
        };
        let replaced = |now| Some(now & !(TERMINAL | ILLEGAL) | bits);
        // It always changes.
        let _ = self.step_and_state().fetch_update(Relaxed, Relaxed, replaced);
    }

    /// The side to move after the step, once a simulation has made it.
    #[inline]
    pub(super) fn to_move(self) -> Color {
        match self.step_and_state().load(Relaxed) & WHITE {
            0 => Color::Black,
            _ => Color::White,
        }
    }

    /// Sets the side to move, which is always the same.
    pub(super) fn set_to_move(self, color: Color) {
        if color == Color::White {
            self.step_and_state().fetch_or(WHITE, Relaxed);
        }
    }

    #[inline]
    pub(super) fn bounds(self) -> Bounds {
        Bounds::unpack(self.packed_bounds().load(Relaxed))
    }

    pub(super) fn set_bounds(self, bounds: Bounds) {
        self.packed_bounds().store(bounds.packed(), Relaxed);
    }

    /// Index of the block of edges; `None` before the expansion.
    #[inline]
    pub(super) fn block(self) -> Option<u32> {
        let block = self.edges().load(Acquire);
        (!matches!(block, 0 | CLAIMED)).then_some(block)
    }

    /// Claims the right to expand the node, for one thread only.
    #[inline]
    pub(super) fn try_claim(self) -> bool {
        self.edges().load(Relaxed) == 0
            && self.edges().compare_exchange(0, CLAIMED, Relaxed, Relaxed).is_ok()
    }

    pub(super) fn publish(self, block: u32) {
        self.edges().store(block, Release);
    }

    /// Makes the node a leaf again; also releases the claim after an expansion that failed because
    /// of a full pool.
    pub(super) fn drop_children(self) {
        self.edges().store(0, Relaxed);
    }

    /// Adds a virtual loss, which makes other threads prefer other nodes.
    #[inline]
    pub(super) fn add_virtual_loss(self) {
        self.pending().fetch_add(1, Relaxed);
    }

    #[inline]
    pub(super) fn remove_virtual_loss(self) {
        self.pending().fetch_sub(1, Relaxed);
    }

    #[inline]
    pub(super) fn add(self, outcome: Outcome, value: f32) {
        let visits = self.visit_count().load(Relaxed).saturating_add(1);
        self.visit_count().store(visits, Release);
        let part = 1.0 / visits as f32;
        self.value_mean().update_mean(value, part);
        // Welford, "Note on a method for calculating corrected sums of squares", 1962.
        for (mean, variance, found) in [
            (self.win_mean(), self.variance_of_win(), outcome.win),
            (self.margin_mean(), self.variance_of_margin(), outcome.margin),
        ] {
            let before = found - mean.get();
            mean.update_mean(found, part);
            variance.update_mean(before * (found - mean.get()), part);
        }
    }

    pub(super) fn add_to_value(self, change: f32) {
        self.value_mean().set(self.value() + change);
    }

    /// Counts a visit without changing the value, which is exact.
    #[inline]
    pub(super) fn count_visit(self) {
        let visits = self.visit_count().load(Relaxed).saturating_add(1);
        self.visit_count().store(visits, Release);
    }

    pub(super) fn set_exact(self, outcome: Outcome, value: f32) {
        self.value_mean().set(value);
        self.win_mean().set(outcome.win);
        self.margin_mean().set(outcome.margin);
    }

    #[inline]
    pub(super) fn value_for(self, color: Color) -> f32 {
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
