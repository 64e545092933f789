//! The voids in their order, and the clockwork that says which of them will
//! take a point.

use crate::board::{CAPACITY, Grid, Point, PointMap, PointSet};
use smallvec::SmallVec;

/// A hole in the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Void {
    /// Where it is.
    pub point: Point,
    /// The point of the nuke that it descends from. Where voids have no limits
    /// it is found when they are told, and is none before.
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

/// All voids, those of earlier turns first, and where they will spread.
#[derive(Clone, Debug)]
pub(super) struct Voids {
    all: [Void; CAPACITY],
    len: usize,
    /// Where the void on a point is among all, where they have limits.
    place: PointMap<u16>,
    /// How many of them the clockwork knows.
    wound: usize,
    clockwork: Clockwork,
    /// New voids next to which a group may be without liberties, so many.
    deadly: [Point; CAPACITY],
    deaths: usize,
    /// Points that voids take in the turn under way.
    struck: [Point; CAPACITY],
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
            deadly: [Point::NONE; CAPACITY],
            deaths: 0,
            struck: [Point::NONE; CAPACITY],
        }
    }
}

impl Voids {
    #[inline]
    pub(super) fn as_slice(&self) -> &[Void] {
        &self.all[..self.len.min(CAPACITY)]
    }

    /// Adds a void that does not act before it is [wound](Self::wind_latest).
    #[inline]
    pub(super) fn push<const C: bool>(&mut self, void: Void) {
        self.all[self.len % CAPACITY] = void;
        if C {
            self.place[void.point] = self.len as u16;
        }
        self.len += 1;
    }

    /// Adds a void that acts from the next turn on; all before it are wound.
    #[inline]
    pub(super) fn push_wound<const C: bool>(&mut self, grid: &Grid, void: Void) {
        self.push::<C>(void);
        self.clockwork.wind::<C>(grid, void);
        self.wound = self.len;
    }

    /// The void on `point`, which is one, where they have limits.
    #[inline]
    pub(super) fn at(&self, point: Point) -> &Void {
        &self.all[usize::from(self.place[point]) % CAPACITY]
    }

    /// The arrow of the void on `point`, which acts, after turn number `turn`.
    #[inline]
    pub(super) fn arrow(&self, point: Point, turn: u32) -> usize {
        let birth = u32::from(self.clockwork.births[point]);
        (turn.wrapping_sub(birth) % 8) as usize
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
        self.deaths = 0;
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
    pub(super) fn wind_latest<const C: bool>(&mut self, grid: &Grid) {
        for at in self.wound..self.len {
            self.clockwork.wind::<C>(grid, self.all[at % CAPACITY]);
        }
        self.wound = self.len;
    }

    /// Lists the empty points that some void shows in turn number `turn`; tells
    /// how many there are.
    #[inline]
    pub(super) fn strike(&mut self, grid: &Grid, turn: u32) -> usize {
        let due = &self.clockwork.due[turn as usize % 8];
        let (mut shown, mut some) = ([0; WORDS], 0u32);
        for word in 0..grid.words().min(WORDS) {
            shown[word] = due[word] & self.clockwork.vacant.word(word);
            some |= u32::from(shown[word] != 0) << word;
        }
        let mut len = 0;
        while some != 0 {
            let word = some.trailing_zeros() as usize % WORDS;
            let mut left = shown[word];
            while left != 0 {
                let bit = left.trailing_zeros() as u16;
                self.struck[len % CAPACITY] = Point::at((word * 64) as u16 + bit);
                len += 1;
                left &= left - 1;
            }
            some &= some - 1;
        }
        len
    }

    /// One of the points [listed](Self::strike).
    #[inline]
    pub(super) fn struck(&self, at: usize) -> Point {
        self.struck[at % CAPACITY]
    }

    /// All of them where voids have limits: each with the place among all of
    /// the first void that shows it, in the order of the places.
    #[inline]
    pub(super) fn strikes(&mut self, grid: &Grid, turn: u32) -> SmallVec<[(u16, Point); 16]> {
        let mut strikes = SmallVec::new();
        for at in 0..self.strike(grid, turn) {
            let target = self.struck(at);
            strikes.push((self.first_hand(grid, target, turn), target));
        }
        if strikes.len() > 1 {
            strikes.sort_unstable();
        }
        strikes
    }

    /// The place among all of the first void that shows `target` and may take it.
    fn first_hand(&self, grid: &Grid, target: Point, turn: u32) -> u16 {
        let mut first = u16::MAX;
        self.clockwork.for_each_hand(grid, target, turn, |from| {
            if grid.is_close(target, self.at(from).origin) {
                first = first.min(self.place[from]);
            }
        });
        first
    }

    /// Notes a point next to which a group may be without liberties, if one
    /// `may`.
    #[inline]
    pub(super) fn note_deadly(&mut self, point: Point, may: bool) {
        self.deadly[self.deaths % CAPACITY] = point;
        self.deaths += usize::from(may);
    }

    /// The points next to which groups may be without liberties.
    #[inline]
    pub(super) fn deadly(&self) -> &[Point] {
        &self.deadly[..self.deaths.min(CAPACITY)]
    }

    /// Forgets them.
    #[inline]
    pub(super) fn forget_deadly(&mut self) {
        self.deaths = 0;
    }

    /// The voids in the order they appeared, each with its origin. Where they
    /// have no limits neither matters to play, and both are found only here.
    pub(super) fn told<const C: bool>(&self, grid: &Grid) -> Vec<Void> {
        let mut voids = self.as_slice().to_vec();
        if !C {
            trace(grid, &mut voids);
        }
        voids
    }
}

/// Puts the voids that spread in one turn in the order of those they came from,
/// and gives them their origin.
fn trace(grid: &Grid, voids: &mut [Void]) {
    let mut place = PointMap::filled(None);
    let mut traced = 0;
    while let Some(&Void { birth, .. }) = voids.get(traced) {
        let (old, rest) = voids.split_at_mut(traced);
        let spread = |void: &&Void| void.origin == Point::NONE && void.birth == birth;
        let count = rest.iter().take_while(spread).count();
        let parent = |void: &Void| {
            let hands = (0..8).filter_map(|eighth| {
                let at: usize = place[grid.towards(void.point, eighth + 4)]?;
                let shows = old[at].birth < birth && old[at].arrow(birth) == eighth;
                shows.then_some(at)
            });
            hands.min()
        };
        rest[..count].sort_by_cached_key(parent);
        for void in &mut rest[..count] {
            void.origin = parent(void).map_or(Point::NONE, |at| old[at].origin);
        }
        for void in &rest[..count.max(1)] {
            place[void.point] = Some(traced);
            traced += 1;
        }
    }
}

/// So many words of 64 bits have a bit for every slot.
const WORDS: usize = CAPACITY / 64;

/// Which points are shown by voids, by the turns in which they are: a void
/// shows each of its eight neighbours every eighth turn.
#[derive(Clone, Debug)]
struct Clockwork {
    /// For the turns that leave each rest when divided by eight: the points shown
    /// by some void within whose reach they are, a bit each, 64 slots after 64.
    due: [[u64; WORDS]; 8],
    /// The empty points.
    vacant: PointSet,
    /// The rest that a void's birth leaves; [`Clockwork::NO_VOID`] elsewhere.
    births: PointMap<u8>,
}

impl Default for Clockwork {
    fn default() -> Self {
        Clockwork {
            due: [[0; WORDS]; 8],
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
            self.due[(birth + arrow) % 8][target.index() / 64] |=
                u64::from(reached) << (target.index() % 64);
        }
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
