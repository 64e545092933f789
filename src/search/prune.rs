//! Pruning a full node pool: removes the least visited children and compacts the other blocks. A
//! shared block moves once.

use super::node::Node;
use super::node_pool::{CHUNK, NodePool, TREE_ROOT};
use std::collections::{HashMap, HashSet};

/// A block of children to keep, and one of its parents.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: u32,
    count: u16,
    parent: u32,
}

pub(super) type ShouldStop<'s> = dyn FnMut() -> bool + 's;

const BLOCKS_BETWEEN_CALLBACKS: usize = 64;

/// Makes the node at `root` the start of the tree.
pub(super) fn reroot(nodes: &NodePool, root: u32) {
    if root != TREE_ROOT {
        nodes.node(TREE_ROOT).copy_from(nodes.node(root));
    }
}

/// Frees at least half of the pool: removes unreachable nodes and the least visited others. No
/// thread may be searching. False if `stop` ended it, with an intact tree and nothing freed.
pub(super) fn prune(nodes: &NodePool, stop: &mut ShouldStop<'_>) -> bool {
    let kept = least_visits(nodes, stop).and_then(|least| keep(nodes, least, stop));
    let Some(mut blocks) = kept else {
        return false;
    };
    blocks.sort_unstable_by_key(|block| block.first);
    compact(nodes, &blocks, stop).is_some()
}

/// The minimum visits of a node that may keep its children; `None` if stopped.
fn least_visits(nodes: &NodePool, stop: &mut ShouldStop<'_>) -> Option<u32> {
    // Number of nodes whose parents have visits in each power of two.
    let mut sizes = [0u64; 33];
    let mut open = vec![TREE_ROOT];
    // A shared block stays if any parent keeps it, so its parent with the most visits counts.
    let mut visited = HashMap::new();
    while let Some(at) = open.pop() {
        let power = power(nodes.node(at));
        let child_indices = nodes.child_indices(at);
        let size = child_indices.len() as u64;
        if let Some(known) = visited.insert(child_indices.start, power) {
            sizes[known] -= size;
            let most = power.max(known);
            sizes[most] += size;
            visited.insert(child_indices.start, most);
            continue;
        }
        sizes[power] += size;
        open.extend(child_indices.filter(|&child| nodes.node(child).is_expanded()));
        if visited.len().is_multiple_of(BLOCKS_BETWEEN_CALLBACKS) && stop() {
            return None;
        }
    }
    let room = u64::from(nodes.capacity()) / 2;
    let mut sum = 0;
    for power in (0..sizes.len()).rev() {
        sum += sizes[power];
        if sum > room {
            return Some(1u32.checked_shl(power as u32).unwrap_or(u32::MAX));
        }
    }
    Some(0)
}

/// The exponent of the smallest power of two above the visits of a node.
fn power(node: &Node) -> usize {
    (32 - node.visits().leading_zeros()) as usize
}

/// The blocks of the start node and of nodes with at least `least` visits; drops the children of
/// other nodes. `None` if stopped.
fn keep(nodes: &NodePool, least: u32, stop: &mut ShouldStop<'_>) -> Option<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut open = vec![TREE_ROOT];
    let mut visited = HashSet::new();
    while let Some(at) = open.pop() {
        let node = nodes.node(at);
        let (first, count) = node.children();
        if count == 0 {
            continue;
        }
        if at != TREE_ROOT && node.visits() < least {
            node.drop_children();
            continue;
        }
        blocks.push(Block { first, count, parent: at });
        if visited.insert(first) {
            let child_indices = nodes.child_indices(at);
            open.extend(child_indices.filter(|&child| nodes.node(child).is_expanded()));
        }
        if blocks.len().is_multiple_of(BLOCKS_BETWEEN_CALLBACKS) && stop() {
            return None;
        }
    }
    Some(blocks)
}

/// Moves the blocks, which are sorted by index, to the lowest free indices; `None` if stopped.
/// Parents before their children have already moved, the others not yet.
fn compact(nodes: &NodePool, blocks: &[Block], stop: &mut ShouldStop<'_>) -> Option<()> {
    nodes.transpositions.clear();
    let mut moved: Vec<Move> = Vec::with_capacity(blocks.len());
    let mut free = TREE_ROOT + 1;
    for shared in blocks.chunk_by(|a, b| a.first == b.first) {
        let Block { first, count, .. } = shared[0];
        let size = u32::from(count);
        if free % CHUNK + size > CHUNK {
            free = (free / CHUNK + 1) * CHUNK;
        }
        // Blocks only move to lower indices.
        let to = free.min(first);
        for i in 0..size {
            if to != first {
                nodes.node(to + i).copy_from(nodes.node(first + i));
            }
        }
        for block in shared {
            let parent = new_index(&moved, block.parent);
            nodes.node(parent).publish(to, count);
        }
        moved.push(Move { first, size, to });
        free = to + size;
        if moved.len().is_multiple_of(BLOCKS_BETWEEN_CALLBACKS) && stop() {
            return None;
        }
    }
    nodes.free_from(free);
    Some(())
}

#[derive(Clone, Copy, Debug)]
struct Move {
    first: u32,
    size: u32,
    to: u32,
}

fn new_index(moved: &[Move], at: u32) -> u32 {
    let after = moved.partition_point(|block| block.first <= at);
    match after.checked_sub(1).map(|i| moved[i]) {
        Some(block) if at < block.first + block.size => at - block.first + block.to,
        _ => at,
    }
}
