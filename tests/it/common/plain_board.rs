//! Plain Go as viewers and clients play it, independent of the code of the engine: suicide removes the
//! chain, and ko is ignored.

use kawari::board::Color;
use std::collections::{BTreeMap, BTreeSet};

/// A column and a row or line, from 0.
pub type Place = (u8, u8);

#[derive(Clone, Debug, PartialEq)]
pub struct PlainBoard {
    pub width: u8,
    pub height: u8,
    pub stones: BTreeMap<Place, Color>,
}

impl PlainBoard {
    pub fn new(width: u8, height: u8) -> PlainBoard {
        PlainBoard { width, height, stones: BTreeMap::new() }
    }

    pub fn has(&self, (column, row): Place) -> bool {
        column < self.width && row < self.height
    }

    fn neighbours(&self, (column, row): Place) -> Vec<Place> {
        let sides = [
            (column.wrapping_sub(1), row),
            (column + 1, row),
            (column, row.wrapping_sub(1)),
            (column, row + 1),
        ];
        sides.into_iter().filter(|&place| self.has(place)).collect()
    }

    /// Removes the chain of a stone if it has no liberty; returns whether it did.
    fn capture(&mut self, stone: Place) -> bool {
        let color = self.stones[&stone];
        let (mut chain, mut queue) = (BTreeSet::from([stone]), vec![stone]);
        while let Some(place) = queue.pop() {
            for next in self.neighbours(place) {
                match self.stones.get(&next) {
                    None => return false,
                    Some(&other) if other == color && chain.insert(next) => queue.push(next),
                    Some(_) => {}
                }
            }
        }
        self.stones.retain(|place, _| !chain.contains(place));
        true
    }

    pub fn play(&mut self, color: Color, stone: Place) {
        self.stones.insert(stone, color);
        let mut has_captured = false;
        for place in self.neighbours(stone) {
            if self.stones.get(&place) == Some(&!color) {
                has_captured |= self.capture(place);
            }
        }
        if !has_captured {
            self.capture(stone);
        }
    }
}
