//! The edges of an expanded node: its candidate steps with their priors. An edge leads to a node
//! once a simulation has entered it, and until then takes 8 bytes.

use super::node_pool::Unit;
use crate::rules::Step;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

/// A view of a candidate step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<'a>(pub(super) &'a Unit);

impl<'a> Edge<'a> {
    pub(super) fn reset(self, step: Step, prior: PackedPrior) {
        self.0[0].store(u32::from(step.code()) << 16 | u32::from(prior.0), Relaxed);
        self.0[1].store(0, Relaxed);
    }

    #[inline]
    pub(super) fn step(self) -> Step {
        Step::from_code((self.0[0].load(Relaxed) >> 16) as u16)
    }

    /// The step's share of the policy prior among its siblings.
    #[inline]
    pub(super) fn prior(self) -> f32 {
        PackedPrior(self.0[0].load(Relaxed) as u16).value()
    }

    /// The node after the step; `None` before the first simulation.
    #[inline]
    pub(super) fn child(self) -> Option<u32> {
        Some(self.0[1].load(Acquire)).filter(|&child| child != 0)
    }

    /// Leads to this node, or to that of a thread that was faster; returns the node.
    pub(super) fn lead_to(self, child: u32) -> u32 {
        match self.0[1].compare_exchange(0, child, AcqRel, Acquire) {
            Ok(_) => child,
            Err(other) => other,
        }
    }

    /// Leads to the same node at its new index; no thread may be searching.
    pub(super) fn move_child(self, child: u32) {
        self.0[1].store(child, Relaxed);
    }
}

/// A prior in 16 bits: a floating-point number with 5 bits of exponent, 11 of mantissa and no sign,
/// from 2^-28 to 16. Its order is that of the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PackedPrior(u16);

/// Bits of the mantissa that a packed prior lacks.
const DROPPED: u32 = 12;

/// The kept bits of 2^-28.
const SMALLEST: u32 = (127 - 28) << 11;

impl PackedPrior {
    /// The nearest packed prior.
    pub(super) fn new(prior: f32) -> PackedPrior {
        let rounded = (prior.max(0.0).to_bits() + (1 << (DROPPED - 1))) >> DROPPED;
        PackedPrior(u16::try_from(rounded.saturating_sub(SMALLEST)).unwrap_or(u16::MAX))
    }

    #[inline]
    fn value(self) -> f32 {
        match self.0 {
            0 => 0.0,
            bits => f32::from_bits((u32::from(bits) + SMALLEST) << DROPPED),
        }
    }

    /// A key that sorts from the highest prior to the lowest, and equal priors by `number`.
    pub(super) fn key(self, number: u16) -> u32 {
        u32::from(!self.0) << 16 | u32::from(number)
    }

    /// The prior and the number of a [`key`](Self::key).
    pub(super) fn from_key(key: u32) -> (PackedPrior, u16) {
        (PackedPrior(!((key >> 16) as u16)), key as u16)
    }
}

/// The edges of a node, or of several nodes that share them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    /// The number of edges, and their reach.
    pub(super) header: &'a Unit,
    pub(super) edges: &'a [Unit],
}

impl<'a> Block<'a> {
    /// Prepares a block whose edges are [reset](Edge::reset) next.
    pub(super) fn reset(self) {
        self.count().store(self.edges.len() as u32, Relaxed);
        self.reached().store(0, Relaxed);
    }

    fn count(self) -> &'a AtomicU32 {
        &self.header[0]
    }

    #[inline]
    fn reached(self) -> &'a AtomicU32 {
        &self.header[1]
    }

    #[inline]
    pub(super) fn edges(self) -> impl ExactSizeIterator<Item = Edge<'a>> + Clone {
        self.edges.iter().map(Edge)
    }

    /// The number of edges up to the last one with a node.
    #[inline]
    pub(super) fn reach(self) -> usize {
        (self.reached().load(Relaxed) as usize).min(self.edges.len())
    }

    #[inline]
    pub(super) fn extend_reach(self, count: usize) {
        self.reached().fetch_max(count as u32, Relaxed);
    }

    /// The edges up to the last one with a node.
    #[inline]
    pub(super) fn entered(self) -> impl Iterator<Item = Edge<'a>> + Clone {
        self.edges[..self.reach()].iter().map(Edge)
    }
}

#[cfg(test)]
mod tests {
    use super::PackedPrior;

    #[test]
    fn packed_priors_are_near_and_keep_their_order() {
        let mut before = 0.0;
        for exponent in -2700..400 {
            let prior = (exponent as f32 / 100.0).exp2();
            let packed = PackedPrior::new(prior).value();
            assert!((packed / prior - 1.0).abs() < 1.0 / 4000.0, "{prior} {packed}");
            assert!(packed > before, "{prior}");
            before = packed;
        }
        for (prior, packed) in [(0.0, 0.0), (1e-30, 0.0), (-1.0, 0.0), (f32::NAN, 0.0), (1.0, 1.0)]
        {
            assert_eq!(PackedPrior::new(prior).value(), packed);
        }
        assert!(PackedPrior::new(f32::MAX).value() > 15.9);
    }

    #[test]
    fn keys_sort_from_the_highest_prior() {
        let [low, high] = [0.01, 0.3].map(PackedPrior::new);
        let mut keys = [low.key(0), high.key(7), low.key(3), high.key(2)];
        keys.sort_unstable();
        assert_eq!(keys.map(PackedPrior::from_key), [(high, 2), (high, 7), (low, 0), (low, 3)]);
    }
}
