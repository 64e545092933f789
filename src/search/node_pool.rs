//! The node pool: the memory of the search tree. The children of a node are a contiguous block of a
//! chunk.
//!
//! An atomic counter allocates indices, so threads never wait. Chunks are allocated on first use,
//! up to the memory limit.

use super::evaluator::Outcome;
use super::node::Node;
use super::transpositions::TranspositionTable;
use crate::rules::Step;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Nodes per chunk; more than any position has steps.
pub(super) const CHUNK: u32 = 1 << 13;

#[derive(Debug)]
pub(super) struct NodePool {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    next: AtomicU32,
    /// Blocks of children that several nodes share.
    pub(super) transpositions: TranspositionTable,
}

/// Index of the node where the tree was started.
pub(super) const TREE_ROOT: u32 = 0;

impl NodePool {
    /// A pool of at most `bytes` bytes but at least two chunks, with the start node alone.
    pub(super) fn new(bytes: usize) -> NodePool {
        let most = u32::MAX as usize / CHUNK as usize;
        let node = size_of::<Node>() as f32 + TranspositionTable::BYTES_PER_NODE;
        let chunks = (bytes / (CHUNK as f32 * node) as usize).clamp(2, most);
        let nodes = NodePool {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            next: AtomicU32::new(0),
            transpositions: TranspositionTable::new(chunks * CHUNK as usize),
        };
        nodes.clear();
        nodes
    }

    pub(super) fn clear(&self) {
        self.next.store(TREE_ROOT + 1, Relaxed);
        self.transpositions.clear();
        self.node(TREE_ROOT).reset(Step::PASS, 1.0);
    }

    fn chunk(&self, at: u32) -> &[Node] {
        let chunk = &self.chunks[(at / CHUNK) as usize];
        chunk.get_or_init(|| (0..CHUNK).map(|_| Node::default()).collect())
    }

    #[inline]
    pub(super) fn node(&self, at: u32) -> &Node {
        &self.chunk(at)[(at % CHUNK) as usize]
    }

    #[inline]
    pub(super) fn block(&self, first: u32, count: u16) -> &[Node] {
        let start = (first % CHUNK) as usize;
        &self.chunk(first)[start..start + usize::from(count)]
    }

    /// The children of a node; empty if it is not expanded.
    #[inline]
    pub(super) fn children(&self, at: u32) -> &[Node] {
        match self.node(at).children() {
            (0, _) => &[],
            (first, count) => self.block(first, count),
        }
    }

    /// The number of children of a node up to the last one that a simulation has entered, or more.
    /// Nodes that share children share it.
    #[inline]
    pub(super) fn reach(&self, at: u32) -> usize {
        self.children(at).first().map_or(0, Node::reach)
    }

    /// Notes that a simulation enters this child of a node.
    #[inline]
    pub(super) fn enter(&self, at: u32, child: u32) {
        let (first, _) = self.node(at).children();
        self.node(first).extend_reach((child - first) as usize + 1);
    }

    #[inline]
    pub(super) fn child_indices(&self, at: u32) -> std::ops::Range<u32> {
        let (first, count) = self.node(at).children();
        first..first + u32::from(count)
    }

    /// Allocates `count` contiguous nodes and returns the index of the first.
    pub(super) fn allocate(&self, count: u16) -> Option<u32> {
        let count = u32::from(count).min(CHUNK);
        let end = self.chunks.len() as u32 * CHUNK;
        let fit = |next: u32| {
            let first =
                if next % CHUNK + count > CHUNK { (next / CHUNK + 1) * CHUNK } else { next };
            (first + count <= end).then_some(first)
        };
        let taken =
            self.next.fetch_update(Relaxed, Relaxed, |next| fit(next).map(|first| first + count));
        taken.ok().and_then(fit)
    }

    /// Adds `change` of its mean outcome to the value of each visited node. No thread may be
    /// searching.
    pub(super) fn change_values(&self, change: impl Fn(Outcome) -> f32) {
        for at in TREE_ROOT..self.next.load(Relaxed) {
            let node = self.node(at);
            if node.visits() > 0 {
                node.add_to_value(change(node.mean()));
            }
        }
    }

    #[cfg(test)]
    pub(super) fn used(&self) -> u32 {
        self.next.load(Relaxed)
    }

    pub(super) fn capacity(&self) -> u32 {
        self.chunks.len() as u32 * CHUNK
    }

    pub(super) fn free_from(&self, end: u32) {
        self.next.store(end, Relaxed);
    }
}
