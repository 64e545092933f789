//! Seeded random numbers.

use rand_xoshiro::Xoroshiro128Plus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A fast generator (the high bits of xoroshiro128+ by Blackman and Vigna). A seed gives the same
/// numbers on every machine.
#[derive(Clone, Debug)]
pub struct Random(Xoroshiro128Plus);

impl Random {
    /// A generator started from `seed`.
    pub fn new(seed: u64) -> Self {
        Random(Xoroshiro128Plus::seed_from_u64(seed))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number below `bound` (Lemire, "Fast random integer generation in an
    /// interval", 2019); 0 for a bound of 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let mut product = (self.bits() >> 32) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg().checked_rem(bound).unwrap_or(0);
            while (product as u32) < threshold {
                product = (self.bits() >> 32) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// A uniform multiple of 2^-24 from 0 to less than 1.
    #[inline]
    pub fn fraction(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 24) as f32
    }
}

/// Returns a number below 2^53, by the mixing function of splitmix64 (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014).
pub fn derived_seed(seed: u64, purpose: u64) -> u64 {
    let mut z = seed.wrapping_add(purpose.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) >> 11
}

#[cfg(test)]
mod tests {
    use super::derived_seed;

    #[test]
    fn derived_seeds_differ() {
        let mut seeds: Vec<_> = (0..1000).map(|n| derived_seed(42, n)).collect();
        assert!(seeds.iter().all(|&seed| seed < 1 << 53));
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 1000);
    }
}
