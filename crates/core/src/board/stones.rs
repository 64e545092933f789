//! Cells, groups, liberties and the hash, updated with each stone.
//!
//! Groups are circular linked lists; every stone has the head of its group. When two groups join,
//! the smaller gets the head of the larger. Liberties count once for every adjacent stone
//! (pseudo-liberties, as in Lukasz Lew's libEGO). The sums of their positions and squares tell
//! whether they are all the same point (Brian Slesinsky on the computer-go list).

use super::grid::{Directions, Grid};
use super::hash;
use super::liberties::Liberties;
use super::list::PointList;
use super::point::{Cell, Color, Point, PointMap};
use std::hint::select_unpredictable;

/// Numbers of black stones, white stones and open points next to a point, four bits each.
pub(super) type NeighbourCounts = u16;
pub(super) const STONES: [NeighbourCounts; 2] = [1, 1 << 4];
pub(super) const STONE_MASK: [NeighbourCounts; 2] = [0xF, 0xF0];
pub(super) const OPEN: NeighbourCounts = 1 << 8;
pub(super) const OPEN_MASK: NeighbourCounts = 0xF00;

/// A group of stones: a view into a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Identifies the group until it changes.
    pub head: Point,
    /// Number of stones.
    pub size: u16,
    /// Its pseudo-liberties.
    pub liberties: Liberties,
}

/// Cells on a grid.
///
/// Boards with equal cells are equivalent. The order in lists (of empty points, of stones in a
/// group) depends only on the sequence of changes.
#[derive(Clone, Debug)]
pub struct Board {
    pub(super) grid: Grid,
    pub(super) cells: PointMap<Cell>,
    pub(super) neighbour_counts: PointMap<NeighbourCounts>,
    pub(super) head: PointMap<Point>,
    pub(super) next: PointMap<Point>,
    pub(super) size: PointMap<u16>,
    pub(super) liberties: PointMap<Liberties>,
    pub(super) empties: PointList,
    pub(super) stones: [u16; 2],
    pub(super) hash: u64,
}

impl Board {
    /// An empty board.
    pub fn new(grid: Grid) -> Self {
        let mut board = Board {
            grid,
            cells: PointMap::filled(Cell::Wall),
            neighbour_counts: PointMap::filled(0),
            head: PointMap::filled(Point::NONE),
            next: PointMap::filled(Point::NONE),
            size: PointMap::filled(0),
            liberties: PointMap::filled(Liberties::default()),
            empties: PointList::default(),
            stones: [0; 2],
            hash: 0,
        };
        for slot in 0..grid.slots() as u16 {
            board.head[Point::at(slot)] = Point::at(slot);
        }
        for point in grid.points() {
            board.cells[point] = Cell::Empty;
            board.empties.push(point);
        }
        for point in grid.span().filter(|&point| board.cells[point].is_open()) {
            let (mut count, mut liberties) = (0, Liberties::default());
            for next in grid.neighbours(point) {
                if board.cells[next].is_open() {
                    count += OPEN;
                    liberties = liberties.plus(Liberties::one(next));
                }
            }
            board.neighbour_counts[point] = count;
            board.liberties[point] = liberties;
        }
        board
    }

