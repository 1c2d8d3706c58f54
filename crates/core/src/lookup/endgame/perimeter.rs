//! The perimeter: the last layer of an endgame table, behind a filter far smaller than the table.
//!
//! IDA* asks one question of a table: is this state exactly `depth` moves from the goal? Nearly
//! always it is not, and then one word of the filter says so.

use super::{Endgame, Lookup, narrowed};
use crate::puzzle::{Entry, Move, Packed};
use crate::sys::huge_pages::use_huge_pages;
use crate::sys::prefetch::prefetch;

/// A Bloom filter of the last layer: a state sets a few bits of one word.
pub(super) struct Filter {
    words: Vec<u64>,
}

/// Bits of the filter for each state: one in two hundred others passes.
const BITS: usize = 16;

impl Filter {
    pub fn new<W: Entry>(lookup: &Lookup<'_, W>) -> Filter {
        let states = lookup.endgame.last_layer as usize;
        let mut words = vec![0; (states * BITS).div_ceil(64).max(1)];
        use_huge_pages(&mut words);
        let mut filter = Filter { words };
        for entry in lookup.last_layer() {
            let hash = entry.hash();
            let index = filter.index(hash);
            filter.words[index] |= bits(hash);
        }
        filter
    }

    #[inline(always)]
    fn index(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.words.len() as u128) >> 64) as usize
    }

    /// False where the state of this hash is not in the last layer.
    #[inline(always)]
    fn may_have(&self, hash: u64) -> bool {
        self.words[self.index(hash)] & bits(hash) == bits(hash)
    }
}

/// Four bits of a word, of those that the index depends on least.
#[inline(always)]
fn bits(hash: u64) -> u64 {
    1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63) | 1 << (hash >> 18 & 63)
}

/// The states that are as far from the goal as the table goes.
#[derive(Clone, Copy)]
pub(crate) struct Perimeter<'a, W> {
    lookup: Lookup<'a, W>,
    filter: &'a Filter,
}

impl<W> Perimeter<'_, W> {
    pub fn depth(&self) -> u32 {
        self.lookup.depth()
    }
}

impl<'a, W: Entry> Perimeter<'a, W> {
    pub(super) fn new(endgame: &'a Endgame, filter: &'a Filter) -> Perimeter<'a, W> {
        Perimeter {
            lookup: endgame.lookup(),
            filter,
        }
    }

    /// The least distance of a state beyond the layer.
    pub fn distance_beyond(&self, state: Packed<W>) -> u32 {
        self.lookup.distance_of_others(state)
    }

    /// Asks for what [`Perimeter::has`] reads first.
    #[inline(always)]
    pub fn prefetch(&self, cells: W) {
        let hash = W::pack(cells, 0).hash();
        prefetch(&self.filter.words, self.filter.index(hash));
    }

    /// Whether a state is in the layer, if its distance has the parity of the layer's.
    #[inline(always)]
    pub fn has(&self, cells: W) -> bool {
        if self.lookup.is_wider() {
            let endgame = self.lookup.endgame;
            return endgame.perimeter().has(narrowed(cells, endgame.size));
        }
        let entry = W::pack(cells, 0);
        self.filter.may_have(entry.hash())
            && self.lookup.slots.tag(entry) == Some((self.depth() / 2) as u8)
    }

    /// The moves from a state of the layer to the goal; `None` where the table is damaged.
    pub fn path(&self, state: Packed<W>) -> Option<Vec<Move>> {
        self.lookup.path(state)
    }
}
