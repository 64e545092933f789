//! The effects of a stone: captures, suicide, eyes.

use super::grid::Directions;
use super::liberties::Liberties;
use super::point::{Cell, Color, Point, PointSet};
use super::stones::{Board, OPEN_MASK, STONE_MASK};
use std::hint::select_unpredictable;

impl Board {
    /// Whether `point` has an open neighbour.
    #[inline]
    pub fn has_open_neighbour(&self, point: Point) -> bool {
        self.neighbour_counts[point] & OPEN_MASK != 0
    }

    /// Whether a stone of `color` is next to `point`.
    #[inline]
    pub fn touches(&self, point: Point, color: Color) -> bool {
        self.neighbour_counts[point] & STONE_MASK[color as usize] != 0
    }

    /// The directions from `point` to groups without liberties.
    pub fn groups_without_liberties_around(&self, point: Point) -> Directions {
        let mut without_liberties = 0;
        for (i, n) in self.neighbours(point).enumerate() {
            let none = self.liberties[self.head[n]].is_empty();
            without_liberties |= u32::from(self.cells[n].is_stone() & none) << i;
        }
        Directions(without_liberties)
    }

    /// Whether `point` is the only liberty of the group of `stone`.
    #[inline]
    pub fn is_last_liberty(&self, stone: Point, point: Point) -> bool {
        self.liberties[self.head[stone]].is_only(Liberties::one(point))
    }

    /// Whether a stone of `color` on the open `point` would capture.
    #[inline]
    pub fn would_capture(&self, point: Point, color: Color) -> bool {
        let one = Liberties::one(point);
        let enemy = Cell::stone(!color);
        self.touches(point, !color)
            && self.neighbours(point).fold(false, |found, n| {
                found | (self.cells[n] == enemy && self.liberties[self.head[n]].is_only(one))
            })
    }

    /// Whether a stone of `color` on the open `point` would have no liberty and capture nothing.
    #[inline]
    pub fn is_suicide(&self, point: Point, color: Color) -> bool {
        if self.has_open_neighbour(point) {
            return false;
        }
        let one = Liberties::one(point);
        let own = Cell::stone(color);
        let enemy = Cell::stone(!color);
        !self.neighbours(point).any(|n| {
            let last = self.liberties[self.head[n]].is_only(one);
            (self.cells[n] == own) & !last | (self.cells[n] == enemy) & last
        })
    }

    /// One stone of each enemy group that a stone of `color` on `point` would capture.
    pub fn captures(&self, point: Point, color: Color) -> impl Iterator<Item = Point> + '_ {
        let one = Liberties::one(point);
        let enemy = Cell::stone(!color);
        let mut seen = PointSet::default();
        self.neighbours(point).filter(move |&n| {
            self.cells[n] == enemy
                && self.liberties[self.head[n]].is_only(one)
                && seen.insert(self.head[n])
        })
    }

    /// Whether the empty `point` is an eye of `color`: no open point and no enemy is next to it,
    /// and either at most one diagonal is the enemy's (at an edge: no diagonal), or the stones
    /// around are one group.
    #[inline]
    pub fn is_eye(&self, point: Point, color: Color) -> bool {
        self.neighbour_counts[point] & (OPEN_MASK | STONE_MASK[!color as usize]) == 0
            && (self.diagonals_hold(point, color) || self.surrounding_chain(point).is_some())
    }

    #[inline]
    fn diagonals_hold(&self, point: Point, color: Color) -> bool {
        let enemy = Cell::stone(!color);
        let (mut enemies, mut edge) = (0, 0);
        for diagonal in self.grid().diagonals(point) {
            enemies += u8::from(self.cells[diagonal] == enemy);
            edge |= u8::from(self.cells[diagonal].is_solid());
        }
        enemies + edge < 2
    }

    /// The head of the group around `point`, if only one group, walls and voids are next to it.
    #[inline]
    pub(super) fn surrounding_chain(&self, point: Point) -> Option<Point> {
        let mut ring = Point::NONE;
        for n in self.neighbours(point) {
            ring = select_unpredictable(self.cells[n].is_stone(), self.head[n], ring);
        }
        let mut others = self.has_open_neighbour(point) | (ring == Point::NONE);
        for n in self.neighbours(point) {
            others |= self.cells[n].is_stone() & (self.head[n] != ring);
        }
        (!others).then_some(ring)
    }
}
