//! The schedule that says which voids will take a point, and when.

use super::NuclearGame;
use super::voids::Void;
use crate::board::{Grid, Lattice, Point, PointMap};

/// Rows of a padded board, at most, by two.
const PAIRS: usize = 16;

/// Points of a padded board: pairs of rows, 32 columns each, a bit for each.
type Rows = [u64; PAIRS];

/// The place of a point among the bits of [`Rows`]: 32 to a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitIndex(usize);

impl BitIndex {
    #[inline]
    pub(super) fn of(grid: &Grid, point: Point) -> BitIndex {
        let (row, column) = grid.padded_coordinates(point);
        BitIndex(32 * row + column)
    }

    #[inline]
    fn point(self, grid: &Grid) -> Point {
        grid.padded_point(self.0 / 32, self.0 % 32)
    }

    /// The pair of rows, and the bit in it.
    #[inline]
    fn bit(self) -> (usize, u64) {
        (self.0 / 64 % PAIRS, 1 << (self.0 % 64))
    }
}

/// Which points are shown by voids, by the turns in which they are: a void
/// shows each of its eight neighbours every eighth turn.
#[derive(Clone, Debug)]
pub(super) struct VoidSchedule {
    /// The points shown by some void within whose reach they are. Those of a turn
    /// are found at its rest when divided by eight, and eight further on: so a
    /// void is added without dividing.
    due: [Rows; 16],
    empty: Rows,
    /// The rest that a void's birth leaves; [`VoidSchedule::NO_VOID`] elsewhere.
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
    /// No rest, and a byte that leaves the highest bit alone.
    const NO_VOID: u8 = 0x40;

    /// Copies what `other` knows, all but when voids were born.
    #[inline]
    pub(super) fn copy_schedule(&mut self, other: &Self) {
        self.due = other.due;
        self.empty = other.empty;
    }

    /// Copies when there was a void born on `point`, if there was.
    #[inline]
    pub(super) fn copy_birth(&mut self, other: &Self, point: Point) {
        self.births[point] = other.births[point];
    }

    #[inline]
    pub(super) fn forget(&mut self, point: Point) {
        self.births[point] = VoidSchedule::NO_VOID;
    }

    /// The arrow of the void on `point`, which acts, after turn number `turn`.
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

    /// Lets a void show its neighbours from the turn after its birth on; those
    /// next to its origin only, if it is contained.
    #[inline]
    pub(super) fn add<G: NuclearGame, L: Lattice>(
        &mut self,
        grid: &Grid,
        void: Void,
        place: BitIndex,
    ) {
        let birth = void.birth as usize % 8;
        self.births[void.point] = birth as u8;
        if L::HAS_JOINED_SIDES {
            return self.add_around::<G, L>(grid, void);
        }
        let origin = BitIndex::of(grid, void.origin);
        let reach = |place: BitIndex| {
            if !G::CONTAINED {
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

    /// The same point by point, for what a void shows may lie on the other side of the board.
    fn add_around<G: NuclearGame, L: Lattice>(&mut self, grid: &Grid, void: Void) {
        for eighth in 0..8 {
            let at = grid.neighbour_towards::<L>(void.point, eighth);
            if !G::CONTAINED || grid.is_within_one::<L>(at, void.origin) {
                let (pair, bit) = BitIndex::of(grid, at).bit();
                self.due[void.birth as usize % 8 + eighth][pair] |= bit;
            }
        }
    }

    /// The empty points that some void shows in turn number `turn`.
    #[inline]
    pub(super) fn due_targets(&self, grid: &Grid, turn: u32) -> DueTargets {
        let now = turn as usize % 8;
        let (due, again) = (&self.due[now], &self.due[now + 8]);
        let mut targets = DueTargets { pairs: [0; PAIRS], some: 0 };
        // Four pairs are tested together, and one by one only if some are shown.
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

    /// Calls `visit` with every void that shows `target` in turn number
    /// `turn`.
    #[inline]
    pub(super) fn for_each_source<L: Lattice>(
        &self,
        grid: &Grid,
        target: Point,
        turn: u32,
        mut visit: impl FnMut(Point),
    ) {
        const EACH: u64 = 0x0101_0101_0101_0101;
        // The rest of the birth of a void in each eighth from the target that
        // shows it: half a turn of the hand from there.
        let shown = u64::from_le_bytes([4, 3, 2, 1, 0, 7, 6, 5]) + EACH * u64::from(turn % 8);
        let around = u64::from_le_bytes(grid.ring::<L, _>(&self.births, target));
        let differ = around ^ (shown & (EACH * 7));
        let mut same = !(differ + EACH * 0x7F) & (EACH << 7);
        while same != 0 {
            visit(grid.neighbour_towards::<L>(target, same.trailing_zeros() as usize / 8));
            same &= same - 1;
        }
    }
}

/// Points that voids take in a turn, row by row.
#[derive(Clone, Debug)]
pub(super) struct DueTargets {
    /// Two rows each.
    pairs: Rows,
    /// In which of them there are any.
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
        let left = self.pairs[pair];
        let rest = left & left.wrapping_sub(1);
        self.pairs[pair] = rest;
        self.some ^= u32::from(rest == 0) << pair;
        let place = BitIndex(64 * pair + left.trailing_zeros() as usize);
        Some((place.point(grid), place))
    }
}
