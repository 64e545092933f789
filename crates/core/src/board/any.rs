//! A board of any lattice, for code that is not hot.

use super::area::Owners;
use super::grid::Grid;
use super::lattice::Lattice;
use super::life::UnconditionalLife;
use super::list::PointList;
use super::point::{Cell, Color, Point, PointMap};
use super::stones::Board;

/// A board without its [`Lattice`]; see the methods of [`Board`].
#[allow(missing_docs)]
pub trait AnyBoard {
    fn grid(&self) -> &Grid;
    fn cells(&self) -> &PointMap<Cell>;
    fn empties(&self) -> &PointList;
    fn stones(&self, color: Color) -> u16;
    fn hash(&self) -> u64;
    fn is_eye(&self, point: Point, color: Color) -> bool;
    fn neighbours(&self, point: Point) -> Vec<Point>;
    fn group_stones(&self, point: Point) -> Vec<Point>;
    fn owners(&self) -> Owners;
    fn unconditional_life(&self, color: Color, suicide: bool) -> UnconditionalLife;
}

impl dyn AnyBoard + '_ {
    /// The cell on `point`.
    #[inline]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells()[point]
    }

    /// Number of empty points and points with stones: the maximum area of a side.
    pub fn max_area(&self) -> usize {
        let stones = Color::BOTH.map(|color| usize::from(self.stones(color)));
        stones[0] + stones[1] + self.empties().len()
    }

    /// The points that are connected to `start` by points that `belong`, the nearest first.
    pub fn connected(&self, start: Point, belong: &dyn Fn(Point) -> bool) -> Vec<Point> {
        let mut stones = vec![start];
        let mut next = 0;
        while let Some(&at) = stones.get(next) {
            next += 1;
            for neighbour in self.neighbours(at) {
                if belong(neighbour) && !stones.contains(&neighbour) {
                    stones.push(neighbour);
                }
            }
        }
        stones
    }

    /// All points but walls and voids, which nobody can own.
    pub fn ownable_points(&self) -> impl Iterator<Item = Point> + use<'_> {
        let can_be_owned = |&point: &Point| !matches!(self.cell(point), Cell::Wall | Cell::Void);
        self.grid().points().filter(can_be_owned)
    }
}

impl<L: Lattice> AnyBoard for Board<L> {
    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn cells(&self) -> &PointMap<Cell> {
        &self.cells
    }

    fn empties(&self) -> &PointList {
        &self.empties
    }

    fn stones(&self, color: Color) -> u16 {
        Board::stones(self, color)
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn is_eye(&self, point: Point, color: Color) -> bool {
        Board::is_eye(self, point, color)
    }

    fn neighbours(&self, point: Point) -> Vec<Point> {
        Board::neighbours(self, point).collect()
    }

    fn group_stones(&self, point: Point) -> Vec<Point> {
        Board::group_stones(self, point).collect()
    }

    fn owners(&self) -> Owners {
        Board::owners(self)
    }

    fn unconditional_life(&self, color: Color, suicide: bool) -> UnconditionalLife {
        Board::unconditional_life(self, color, suicide)
    }
}
