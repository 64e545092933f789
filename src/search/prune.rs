//! Making room: what was looked at least is given up, what stays is moved
//! together.

use super::arena::{Arena, BASE, CHUNK};
use super::node::Node;

/// A block of children that stays.
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
    let mut count = 0usize;
    while let Some(at) = open.pop() {
        let node = arena.node(at);
        let places = arena.places(at);
        sizes[power(node)] += places.len() as u64;
        open.extend(places.filter(|&child| arena.node(child).is_expanded()));
        count += 1;
        if count.is_multiple_of(BETWEEN_STOPS) && stop() {
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
        let places = arena.places(at);
        open.extend(places.filter(|&child| arena.node(child).is_expanded()));
        if blocks.len().is_multiple_of(BETWEEN_STOPS) && stop() {
            return None;
        }
    }
    Some(blocks)
}

/// Moves blocks, in the order of their places, to the lowest places that are
/// free. Parents lie before their children, so where they went is known. None
/// if stopped.
fn slide(arena: &Arena, blocks: &[Block], stop: &mut Stop<'_>) -> Option<()> {
    let mut moved: Vec<(u32, u32)> = Vec::with_capacity(blocks.len());
    let mut free = BASE + 1;
    for block in blocks {
        let count = u32::from(block.count);
        if free % CHUNK + count > CHUNK {
            free = (free / CHUNK + 1) * CHUNK;
        }
        // Never upwards: a block fits where it lies.
        let to = free.min(block.first);
        for i in 0..count {
            if to != block.first {
                arena.node(to + i).copy_from(arena.node(block.first + i));
            }
        }
        let parent = now_at(blocks, &moved, block.parent);
        arena.node(parent).publish(to, block.count);
        moved.push((block.first, to));
        free = to + count;
        if moved.len().is_multiple_of(BETWEEN_STOPS) && stop() {
            return None;
        }
    }
    arena.free_from(free);
    Some(())
}

/// Where a node is after the blocks before its children were moved.
fn now_at(blocks: &[Block], moved: &[(u32, u32)], at: u32) -> u32 {
    let after = moved.partition_point(|&(first, _)| first <= at);
    match after.checked_sub(1) {
        Some(i) if at < moved[i].0 + u32::from(blocks[i].count) => at - moved[i].0 + moved[i].1,
        _ => at,
    }
}
