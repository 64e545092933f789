//! Hashes that are the same on every machine: keys of (point, cell) pairs (Zobrist 1970), and
//! FNV-1a of bytes.

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

/// The FNV-1a hash of no bytes.
pub const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues a 64-bit FNV-1a hash (Fowler, Noll, Vo) with more bytes; the first bytes
/// continue [`FNV_OFFSET`].
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
