//! The board that an SGF viewer displays, which knows only plain Go.

use super::value::SgfPoint;
use crate::board::Color;

/// The stones on the board of a viewer.
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

    fn index(&self, point: SgfPoint) -> Option<usize> {
        let inside = point.column < self.width && point.line < self.height;
        inside
            .then(|| usize::from(point.line) * usize::from(self.width) + usize::from(point.column))
    }

    /// The stone at a point.
    pub(super) fn get(&self, point: SgfPoint) -> Option<Color> {
        let stone = self.index(point).and_then(|at| self.stones.get(at));
        stone.copied().flatten()
    }

    /// Places or removes a stone, without captures.
    pub(super) fn set(&mut self, point: SgfPoint, stone: Option<Color>) {
        let place = self.index(point).and_then(|at| self.stones.get_mut(at));
        if let Some(place) = place {
            *place = stone;
        }
    }

    /// Plays a move with its captures. Returns false if viewers may disagree on the result:
    /// on an occupied point, and for suicide.
    pub(super) fn play(&mut self, color: Color, point: SgfPoint) -> bool {
        if self.index(point).is_none() || self.get(point).is_some() {
            return false;
        }
        self.set(point, Some(color));
        for next in self.neighbours(point) {
            if self.get(next) == Some(!color) && self.is_surrounded(next) {
                for stone in self.group(next) {
                    self.set(stone, None);
                }
            }
        }
        !self.is_surrounded(point)
    }

    fn neighbours(&self, point: SgfPoint) -> impl Iterator<Item = SgfPoint> + use<> {
        let SgfPoint { column, line } = point;
        let (width, height) = (self.width, self.height);
        let around = [
            (column.wrapping_sub(1), line),
            (column + 1, line),
            (column, line.wrapping_sub(1)),
            (column, line + 1),
        ];
        let points = around.map(|(column, line)| SgfPoint { column, line });
        points
            .into_iter()
            .filter(move |point| point.column < width && point.line < height)
    }

    /// The chain of the stone on `point`.
    fn group(&self, point: SgfPoint) -> Vec<SgfPoint> {
        let color = self.get(point);
        let mut group = vec![point];
        let mut met = Viewer::new(self.width, self.height);
        met.set(point, color);
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

    fn is_surrounded(&self, point: SgfPoint) -> bool {
        let open = |stone: SgfPoint| self.neighbours(stone).any(|n| self.get(n).is_none());
        !self.group(point).into_iter().any(open)
    }
}
