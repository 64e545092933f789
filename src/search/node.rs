//! One node of the tree: a step, and what came of it, shared by all threads.
//!
//! Numbers are read and written without locks (Enzenberger and Müller, "A
//! Lock-Free Multithreaded Monte-Carlo Tree Search Algorithm", 2009): two
//! threads that add to a mean at once may lose one of the two outcomes, which
//! does no harm. Only the publication of children is ordered.

use super::bounds::Bounds;
use super::evaluator::Outcome;
use crate::board::Color;
use crate::rules::Step;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32};

/// What is known about a node beside its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The game goes on.
    Open,
    /// The game is over; the node's numbers are exact.
    Over,
    /// The history forbids the step; never entered again.
    Illegal,
}

/// A number that threads share.
#[derive(Debug, Default)]
struct Shared(AtomicU32);

impl Shared {
    #[inline]
    fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Relaxed))
    }

    #[inline]
    fn set(&self, value: f32) {
        self.0.store(value.to_bits(), Relaxed);
    }

    /// Adds `value` to a mean of `weight` in all, this one included.
    #[inline]
    fn average(&self, value: f32, part: f32) {
        let mean = self.get();
        self.set(mean + (value - mean) * part);
    }
}

/// A step, and what came of it. Means are Black's view.
#[derive(Debug, Default)]
pub(super) struct Node {
    visits: AtomicU32,
    flying: AtomicU32,
    value: Shared,
    amaf_visits: Shared,
    amaf: Shared,
    prior: Shared,
    win: Shared,
    margin: Shared,
    bounds: AtomicU32,
    first_child: AtomicU32,
    child_count: AtomicU16,
    step: AtomicU16,
    kind: AtomicU8,
    claimed: AtomicU8,
}

impl Node {
    /// Makes this the node of a step that nobody has tried.
    pub(super) fn reset(&self, step: Step, prior: f32) {
        self.visits.store(0, Relaxed);
        self.flying.store(0, Relaxed);
        self.value.set(0.5);
        self.amaf_visits.set(0.0);
        self.amaf.set(0.5);
        self.prior.set(prior);
        self.win.set(0.5);
        self.margin.set(0.0);
        self.bounds.store(Bounds::UNKNOWN.packed(), Relaxed);
        self.step.store(step.code(), Relaxed);
        self.kind.store(Kind::Open as u8, Relaxed);
        self.drop_children();
    }

    /// Makes this a copy of `other`, children included.
    pub(super) fn copy_from(&self, other: &Node) {
        self.visits.store(other.visits(), Relaxed);
        self.flying.store(0, Relaxed);
        self.value.set(other.value.get());
        self.amaf_visits.set(other.amaf_visits.get());
        self.amaf.set(other.amaf.get());
        self.prior.set(other.prior.get());
        self.win.set(other.win.get());
        self.margin.set(other.margin.get());
        self.bounds.store(other.bounds.load(Relaxed), Relaxed);
        self.step.store(other.step.load(Relaxed), Relaxed);
        self.kind.store(other.kind.load(Relaxed), Relaxed);
        self.claimed.store(other.claimed.load(Relaxed), Relaxed);
        self.child_count
            .store(other.child_count.load(Relaxed), Relaxed);
        self.first_child
            .store(other.first_child.load(Relaxed), Relaxed);
    }

    /// The step that leads here.
    #[inline]
    pub(super) fn step(&self) -> Step {
        Step::from_code(self.step.load(Relaxed))
    }

    /// Times entered and judged.
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Threads that are on their way through this node.
    #[inline]
    pub(super) fn flying(&self) -> u32 {
        self.flying.load(Relaxed)
    }

    /// Mean of what the search maximises, 0 to 1.
    #[inline]
    pub(super) fn value(&self) -> f32 {
        self.value.get()
    }

    /// Mean value of the playouts in which the step came later (all moves as
    /// first), and their weight.
    #[inline]
    pub(super) fn amaf(&self) -> (f32, f32) {
        (self.amaf.get(), self.amaf_visits.get())
    }

    /// Mean of wins and of margins.
    pub(super) fn mean(&self) -> Outcome {
        Outcome {
            win: self.win.get(),
            margin: self.margin.get(),
        }
    }

