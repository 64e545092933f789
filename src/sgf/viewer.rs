//! What a program that knows only plain Go shows.

use super::value::Spot;
use crate::board::Color;

/// The stones on a viewer's board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Viewer {
    width: u8,
    height: u8,
    stones: Vec<Option<Color>>,
}

impl Viewer {
    /// An empty board.
    pub(super) fn new(width: u8, height: u8) -> Viewer {
        Viewer {
            width,
            height,
            stones: vec![None; usize::from(width) * usize::from(height)],
        }
    }

    fn index(&self, spot: Spot) -> Option<usize> {
        let inside = spot.column < self.width && spot.line < self.height;
        inside.then(|| usize::from(spot.line) * usize::from(self.width) + usize::from(spot.column))
    }

    /// The stone at a point.
    pub(super) fn get(&self, spot: Spot) -> Option<Color> {
        let stone = self.index(spot).and_then(|at| self.stones.get(at));
        stone.copied().flatten()
    }

    /// Sets a stone up, or takes one off.
    pub(super) fn set(&mut self, spot: Spot, stone: Option<Color>) {
        let place = self.index(spot).and_then(|at| self.stones.get_mut(at));
        if let Some(place) = place {
            *place = stone;
        }
    }

    /// Plays a move, captures what it captures; false if viewers may disagree
    /// on what happens: on an occupied point, and in suicide.
    pub(super) fn play(&mut self, color: Color, spot: Spot) -> bool {
        if self.index(spot).is_none() || self.get(spot).is_some() {
            return false;
        }
        self.set(spot, Some(color));
        for next in self.neighbours(spot) {
            if self.get(next) == Some(!color) && self.is_surrounded(next) {
                for stone in self.group(next) {
                    self.set(stone, None);
                }
            }
        }
        !self.is_surrounded(spot)
    }

    fn neighbours(&self, spot: Spot) -> impl Iterator<Item = Spot> + use<> {
        let Spot { column, line } = spot;
        let (width, height) = (self.width, self.height);
        let around = [
            (column.wrapping_sub(1), line),
            (column + 1, line),
            (column, line.wrapping_sub(1)),
            (column, line + 1),
        ];
        let spots = around.map(|(column, line)| Spot { column, line });
        spots
            .into_iter()
            .filter(move |spot| spot.column < width && spot.line < height)
    }

    /// The stones connected to the one on `spot`.
    fn group(&self, spot: Spot) -> Vec<Spot> {
        let color = self.get(spot);
        let mut group = vec![spot];
        let mut met = Viewer::new(self.width, self.height);
        met.set(spot, color);
        let mut at = 0;
        while let Some(&stone) = group.get(at) {
            at += 1;
            for next in self.neighbours(stone) {
                if self.get(next) == color && met.get(next).is_none() {
                    met.set(next, color);
                    group.push(next);
                }
            }
        }
        group
    }

    fn is_surrounded(&self, spot: Spot) -> bool {
        let open = |stone: Spot| self.neighbours(stone).any(|n| self.get(n).is_none());
        !self.group(spot).into_iter().any(open)
    }
}
