//! Colours, cells, points and the containers indexed by points.

use std::ops::{Index, IndexMut, Not};

/// Number of slots of containers indexed by points: a power of two above the largest padded board,
/// so that a mask makes an index safe.
pub const CAPACITY: usize = 1024;

/// A player, or the colour of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum Color {
    /// Black.
    Black = 0,
    /// White.
    White = 1,
}

impl Color {
    /// Both colours, Black first.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// `black` or `white`.
    pub fn name(self) -> &'static str {
        match self {
            Color::Black => "black",
            Color::White => "white",
        }
    }

    /// `Black` or `White`, for sentences.
    pub fn title(self) -> &'static str {
        match self {
            Color::Black => "Black",
            Color::White => "White",
        }
    }

    /// 1 for Black, −1 for White: a factor between Black's numbers and those of a side.
    #[inline]
    pub fn sign(self) -> i8 {
        match self {
            Color::Black => 1,
            Color::White => -1,
        }
    }

    /// `B` or `W`.
    pub fn letter(self) -> char {
        match self {
            Color::Black => 'B',
            Color::White => 'W',
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

/// The content of a point.
///
/// Half its number is its code for Black: 0 open, 1 own, 2 enemy, 3 solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Cell {
    /// An empty point, a liberty of every group next to it.
    Empty = 0,
    /// A neutral stone, a liberty of both colours.
    Tao = 1,
    /// A black stone.
    Black = 2,
    /// A white stone.
    White = 4,
    /// A point that was destroyed during the game.
    Void = 6,
    /// The edge, a separating column, or a blocked point.
    #[default]
    Wall = 7,
}

impl Cell {
    /// The cell that holds a stone of `color`.
    #[inline]
    pub fn stone(color: Color) -> Cell {
        match color {
            Color::Black => Cell::Black,
            Color::White => Cell::White,
        }
    }

    /// The colour of the stone, if there is one.
    #[inline]
    pub fn color(self) -> Option<Color> {
        match self {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            _ => None,
        }
    }

    /// Whether there is a stone.
    #[inline]
    pub fn is_stone(self) -> bool {
        matches!(self, Cell::Black | Cell::White)
    }

    /// Whether the point is a liberty of the groups next to it.
    #[inline]
    pub fn is_open(self) -> bool {
        (self as u8) < Cell::Black as u8
    }

    /// Whether this is a void or a wall, which never changes.
    #[inline]
    pub fn is_solid(self) -> bool {
        self as u8 >= Cell::Void as u8
    }

    /// The ASCII character of this cell in diagrams and states: `.` `+` `X` `O` `*` `#`.
    pub fn symbol(self) -> char {
        match self {
            Cell::Empty => '.',
            Cell::Tao => '+',
            Cell::Black => 'X',
            Cell::White => 'O',
            Cell::Void => '*',
            Cell::Wall => '#',
        }
    }
}

/// A slot of the padded board. A [`Grid`](super::Grid) makes the points of its board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// "No point": a slot that is a wall on every board.
    pub const NONE: Point = Point(0);

    /// The slot of this number; those beyond `CAPACITY` wrap around.
    #[inline]
    pub const fn at(slot: u16) -> Point {
        Point(slot & (CAPACITY as u16 - 1))
    }

    #[inline]
    pub(super) fn slot(self) -> u16 {
        self.0
    }

    /// The slot's number, below `CAPACITY`.
    #[inline]
    #[allow(unsafe_code)]
    pub fn index(self) -> usize {
        let index = usize::from(self.0);
        // SAFETY: only `at` makes points from numbers, and wraps them. Bounds checks would take a
        // tenth of the time of playouts.
        unsafe { std::hint::assert_unchecked(index < CAPACITY) };
        index
    }

    /// The slot one `step` further; backward steps wrap around `CAPACITY`.
    #[inline]
    pub(super) fn step(self, step: Point) -> Point {
        let sum = (self.index() + step.index()) & (CAPACITY - 1);
        Point(sum as u16)
    }
}

/// Whether `point` is in a short list; compares all points, without branches.
#[inline]
pub fn contains_point(points: &[Point], point: Point) -> bool {
    points.iter().fold(false, |found, &one| found | (one == point))
}

/// A value for every point.
#[derive(Clone, Debug)]
pub struct PointMap<T>([T; CAPACITY]);

impl<T: Copy> PointMap<T> {
    /// The same value everywhere.
    pub fn filled(value: T) -> Self {
        PointMap([value; CAPACITY])
    }

    /// The values west of the slot `point`, on it, and east of it.
    #[inline]
    pub(super) fn row(&self, point: Point) -> [T; 3]
    where
        T: Default,
    {
        let west = point.index().wrapping_sub(1);
        let row = self.0.get(west..west.wrapping_add(3));
        row.and_then(|row| row.first_chunk().copied()).unwrap_or_default()
    }

    /// Copies the first `used` slots of `other`; the rest is unused.
    #[inline]
    pub fn copy_prefix(&mut self, other: &Self, used: usize) {
        let used = used.min(CAPACITY);
        self.0[..used].copy_from_slice(&other.0[..used]);
    }
}

impl<T> Index<Point> for PointMap<T> {
    type Output = T;

    #[inline]
    fn index(&self, point: Point) -> &T {
        &self.0[point.index()]
    }
}

impl<T> IndexMut<Point> for PointMap<T> {
    #[inline]
    fn index_mut(&mut self, point: Point) -> &mut T {
        &mut self.0[point.index()]
    }
}

/// A set of points without order or allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointSet([u64; CAPACITY / 64]);

impl Default for PointSet {
    fn default() -> Self {
        PointSet([0; CAPACITY / 64])
    }
}

impl PointSet {
    /// Adds `point`; returns whether it is new.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        let (word, bit) = (point.index() / 64, 1u64 << (point.index() % 64));
        let fresh = self.0[word] & bit == 0;
        self.0[word] |= bit;
        fresh
    }

    /// Removes `point`.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.0[point.index() / 64] &= !(1 << (point.index() % 64));
    }

    /// Whether `point` is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.0[point.index() / 64] & (1u64 << (point.index() % 64)) != 0
    }

    /// A hash of the set and `seed`.
    pub fn hash_with(&self, seed: u64) -> u64 {
        self.0.iter().fold(seed, |hash_with, &word| {
            let product = (hash_with ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            product ^ product >> 29
        })
    }
}