    /// The step's part of the exploration among its siblings.
    #[inline]
    pub(super) fn prior(&self) -> f32 {
        self.prior.get()
    }

    /// See [`Kind`].
    #[inline]
    pub(super) fn kind(&self) -> Kind {
        match self.kind.load(Relaxed) {
            1 => Kind::Over,
            2 => Kind::Illegal,
            _ => Kind::Open,
        }
    }

    pub(super) fn set_kind(&self, kind: Kind) {
        self.kind.store(kind as u8, Relaxed);
    }

    /// What is proven.
    #[inline]
    pub(super) fn bounds(&self) -> Bounds {
        Bounds::unpack(self.bounds.load(Relaxed))
    }

    pub(super) fn set_bounds(&self, bounds: Bounds) {
        self.bounds.store(bounds.packed(), Relaxed);
    }

    /// Place of the first child and number of children; none yet if 0.
    #[inline]
    pub(super) fn children(&self) -> (u32, u16) {
        let first = self.first_child.load(Acquire);
        match first {
            0 => (0, 0),
            first => (first, self.child_count.load(Relaxed)),
        }
    }

    /// Whether the node has children.
    #[inline]
    pub(super) fn is_expanded(&self) -> bool {
        self.first_child.load(Relaxed) != 0
    }

    /// Asks for the right to give the node children; only one ever gets it.
    #[inline]
    pub(super) fn claim(&self) -> bool {
        self.claimed.load(Relaxed) == 0
            && self
                .claimed
                .compare_exchange(0, 1, Relaxed, Relaxed)
                .is_ok()
    }

    /// Lets others try again what failed for want of room.
    pub(super) fn unclaim(&self) {
        self.claimed.store(0, Relaxed);
    }

    /// Shows the children, which are all made, to the other threads.
    pub(super) fn publish(&self, first: u32, count: u16) {
        self.claimed.store(1, Relaxed);
        self.child_count.store(count, Relaxed);
        self.first_child.store(first, Release);
    }

    /// Forgets the children.
    pub(super) fn drop_children(&self) {
        self.first_child.store(0, Relaxed);
        self.child_count.store(0, Relaxed);
        self.claimed.store(0, Relaxed);
    }

    /// A thread sets out through this node: others see a loss that has not
    /// happened yet, and rather go elsewhere.
    #[inline]
    pub(super) fn set_out(&self) {
        self.flying.fetch_add(1, Relaxed);
    }

    /// The thread is back.
    #[inline]
    pub(super) fn come_back(&self) {
        self.flying.fetch_sub(1, Relaxed);
    }

    /// Adds an outcome.
    #[inline]
    pub(super) fn add(&self, outcome: Outcome, value: f32) {
        let visits = self.visits.load(Relaxed).saturating_add(1);
        self.visits.store(visits, Relaxed);
        let part = 1.0 / visits as f32;
        self.value.average(value, part);
        self.win.average(outcome.win, part);
        self.margin.average(outcome.margin, part);
    }

    /// Counts a visit of a node whose numbers are exact.
    #[inline]
    pub(super) fn count(&self) {
        let visits = self.visits.load(Relaxed).saturating_add(1);
        self.visits.store(visits, Relaxed);
    }

    /// Makes the numbers exact.
    pub(super) fn settle(&self, outcome: Outcome, value: f32) {
        self.value.set(value);
        self.win.set(outcome.win);
        self.margin.set(outcome.margin);
    }

    /// Adds the value of a playout in which the step came later.
    #[inline]
    pub(super) fn add_amaf(&self, value: f32, weight: f32) {
        let sum = self.amaf_visits.get() + weight;
        self.amaf_visits.set(sum);
        self.amaf.average(value, weight / sum);
    }

    /// The mean value as `color` sees it.
    #[inline]
    pub(super) fn value_for(&self, color: Color) -> f32 {
        seen(self.value(), color)
    }
}

/// A value of Black as `color` sees it.
#[inline]
pub(super) fn seen(value: f32, color: Color) -> f32 {
    match color {
        Color::Black => value,
        Color::White => 1.0 - value,
    }
}
