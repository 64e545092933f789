//! Making room: what was looked at least is given up, what stays is moved
//! together. Children that several nodes share are met once.

use super::arena::{Arena, BASE, CHUNK};
use super::node::Node;
use std::collections::{HashMap, HashSet};

/// A block of children that stays, as one of its parents has it.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: u32,
    count: u16,
    parent: u32,
}

/// Asked now and then while room is made; true ends it.
pub(super) type Stop<'s> = dyn FnMut() -> bool + 's;

/// `stop` is asked after every so many blocks.
const BETWEEN_STOPS: usize = 64;

/// Makes the node at `root` the base; the rest of the tree is no longer reached.
pub(super) fn adopt(arena: &Arena, root: u32) {
    if root != BASE {
        arena.node(BASE).copy_from(arena.node(root));
    }
}

/// Gives up what is not reached from the base and the least visited parts of
/// what is, so that at least half of the arena is free. No thread may be
/// searching. False if `stop` ended it: then the tree is whole, but nothing is
/// gained.
pub(super) fn prune(arena: &Arena, stop: &mut Stop<'_>) -> bool {
    let kept = least_visits(arena, stop).and_then(|least| keep(arena, least, stop));
    let Some(mut blocks) = kept else {
        return false;
    };
    blocks.sort_unstable_by_key(|block| block.first);
    slide(arena, &blocks, stop).is_some()
}

/// The fewest visits with which children may be kept; none if stopped.
fn least_visits(arena: &Arena, stop: &mut Stop<'_>) -> Option<u32> {
    // How many nodes the children of nodes with visits in each power of two
    // take.
    let mut sizes = [0u64; 33];
    let mut open = vec![BASE];
    // Shared children stay if any of their parents keeps them, so the one with
    // the most visits counts.
    let mut met = HashMap::new();
    while let Some(at) = open.pop() {
        let power = power(arena.node(at));
        let places = arena.places(at);
        let size = places.len() as u64;
        if let Some(known) = met.insert(places.start, power) {
            sizes[known] -= size;
            let most = power.max(known);
            sizes[most] += size;
            met.insert(places.start, most);
            continue;
        }
        sizes[power] += size;
        open.extend(places.filter(|&child| arena.node(child).is_expanded()));
        if met.len().is_multiple_of(BETWEEN_STOPS) && stop() {
            return None;
        }
    }
    let room = u64::from(arena.capacity()) / 2;
    let mut sum = 0;
    for power in (0..sizes.len()).rev() {
        sum += sizes[power];
        if sum > room {
            return Some(1u32.checked_shl(power as u32).unwrap_or(u32::MAX));
        }
    }
    Some(0)
}

/// The power of two that the visits of a node are below.
fn power(node: &Node) -> usize {
    (32 - node.visits().leading_zeros()) as usize
}

/// The blocks of the base and of all nodes with so many visits at least; all
/// other nodes lose their children. None if stopped.
fn keep(arena: &Arena, least: u32, stop: &mut Stop<'_>) -> Option<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut open = vec![BASE];
    let mut met = HashSet::new();
    while let Some(at) = open.pop() {
        let node = arena.node(at);
        let (first, count) = node.children();
        if count == 0 {
            continue;
        }
        if at != BASE && node.visits() < least {
            node.drop_children();
            continue;
        }
        blocks.push(Block {
            first,
            count,
            parent: at,
        });
        if met.insert(first) {
            let places = arena.places(at);
            open.extend(places.filter(|&child| arena.node(child).is_expanded()));
        }
        if blocks.len().is_multiple_of(BETWEEN_STOPS) && stop() {
            return None;
        }
    }
    Some(blocks)
}

/// Moves blocks, in the order of their places, to the lowest places that are
/// free. Parents that lie before their children have gone where is known, others
/// are still where they were. None if stopped.
fn slide(arena: &Arena, blocks: &[Block], stop: &mut Stop<'_>) -> Option<()> {
    arena.twins.clear();
    let mut moved: Vec<Move> = Vec::with_capacity(blocks.len());
    let mut free = BASE + 1;
    for shared in blocks.chunk_by(|a, b| a.first == b.first) {
        let Block { first, count, .. } = shared[0];
        let size = u32::from(count);
        if free % CHUNK + size > CHUNK {
            free = (free / CHUNK + 1) * CHUNK;
        }
        // Never upwards: a block fits where it lies.
        let to = free.min(first);
        for i in 0..size {
            if to != first {
                arena.node(to + i).copy_from(arena.node(first + i));
            }
        }
        for block in shared {
            let parent = now_at(&moved, block.parent);
            arena.node(parent).publish(to, count);
        }
        moved.push(Move { first, size, to });
        free = to + size;
        if moved.len().is_multiple_of(BETWEEN_STOPS) && stop() {
            return None;
        }
    }
    arena.free_from(free);
    Some(())
}

/// Where a block went.
#[derive(Clone, Copy, Debug)]
struct Move {
    first: u32,
    size: u32,
    to: u32,
}

/// Where a node is after some blocks were moved.
fn now_at(moved: &[Move], at: u32) -> u32 {
    let after = moved.partition_point(|block| block.first <= at);
    match after.checked_sub(1).map(|i| moved[i]) {
        Some(block) if at < block.first + block.size => at - block.first + block.to,
        _ => at,
    }
}
