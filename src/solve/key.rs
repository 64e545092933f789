//! Keys that tell positions apart, the same for those that mirrors and turns make of one.

use crate::board::{Grid, Lattice, Point, PointMap};
use crate::rules::{Position, Variant};
use smallvec::SmallVec;

/// Notes of [`Position::note_future`].
pub(super) type Notes = SmallVec<[(u64, Point); 8]>;

/// A number for each symmetry of a board.
pub(super) type PerSymmetry<T> = SmallVec<[T; 8]>;

/// The symmetries of a board: each a map of its points.
#[derive(Debug)]
pub(super) struct Symmetries {
    images: Vec<PointMap<u16>>,
    points: Vec<Point>,
}

impl Symmetries {
    /// The symmetries of a grid under the rules of a variant. Blocked points are part of
    /// positions, so it does not matter where they are.
    pub(super) fn new<V: Variant>(grid: &Grid) -> Symmetries {
        let points: Vec<Point> = grid.points().collect();
        let mut images = Vec::new();
        let count = if V::INFO.is_symmetric { 16 } else { 1 };
        for number in 0..count {
            let Some(image) = image(grid, &points, number) else {
                continue;
            };
            let is_new = |other: &PointMap<u16>| points.iter().any(|&at| other[at] != image[at]);
            if keeps_neighbours::<V::Lattice>(grid, &points, &image) && images.iter().all(is_new) {
                images.push(image);
            }
        }
        Symmetries { images, points }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.images.len()
    }

    /// A number of the board for each symmetry.
    pub(super) fn boards<V: Variant>(&self, position: &Position<V>) -> PerSymmetry<u128> {
        let mut sums: PerSymmetry<u128> = SmallVec::from_elem(0, self.images.len());
        for &point in &self.points {
            let cell = position.board.cell(point) as u64;
            if cell == 0 {
                continue; // an empty point adds nothing
            }
            for (sum, image) in sums.iter_mut().zip(&self.images) {
                *sum = sum.wrapping_add(scatter(u64::from(image[point]) << 3 | cell));
            }
        }
        sums
    }

    /// The key of a position with these `boards`, these notes on its future, and a number of
    /// its past for each symmetry.
    pub(super) fn key(&self, boards: &[u128], notes: &[(u64, Point)], past: &[u128]) -> u128 {
        let numbers = 0..self.images.len();
        let keys = numbers.map(|number| self.key_of(number, boards, notes, past));
        keys.min().unwrap_or(0)
    }

    /// The key of a position as it lies, without a past.
    pub(super) fn plain_key(&self, boards: &[u128], notes: &[(u64, Point)]) -> u128 {
        self.key_of(0, boards, notes, &[])
    }

    fn key_of(
        &self,
        number: usize,
        boards: &[u128],
        notes: &[(u64, Point)],
        past: &[u128],
    ) -> u128 {
        let image = &self.images[number];
        let place = |point: Point| match point {
            Point::NONE => u64::from(u16::MAX),
            point => u64::from(image[point]),
        };
        let start = boards[number] ^ past.get(number).copied().unwrap_or(0).rotate_left(64);
        notes.iter().fold(start, |key, &(note, point)| {
            mix(mix(key, note), place(point))
        })
    }
}

/// Symmetry number 0 to 15: mirrored by columns, by rows, along the diagonal, by layers; none
/// if it does not fit the grid. Number 0 leaves all as it is.
fn image(grid: &Grid, points: &[Point], number: u8) -> Option<PointMap<u16>> {
    let (width, height, layers) = (grid.layer_width(), grid.height(), grid.layers());
    let is_set = |bit: u8| number >> bit & 1 == 1;
    let mirror = |at: u8, side: u8, bit| if is_set(bit) { side - 1 - at } else { at };
    let mut image = PointMap::filled(0);
    for &point in points {
        let (layer, column, row) = grid.layer_coordinates(point);
        let column = mirror(column, width, 0);
        let row = mirror(row, height, 1);
        let (column, row) = if is_set(2) {
            (row, column)
        } else {
            (column, row)
        };
        let layer = mirror(layer, layers, 3);
        let to = grid.point_on_layer(layer, column, row)?;
        image[point] = to.index() as u16;
    }
    Some(image)
}

/// Whether neighbours go to neighbours.
fn keeps_neighbours<L: Lattice>(grid: &Grid, points: &[Point], image: &PointMap<u16>) -> bool {
    points.iter().all(|&point| {
        let to = Point::at(image[point]);
        let around: SmallVec<[Point; 8]> = grid.neighbours::<L>(to).collect();
        let on_board = grid.neighbours::<L>(point).filter(|n| points.contains(n));
        let mut images = on_board.map(|n| Point::at(image[n]));
        images.all(|n| around.contains(&n))
    })
}

/// Spreads a number over 128 bits.
pub(super) fn scatter(number: u64) -> u128 {
    mix(
        mix(0x2545_F491_4F6C_DD1D_9E37_79B9_7F4A_7C15, number),
        number,
    )
}

/// Mixes a number into a key.
pub(super) fn mix(key: u128, number: u64) -> u128 {
    let mixed = (key ^ u128::from(number)).wrapping_mul(0xDA94_2042_E4DD_58B5_94D0_49BB_1331_11EB);
    (mixed ^ mixed >> 71).wrapping_mul(0xBF58_476D_1CE4_E5B9_9E6D_62D0_6F6A_0A3D)
}
