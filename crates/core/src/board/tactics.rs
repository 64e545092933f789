//! Tactics: the liberties of groups now or after a stone.

use super::point::{Point, contains_point};
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

impl Board {
    /// The liberties of the group of `stone`, if it has one or two.
    #[inline]
    pub fn few_liberties(&self, stone: Point) -> FewLiberties {
        let liberties = self.liberties[self.head[stone]];
        if let Some(single) = liberties.only_liberty() {
            return FewLiberties::One(single);
        }
        // The maximum number of neighbours of two points.
        if liberties.pseudo_count() > 2 * self.grid.degree() as u64 {
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
            if self.collect_open(at, limit, &mut points) {
                break;
            }
        }
        points
    }

    /// Number of open points next to `point`.
    #[inline]
    pub fn open_neighbours(&self, point: Point) -> u16 {
        (self.neighbour_counts[point] & OPEN_MASK) / OPEN
    }

    /// Adds the open neighbours of `at`; true once `limit` points are found.
    #[inline]
    fn collect_open(&self, at: Point, limit: usize, points: &mut PointVec) -> bool {
        if !self.has_open_neighbour(at) {
            return points.len() >= limit;
        }
        for n in self.neighbours(at) {
            if self.cells[n].is_open() && !contains_point(points, n) {
                points.push(n);
                if points.len() >= limit {
                    return true;
                }
            }
        }
        false
    }
}
