//! The schedule of voids: the points that they will take, and when.

use super::voids::Void;
use crate::board::{Grid, Point, PointMap};

/// Maximum number of pairs of rows of a padded board.
const PAIRS: usize = 16;

/// A bitboard of a padded board, in pairs of rows of 32 columns.
type Rows = [u64; PAIRS];

/// The index of a point among the bits of [`Rows`].
#[derive(Clone, Copy, Debug)]
pub(super) struct BitIndex(usize);

impl BitIndex {
    #[inline]
    pub(super) fn new(grid: &Grid, point: Point) -> BitIndex {
        let (row, column) = grid.padded_coordinates(point);
        BitIndex(32 * row + column)
    }

    #[inline]
    fn point(self, grid: &Grid) -> Point {
        grid.padded_point(self.0 / 32, self.0 % 32)
    }

    #[inline]
    fn bit(self) -> (usize, u64) {
        (self.0 / 64 % PAIRS, 1 << (self.0 % 64))
    }
}

/// The points at which voids point in each turn: a void points at each of its eight neighbours
/// every eighth turn.
#[derive(Clone, Debug)]
pub(super) struct VoidSchedule {
    /// The points of each turn modulo 8, within the reach of the voids. The points of turn n are
    /// also at n + 8, so that adding a void needs no division.
    due: [Rows; 16],
    empty: Rows,
    /// A void's birth modulo 8; [`VoidSchedule::NO_VOID`] elsewhere.
    births: PointMap<u8>,
}

impl Default for VoidSchedule {
    fn default() -> Self {
        VoidSchedule {
            due: [[0; PAIRS]; 16],
            empty: [0; PAIRS],
            births: PointMap::filled(VoidSchedule::NO_VOID),
        }
    }
}

impl VoidSchedule {
    /// Differs from all births, and keeps the highest bit free for comparisons.
    const NO_VOID: u8 = 0x40;

    /// Copies all but the births.
    #[inline]
    pub(super) fn copy_schedule(&mut self, other: &Self) {
        self.due = other.due;
        self.empty = other.empty;
    }

    #[inline]
    pub(super) fn copy_birth(&mut self, other: &Self, point: Point) {
        self.births[point] = other.births[point];
    }

    #[inline]
    pub(super) fn forget(&mut self, point: Point) {
        self.births[point] = VoidSchedule::NO_VOID;
    }

    /// The arrow of the scheduled void on `point` after turn number `turn`.
    #[inline]
    pub(super) fn arrow(&self, point: Point, turn: u32) -> usize {
        let birth = u32::from(self.births[point]);
        (turn.wrapping_sub(birth) % 8) as usize
    }

    #[inline]
    pub(super) fn note_empty(&mut self, place: BitIndex) {
        let (pair, bit) = place.bit();
        self.empty[pair] |= bit;
    }

    #[inline]
    pub(super) fn note_occupied(&mut self, place: BitIndex) {
        let (pair, bit) = place.bit();
        self.empty[pair] &= !bit;
    }

    /// Adds a void, which points at its neighbours from the turn after its birth on; a contained
    /// void only at those next to its origin.
    #[inline]
    pub(super) fn add(&mut self, grid: &Grid, void: Void, place: BitIndex, contained: bool) {
        let birth = void.birth as usize % 8;
        self.births[void.point] = birth as u8;
        if grid.topology().is_joined() {
            return self.add_around(grid, void, contained);
        }
        let origin = BitIndex::new(grid, void.origin);
        let reach = |place: BitIndex| {
            if !contained {
                u64::MAX
            } else if (place.0 / 32).abs_diff(origin.0 / 32) < 2 {
                0x7_0000_0007 << (origin.0 % 32) >> 1
            } else {
                0
            }
        };
        let mut show = |place: BitIndex, west: usize, middle: Option<usize>, east: usize| {
            let ((pair, bit), reach) = (place.bit(), reach(place));
            self.due[birth + west][pair] |= bit >> 1 & reach;
            self.due[birth + east][pair] |= bit << 1 & reach;
            if let Some(middle) = middle {
                self.due[birth + middle][pair] |= bit & reach;
            }
        };
        show(BitIndex(place.0 + 32), 7, Some(0), 1);
        show(place, 6, None, 2);
        show(BitIndex(place.0.wrapping_sub(32)), 5, Some(4), 3);
    }

    /// Adds a void point by point, since its neighbours may be on the other side of the board.
    fn add_around(&mut self, grid: &Grid, void: Void, contained: bool) {
        for eighth in 0..8 {
            let at = grid.neighbour_towards(void.point, eighth);
            if void.reaches(grid, at, contained) {
                let (pair, bit) = BitIndex::new(grid, at).bit();
                self.due[void.birth as usize % 8 + eighth][pair] |= bit;
            }
        }
    }

    #[inline]
    pub(super) fn due_targets(&self, grid: &Grid, turn: u32) -> DueTargets {
        let now = turn as usize % 8;
        let (due, again) = (&self.due[now], &self.due[now + 8]);
        let mut targets = DueTargets { pairs: [0; PAIRS], some: 0 };
        // Most turns have no targets, which one test finds.
        let fours = (usize::from(grid.height()) / 8 + 1).min(PAIRS / 4);
        let mut any = 0;
        for four in 0..fours {
            for pair in 4 * four..4 * four + 4 {
                let shown = (due[pair] | again[pair]) & self.empty[pair];
                targets.pairs[pair] = shown;
                any |= shown;
            }
        }
        if any != 0 {
            for shown in targets.pairs[..4 * fours].iter().rev() {
                targets.some = 2 * targets.some + u32::from(*shown != 0);
            }
        }
        targets
    }

    /// Calls `visit` with every void that points at `target` in turn number `turn`.
    #[inline]
    pub(super) fn for_each_source(
        &self,
        grid: &Grid,
        target: Point,
        turn: u32,
        mut visit: impl FnMut(Point),
    ) {
        const EACH: u64 = 0x0101_0101_0101_0101;
        // The birth modulo 8 of a void in each direction that points at the target.
        let shown = u64::from_le_bytes([4, 3, 2, 1, 0, 7, 6, 5]) + EACH * u64::from(turn % 8);
        let around = u64::from_le_bytes(grid.ring(&self.births, target));
        let differ = around ^ (shown & (EACH * 7));
        let mut same = !(differ + EACH * 0x7F) & (EACH << 7);
        while same != 0 {
            visit(grid.neighbour_towards(target, same.trailing_zeros() as usize / 8));
            same &= same - 1;
        }
    }
}

/// Points that voids take in a turn, row by row.
#[derive(Clone, Debug)]
pub(super) struct DueTargets {
    /// Two rows each.
    pairs: Rows,
    /// A bit for each pair with targets.
    some: u32,
}

impl DueTargets {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.some == 0
    }

    #[inline]
    pub(super) fn next(&mut self, grid: &Grid) -> Option<(Point, BitIndex)> {
        if self.some == 0 {
            return None;
        }
        let pair = self.some.trailing_zeros() as usize % PAIRS;
        let bits = self.pairs[pair];
        let rest = bits & bits.wrapping_sub(1);
        self.pairs[pair] = rest;
        self.some ^= u32::from(rest == 0) << pair;
        let place = BitIndex(64 * pair + bits.trailing_zeros() as usize);
        Some((place.point(grid), place))
    }
}
