//! Tactics: 3x3 patterns, and the liberties of groups now or after a stone.

use super::lattice::Lattice;
use super::liberties::Liberties;
use super::point::{Cell, Color, Point, contains_point};
use super::stones::{Board, OPEN, OPEN_MASK};
use smallvec::SmallVec;

/// A few points, in an order that depends only on the position.
pub type PointVec = SmallVec<[Point; 8]>;

/// Number of 3x3 patterns.
pub const PATTERNS_3X3: usize = 1 << 16;

/// The code of a cell for Black: 0 open, 1 own stone, 2 enemy stone, 3 a wall or void.
#[inline]
fn cell_code(cell: Cell) -> u16 {
    cell as u16 >> 1
}

/// Black's two-bit codes as those of `color`.
#[inline]
fn for_color(codes: u16, color: Color) -> u16 {
    const LOW: u16 = 0x5555;
    match color {
        Color::Black => codes,
        Color::White => (codes & LOW) << 1 | codes >> 1 & LOW,
    }
}

/// The liberties of a group, if they are few.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FewLiberties {
    /// One liberty.
    One(Point),
    /// Two liberties.
    Two(Point, Point),
    /// More liberties, or no liberty.
    Other,
}

impl<L: Lattice> Board<L> {
    /// The eight points around `point` on its layer for `color`, two bits each, clockwise from
    /// north: 0 open, 1 own, 2 enemy, 3 wall or void.
    #[inline(always)]
    pub fn pattern_3x3(&self, point: Point, color: Color) -> u16 {
        let clockwise = self.grid().ring::<L, _>(&self.cells, point);
        // Packs a byte for each point, then two bits.
        let bytes = clockwise.iter().enumerate();
        let mut codes = bytes.fold(0, |all, (i, &cell)| all | (cell as u64) << (8 * i)) >> 1;
        codes &= 0x0303_0303_0303_0303;
        codes = (codes | codes >> 6) & 0x000F_000F_000F_000F;
        codes = (codes | codes >> 12) & 0x0000_00FF_0000_00FF;
        for_color((codes | codes >> 24) as u16, color)
    }

    /// The points above and below for `color`, as in [`pattern_3x3`](Self::pattern_3x3); 0 on a
    /// flat board.
    #[inline]
    pub fn pattern_above_below(&self, point: Point, color: Color) -> u16 {
        let beyond = self.neighbours(point).skip(4);
        let codes = beyond.fold(0, |code, n| code << 2 | cell_code(self.cells[n]));
        for_color(codes, color)
    }

    /// The liberties of the group of `stone`, if it has one or two.
    #[inline]
    pub fn few_liberties(&self, stone: Point) -> FewLiberties {
        let liberties = self.liberties[self.head[stone]];
        if let Some(single) = liberties.single() {
            return FewLiberties::One(single);
        }
        // The maximum number of neighbours of two points.
        if liberties.pairs() > 2 * L::DEGREE as u64 {
            return FewLiberties::Other;
        }
        let (mut one, mut two) = (Point::NONE, Point::NONE);
        for at in self.group_stones(stone) {
            match self.open_neighbours(at) {
                0 => continue,
                3.. => return FewLiberties::Other,
                _ => {}
            }
            for n in self.neighbours(at) {
                if !self.cells[n].is_open() || n == one || n == two {
                    continue;
                }
                match (one, two) {
                    (Point::NONE, _) => one = n,
                    (_, Point::NONE) => two = n,
                    _ => return FewLiberties::Other,
                }
            }
        }
        match two {
            Point::NONE => FewLiberties::Other,
            _ => FewLiberties::Two(one, two),
        }
    }

    /// At most `limit` liberties of the group of `stone`.
    #[inline]
    pub fn liberties_of(&self, stone: Point, limit: usize) -> PointVec {
        let mut found = PointVec::new();
        let liberties = self.liberties[self.head[stone]];
        if let Some(single) = liberties.single() {
            found.push(single);
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
        let counted = (self.neighbour_counts[point] & OPEN_MASK) / OPEN;
        if L::DEGREE == 4 || self.grid().layers() > 1 {
            return counted;
        }
        // A single layer counts the points east and west also as above and below.
        let above_and_below = self.neighbours(point).skip(4);
        counted - above_and_below.filter(|&n| self.cells[n].is_open()).count() as u16
    }

    /// Whether the group of a stone of `color` on the open `point` would have fewer than two
    /// liberties. Captured stones count as liberties of the stone itself.
    #[inline]
    pub fn is_self_atari(&self, point: Point, color: Color) -> bool {
        // A single layer of a stack counts two of six neighbours twice.
        let two = if L::DEGREE > 4 { 3 } else { 2 };
        if self.neighbour_counts[point] & OPEN_MASK >= two * OPEN {
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

    /// The number of liberties, at most `limit`, of the group of a stone of `color` on the open
    /// `point`. Captured stones count as liberties of the stone itself.
    #[inline]
    pub fn liberties_after(&self, point: Point, color: Color, limit: usize) -> usize {
        let mut found = PointVec::new();
        if self.collect_open(point, point, limit, &mut found) {
            return limit;
        }
        let (own, enemy) = (Cell::stone(color), Cell::stone(!color));
        let mut heads: SmallVec<[Point; 6]> = SmallVec::new();
        for n in self.neighbours(point) {
            if self.cells[n] == enemy
                && self.is_last_liberty(n, point)
                && !contains_point(&found, n)
            {
                found.push(n);
            }
            if self.cells[n] != own || contains_point(&heads, self.head[n]) {
                continue;
            }
            heads.push(self.head[n]);
            for at in self.group_stones(n) {
                // Captured stones may already exceed the limit.
                if self.collect_open(at, point, limit, &mut found) {
                    return limit;
                }
            }
        }
        found.len().min(limit)
    }

    /// Adds the open neighbours of `at` other than `except`; true once `limit` points are found.
    #[inline]
    fn collect_open(&self, at: Point, except: Point, limit: usize, found: &mut PointVec) -> bool {
        if !self.has_open_neighbour(at) {
            return found.len() >= limit;
        }
        for n in self.neighbours(at) {
            if self.cells[n].is_open() && n != except && !contains_point(found, n) {
                found.push(n);
                if found.len() >= limit {
                    return true;
                }
            }
        }
        false
    }
}
