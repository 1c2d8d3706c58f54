//! The closed list: every state reached, with the layer of f it was last reached in.
//!
//! An open-addressing table of a word a state, probed by cache lines, in parts chosen by the
//! hash's top bits ([`part`](super::part)). Parts grow one at a time, each when it is full, so
//! that the whole has about the same load at any time.

use std::mem::size_of;

use super::line::{LINE, Lanes};
use super::pages::Pages;
use super::part::{Movers, Part, TAIL};
use super::{Child, Entry};
use crate::lookup::prefetch::prefetch;
use crate::search::Stop;
use crate::search::meter::Meter;

const PARTS_LOG2: u32 = 5;
const PARTS: usize = 1 << PARTS_LOG2;
/// Lines of the first part at first.
const FIRST: usize = 32;

pub(super) struct Closed<W, L> {
    lanes: L,
    /// Of all parts, each with the same address space.
    lines: Pages<[W; LINE]>,
    /// The logarithm of a part's lines, most of them not in use.
    stride: u32,
    parts: [Part; PARTS],
    len: usize,
    /// Children whose home is full of others, each with the line to look at next.
    late: Vec<(usize, usize)>,
    movers: Movers<W>,
}

impl<W: Entry, L: Lanes> Closed<W, L> {
    pub fn new(lanes: L, meter: &mut Meter<'_>) -> Result<Closed<W, L>, Stop> {
        // Sizes that differ by up to a half, as much as a part grows: no two grow at once.
        let parts =
            std::array::from_fn(|part| Part::new(FIRST + ((FIRST / 2 * part) >> PARTS_LOG2)));
        let lines: usize = parts.iter().map(Part::lines).sum();
        meter.grow(0, lines * size_of::<[W; LINE]>())?;
        // Four times what is needed: parts differ in size, and have a power of two each.
        let most = meter.memory_limit().map(|limit| limit.saturating_mul(4));
        let lines = Pages::reserve(most, 2 * PARTS * (2 * FIRST + TAIL))?;
        Ok(Closed {
            lanes,
            stride: (lines.all().len() / PARTS).ilog2(),
            lines,
            parts,
            len: 0,
            late: Vec::new(),
            movers: Movers::new(),
        })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The line where the search for a state starts.
    #[inline(always)]
    pub fn home(&self, hash: u64) -> usize {
        let part = (hash >> (64 - PARTS_LOG2)) as usize;
        (part << self.stride) + self.parts[part].home(hash << PARTS_LOG2)
    }

    /// Asks for a line that is about to be searched.
    #[inline(always)]
    pub fn prefetch(&self, line: usize) {
        prefetch(self.lines.all(), line);
    }

    /// The layer a state was last reached in, if it was reached; `line` is its home.
    #[inline(always)]
    pub fn layer(&self, state: W, mut line: usize) -> Option<u32> {
        loop {
            let slots = &self.lines.all()[line];
            let matches = self.lanes.matches(slots, state);
            if matches != 0 {
                let slot = slots[matches.trailing_zeros() as usize % LINE];
                return (slot != W::default()).then(|| slot.note().into());
            }
            line += 1;
        }
    }

    /// Notes, last one first, that children were reached in the layers they carry, and which of
    /// them that is news of.
    ///
    /// A line that is full of others sends a child to the next one, but not at once: its miss
    /// overlaps with those of other late ones. Equal states stay in their order.
    #[inline(always)]
    pub fn reach(&mut self, children: &mut [Child<W>], meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.late.clear();
        for (index, child) in children.iter_mut().enumerate().rev() {
            let line = child.home;
            if !self.note(child, line) {
                self.prefetch(line + 1);
                self.late.push((index, line + 1));
            }
        }
        let mut first = 0;
        while let Some(&(index, line)) = self.late.get(first) {
            first += 1;
            if !self.note(&mut children[index], line) {
                self.prefetch(line + 1);
                self.late.push((index, line + 1));
            }
            let part = line >> self.stride;
            self.parts[part].reach_line(line - (part << self.stride));
        }
        for part in 0..PARTS {
            while self.parts[part].is_full() {
                self.grow(part, meter)?;
            }
        }
        Ok(())
    }

    /// Notes a child in a line; false if that is full of others.
    #[inline(always)]
    fn note(&mut self, child: &mut Child<W>, line: usize) -> bool {
        let entry = child.state.noting(child.bucket.layer as u8);
        let slots = &mut self.lines.all_mut()[line];
        let matches = self.lanes.matches(slots, entry);
        if matches == 0 {
            return false;
        }
        let slot = &mut slots[matches.trailing_zeros() as usize % LINE];
        let is_new = *slot == W::default();
        child.is_news = is_new | (entry.note() < slot.note());
        *slot = if child.is_news { entry } else { *slot };
        self.parts[(line >> self.stride) % PARTS].states += usize::from(is_new);
        self.len += usize::from(is_new);
        true
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, part: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let lines = &mut self.lines.all_mut()[part << self.stride..][..1 << self.stride];
        let hash_in_part = |entry: W| entry.hash() << PARTS_LOG2;
        self.parts[part].grow(lines, hash_in_part, &mut self.movers, meter)
    }
}
