//! Hashes of bytes that are the same on every machine.

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
