//! Large shapes: what lies around a point, ring by ring.
//!
//! As in Stern, Herbrich and Graepel, "Bayesian Pattern Ranking for Move
//! Prediction in the Game of Go" (2006), shapes are nested, and only those are
//! known that are met often; unlike there, the weights of all sizes that are
//! known multiply.

use crate::board::{Board, Color, Grid, Lattice, Point, PointMap};
use std::sync::LazyLock;

/// Points of the largest shape.
pub const SPOTS: usize = 36;

/// Points of each size: as far away as 4 to 7, where the distance is the sum
/// of columns and rows between and the greater of both again.
pub const SIZES: [usize; 4] = [12, 20, 28, SPOTS];

/// Bits of a cell.
const BITS: usize = 3;
/// Letters of cells, by number: empty, tao, own, enemy, void, wall.
const LETTERS: &[u8; 6] = b".TXOV#";

/// The cells around a point as one side sees them, the nearest in the lowest
/// bits, up to one of [`SIZES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape(u128);

/// Columns and rows to each spot, the nearest first.
static OFFSETS: LazyLock<Vec<(i8, i8)>> = LazyLock::new(|| {
    const FAR: i8 = 4;
    let far = |(x, y): (i8, i8)| x.abs() + y.abs() + x.abs().max(y.abs());
    let square = (-FAR..=FAR).flat_map(|x| (-FAR..=FAR).map(move |y| (x, y)));
    let mut offsets: Vec<_> = square.filter(|&at| (2..=7).contains(&far(at))).collect();
    offsets.sort_by_key(|&at| (far(at), at));
    offsets
});

/// Where each spot goes when the board is turned or mirrored.
static TURNED: LazyLock<[[usize; SPOTS]; 8]> = LazyLock::new(|| {
    std::array::from_fn(|turn| {
        std::array::from_fn(|spot| {
            let (x, y) = OFFSETS[spot];
            let (x, y) = if turn & 1 != 0 { (-x, y) } else { (x, y) };
            let (x, y) = if turn & 2 != 0 { (x, -y) } else { (x, y) };
            let (x, y) = if turn & 4 != 0 { (y, x) } else { (x, y) };
            let found = OFFSETS.iter().position(|&at| at == (x, y));
            found.unwrap_or(spot)
        })
    })
});

impl Shape {
    /// The first spots of the shape.
    #[inline]
    pub fn within(self, spots: usize) -> Shape {
        Shape(self.0 & ((1 << (BITS * spots)) - 1))
    }

    /// The shape in all eight orientations.
    pub fn turned(self) -> [Shape; 8] {
        TURNED.each_ref().map(|turn| {
            let cells = turn.iter().enumerate();
            let code = cells.fold(0, |code, (spot, &to)| {
                code | (self.0 >> (BITS * spot) & 7) << (BITS * to)
            });
            Shape(code)
        })
    }

    /// Reads a letter for each spot; none if it is no shape of one of [`SIZES`].
    pub fn parse(text: &str) -> Option<(Shape, usize)> {
        let size = SIZES.iter().position(|&spots| spots == text.len())?;
        let cell = |letter: &u8| LETTERS.iter().position(|known| known == letter);
        let mut code = 0;
        for (spot, letter) in text.as_bytes().iter().enumerate() {
            code |= (cell(letter)? as u128) << (BITS * spot);
        }
        Some((Shape(code), size))
    }

    /// The shape as [`parse`](Self::parse) reads it.
    pub fn write(self, size: usize) -> String {
        let cell = |spot| (self.0 >> (BITS * spot)) as usize & 7;
        let letter = |spot| LETTERS.get(cell(spot)).copied().map_or('?', char::from);
        (0..SIZES[size]).map(letter).collect()
    }
}

/// Where the spots around each point of a board are.
#[derive(Clone, Debug)]
pub struct Spots(PointMap<[Point; SPOTS]>);

impl Spots {
    /// The spots of a board; each layer has its own.
    pub fn new(grid: &Grid) -> Spots {
        // No point is off the board, where everything is wall.
        let mut spots = PointMap::filled([Point::NONE; SPOTS]);
        for point in grid.points() {
            let (layer, column, row) = grid.place_on_layer(point);
            for (spot, &(x, y)) in spots[point].iter_mut().zip(OFFSETS.iter()) {
                let to = column.checked_add_signed(x).zip(row.checked_add_signed(y));
                let found = to.and_then(|(column, row)| grid.point_on_layer(layer, column, row));
                *spot = found.unwrap_or(Point::NONE);
            }
        }
        Spots(spots)
    }

