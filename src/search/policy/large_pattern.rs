//! Large patterns: the cells around a point, ring by ring.
//!
//! As in Stern, Herbrich and Graepel, "Bayesian Pattern Ranking for Move Prediction
//! in the Game of Go" (2006), patterns are nested, and only frequent ones have a
//! weight; unlike there, the weights of all matching sizes are multiplied.

use crate::board::{Board, Color, Grid, Lattice, Point, PointMap};
use std::sync::LazyLock;

/// Number of points of the largest pattern.
pub const MAX_POINTS: usize = 36;

/// Number of points of each size: all within distance 4 to 7 (dx + dy + max(dx, dy)).
pub const PATTERN_SIZES: [usize; 4] = [12, 20, 28, MAX_POINTS];

const BITS: usize = 3;
/// The symbol of each cell code: empty, tao, own, enemy, void, wall.
const SYMBOLS: &[u8; 6] = b".TXOV#";

/// The cells around a point, seen by the side to move; the nearest cell is in the lowest bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LargePattern(u128);

/// The offsets (columns, rows) of the cells of a pattern, the nearest first.
static OFFSETS: LazyLock<Vec<(i8, i8)>> = LazyLock::new(|| {
    const REACH: i8 = 4;
    let distance_of = |(x, y): (i8, i8)| x.abs() + y.abs() + x.abs().max(y.abs());
    let square = (-REACH..=REACH).flat_map(|x| (-REACH..=REACH).map(move |y| (x, y)));
    let mut offsets: Vec<_> = square.filter(|&at| (2..=7).contains(&distance_of(at))).collect();
    offsets.sort_by_key(|&at| (distance_of(at), at));
    offsets
});

/// The new place of each cell in each rotation and reflection.
static ORIENTATIONS: LazyLock<[[usize; MAX_POINTS]; 8]> = LazyLock::new(|| {
    std::array::from_fn(|turn| {
        std::array::from_fn(|place| {
            let (x, y) = OFFSETS[place];
            let (x, y) = if turn & 1 != 0 { (-x, y) } else { (x, y) };
            let (x, y) = if turn & 2 != 0 { (x, -y) } else { (x, y) };
            let (x, y) = if turn & 4 != 0 { (y, x) } else { (x, y) };
            let found = OFFSETS.iter().position(|&at| at == (x, y));
            found.unwrap_or(place)
        })
    })
});

impl LargePattern {
    /// The pattern of the first `points` places.
    #[inline]
    pub fn truncated(self, points: usize) -> LargePattern {
        LargePattern(self.0 & ((1 << (BITS * points)) - 1))
    }

    /// The pattern in all eight orientations.
    pub fn orientations(self) -> [LargePattern; 8] {
        ORIENTATIONS.each_ref().map(|turn| {
            let cells = turn.iter().enumerate();
            let code = cells
                .fold(0, |code, (place, &to)| code | (self.0 >> (BITS * place) & 7) << (BITS * to));
            LargePattern(code)
        })
    }

    /// Parses a pattern, one symbol for each cell; returns it with the number of its size.
    pub fn parse(text: &str) -> Option<(LargePattern, usize)> {
        let size = PATTERN_SIZES.iter().position(|&points| points == text.len())?;
        let cell = |symbol: &u8| SYMBOLS.iter().position(|known| known == symbol);
        let mut code = 0;
        for (place, symbol) in text.as_bytes().iter().enumerate() {
            code |= (cell(symbol)? as u128) << (BITS * place);
        }
        Some((LargePattern(code), size))
    }
}

/// For each point of a board, the points of the pattern around it.
#[derive(Clone, Debug)]
pub struct PatternPoints(PointMap<[Point; MAX_POINTS]>);

impl PatternPoints {
    /// The points for a board; patterns do not cross layers.
    pub fn new(grid: &Grid) -> PatternPoints {
        // `Point::NONE` lies off the board and is a wall.
        let mut points = PointMap::filled([Point::NONE; MAX_POINTS]);
        for point in grid.points() {
            for (place, &(x, y)) in points[point].iter_mut().zip(OFFSETS.iter()) {
                *place = grid.point_at_offset(point, x, y).unwrap_or(Point::NONE);
            }
        }
        PatternPoints(points)
    }

    /// The largest pattern around `point`, seen by `color`.
    #[inline]
    pub fn large_pattern<L: Lattice>(
        &self,
        board: &Board<L>,
        point: Point,
        color: Color,
    ) -> LargePattern {
        // The code of each cell; some numbers are no cells.
        const VIEWS: [[u8; 8]; 2] = [[0, 1, 2, 0, 3, 0, 4, 5], [0, 1, 3, 0, 2, 0, 4, 5]];
        let view = &VIEWS[color as usize];
        let halves = self.0[point].split_at(MAX_POINTS / 2);
        let code = |points: &[Point]| {
            points.iter().rev().fold(0, |code: u64, &place| {
                code << BITS | u64::from(view[board.cell(place) as usize])
            })
        };
        let half = BITS * (MAX_POINTS / 2);
        LargePattern(u128::from(code(halves.0)) | u128::from(code(halves.1)) << half)
    }
}

