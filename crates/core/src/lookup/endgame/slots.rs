//! The hash table of an endgame: which slot a state is in.
//!
//! Open addressing without a way round: an entry's home is a cache line, in the order of the
//! hashes, and what finds its line full goes on to the next free slot. Entries lie in the order
//! of their hashes, so the same states make the same bytes, however they were found.

use std::marker::PhantomData;
use std::mem::size_of;

use crate::puzzle::Entry;
use crate::sys::prefetch::prefetch;

/// Bytes of a cache line: one home.
const LINE: usize = 64;

/// Bytes of all homes, for four entries in five slots: then most look-ups end in their line.
pub(super) fn home_bytes<W>(entries: u64) -> u64 {
    let slots = entries + entries.div_ceil(4);
    (slots * size_of::<W>() as u64)
        .next_multiple_of(LINE as u64)
        .max(LINE as u64)
}

/// The first byte of a hash's home, never before that of a smaller hash.
#[inline(always)]
pub(super) fn home(hash: u64, lines: u64) -> usize {
    LINE * ((u128::from(hash) * u128::from(lines)) >> 64) as usize
}

pub(super) fn lines<W>(entries: u64) -> u64 {
    home_bytes::<W>(entries) / LINE as u64
}

/// A table's bytes, read as slots of a word.
#[derive(Clone, Copy)]
pub(super) struct Slots<'a, W> {
    bytes: &'a [u8],
    lines: u64,
    word: PhantomData<W>,
}

impl<'a, W: Entry> Slots<'a, W> {
    pub fn new(bytes: &'a [u8], entries: u64) -> Slots<'a, W> {
        let lines = lines::<W>(entries);
        Slots {
            bytes,
            lines,
            word: PhantomData,
        }
    }

    /// Whether so many bytes can be the table of so many entries: behind the homes is what ran
    /// over, and at least one empty slot.
    pub fn is_right_length(entries: u64, bytes: u64) -> bool {
        let most = u64::MAX / 4 / size_of::<W>() as u64;
        entries < most
            && bytes > home_bytes::<W>(entries)
            && bytes.is_multiple_of(size_of::<W>() as u64)
    }

    /// The tag of a state, if it is here.
    #[inline(always)]
    pub fn tag(&self, state: W) -> Option<u8> {
        let home = home(state.hash(), self.lines);
        let slots = self.bytes[home..].chunks_exact(size_of::<W>());
        for slot in slots.map(W::from_bytes) {
            if slot.same_state(state) {
                return Some(slot.tag());
            }
            if slot == W::default() {
                break;
            }
        }
        None
    }

    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.bytes, home(hash, self.lines));
    }

    /// All entries, in the order of their slots.
    pub fn entries(&self) -> impl Iterator<Item = W> {
        let slots = self.bytes.chunks_exact(size_of::<W>()).map(W::from_bytes);
        slots.filter(|&slot| slot != W::default())
    }
}
