//! Tactics: the liberties of groups now or after a stone.

use super::lattice::Lattice;
use super::liberties::Liberties;
use super::point::{Cell, Color, Point, contains_point};
use super::stones::{Board, OPEN, OPEN_MASK};
use smallvec::SmallVec;

/// A few points, in an order that depends only on the position.
pub type PointVec = SmallVec<[Point; 8]>;

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
    /// The liberties of the group of `stone`, if it has one or two.
    #[inline]
    pub fn few_liberties(&self, stone: Point) -> FewLiberties {
        let liberties = self.liberties[self.head[stone]];
        if let Some(single) = liberties.only_liberty() {
            return FewLiberties::One(single);
        }
        // The maximum number of neighbours of two points.
        if liberties.pseudo_count() > 2 * L::DEGREE as u64 {
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
        let mut points = PointVec::new();
        let liberties = self.liberties[self.head[stone]];
        if let Some(single) = liberties.only_liberty() {
            points.push(single);
            return points;
        }
        for at in self.group_stones(stone) {
            if self.collect_open(at, Point::NONE, limit, &mut points) {
                break;
            }
        }
        points
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
        let mut single = Point::NONE;
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
                    match others.only_liberty() {
                        Some(liberty) => liberty,
                        None if others.is_empty() => continue,
                        None => return false,
                    }
                }
                _ => continue,
            };
            if single != Point::NONE && single != liberty {
                return false;
            }
            single = liberty;
        }
        true
    }

    /// Adds the open neighbours of `at` other than `except`; true once `limit` points are found.
    #[inline]
    fn collect_open(&self, at: Point, except: Point, limit: usize, points: &mut PointVec) -> bool {
        if !self.has_open_neighbour(at) {
            return points.len() >= limit;
        }
        for n in self.neighbours(at) {
            if self.cells[n].is_open() && n != except && !contains_point(points, n) {
                points.push(n);
                if points.len() >= limit {
                    return true;
                }
            }
        }
        false
    }
}
