//! The tree's memory: nodes in chunks, the children of a node side by side.
//!
//! Places are handed out by adding to a counter, so that threads never wait;
//! chunks come into being when first used, and there are never more than the
//! bound allows.

use super::node::Node;
use super::twins::Twins;
use crate::rules::Step;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Nodes of a chunk; more than any position has steps.
pub(super) const CHUNK: u32 = 1 << 13;

/// The arena. Nodes are named by their places in it.
#[derive(Debug)]
pub(super) struct Arena {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    next: AtomicU32,
    /// Children that several nodes share.
    pub(super) twins: Twins,
}

/// The place of the base.
pub(super) const BASE: u32 = 0;

impl Arena {
    /// An arena of at most so many bytes (but at least two chunks), that holds
    /// only the base.
    pub(super) fn new(bytes: usize) -> Arena {
        let most = u32::MAX as usize / CHUNK as usize;
        let node = size_of::<Node>() as f32 + Twins::BYTES_A_NODE;
        let chunks = (bytes / (CHUNK as f32 * node) as usize).clamp(2, most);
        let arena = Arena {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            next: AtomicU32::new(0),
            twins: Twins::new(chunks * CHUNK as usize),
        };
        arena.clear();
        arena
    }

    /// Forgets all nodes but the base, which is made new.
    pub(super) fn clear(&self) {
        self.next.store(BASE + 1, Relaxed);
        self.twins.clear();
        self.node(BASE).reset(Step::Pass, 1.0);
    }

    fn chunk(&self, at: u32) -> &[Node] {
        let chunk = &self.chunks[(at / CHUNK) as usize];
        chunk.get_or_init(|| (0..CHUNK).map(|_| Node::default()).collect())
    }

    /// The node at a place.
    #[inline]
    pub(super) fn node(&self, at: u32) -> &Node {
        &self.chunk(at)[(at % CHUNK) as usize]
    }

    /// So many nodes side by side.
    #[inline]
    pub(super) fn block(&self, first: u32, count: u16) -> &[Node] {
        let start = (first % CHUNK) as usize;
        &self.chunk(first)[start..start + usize::from(count)]
    }

    /// The children of a node, none if it has none.
    #[inline]
    pub(super) fn children(&self, at: u32) -> &[Node] {
        match self.node(at).children() {
            (0, _) => &[],
            (first, count) => self.block(first, count),
        }
    }

    /// The places of a node's children.
    #[inline]
    pub(super) fn places(&self, at: u32) -> std::ops::Range<u32> {
        let (first, count) = self.node(at).children();
        first..first + u32::from(count)
    }

    /// Room for so many nodes side by side, if there is any left.
    pub(super) fn take(&self, count: u16) -> Option<u32> {
        let count = u32::from(count).min(CHUNK);
        let end = self.chunks.len() as u32 * CHUNK;
        let fit = |next: u32| {
            let first = match next % CHUNK + count > CHUNK {
                true => (next / CHUNK + 1) * CHUNK,
                false => next,
            };
            (first + count <= end).then_some(first)
        };
        let taken = self.next.fetch_update(Relaxed, Relaxed, |next| {
            fit(next).map(|first| first + count)
        });
        taken.ok().and_then(fit)
    }

    /// Where the next nodes will be.
    #[cfg(test)]
    pub(super) fn used(&self) -> u32 {
        self.next.load(Relaxed)
    }

    /// Number of nodes that fit.
    pub(super) fn capacity(&self) -> u32 {
        self.chunks.len() as u32 * CHUNK
    }

    /// Makes all room from `end` on free again.
    pub(super) fn free_from(&self, end: u32) {
        self.next.store(end, Relaxed);
    }
}
