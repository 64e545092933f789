//! Hashes that are the same on every machine: Zobrist keys of (point, cell) pairs, and FNV-1a of
//! bytes.

use super::point::{CAPACITY, Cell, Point};

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
const fn splitmix(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The kind of cell of each number; unused numbers have 0.
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

/// The key of a cell on a point; 0 for an empty point.
#[inline]
pub fn key(point: Point, cell: Cell) -> u64 {
    KEYS[cell as usize][point.index()]
}

/// The FNV-1a hash of no bytes.
pub const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues a 64-bit FNV-1a hash (Fowler, Noll, Vo) with more bytes, from [`FNV_OFFSET`] on.
pub fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(hash, step)
}

#[cfg(test)]
mod tests {
    use super::{FNV_OFFSET, fnv1a};

    #[test]
    fn fnv_hashes_are_the_published_ones() {
        // http://www.isthe.com/chongo/tech/comp/fnv/index.html
        assert_eq!(fnv1a(FNV_OFFSET, b""), 0xcbf29ce484222325);
        assert_eq!(fnv1a(FNV_OFFSET, b"a"), 0xaf63dc4c8601ec8c);
        let hash = fnv1a(FNV_OFFSET, b"foo");
        assert_eq!(fnv1a(hash, b"bar"), 0x85944171f73967e8);
    }
}
