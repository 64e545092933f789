//! An SGF viewer that knows only plain Go.

use crate::common::plain_board::PlainBoard;
use kawari::board::Color;
use kawari::sgf::{GameTree, NodeId};

/// Stones by column and line, from the upper left.
#[derive(Clone, Debug)]
pub struct Board(PlainBoard);

impl Board {
    pub fn new(width: u8, height: u8) -> Board {
        Board(PlainBoard::new(width, height))
    }

    fn play(&mut self, color: Color, point: (u8, u8)) {
        assert!(!self.0.stones.contains_key(&point), "a move on a stone");
        self.0.play(color, point);
        assert!(self.0.stones.contains_key(&point), "suicide: viewers differ on it");
    }

    /// Applies a node of a well-formed file.
    pub fn apply(&mut self, tree: &GameTree, id: NodeId) {
        let (mut moves, mut setups) = (0, 0);
        for property in tree.properties(id) {
            let name = property.name().into_owned();
            for value in property.values() {
                let at = || {
                    let raw = value.raw().as_bytes();
                    (raw[0] - b'a', raw[1] - b'a')
                };
                match name.as_str() {
                    "B" | "W" => {
                        moves += 1;
                        if !value.raw().is_empty() {
                            let color = if name == "B" { Color::Black } else { Color::White };
                            self.play(color, at());
                        }
                    }
                    "AB" => _ = self.0.stones.insert(at(), Color::Black),
                    "AW" => _ = self.0.stones.insert(at(), Color::White),
                    "AE" => _ = self.0.stones.remove(&at()),
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
        let symbol = |at| match self.0.stones.get(&at) {
            None => '.',
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
        };
        let row = |y| (0..self.0.width).map(|x| symbol((x, y))).collect();
        (0..self.0.height).map(row).collect()
    }
}
