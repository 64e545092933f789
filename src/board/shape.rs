//! Shapes and close fights: what lies around a point, how many liberties
//! groups have or would have.

use super::grid::Lattice;
use super::liberties::Liberties;
use super::point::{Cell, Color, Point};
use super::stones::{Board, OPEN, OPEN_MASK};
use smallvec::SmallVec;

/// A few points, found in an order that depends on the position alone.
pub type Few = SmallVec<[Point; 8]>;

/// Number of different [`Board::surroundings`].
pub const SURROUNDINGS: usize = 1 << 16;

/// What a cell is to a side, two bits for each kind of cell: 0 open, 1 own
/// stone, 2 enemy stone, 3 a wall or void.
const VIEWS: [u16; 2] = [0b11_11_10_01_00_00, 0b11_11_01_10_00_00];

impl<L: Lattice> Board<L> {
    /// The eight points around `point` on its layer as `color` sees them: two
    /// bits each, clockwise from north: 0 open, 1 own, 2 enemy, 3 wall or void.
    #[inline]
    pub fn surroundings(&self, point: Point, color: Color) -> u16 {
        let view = VIEWS[color as usize];
        (0..8).fold(0, |code, eighth| {
            let cell = self.cells[self.grid().towards(point, eighth)];
            code | (view >> (2 * cell as u16) & 3) << (2 * eighth)
        })
    }

    /// The points above and below as `color` sees them, two bits each as in
    /// [`surroundings`](Self::surroundings); 0 on a flat board.
    #[inline]
    pub fn above_and_below(&self, point: Point, color: Color) -> u16 {
        let view = VIEWS[color as usize];
        self.neighbours(point).skip(4).fold(0, |code, n| {
            code << 2 | view >> (2 * self.cells[n] as u16) & 3
        })
    }

    /// The liberties of the group of the stone on `stone`; if there are `limit`
    /// or more, so many points that mean nothing.
    #[inline]
    pub fn liberties_of(&self, stone: Point, limit: usize) -> Few {
        let mut found = Few::new();
        let liberties = self.liberties[self.head[stone]];
        if let Some(single) = liberties.single() {
            found.push(single);
            return found;
        }
        // Two points have no more neighbours than that.
        if limit <= 3 && liberties.pairs() > 2 * L::DEGREE as u64 {
            found.resize(limit, Point::NONE);
            return found;
        }
        for at in self.group_stones(stone) {
            if self.collect_open(at, Point::NONE, limit, &mut found) {
                break;
            }
        }
        found
    }

    /// Number of open points next to `point`.
    #[inline]
    pub fn open_neighbours(&self, point: Point) -> u16 {
        (self.around[point] & OPEN_MASK) / OPEN
    }

    /// Whether the group of a stone of `color` on the open `point` would have
    /// fewer than two liberties. (Points of captured stones count as far as
    /// they touch the stone itself.)
    #[inline]
    pub fn is_self_atari(&self, point: Point, color: Color) -> bool {
        // Where a stack has one layer two of six neighbours are counted twice.
        let two = if L::DEGREE > 4 { 3 } else { 2 };
        if self.around[point] & OPEN_MASK >= two * OPEN {
            return false;
        }
        let one = Liberties::one(point);
        let (own, enemy) = (Cell::stone(color), Cell::stone(!color));
        let mut found = Point::NONE;
        for n in self.neighbours(point) {
            let liberty = match self.cells[n] {
                cell if cell.is_open() => n,
                cell if cell == enemy && self.is_last_liberty(n, point) => n,
                cell if cell == own => {
                    let head = self.head[n];
                    let pairs = self
                        .neighbours(point)
                        .filter(|&m| self.cells[m] == own && self.head[m] == head);
                    let others = pairs.fold(self.liberties[head], |left, _| left.minus(one));
                    match others.single() {
                        Some(liberty) => liberty,
                        None if others.is_none() => continue,
                        None => return false,
                    }
                }
                _ => continue,
            };
            if found != Point::NONE && found != liberty {
                return false;
            }
            found = liberty;
        }
        true
    }

    /// How many liberties, at most `limit`, the group of a stone of `color` on
    /// the open `point` would have; points of captured stones count as far as
    /// they touch the stone itself.
    #[inline]
    pub fn liberties_after(&self, point: Point, color: Color, limit: usize) -> usize {
        let mut found = Few::new();
        if self.collect_open(point, point, limit, &mut found) {
            return found.len();
        }
        let (own, enemy) = (Cell::stone(color), Cell::stone(!color));
        let mut heads: SmallVec<[Point; 6]> = SmallVec::new();
        for n in self.neighbours(point) {
            if self.cells[n] == enemy && self.is_last_liberty(n, point) && !found.contains(&n) {
                found.push(n);
            }
            if self.cells[n] != own || heads.contains(&self.head[n]) {
                continue;
            }
            heads.push(self.head[n]);
            for at in self.group_stones(n) {
                if self.collect_open(at, point, limit, &mut found) {
                    return found.len();
                }
            }
        }
        found.len().min(limit)
    }

    /// Adds the open neighbours of `at` other than `except`; true once there
    /// are `limit`.
    #[inline]
    fn collect_open(&self, at: Point, except: Point, limit: usize, found: &mut Few) -> bool {
        if !self.has_open_neighbour(at) {
            return found.len() >= limit;
        }
        for n in self.neighbours(at) {
            if self.cells[n].is_open() && n != except && !found.contains(&n) {
                found.push(n);
                if found.len() >= limit {
                    return true;
                }
            }
        }
        false
    }
}
