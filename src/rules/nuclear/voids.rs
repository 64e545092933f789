//! The voids in their order.

use super::clockwork::{Clockwork, Place, Struck};
use crate::board::{CAPACITY, Directions, Grid, Point, PointMap};
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
    /// New voids that left groups without liberties, and in which directions; so
    /// many.
    deadly: [(Point, Directions); CAPACITY],
    deaths: usize,
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
            deadly: [(Point::NONE, Directions::default()); CAPACITY],
            deaths: 0,
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
    pub(super) fn push_wound<const C: bool>(&mut self, grid: &Grid, void: Void, place: Place) {
        self.push::<C>(void);
        self.clockwork.wind::<C>(grid, void, place);
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
        self.clockwork.arrow(point, turn)
    }

    #[inline]
    pub(super) fn copy_from(&mut self, other: &Self) {
        for void in &self.all[..self.wound.min(CAPACITY)] {
            self.clockwork.forget(void.point);
        }
        for void in other.as_slice() {
            self.place[void.point] = other.place[void.point];
            self.clockwork.copy_birth(&other.clockwork, void.point);
        }
        self.clockwork.copy_hands(&other.clockwork);
        self.all[..other.len].copy_from_slice(other.as_slice());
        self.len = other.len;
        self.wound = other.wound;
        self.deaths = 0;
    }

    /// Notes an empty point.
    #[inline]
    pub(super) fn vacate(&mut self, place: Place) {
        self.clockwork.vacate(place);
    }

    /// Notes a point that is empty no more.
    #[inline]
    pub(super) fn occupy(&mut self, place: Place) {
        self.clockwork.occupy(place);
    }

    /// Lets the voids that appeared since the last time begin to act.
    #[inline]
    pub(super) fn wind_latest<const C: bool>(&mut self, grid: &Grid) {
        for at in self.wound..self.len {
            let void = self.all[at % CAPACITY];
            self.clockwork
                .wind::<C>(grid, void, Place::of(grid, void.point));
        }
        self.wound = self.len;
    }

    /// The empty points that some void shows in turn number `turn`.
    #[inline]
    pub(super) fn strike(&self, grid: &Grid, turn: u32) -> Struck {
        self.clockwork.strike(grid, turn)
    }

    /// The points `struck` in turn number `turn`, where voids have limits: each with
    /// the place among all of the first void that shows it, in the order of the
    /// places.
    #[inline]
    pub(super) fn in_order(
        &self,
        grid: &Grid,
        turn: u32,
        mut struck: Struck,
    ) -> SmallVec<[(u16, Point); 16]> {
        let mut strikes = SmallVec::new();
        while let Some((target, _)) = struck.next(grid) {
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

    /// Notes in which directions from a new void groups are without liberties.
    #[inline]
    pub(super) fn note_deadly(&mut self, point: Point, starved: Directions) {
        self.deadly[self.deaths % CAPACITY] = (point, starved);
        self.deaths += usize::from(!starved.is_empty());
    }

    /// The new voids that left groups without liberties, and in which directions.
    #[inline]
    pub(super) fn deadly(&self) -> &[(Point, Directions)] {
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
