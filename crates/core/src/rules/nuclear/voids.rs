//! The voids in their order.

use super::schedule::{BitIndex, DueTargets, VoidSchedule};
use crate::board::{Board, CAPACITY, Directions, Grid, Point, PointMap};
use smallvec::SmallVec;

/// A void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Void {
    /// Its point.
    pub point: Point,
    /// The point of the nuke that it descends from. Without limits only a list of the voids has it.
    pub origin: Point,
    /// The last turn before it acts: the turn of its birth, unless its nuke acts at once.
    pub birth: u32,
}

impl Void {
    /// The direction after turn number `turn`, in eighths clockwise from north.
    pub fn arrow(&self, turn: u32) -> usize {
        (turn.wrapping_sub(self.birth) % 8) as usize
    }

    /// Whether it appeared before turn number `turn`. A void of the start may be older than the game.
    fn is_before(&self, turn: u32) -> bool {
        turn.wrapping_sub(self.birth).wrapping_sub(1) < u32::MAX / 2
    }

    /// Whether the void may take the neighbour `point`.
    #[inline]
    pub(super) fn reaches(&self, grid: &Grid, point: Point, contained: bool) -> bool {
        !contained || grid.is_within_one(point, self.origin)
    }
}

/// The names of the arrows, clockwise from north.
pub const ARROWS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// All voids, those of earlier turns first, and their schedule.
#[derive(Debug)]
pub(super) struct Voids {
    /// Whether voids stay within one row and one column of their origin.
    pub(super) contained: bool,
    all: [Void; CAPACITY],
    len: usize,
    /// The index of the void on a point, where voids are contained.
    place: PointMap<u16>,
    scheduled: usize,
    pub(super) schedule: VoidSchedule,
    /// New voids that left groups without liberties, and in which directions.
    capturing_voids: [(Point, Directions); CAPACITY],
    capturing_len: usize,
}

impl Clone for Voids {
    fn clone(&self) -> Voids {
        let mut copy = Voids::none(self.contained);
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        for void in &self.all[..self.scheduled.min(CAPACITY)] {
            self.schedule.forget(void.point);
        }
        for void in other.as_slice() {
            self.place[void.point] = other.place[void.point];
            self.schedule.copy_birth(&other.schedule, void.point);
        }
        self.contained = other.contained;
        self.schedule.copy_schedule(&other.schedule);
        self.all[..other.len].copy_from_slice(other.as_slice());
        self.len = other.len;
        self.scheduled = other.scheduled;
        let capturing = other.capturing_voids();
        self.capturing_voids[..capturing.len()].copy_from_slice(capturing);
        self.capturing_len = other.capturing_len;
    }
}

impl Voids {
    fn none(contained: bool) -> Voids {
        let none = Void { point: Point::NONE, origin: Point::NONE, birth: 0 };
        Voids {
            contained,
            all: [none; CAPACITY],
            len: 0,
            place: PointMap::filled(0),
            scheduled: 0,
            schedule: VoidSchedule::default(),
            capturing_voids: [(Point::NONE, Directions::default()); CAPACITY],
            capturing_len: 0,
        }
    }

    /// No voids yet on a board.
    pub(super) fn new(contained: bool, board: &Board) -> Voids {
        let mut voids = Voids::none(contained);
        for point in board.empties().iter() {
            voids.schedule.note_empty(BitIndex::new(board.grid(), point));
        }
        voids
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[Void] {
        &self.all[..self.len.min(CAPACITY)]
    }

    /// Adds a void that does not act before it is [scheduled](Self::schedule_new).
    #[inline]
    pub(super) fn push(&mut self, void: Void) {
        self.all[self.len % CAPACITY] = void;
        if self.contained {
            self.place[void.point] = self.len as u16;
        }
        self.len += 1;
    }

    /// Adds a void that acts from the next turn on, after all others are scheduled.
    #[inline]
    pub(super) fn push_scheduled(&mut self, grid: &Grid, void: Void, place: BitIndex) {
        self.push(void);
        self.schedule.add(grid, void, place, self.contained);
        self.scheduled = self.len;
    }

    /// The void on `point`, where voids are contained.
    #[inline]
    pub(super) fn at(&self, point: Point) -> &Void {
        &self.all[usize::from(self.place[point]) % CAPACITY]
    }

    #[inline]
    pub(super) fn schedule_new(&mut self, grid: &Grid) {
        for at in self.scheduled..self.len {
            let void = self.all[at % CAPACITY];
            self.schedule.add(grid, void, BitIndex::new(grid, void.point), self.contained);
        }
        self.scheduled = self.len;
    }

    /// The due `targets` of turn number `turn`, where voids are contained: each with the index of
    /// the first void that takes it, in the order of these indices.
    #[inline]
    pub(super) fn in_order(
        &self,
        grid: &Grid,
        turn: u32,
        mut targets: DueTargets,
    ) -> SmallVec<[(u16, Point); 16]> {
        let mut ordered = SmallVec::new();
        while let Some((target, _)) = targets.next(grid) {
            ordered.push((self.first_source(grid, target, turn), target));
        }
        if ordered.len() > 1 {
            ordered.sort_unstable();
        }
        ordered
    }

    /// The index of the first void that points at `target` and may take it.
    fn first_source(&self, grid: &Grid, target: Point, turn: u32) -> u16 {
        let mut first = u16::MAX;
        self.schedule.for_each_source(grid, target, turn, |from| {
            if grid.is_within_one(target, self.at(from).origin) {
                first = first.min(self.place[from]);
            }
        });
        first
    }

    #[inline]
    pub(super) fn note_capturing(&mut self, point: Point, without_liberties: Directions) {
        self.capturing_voids[self.capturing_len % CAPACITY] = (point, without_liberties);
        self.capturing_len += usize::from(!without_liberties.is_empty());
    }

    /// The new voids that left groups without liberties, and in which directions.
    #[inline]
    pub(super) fn capturing_voids(&self) -> &[(Point, Directions)] {
        &self.capturing_voids[..self.capturing_len.min(CAPACITY)]
    }

    #[inline]
    pub(super) fn clear_capturing(&mut self) {
        self.capturing_len = 0;
    }

    /// The voids in the order in which they appeared, with their origins. Without limits neither
    /// has an effect on play, and only this function finds both.
    pub(super) fn with_origins(&self, grid: &Grid) -> Vec<Void> {
        let mut voids = self.as_slice().to_vec();
        if !self.contained {
            find_origins(grid, &mut voids);
        }
        voids
    }
}

/// Sorts the voids of each turn by the voids that they came from, and sets their origins.
fn find_origins(grid: &Grid, voids: &mut [Void]) {
    let mut place = PointMap::filled(None);
    let mut traced = 0;
    while let Some(&Void { birth, .. }) = voids.get(traced) {
        let (old, rest) = voids.split_at_mut(traced);
        let spread = |void: &&Void| void.origin == Point::NONE && void.birth == birth;
        let count = rest.iter().take_while(spread).count();
        let parent = |void: &Void| {
            let hands = (0..8).filter_map(|eighth| {
                let at: usize = place[grid.neighbour_towards(void.point, eighth + 4)]?;
                let shows = old[at].is_before(birth) && old[at].arrow(birth) == eighth;
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