/// A hash table of the weights of large patterns, in every orientation.
#[derive(Clone, Debug, Default)]
pub struct LargePatternTable {
    /// Open addressing: key and weight; the weight of an empty slot is 0.
    slots: Box<[(u64, f32)]>,
}

#[inline]
fn key(large_pattern: LargePattern, size: usize) -> u64 {
    // The largest pattern leaves the highest bits free.
    let (low, high) =
        (large_pattern.0 as u64, (large_pattern.0 >> 64) as u64 | (size as u64) << 60);
    let mixed = low.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 32 ^ high).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ mixed >> 32
}

impl LargePatternTable {
    /// Builds the table from patterns, each with its size and weight.
    pub fn new(known: &[(LargePattern, usize, f32)]) -> LargePatternTable {
        if known.is_empty() {
            return LargePatternTable::default();
        }
        let room = (known.len() * 16).next_power_of_two();
        let mut lookup = LargePatternTable { slots: vec![(0, 0.0); room].into() };
        for &(large_pattern, size, weight) in known {
            for turned in large_pattern.orientations() {
                let key = key(turned, size);
                let slot = lookup.slot(key);
                lookup.slots[slot] = (key, weight);
            }
        }
        lookup
    }

    /// The slot of a key, or the empty slot for it.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        while self.slots[at].1 > 0.0 && self.slots[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// Whether the table holds no pattern.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The product of the weights of all sizes of the pattern that have one.
    #[inline]
    pub fn weight(&self, large_pattern: LargePattern) -> f32 {
        if self.is_empty() {
            return 1.0;
        }
        let mut product = 1.0;
        for (size, &points) in PATTERN_SIZES.iter().enumerate() {
            let weight = self.slots[self.slot(key(large_pattern.truncated(points), size))].1;
            if weight > 0.0 {
                product *= weight;
            }
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Flat;

    #[test]
    fn each_size_is_a_full_ring_of_distances() {
        let distance_of = |place: usize| {
            let (x, y) = OFFSETS[place];
            x.abs() + y.abs() + x.abs().max(y.abs())
        };
        assert_eq!(OFFSETS.len(), MAX_POINTS);
        for (points, distance) in PATTERN_SIZES.into_iter().zip(4..) {
            assert_eq!(distance_of(points - 1), distance);
            assert!(OFFSETS.get(points).is_none_or(|_| distance_of(points) > distance));
        }
    }

    #[test]
    fn every_orientation_is_found() {
        let (large_pattern, size) = LargePattern::parse("..XO#TV..XX.").expect("a large_pattern");
        let lookup = LargePatternTable::new(&[(large_pattern, size, 2.0)]);
        for turned in large_pattern.orientations() {
            assert!((lookup.weight(turned) - 2.0).abs() < 1e-6);
            assert_eq!(
                turned.orientations().iter().min(),
                large_pattern.orientations().iter().min()
            );
        }
        assert!((lookup.weight(LargePattern::default()) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn sizes_have_separate_weights() {
        // An empty ring, and a cell that differs in each of its bits.
        for symbol in [".", "T", "X", "V"] {
            let text = format!("{}{symbol}{}", ".".repeat(20), ".".repeat(7));
            let (large_pattern, size) = LargePattern::parse(&text).expect("a large_pattern");
            let lookup = LargePatternTable::new(&[(large_pattern, size, 2.0)]);
            let other = LargePattern::default().truncated(MAX_POINTS);
            let known = if symbol == "." { 2.0 } else { 1.0 };
            assert!((lookup.weight(other) - known).abs() < 1e-6, "{symbol}");
        }
    }

    /// The text of the nearest cells.
    fn text(large_pattern: LargePattern) -> String {
        let cell = |place| (large_pattern.0 >> (BITS * place)) as usize & 7;
        let symbol = |place| char::from(SYMBOLS[cell(place)]);
        (0..PATTERN_SIZES[0]).map(symbol).collect()
    }

    #[test]
    fn points_off_the_board_are_walls_and_colours_are_those_of_the_side_to_move() {
        let grid = Grid::rectangle(9, 9).expect("a grid");
        let mut board = Board::<Flat>::new(grid);
        let point = |column, row| grid.point(column, row).expect("a point");
        assert!(board.place(point(1, 0), Color::White).is_empty());
        let points = PatternPoints::new(&grid);
        let large_pattern = points.large_pattern(&board, point(0, 0), Color::White);
        let of_white = text(large_pattern);
        assert_eq!(of_white.matches('X').count(), 1);
        assert_eq!(of_white.matches('.').count(), 4, "{of_white}");
        assert_eq!(of_white.matches('#').count(), 7);
        let of_black = text(points.large_pattern(&board, point(0, 0), Color::Black));
        assert_eq!(of_black, of_white.replace('X', "O"));
    }
}
