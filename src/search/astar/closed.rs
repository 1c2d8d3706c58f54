//! The closed list: every state reached, with the layer of f it was last reached in.
//!
//! An open-addressing table of a word a state, probed by cache lines, in parts chosen by the
//! hash's top bits ([`part`](super::part)). Parts grow one at a time, each when it is full, so
//! that the whole has about the same load at any time.

use std::mem::size_of;

use super::line::{LINE, Lanes};
use super::part::{Movers, Part, TAIL};
use super::{Child, Entry};
use crate::search::Stop;
use crate::search::meter::Meter;

const PARTS_LOG2: u32 = 5;
/// Lines of the first part at first.
const FIRST: usize = 32;
/// Address space where there is no limit: more than any machine has memory.
const UNLIMITED: u64 = 1 << 40;

pub(super) struct Closed<W, L> {
    lanes: L,
    parts: Vec<Part<W>>,
    len: usize,
    /// Children whose home is full of others, each with the line to look at next.
    late: Vec<(usize, usize)>,
    movers: Movers<W>,
}

#[inline(always)]
fn part_of(hash: u64) -> usize {
    (hash >> (64 - PARTS_LOG2)) as usize
}

impl<W: Entry, L: Lanes> Closed<W, L> {
    pub fn new(lanes: L, meter: &mut Meter<'_>) -> Result<Closed<W, L>, Stop> {
        // Twice a part's share: parts differ in size by less than that.
        let most = meter.memory_limit().unwrap_or(UNLIMITED) >> (PARTS_LOG2 - 1);
        // Sizes that differ by up to a half, as much as a part grows: no two grow at once.
        let sizes = (0..1 << PARTS_LOG2).map(|part| FIRST + ((FIRST / 2 * part) >> PARTS_LOG2));
        let lines: usize = sizes.clone().map(|lines| lines + TAIL).sum();
        meter.grow(0, lines * size_of::<[W; LINE]>())?;
        Ok(Closed {
            lanes,
            parts: sizes
                .map(|lines| Part::new(lines, PARTS_LOG2, most))
                .collect::<Result<_, _>>()?,
            len: 0,
            late: Vec::new(),
            movers: Movers::new(),
        })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Asks for the cache line of a state that is about to be looked up.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        let part = &self.parts[part_of(hash)];
        part.prefetch(part.home(hash));
    }

    /// The layer a state was last reached in, if it was reached.
    #[inline(always)]
    pub fn layer(&self, state: W) -> Option<u32> {
        let hash = state.hash();
        let part = &self.parts[part_of(hash)];
        let mut line = part.home(hash);
        loop {
            if let Some(slot) = part.find(self.lanes, line, state) {
                let slot = part.lines()[line][slot];
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
        for index in (0..children.len()).rev() {
            let child = &mut children[index];
            let line = self.parts[part_of(child.hash)].home(child.hash);
            self.note(child, index, line);
        }
        let mut first = 0;
        while let Some(&(index, line)) = self.late.get(first) {
            first += 1;
            self.note(&mut children[index], index, line);
        }
        for part in &mut self.parts {
            while part.is_full() {
                part.grow(&mut self.movers, meter)?;
            }
        }
        Ok(())
    }

    /// Looks for a child in one line, and notes it there or sends it to the next.
    #[inline(always)]
    fn note(&mut self, child: &mut Child<W>, index: usize, line: usize) {
        let part = &mut self.parts[part_of(child.hash)];
        let entry = W::pack(child.cells, child.bucket.layer as u8);
        match part.find(self.lanes, line, entry) {
            Some(slot) => {
                let (is_news, is_new) = part.note(line, slot, entry);
                child.is_news = is_news;
                self.len += usize::from(is_new);
            }
            None => {
                part.prefetch(line + 1);
                self.late.push((index, line + 1));
            }
        }
    }
}
