//! Parts of a turn in any order: what two ways come to is one position, and
//! has its children once (transpositions: Childs, Brodeur and Kocsis,
//! "Transpositions and move groups in Monte Carlo tree search", 2008).
//!
//! Each step keeps numbers of its own; only the children below are shared. A
//! variant names the positions ([`Variant::part_key`]) and promises that none
//! of them comes again in a game, so that no way leads in a circle.
//!
//! [`Variant::part_key`]: crate::rules::Variant::part_key

use std::sync::Mutex;

/// The children of the position that a key names.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    first: u32,
    /// None if 0.
    count: u16,
}

/// Where children lie, by key. A table of fixed size, in which the latest wins;
/// its room is taken when it is first needed.
#[derive(Debug)]
pub(super) struct Twins {
    slots: Mutex<Vec<Slot>>,
    size: usize,
}

impl Twins {
    /// Bytes for each node that the tree has room for.
    pub(super) const BYTES_A_NODE: f32 = size_of::<Slot>() as f32 / NODES_A_SLOT as f32;

    /// A table for a tree of so many nodes.
    pub(super) fn new(nodes: usize) -> Twins {
        Twins {
            slots: Mutex::default(),
            size: (nodes / NODES_A_SLOT).max(1),
        }
    }

    /// Place and number of the children that are known by `key`.
    pub(super) fn find(&self, key: u64) -> Option<(u32, u16)> {
        let slots = self.slots.lock().ok()?;
        let slot = slots.get(self.at(key))?;
        (slot.count > 0 && slot.key == key).then_some((slot.first, slot.count))
    }

    /// Notes where the children that belong to `key` are.
    pub(super) fn note(&self, key: u64, first: u32, count: u16) {
        let Ok(mut slots) = self.slots.lock() else {
            return;
        };
        slots.resize(self.size, Slot::default());
        if let Some(slot) = slots.get_mut(self.at(key)) {
            *slot = Slot { key, first, count };
        }
    }

    /// Forgets all, for children move or go.
    pub(super) fn clear(&self) {
        if let Ok(mut slots) = self.slots.lock() {
            slots.clear();
        }
    }

    fn at(&self, key: u64) -> usize {
        (key % self.size as u64) as usize
    }
}

/// A node in so many has children known by a key.
const NODES_A_SLOT: usize = 32;

#[cfg(test)]
mod tests {
    use super::super::evaluator::RandomPlayouts;
    use super::super::knobs::Knobs;
    use super::super::mind::Mind;
    use super::super::player::{Task, View};
    use super::super::report::Sight;
    use crate::board::Random;
    use crate::rules::sygo::Sygo;
    use crate::rules::{AnyGame, Game, Position, Setup, Step, Turn, Variant, variant};
    use std::collections::{HashMap, HashSet};

    /// A game of Sygo on 5x5 after six single stones.
    fn begun() -> Game<Sygo> {
        let mut setup = Setup::new(variant("sygo").expect("a variant"));
        (setup.size.width, setup.size.height) = (5, 5);
        let AnyGame::Sygo(mut game) = AnyGame::new(&setup).expect("a game") else {
            unreachable!("a game of sygo")
        };
        let mut random = Random::new(7);
        while game.turns().len() < 6 {
            let color = game.position().to_move;
            let mut legal = game.legal(color);
            legal.retain(|turn| matches!(turn, Turn::Stone(_)));
            let turn = &legal[random.below(legal.len() as u32) as usize];
            game.play(color, turn).expect("legal");
        }
        *game
    }

    /// Thinks with a tree of so many bytes.
    fn thought(game: &Game<Sygo>, bytes: usize, playouts: u64) -> Mind<Sygo> {
        let evaluators = std::iter::once(RandomPlayouts::new(game.position()));
        let mut mind = Mind::new(game.position(), Knobs::baseline(), bytes, evaluators);
        let task = Task::new(game.position().to_move);
        mind.turn_to(game, &task);
        mind.run(&task, playouts, &mut |_| false);
        mind
    }

    /// Calls `visit` for every node with children, which come once however many
    /// nodes have them.
    fn walk(mind: &Mind<Sygo>, visit: &mut dyn FnMut(&Position<Sygo>, u32)) {
        let mut open = vec![(mind.root(), mind.start.clone())];
        let mut met = HashSet::new();
        while let Some((at, position)) = open.pop() {
            let (first, count) = mind.arena.node(at).children();
            if count == 0 {
                continue;
            }
            visit(&position, at);
            if met.insert(first) {
                for place in mind.arena.places(at) {
                    let mut next = position.clone();
                    let step = mind.arena.node(place).step();
                    assert_eq!(Sygo::check(&position, position.to_move, step), Ok(()));
                    next.make(position.to_move, step);
                    open.push((place, next));
                }
            }
        }
    }

    #[test]
    fn steps_in_any_order_come_to_the_same_children() {
        let game = begun();
        let mind = thought(&game, 64 << 20, 4000);
        let (mut blocks, mut parents, mut forgotten) = (HashMap::new(), 0, 0);
        walk(&mind, &mut |position, at| {
            if let Some(key) = Sygo::part_key(position) {
                let (first, _) = mind.arena.node(at).children();
                forgotten += u32::from(*blocks.entry(key).or_insert(first) != first);
                parents += 1;
            }
        });
        // Where two keys meet in the table, the older is not known any more.
        assert!(forgotten * 100 < parents, "{forgotten} of {parents}");
        assert!(
            parents as usize > blocks.len() + 100,
            "{parents} of {}",
            blocks.len()
        );
    }

    #[test]
    fn what_was_explored_is_told_once() {
        let game = begun();
        let mut mind = thought(&game, 64 << 20, 4000);
        let task = Task::new(game.position().to_move);
        let (ground, worker) = mind.first(&task);
        let explored = Sight::new(&ground, worker, 4000).explored(20);
        let mut growths: Vec<Vec<u16>> = explored
            .iter()
            .filter(|place| place.path.iter().all(|step| matches!(step, Step::Grow(_))))
            .map(|place| {
                let mut codes: Vec<u16> = place.path.iter().map(|step| step.code()).collect();
                codes.sort_unstable();
                codes
            })
            .collect();
        assert!(growths.len() > 10, "{}", growths.len());
        growths.sort_unstable();
        let all = growths.len();
        growths.dedup();
        assert_eq!(growths.len(), all);
    }

    #[test]
    fn shared_children_stay_right_when_room_is_made() {
        let game = begun();
        let mind = thought(&game, 0, 60_000);
        let mut parts = 0;
        walk(&mind, &mut |position, _| {
            parts += u32::from(Sygo::mid_turn(position))
        });
        assert!(parts > 100, "{parts}");
    }
}
