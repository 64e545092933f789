//! The transposition table: nodes that reach a position by the steps of a turn in different orders
//! share their edges (Childs, Brodeur and Kocsis, "Transpositions and move groups in Monte Carlo
//! tree search", 2008).
//!
//! Each node has its own statistics. The keys are those of [`Variant::mid_turn_key`]; such
//! positions do not recur in a game, so the graph has no cycle.
//!
//! [`Variant::mid_turn_key`]: crate::rules::Variant::mid_turn_key

use std::sync::Mutex;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    /// No block has index 0.
    block: u32,
}

/// Maps keys to blocks of edges. It has a fixed size, always replaces, and allocates its memory
/// on the first store.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    slots: Mutex<Vec<Slot>>,
    size: usize,
}

impl TranspositionTable {
    pub(super) const BYTES_PER_UNIT: f32 = size_of::<Slot>() as f32 / UNITS_PER_ENTRY as f32;

    pub(super) fn new(units: usize) -> TranspositionTable {
        TranspositionTable { slots: Mutex::default(), size: (units / UNITS_PER_ENTRY).max(1) }
    }

    pub(super) fn probe(&self, key: u64) -> Option<u32> {
        let slots = self.slots.lock().ok()?;
        let slot = slots.get(self.at(key))?;
        (slot.block > 0 && slot.key == key).then_some(slot.block)
    }

    pub(super) fn store(&self, key: u64, block: u32) {
        let Ok(mut slots) = self.slots.lock() else {
            return;
        };
        slots.resize(self.size, Slot::default());
        if let Some(slot) = slots.get_mut(self.at(key)) {
            *slot = Slot { key, block };
        }
    }

    pub(super) fn clear(&self) {
        if let Ok(mut slots) = self.slots.lock() {
            slots.clear();
        }
    }

    fn at(&self, key: u64) -> usize {
        (key % self.size as u64) as usize
    }
}

const UNITS_PER_ENTRY: usize = 128;

#[cfg(test)]
mod tests {
    use super::super::signal::Signal;
    use super::super::task::Task;
    use super::super::tree::SearchTree;
    use crate::board::Random;
    use crate::rules::{Game, Position, Setup, variant};
    use crate::search::tests::tree;
    use std::collections::{HashMap, HashSet};

    /// A game of Sygo on 5x5 after six single stones.
    fn sygo_game() -> Game {
        let mut setup = Setup::new(variant("sygo").expect("a variant"));
        (setup.size.width, setup.size.height) = (5, 5);
        let mut game = Game::new(&setup).expect("a game");
        let mut random = Random::new(7);
        while game.turns().len() < 6 {
            let color = game.position().situation.to_move;
            let mut legal = game.legal_turns(color);
            legal.retain(|turn| turn.stone_point().is_some());
            let turn = &legal[random.below(legal.len() as u32) as usize];
            game.play(color, turn).expect("legal");
        }
        game
    }

    /// Searches with a tree of at most `bytes` bytes.
    fn searched_tree(game: &Game, bytes: usize, playouts: u64) -> SearchTree {
        let mut tree = tree(game, bytes);
        let task = Task::new(game.position().situation.to_move);
        tree.set_game(game, &task);
        assert!(tree.run(&task, playouts, &mut |_| Signal::GoOn));
        tree
    }

    /// Calls `visit` for every expanded node; edges shared by several nodes are walked once.
    fn walk(tree: &SearchTree, visit: &mut dyn FnMut(&Position, u32)) {
        let mut open = vec![(tree.root(), tree.start.clone())];
        let mut visited = HashSet::new();
        while let Some((at, position)) = open.pop() {
            let Some(block) = tree.nodes.node(at).block() else {
                continue;
            };
            visit(&position, at);
            if visited.insert(block) {
                for edge in tree.nodes.edges(at) {
                    let mut next = position.clone();
                    assert_eq!(position.check(position.situation.to_move, edge.step()), Ok(()));
                    next.make(position.situation.to_move, edge.step());
                    let Some(child) = edge.child() else {
                        continue;
                    };
                    let node = tree.nodes.node(child);
                    assert_eq!(node.step(), edge.step());
                    assert!(node.visits() == 0 || node.to_move() == next.situation.to_move);
                    open.push((child, next));
                }
            }
        }
    }

    #[test]
    fn growths_in_any_order_share_children() {
        let game = sygo_game();
        let tree = searched_tree(&game, 64 << 20, 4000);
        let (mut blocks, mut parents, mut forgotten) = (HashMap::new(), 0, 0);
        walk(&tree, &mut |position, at| {
            if let Some(key) = position.mid_turn_key() {
                let block = tree.nodes.node(at).block();
                forgotten += u32::from(*blocks.entry(key).or_insert(block) != block);
                parents += 1;
            }
        });
        // Of two keys with the same entry, the older one is replaced.
        assert!(forgotten * 100 < parents, "{forgotten} of {parents}");
        assert!(parents as usize > blocks.len() + 100, "{parents} of {}", blocks.len());
    }

    #[test]
    fn shared_children_survive_pruning() {
        let game = sygo_game();
        let tree = searched_tree(&game, 0, 60_000);
        let mut parts = 0;
        walk(&tree, &mut |position, _| parts += u32::from(position.is_mid_turn()));
        assert!(parts > 100, "{parts}");
    }
}