    /// The largest shape around `point` as `color` sees it.
    #[inline]
    pub fn shape<L: Lattice>(&self, board: &Board<L>, point: Point, color: Color) -> Shape {
        // By the cell's number; some mean nothing.
        const VIEWS: [[u8; 8]; 2] = [[0, 1, 2, 0, 3, 0, 4, 5], [0, 1, 3, 0, 2, 0, 4, 5]];
        let view = &VIEWS[color as usize];
        let halves = self.0[point].split_at(SPOTS / 2);
        let code = |spots: &[Point]| {
            spots.iter().rev().fold(0, |code: u64, &spot| {
                code << BITS | u64::from(view[board.cell(spot) as usize])
            })
        };
        let half = BITS * (SPOTS / 2);
        Shape(u128::from(code(halves.0)) | u128::from(code(halves.1)) << half)
    }
}

/// Weights of shapes, in every orientation, to be looked up.
#[derive(Clone, Debug, Default)]
pub struct Lookup {
    /// Open addressing; weight 0 where nothing is.
    slots: Box<[(u64, f32)]>,
}

#[inline]
fn key(shape: Shape, size: usize) -> u64 {
    // The largest shape leaves the highest bits free.
    let (low, high) = (shape.0 as u64, (shape.0 >> 64) as u64 | (size as u64) << 60);
    let mixed = low.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 32 ^ high).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ mixed >> 32
}

impl Lookup {
    /// A table of these shapes, each with its size and weight.
    pub fn new(known: &[(Shape, usize, f32)]) -> Lookup {
        if known.is_empty() {
            return Lookup::default();
        }
        let room = (known.len() * 16).next_power_of_two();
        let mut lookup = Lookup {
            slots: vec![(0, 0.0); room].into(),
        };
        for &(shape, size, weight) in known {
            for turned in shape.turned() {
                let key = key(turned, size);
                let slot = lookup.slot(key);
                lookup.slots[slot] = (key, weight);
            }
        }
        lookup
    }

    /// Where a key is, or would be.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        while self.slots[at].1 > 0.0 && self.slots[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The product of the weights of all sizes that are known.
    #[inline]
    pub fn weight(&self, shape: Shape) -> f32 {
        if self.is_empty() {
            return 1.0;
        }
        let mut product = 1.0;
        for (size, &spots) in SIZES.iter().enumerate() {
            let weight = self.slots[self.slot(key(shape.within(spots), size))].1;
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
    fn sizes_end_where_distances_do() {
        let far = |spot: usize| {
            let (x, y) = OFFSETS[spot];
            x.abs() + y.abs() + x.abs().max(y.abs())
        };
        assert_eq!(OFFSETS.len(), SPOTS);
        for (spots, distance) in SIZES.into_iter().zip(4..) {
            assert_eq!(far(spots - 1), distance);
            assert!(OFFSETS.get(spots).is_none_or(|_| far(spots) > distance));
        }
    }

    #[test]
    fn every_orientation_is_found() {
        let (shape, size) = Shape::parse("..XO#TV..XX.").expect("a shape");
        assert_eq!(shape.write(size), "..XO#TV..XX.");
        let lookup = Lookup::new(&[(shape, size, 2.0)]);
        for turned in shape.turned() {
            assert!((lookup.weight(turned) - 2.0).abs() < 1e-6);
            assert_eq!(turned.turned().iter().min(), shape.turned().iter().min());
        }
        assert!((lookup.weight(Shape::default()) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn sizes_are_told_apart() {
        // An empty ring, and a spot that differs in each of its bits.
        for letter in [".", "T", "X", "V"] {
            let text = format!("{}{letter}{}", ".".repeat(20), ".".repeat(7));
            let (shape, size) = Shape::parse(&text).expect("a shape");
            let lookup = Lookup::new(&[(shape, size, 2.0)]);
            let other = Shape::default().within(SPOTS);
            let known = if letter == "." { 2.0 } else { 1.0 };
            assert!((lookup.weight(other) - known).abs() < 1e-6, "{letter}");
        }
    }

    #[test]
    fn the_edge_is_wall_and_colours_are_seen_from_the_side_to_move() {
        let grid = Grid::rectangle(9, 9).expect("a grid");
        let mut board = Board::<Flat>::new(grid);
        let point = |column, row| grid.point(column, row).expect("a point");
        assert!(board.place(point(1, 0), Color::White).is_empty());
        let spots = Spots::new(&grid);
        let shape = spots.shape(&board, point(0, 0), Color::White);
        let text = shape.write(0);
        assert_eq!(text.matches('X').count(), 1);
        assert_eq!(text.matches('.').count(), 4, "{text}");
        assert_eq!(text.matches('#').count(), 7);
        let other = spots.shape(&board, point(0, 0), Color::Black).write(0);
        assert_eq!(other, text.replace('X', "O"));
    }
}