    /// Copies `other`, which should have the same grid, without allocating.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        let used = other.grid.slots();
        self.grid = other.grid;
        self.cells.copy_prefix(&other.cells, used);
        self.neighbour_counts.copy_prefix(&other.neighbour_counts, used);
        self.head.copy_prefix(&other.head, used);
        self.next.copy_prefix(&other.next, used);
        self.size.copy_prefix(&other.size, used);
        self.liberties.copy_prefix(&other.liberties, used);
        self.empties.copy_prefix(&other.empties, used);
        self.stones = other.stones;
        self.hash = other.hash;
    }

    /// The board's shape.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cell on `point`.
    #[inline]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point]
    }

    /// The cells of all slots.
    #[inline]
    pub fn cells(&self) -> &PointMap<Cell> {
        &self.cells
    }

    /// The slots next to `point`.
    #[inline]
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        self.grid.neighbours(point)
    }

    /// The empty points, in any order.
    #[inline]
    pub fn empties(&self) -> &PointList {
        &self.empties
    }

    /// Swaps two entries of the list of empty points.
    #[inline]
    pub fn swap_empties(&mut self, a: usize, b: usize) {
        self.empties.swap(a, b);
    }

    /// Number of stones of `color` on the board.
    #[inline]
    pub fn stones(&self, color: Color) -> u16 {
        self.stones[color as usize]
    }

    /// The Zobrist hash of all cells but the first walls.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash computed from scratch; equals [`hash`](Self::hash).
    pub fn recomputed_hash(&self) -> u64 {
        let keys = self.grid.points().map(|p| hash::key(p, self.cells[p]));
        keys.fold(0, |hash, key| hash ^ key)
    }

    /// The group of the stone on `point`, if there is one.
    #[inline]
    pub fn group(&self, point: Point) -> Option<Group> {
        self.cells[point].color()?;
        let head = self.head[point];
        Some(Group { head, size: self.size[head], liberties: self.liberties[head] })
    }

    /// The head of the group of the stone on `point`; an open point is its own head.
    #[inline]
    pub fn head(&self, point: Point) -> Point {
        self.head[point]
    }

    /// Whether two stones belong to the same group.
    #[inline]
    pub fn same_group(&self, a: Point, b: Point) -> bool {
        self.head[a] == self.head[b]
    }

    /// The stones of the group of the stone on `point`.
    pub fn group_stones(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let mut at = Some(point);
        std::iter::from_fn(move || {
            let stone = at?;
            let next = self.next[stone];
            at = (next != point).then_some(next);
            Some(stone)
        })
    }

    /// Places a stone on an empty point and joins it to its group. Returns the directions of enemy
    /// groups without liberties, for [`capture`](Self::capture).
    #[inline(always)]
    pub fn place(&mut self, point: Point, color: Color) -> Directions {
        let cell = Cell::stone(color);
        let change = STONES[color as usize].wrapping_sub(OPEN);
        let enemy = Cell::stone(!color);
        let (without_liberties, own) =
            self.take_liberty(point, change, cell, |other| other == enemy);
        self.empties.remove(point);
        self.cells[point] = cell;
        self.hash ^= hash::key(point, cell);
        self.stones[color as usize] += 1;
        // Own neighbours are unpredictable, so the first is joined without a test: a single stone
        // joins itself.
        let alone = own.is_empty();
        let beside = self.grid.neighbour(point, own.first());
        let head = select_unpredictable(alone, point, self.head[beside]);
        let own_liberties = self.liberties[point];
        let new_liberties = select_unpredictable(alone, Liberties::default(), own_liberties);
        self.liberties[head] = self.liberties[head].plus(new_liberties);
        self.head[point] = head;
        self.size[point] = 0;
        self.size[head] += 1;
        self.next[point] = point; // so that it stays if the head is itself
        self.next[point] = self.next[head];
        self.next[head] = point;
        for direction in own.others() {
            self.join(self.grid.neighbour(point, direction), point);
        }
        without_liberties
    }

    /// Removes the liberty `point` from every neighbour. Returns the directions of groups without
    /// liberties whose cell is a `captured_group`, and the directions of `own` stones.
    ///
    /// It needs no branches: an open point is the head of its own group, so its liberties are kept
    /// too, and those of walls and voids are never read.
    #[inline(always)]
    fn take_liberty(
        &mut self,
        point: Point,
        change: NeighbourCounts,
        own: Cell,
        captured_group: impl Fn(Cell) -> bool,
    ) -> (Directions, Directions) {
        let one = Liberties::one(point);
        let (mut without_liberties, mut found) = (0, 0);
        for (i, n) in self.grid.neighbours(point).enumerate() {
            let liberties = &mut self.liberties[self.head[n]];
            *liberties = liberties.minus(one);
            let cell = self.cells[n];
            found |= u32::from(cell == own) << i;
            without_liberties |= u32::from(liberties.is_empty() & captured_group(cell)) << i;
            self.neighbour_counts[n] = self.neighbour_counts[n].wrapping_add(change);
        }
        (Directions(without_liberties), Directions(found))
    }

    /// The slots next to `point` in some directions.
    #[inline]
    pub fn neighbours_in(
        &self,
        point: Point,
        directions: Directions,
    ) -> impl Iterator<Item = Point> + use<> {
        let grid = self.grid;
        directions.all().map(move |direction| grid.neighbour(point, direction))
    }

    #[inline]
    pub(super) fn join(&mut self, a: Point, b: Point) {
        let (a, b) = (self.head[a], self.head[b]);
        if a != b {
            self.merge(a, b);
        }
    }

    #[inline]
    fn merge(&mut self, a: Point, b: Point) {
        let (large, small) = if self.size[a] >= self.size[b] { (a, b) } else { (b, a) };
        self.liberties[large] = self.liberties[large].plus(self.liberties[small]);
        self.size[large] += self.size[small];
        let mut stone = small;
        loop {
            self.head[stone] = large;
            stone = self.next[stone];
            if stone == small {
                break;
            }
        }
        let next = self.next[large];
        self.next[large] = self.next[small];
        self.next[small] = next;
    }

    /// Removes the groups in these directions, which the latest stone or wall of `color` on `point` left
    /// without liberties; returns the number of removed stones.
    #[inline(never)]
    pub fn capture(&mut self, point: Point, color: Color, without_liberties: Directions) -> u16 {
        let mut captured = 0;
        for captured_group in self.neighbours_in(point, without_liberties) {
            // In a second direction the same group is already gone.
            if self.cells[captured_group] == Cell::stone(!color) {
                captured += self.remove_group(captured_group);
            }
        }
        captured
    }

    /// Removes the group of the stone on `point`; returns its size.
    #[inline(never)]
    pub fn remove_group(&mut self, point: Point) -> u16 {
        let Some(color) = self.cells[point].color() else {
            return 0;
        };
        let size = self.size[self.head[point]];
        let breathes = !self.liberties[self.head[point]].is_empty();
        let mut stone = point;
        loop {
            self.cells[stone] = Cell::Empty;
            self.hash ^= hash::key(stone, Cell::stone(color));
            self.empties.push(stone);
            self.head[stone] = stone;
            self.liberties[stone] = Liberties::default();
            stone = self.next[stone];
            if stone == point {
                break;
            }
        }
        let change = OPEN.wrapping_sub(STONES[color as usize]);
        loop {
            self.give_liberty(stone, change);
            stone = self.next[stone];
            if stone == point {
                break;
            }
        }
        if breathes {
            self.recount_liberties(point);
        }
        self.stones[color as usize] -= size;
        size
    }

    fn recount_liberties(&mut self, point: Point) {
        let mut stone = point;
        loop {
            self.liberties[stone] = self.open_around(stone);
            stone = self.next[stone];
            if stone == point {
                break;
            }
        }
    }

    #[inline]
    fn give_liberty(&mut self, point: Point, change: NeighbourCounts) {
        let one = Liberties::one(point);
        for n in self.grid.neighbours(point) {
            let liberties = &mut self.liberties[self.head[n]];
            *liberties = liberties.plus(one);
            self.neighbour_counts[n] = self.neighbour_counts[n].wrapping_add(change);
        }
    }

    /// Fills an empty point with a void or a wall; returns the directions of groups without
    /// liberties.
    #[inline]
    pub fn fill(&mut self, point: Point, solid: Cell) -> Directions {
        debug_assert!(matches!(solid, Cell::Void | Cell::Wall));
        let (without_liberties, _) =
            self.take_liberty(point, OPEN.wrapping_neg(), Cell::Empty, Cell::is_stone);
        self.empties.remove(point);
        self.set_bare(point, solid);
        without_liberties
    }

    /// Replaces the open cell on `point` by another open cell, so that the liberty stays.
    #[inline]
    pub fn set_open(&mut self, point: Point, cell: Cell) {
        debug_assert!(cell.is_open() && self.cells[point].is_open());
        if self.cells[point] == cell {
            return;
        }
        self.hash ^= hash::key(point, self.cells[point]);
        match cell {
            Cell::Empty => self.empties.push(point),
            _ => self.empties.remove(point),
        }
        self.set_bare(point, cell);
    }

    pub(super) fn set_bare(&mut self, point: Point, cell: Cell) {
        self.cells[point] = cell;
        self.hash ^= hash::key(point, cell);
    }

    #[inline]
    pub(super) fn open_around(&self, point: Point) -> Liberties {
        if !self.has_open_neighbour(point) {
            return Liberties::default();
        }
        let open = self.neighbours(point).filter(|&n| self.cells[n].is_open());
        open.map(Liberties::one).fold(Liberties::default(), Liberties::plus)
    }
}
