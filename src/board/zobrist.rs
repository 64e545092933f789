//! Hash keys of (point, cell) pairs (Zobrist 1970).

use super::point::{CAPACITY, Cell, Point};

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators" (2014); constant, so that hashes are the same in every
/// build.
const fn splitmix(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Rows of keys, one for each number that a cell may have, and which kind of
/// cell it is: some numbers are none.
const KINDS: [usize; 8] = [0, 1, 2, 0, 3, 0, 4, 5];

const fn keys() -> [[u64; CAPACITY]; KINDS.len()] {
    let mut table = [[0; CAPACITY]; KINDS.len()];
    let mut number = 1; // an empty point adds nothing
    while number < KINDS.len() {
        let mut point = 0;
        while point < CAPACITY {
            table[number][point] = splitmix((KINDS[number] * CAPACITY + point) as u64 + 1);
            point += 1;
        }
        number += 1;
    }
    table
}

static KEYS: [[u64; CAPACITY]; KINDS.len()] = keys();

/// The key of `cell` lying on `point`; 0 for an empty point.
#[inline]
pub fn key(point: Point, cell: Cell) -> u64 {
    KEYS[cell as usize][point.index()]
}
