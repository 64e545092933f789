//! Pruning a full node pool: removes the edges of the least visited nodes and compacts the rest. A
//! shared block moves once.

use super::node::{NODE_UNITS, Node};
use super::node_pool::{NodePool, TREE_ROOT, place};
use std::collections::{HashMap, HashSet};

/// Units to keep, and one place that leads to them.
#[derive(Clone, Copy, Debug)]
struct Kept {
    at: u32,
    units: u32,
    from: Link,
}

/// The referrer to units, by its index.
#[derive(Clone, Copy, Debug)]
enum Link {
    /// A node leads to its block of edges.
    Parent(u32),
    /// An edge leads to its child.
    Edge(u32),
}

pub(super) type ShouldStop<'s> = dyn FnMut() -> bool + 's;

const BLOCKS_BETWEEN_CALLBACKS: usize = 64;

/// Makes the node at `root` the start of the tree.
pub(super) fn reroot(nodes: &NodePool, root: u32) {
    if root != TREE_ROOT {
        nodes.move_units(root, TREE_ROOT, NODE_UNITS);
    }
}

/// Frees at least half of the pool: removes unreachable nodes and the least visited others. No
/// thread may be searching. False if `stop` ended it, with an intact tree and nothing freed.
pub(super) fn prune(nodes: &NodePool, stop: &mut ShouldStop<'_>) -> bool {
    let families = least_visits(nodes, stop).and_then(|least| keep(nodes, least, stop));
    let Some(mut families) = families else {
        return false;
    };
    families.sort_unstable_by_key(|family| family.at);
    compact(nodes, &families, stop).is_some()
}

/// The units of the block of a node and of its children.
fn family_units(nodes: &NodePool, at: u32) -> u64 {
    let block = nodes.block_units(nodes.edges(at).len() as u32);
    u64::from(block) + u64::from(NODE_UNITS) * nodes.children(at).count() as u64
}

/// The minimum visits of a node that may keep its children; `None` if stopped.
fn least_visits(nodes: &NodePool, stop: &mut ShouldStop<'_>) -> Option<u32> {
    // Units of the families of nodes that have visits in each power of two.
    let mut sizes = [0u64; 33];
    let mut open = vec![TREE_ROOT];
    // A shared block stays if any parent keeps it, so its parent with the most visits counts.
    let mut visited = HashMap::new();
    while let Some(at) = open.pop() {
        let node = nodes.node(at);
        let Some(block) = node.block() else {
            continue;
        };
        let (power, size) = (power(node), family_units(nodes, at));
        if let Some(known) = visited.insert(block, power) {
            sizes[known] -= size;
            let most = power.max(known);
            sizes[most] += size;
            visited.insert(block, most);
            continue;
        }
        sizes[power] += size;
        open.extend(nodes.children(at));
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
fn power(node: Node<'_>) -> usize {
    (32 - node.visits().leading_zeros()) as usize
}

/// The families of the start node and of nodes with at least `least` visits; drops the children of
/// other nodes. `None` if stopped.
fn keep(nodes: &NodePool, least: u32, stop: &mut ShouldStop<'_>) -> Option<Vec<Kept>> {
    let mut families = Vec::new();
    let mut open = vec![TREE_ROOT];
    let mut visited = HashSet::new();
    while let Some(at) = open.pop() {
        let node = nodes.node(at);
        let Some(block) = node.block() else {
            continue;
        };
        if at != TREE_ROOT && node.visits() < least {
            node.drop_children();
            continue;
        }
        let edges = nodes.edges(at);
        let units = nodes.block_units(edges.len() as u32);
        families.push(Kept { at: block, units, from: Link::Parent(at) });
        if visited.insert(block) {
            for (edge, at) in edges.zip(block + 1..) {
                if let Some(child) = edge.child() {
                    families.push(Kept { at: child, units: NODE_UNITS, from: Link::Edge(at) });
                    open.push(child);
                }
            }
            if visited.len().is_multiple_of(BLOCKS_BETWEEN_CALLBACKS) && stop() {
                return None;
            }
        }
    }
    Some(families)
}

/// Moves the kept units, which are sorted by index, to the lowest free indices; `None` if stopped.
/// Their referrer may have moved already, or not yet.
fn compact(nodes: &NodePool, kept: &[Kept], stop: &mut ShouldStop<'_>) -> Option<()> {
    nodes.transpositions.clear();
    let mut moved: Vec<Move> = Vec::with_capacity(kept.len());
    let mut free = TREE_ROOT + NODE_UNITS;
    for shared in kept.chunk_by(|a, b| a.at == b.at) {
        let Kept { at, units, .. } = shared[0];
        // Units only move to lower indices.
        let to = place(free, units).min(at);
        if to != at {
            nodes.move_units(at, to, units);
        }
        for kept in shared {
            match kept.from {
                Link::Parent(parent) => nodes.node(new_index(&moved, parent)).publish(to),
                Link::Edge(edge) => nodes.edge(new_index(&moved, edge)).move_child(to),
            }
        }
        moved.push(Move { at, units, to });
        free = to + units;
        if moved.len().is_multiple_of(BLOCKS_BETWEEN_CALLBACKS) && stop() {
            return None;
        }
    }
    nodes.free_from(free);
    Some(())
}

#[derive(Clone, Copy, Debug)]
struct Move {
    at: u32,
    units: u32,
    to: u32,
}

fn new_index(moved: &[Move], at: u32) -> u32 {
    let after = moved.partition_point(|units| units.at <= at);
    match after.checked_sub(1).map(|i| moved[i]) {
        Some(units) if at < units.at + units.units => at - units.at + units.to,
        _ => at,
    }
}
