//! An SGF viewer that knows only plain Go, independent of the code of the engine.

use kawari::sgf::{GameTree, NodeId};
use std::collections::{BTreeMap, BTreeSet};

/// Stones by column and line, from the upper left.
#[derive(Clone, Debug, Default)]
pub struct Board {
    pub width: i32,
    pub height: i32,
    pub stones: BTreeMap<(i32, i32), char>,
}

impl Board {
    pub fn new(width: i32, height: i32) -> Board {
        Board { width, height, stones: BTreeMap::new() }
    }

    fn around(&self, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
        let all = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
        let inside = |&(x, y): &(i32, i32)| 0 <= x && x < self.width && 0 <= y && y < self.height;
        all.into_iter().filter(inside).collect()
    }

    /// The group of a stone, and whether it has a liberty.
    fn group(&self, start: (i32, i32)) -> (BTreeSet<(i32, i32)>, bool) {
        let (mut group, mut queue, mut free) = (BTreeSet::from([start]), vec![start], false);
        while let Some(point) = queue.pop() {
            for next in self.around(point) {
                match self.stones.get(&next) {
                    None => free = true,
                    same if same == self.stones.get(&start) && group.insert(next) => {
                        queue.push(next);
                    }
                    Some(_) => {}
                }
            }
        }
        (group, free)
    }

    fn play(&mut self, color: char, point: (i32, i32)) {
        assert_eq!(self.stones.insert(point, color), None, "a move on a stone");
        for next in self.around(point) {
            if self.stones.get(&next).is_some_and(|&stone| stone != color) {
                let (group, free) = self.group(next);
                if !free {
                    group.iter().for_each(|stone| _ = self.stones.remove(stone));
                }
            }
        }
        assert!(self.group(point).1, "suicide: viewers differ on it");
    }

    /// Applies a node of a well-formed file.
    pub fn apply(&mut self, tree: &GameTree, id: NodeId) {
        let (mut moves, mut setups) = (0, 0);
        for property in tree.properties(id) {
            let name = property.name().into_owned();
            for value in property.values() {
                let at = || {
                    let raw = value.raw().as_bytes();
                    (i32::from(raw[0] - b'a'), i32::from(raw[1] - b'a'))
                };
                match name.as_str() {
                    "B" | "W" => {
                        moves += 1;
                        if !value.raw().is_empty() {
                            let color = if name == "B" { 'X' } else { 'O' };
                            self.play(color, at());
                        }
                    }
                    "AB" => _ = self.stones.insert(at(), 'X'),
                    "AW" => _ = self.stones.insert(at(), 'O'),
                    "AE" => _ = self.stones.remove(&at()),
                    _ => {}
                }
                setups += i32::from(["AB", "AW", "AE", "PL"].contains(&name.as_str()));
            }
        }
        assert!(moves == 0 || setups == 0, "moves and setup in one node");
        assert!(moves < 2, "several moves in one node");
    }

    /// Rows from the top.
    pub fn rows(&self) -> Vec<String> {
        let row =
            |y| (0..self.width).map(|x| self.stones.get(&(x, y)).copied().unwrap_or('.')).collect();
        (0..self.height).map(row).collect()
    }
}
