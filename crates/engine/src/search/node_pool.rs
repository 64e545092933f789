//! The node pool: the memory of the search tree. A node has room of its own, and the edges of a
//! node are a contiguous block.
//!
//! An atomic counter allocates room, so threads never wait. Chunks are allocated on first use, up
//! to the memory limit.

use super::bounds::Bounds;
use super::edge::{Block, Edge};
use super::evaluator::Outcome;
use super::node::{NODE_UNITS, Node, NodeState};
use super::transpositions::TranspositionTable;
use crate::rules::Step;
use std::collections::HashSet;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// The unit of allocation: nodes and edges consist of units.
pub(super) type Unit = [AtomicU32; 2];

/// Units per chunk; more than the edges of any position need.
pub(super) const CHUNK: u32 = 1 << 14;

type Chunk = Box<[Unit; CHUNK as usize]>;

#[derive(Debug)]
pub(super) struct NodePool {
    chunks: Box<[OnceLock<Chunk>]>,
    next: AtomicU32,
    /// Blocks of edges that several nodes share.
    pub(super) transpositions: TranspositionTable,
}

/// Index of the node where the tree was started.
pub(super) const TREE_ROOT: u32 = 0;

impl NodePool {
    /// A pool of at most `bytes` bytes and 32 gigabytes but at least four chunks, with only the
    /// start node.
    pub(super) fn new(bytes: usize) -> NodePool {
        const MOST: usize = (u32::MAX / CHUNK) as usize;
        let unit = size_of::<Unit>() as f32 + TranspositionTable::BYTES_PER_UNIT;
        let chunks = (bytes / (CHUNK as f32 * unit) as usize).clamp(4, MOST);
        let nodes = NodePool {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            next: AtomicU32::new(0),
            transpositions: TranspositionTable::new(chunks * CHUNK as usize),
        };
        nodes.clear();
        nodes
    }

    pub(super) fn clear(&self) {
        self.next.store(TREE_ROOT + NODE_UNITS, Relaxed);
        self.transpositions.clear();
        self.node(TREE_ROOT).reset(Step::PASS);
    }

    /// The units of the chunk from this index on.
    #[inline]
    fn from(&self, at: u32) -> &[Unit] {
        let chunk = self.chunks[(at / CHUNK) as usize].get_or_init(new_chunk);
        &chunk[(at % CHUNK) as usize..]
    }

    #[inline]
    pub(super) fn node(&self, at: u32) -> Node<'_> {
        Node(self.from(at).first_chunk().expect("a node lies within a chunk"))
    }

    /// The edge at this index.
    pub(super) fn edge(&self, at: u32) -> Edge<'_> {
        Edge(&self.from(at)[0])
    }

    /// The block of edges at this index.
    #[inline]
    pub(super) fn block(&self, at: u32) -> Block<'_> {
        let units = self.from(at);
        let count = units[0][0].load(Relaxed) as usize;
        self.split(units, count)
    }

    #[inline]
    fn split<'a>(&self, units: &'a [Unit], count: usize) -> Block<'a> {
        Block { header: &units[0], edges: &units[1..=count] }
    }

    /// The edges of a node; `None` if it is not expanded.
    #[inline]
    pub(super) fn block_of(&self, at: u32) -> Option<Block<'_>> {
        self.node(at).block().map(|block| self.block(block))
    }

    /// The candidate steps of a node; empty if it is not expanded.
    #[inline]
    pub(super) fn edges(&self, at: u32) -> impl ExactSizeIterator<Item = Edge<'_>> + Clone {
        let edges: &[Unit] = self.block_of(at).map_or(&[], |block| block.edges);
        edges.iter().map(Edge)
    }

    /// The children of a node that simulations have entered.
    #[inline]
    pub(super) fn children(&self, at: u32) -> impl Iterator<Item = u32> + Clone {
        let block = self.block_of(at).into_iter();
        block.flat_map(|block| block.entered().filter_map(Edge::child))
    }

    /// The child of an edge, if a simulation has entered it.
    #[inline]
    pub(super) fn child(&self, edge: Edge<'_>) -> Option<Node<'_>> {
        edge.child().map(|child| self.node(child))
    }

    /// The bounds of the children that `allowed` and superko do not forbid.
    pub(super) fn legal_bounds(
        &self,
        at: u32,
        allowed: impl Fn(Step) -> bool,
    ) -> impl Iterator<Item = Bounds> {
        self.edges(at).filter(move |edge| allowed(edge.step())).filter_map(|edge| {
            match self.child(edge) {
                None => Some(Bounds::UNKNOWN),
                Some(node) => (node.state() != NodeState::Illegal).then(|| node.bounds()),
            }
        })
    }

    /// The child of the edge with this number, with a new node if it had none; `None` if the pool
    /// is full.
    pub(super) fn enter(&self, at: u32, number: usize) -> Option<u32> {
        let block = self.block_of(at)?;
        let edge = block.edges().nth(number)?;
        if let Some(child) = edge.child() {
            return Some(child);
        }
        let child = self.allocate(NODE_UNITS)?;
        self.node(child).reset(edge.step());
        block.extend_reach(number + 1);
        Some(edge.lead_to(child))
    }

    /// Room for a block of `count` edges, which must be reset; `None` if the pool is full.
    pub(super) fn new_block(&self, count: u16) -> Option<(u32, Block<'_>)> {
        let at = self.allocate(self.block_units(count.into()))?;
        let block = self.split(self.from(at), count.into());
        block.reset();
        Some((at, block))
    }

    pub(super) fn block_units(&self, count: u32) -> u32 {
        1 + count
    }

    /// Allocates contiguous units and returns the index of the first.
    fn allocate(&self, units: u32) -> Option<u32> {
        let end = self.capacity();
        let fit = |next: u32| {
            let at = place(next, units);
            (units <= CHUNK && at <= end && units <= end - at).then_some(at)
        };
        let taken = self.next.fetch_update(Relaxed, Relaxed, |next| fit(next).map(|at| at + units));
        taken.ok().and_then(fit)
    }

    /// Moves units to a lower index.
    pub(super) fn move_units(&self, from: u32, to: u32, units: u32) {
        let units = units as usize;
        for (from, to) in self.from(from)[..units].iter().zip(&self.from(to)[..units]) {
            for (from, to) in from.iter().zip(to) {
                to.store(from.load(Relaxed), Relaxed);
            }
        }
    }

    /// Adds `change` of its mean outcome to the value of each visited node. No thread may be
    /// searching.
    pub(super) fn change_values(&self, change: impl Fn(Outcome) -> f32) {
        let mut open = vec![TREE_ROOT];
        let mut visited = HashSet::new();
        while let Some(at) = open.pop() {
            let node = self.node(at);
            if node.visits() > 0 {
                node.add_to_value(change(node.mean()));
            }
            if node.block().is_some_and(|block| visited.insert(block)) {
                open.extend(self.children(at));
            }
        }
    }

    /// Units in use.
    #[cfg(test)]
    pub(super) fn used(&self) -> u32 {
        self.next.load(Relaxed)
    }

    /// Units that the pool may have.
    pub(super) fn capacity(&self) -> u32 {
        self.chunks.len() as u32 * CHUNK
    }

    pub(super) fn free_from(&self, end: u32) {
        self.next.store(end, Relaxed);
    }
}

