//! Seeded random numbers, the same on every machine and in every version.
//!
//! The stream is that of xoshiro256++ as its authors published it, seeded by SplitMix64; what is
//! drawn from it is defined here, so that no other crate's next version can change a suite.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Numbers from a seed, the same in every version.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number from 0 to `end` − 1, each as likely as the others.
    ///
    /// The high half of a product is such a number but for a few values of the low half, which
    /// are drawn again (Lemire 2019).
    pub fn below(&mut self, end: usize) -> usize {
        let end = end as u64;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(end);
            let low = product as u64;
            // The remainder is less than `end`: the division is rarely needed.
            if low >= end || low >= end.wrapping_neg() % end {
                return (product >> 64) as usize;
            }
        }
    }

    /// A number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts `items` into any order, each as likely as the others.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// One of some items.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
