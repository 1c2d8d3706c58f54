//! The last layer of an endgame table, as a filter that is far smaller than the table.
//!
//! IDA* asks one question of a table: is this state exactly `depth` moves from the goal? Nearly
//! always it is not, and then one word of the filter says so.

use super::Lookup;
use super::slots::prefetch;
use crate::puzzle::Entry;

/// A Bloom filter: a state sets a few bits of one word.
pub(crate) struct Rim {
    words: Vec<u64>,
}

/// Bits of the filter for each state: one in a hundred others passes.
const BITS: usize = 16;

impl Rim {
    pub fn new<W: Entry>(lookup: &Lookup<'_, W>) -> Rim {
        let states = lookup.last_layer().count();
        let mut rim = Rim {
            words: vec![0; (states * BITS).div_ceil(64).max(1)],
        };
        for entry in lookup.last_layer() {
            let hash = entry.hash();
            let index = rim.index(hash);
            rim.words[index] |= bits(hash);
        }
        rim
    }

    #[inline(always)]
    fn index(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.words.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.words[self.index(hash)]);
    }

    /// False where the state of this hash is not in the last layer.
    #[inline(always)]
    pub fn may_have(&self, hash: u64) -> bool {
        self.words[self.index(hash)] & bits(hash) == bits(hash)
    }
}

/// Four bits of a word, of those that the index depends on least.
#[inline(always)]
fn bits(hash: u64) -> u64 {
    1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63) | 1 << (hash >> 18 & 63)
}