#[cold]
fn new_chunk() -> Chunk {
    let units: Box<[Unit]> = (0..CHUNK).map(|_| Unit::default()).collect();
    units.try_into().expect("the units of a chunk")
}

/// The first index from `next` on at which `units` units lie within a chunk.
pub(super) fn place(next: u32, units: u32) -> u32 {
    if next % CHUNK + units > CHUNK { (next / CHUNK + 1) * CHUNK } else { next }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, NodePool, TREE_ROOT, place};
    use crate::rules::Step;
    use crate::search::edge::{Edge, PackedPrior};
    use std::collections::HashSet;

    #[test]
    fn units_lie_within_a_chunk() {
        assert_eq!(place(CHUNK - 5, 5), CHUNK - 5);
        assert_eq!(place(CHUNK - 4, 5), CHUNK);
        assert_eq!(place(CHUNK, 5), CHUNK);
    }

    #[test]
    fn threads_that_enter_an_edge_find_the_same_node() {
        const EDGES: u16 = 400;
        let nodes = NodePool::new(0);
        let (at, block) = nodes.new_block(EDGES).expect("room");
        for edge in block.edges() {
            edge.reset(Step::PASS, PackedPrior::new(0.1));
        }
        assert!(nodes.node(TREE_ROOT).try_claim());
        nodes.node(TREE_ROOT).publish(at);
        let entered = || -> Vec<u32> {
            let enter = |number: u16| nodes.enter(TREE_ROOT, number.into()).expect("room");
            (0..EDGES).map(enter).collect()
        };
        let by_thread: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let threads = [(); 4].map(|()| scope.spawn(entered));
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert!(by_thread.iter().all(|children| *children == by_thread[0]));
        let distinct: HashSet<u32> = by_thread[0].iter().copied().collect();
        assert_eq!(distinct.len(), usize::from(EDGES));
        assert!(nodes.children(TREE_ROOT).eq(nodes.edges(TREE_ROOT).filter_map(Edge::child)));
    }

    #[test]
    fn a_full_pool_has_no_room() {
        let nodes = NodePool::new(0);
        let mut units = u64::from(nodes.used());
        while let Some((at, block)) = nodes.new_block(500) {
            assert_eq!(block.edges().len(), 500);
            assert!(at + nodes.block_units(500) <= nodes.capacity());
            units += u64::from(nodes.block_units(500));
        }
        assert!(units > u64::from(nodes.capacity()) * 9 / 10);
    }
}
