//! The voids in their order, and the clockwork that says which of them will
//! take a point.

use crate::board::{CAPACITY, Grid, Point, PointMap, PointSet};

/// A hole in the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Void {
    /// Where it is.
    pub point: Point,
    /// The point of the nuke that it descends from.
    pub origin: Point,
    /// The last turn in which it did not act yet; it was born then, except
    /// the void of a nuke that acts at once.
    pub birth: u32,
}

impl Void {
    /// Eighths of a turn, clockwise from north, after turn number `turn`.
    pub fn arrow(&self, turn: u32) -> usize {
        (turn.wrapping_sub(self.birth) % 8) as usize
    }
}

/// The names of the arrows, clockwise from north.
pub const ARROWS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// All voids in the order they appeared, and where they will spread.
#[derive(Clone, Debug)]
pub(super) struct Voids {
    all: [Void; CAPACITY],
    len: usize,
    /// Where the void on a point is among all.
    place: PointMap<u16>,
    /// How many of them the clockwork knows.
    wound: usize,
    clockwork: Clockwork,
    /// How many there were at the end of the turn before.
    pub(super) settled: usize,
    /// Whether a group may be without liberties.
    pub(super) starved: bool,
}

impl Default for Voids {
    fn default() -> Self {
        let none = Void {
            point: Point::NONE,
            origin: Point::NONE,
            birth: 0,
        };
        Voids {
            all: [none; CAPACITY],
            len: 0,
            place: PointMap::filled(0),
            wound: 0,
            clockwork: Clockwork::default(),
            settled: 0,
            starved: false,
        }
    }
}

impl Voids {
    #[inline]
    pub(super) fn as_slice(&self) -> &[Void] {
        &self.all[..self.len.min(CAPACITY)]
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn push(&mut self, void: Void) {
        self.all[self.len % CAPACITY] = void;
        self.place[void.point] = self.len as u16;
        self.len += 1;
    }

    /// The void on `point`, which is one.
    #[inline]
    pub(super) fn at(&self, point: Point) -> &Void {
        &self.all[usize::from(self.place[point]) % CAPACITY]
    }

    #[inline]
    pub(super) fn copy_from(&mut self, other: &Self) {
        for void in &self.all[..self.wound.min(CAPACITY)] {
            self.clockwork.births[void.point] = Clockwork::NO_VOID;
        }
        for void in other.as_slice() {
            self.place[void.point] = other.place[void.point];
            self.clockwork.births[void.point] = other.clockwork.births[void.point];
        }
        self.clockwork.due = other.clockwork.due;
        self.clockwork.vacant = other.clockwork.vacant;
        self.all[..other.len].copy_from_slice(other.as_slice());
        self.len = other.len;
        self.wound = other.wound;
        self.settled = other.settled;
        self.starved = other.starved;
    }

    /// Notes an empty point.
    #[inline]
    pub(super) fn vacate(&mut self, point: Point) {
        self.clockwork.vacant.insert(point);
    }

    /// Notes a point that is empty no more.
    #[inline]
    pub(super) fn occupy(&mut self, point: Point) {
        self.clockwork.vacant.remove(point);
    }

    /// Lets the voids that appeared since the last time begin to act.
    #[inline]
    pub(super) fn wind<const C: bool>(&mut self, grid: &Grid) {
        for at in self.wound..self.len {
            self.clockwork.wind::<C>(grid, self.all[at % CAPACITY]);
        }
        self.wound = self.len;
    }

    /// The places among all of the voids that take a point in turn number
    /// `turn`: of those that show the same empty point, the first.
    #[inline]
    pub(super) fn strike<const C: bool>(&self, grid: &Grid, turn: u32) -> Places {
        let mut places = Places::default();
        self.clockwork.for_each_due(grid, turn, |target| {
            let mut first = u16::MAX;
            self.clockwork.for_each_hand(grid, target, turn, |from| {
                let place = self.place[from];
                if !C || grid.is_close(target, self.at(from).origin) {
                    first = first.min(place);
                }
            });
            places.insert(usize::from(first));
        });
        places
    }
}

/// Places among all voids.
#[derive(Default)]
pub(super) struct Places([u64; CAPACITY / 64]);

impl Places {
    #[inline]
    fn insert(&mut self, place: usize) {
        self.0[place / 64 % (CAPACITY / 64)] |= 1 << (place % 64);
    }

    /// Calls `visit` with all places below `end`, lowest first.
    #[inline]
    pub(super) fn for_each(&self, end: usize, mut visit: impl FnMut(usize)) {
        for (i, &word) in self.0.iter().enumerate().take(end.div_ceil(64)) {
            let mut left = word;
            while left != 0 {
                visit(i * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}

/// Which points are shown by voids, by the turns in which they are: a void
/// shows each of its eight neighbours every eighth turn.
#[derive(Clone, Debug)]
struct Clockwork {
    /// The points shown by some void within whose reach they are, in turns
    /// that leave the same rest when divided by eight.
    due: [PointSet; 8],
    /// The empty points.
    vacant: PointSet,
    /// The rest that a void's birth leaves; [`Clockwork::NO_VOID`] elsewhere.
    births: PointMap<u8>,
}

impl Default for Clockwork {
    fn default() -> Self {
        Clockwork {
            due: [PointSet::default(); 8],
            vacant: PointSet::default(),
            births: PointMap::filled(Clockwork::NO_VOID),
        }
    }
}

impl Clockwork {
    /// No rest, and a byte that leaves the highest bit alone.
    const NO_VOID: u8 = 0x40;

    /// Lets a void show its neighbours from the turn after its birth on.
    #[inline]
    fn wind<const C: bool>(&mut self, grid: &Grid, void: Void) {
        let birth = void.birth as usize % 8;
        self.births[void.point] = birth as u8;
        for arrow in 0..8 {
            let target = grid.towards(void.point, arrow);
            let reached = !C || grid.is_close(target, void.origin);
            self.due[(birth + arrow) % 8].insert_if(target, reached);
        }
    }

    /// Calls `visit` with every empty point that is shown in turn number
    /// `turn`.
    #[inline]
    fn for_each_due(&self, grid: &Grid, turn: u32, visit: impl FnMut(Point)) {
        self.due[turn as usize % 8].for_each_common(&self.vacant, grid.slots(), visit);
    }

    /// Calls `visit` with every void that shows `target` in turn number
    /// `turn`.
    #[inline]
    fn for_each_hand(&self, grid: &Grid, target: Point, turn: u32, mut visit: impl FnMut(Point)) {
        const EACH: u64 = 0x0101_0101_0101_0101;
        // The rest of the birth of a void in each eighth from the target that
        // shows it: half a turn of the hand from there.
        let shown = u64::from_le_bytes([4, 3, 2, 1, 0, 7, 6, 5]) + EACH * u64::from(turn % 8);
        let around = u64::from_le_bytes(grid.ring(&self.births, target));
        let differ = around ^ (shown & (EACH * 7));
        let mut same = !(differ + EACH * 0x7F) & (EACH << 7);
        while same != 0 {
            visit(grid.towards(target, same.trailing_zeros() as usize / 8));
            same &= same - 1;
        }
    }
}
