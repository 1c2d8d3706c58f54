//! The closed list: every state reached, with the layer of f it was last reached in.
//!
//! An open-addressing table of a word a state, probed by cache lines, in segments chosen by the
//! hash's top bits ([`segment`](super::segment)). Segments grow one at a time, each when it is
//! full, so that the whole has about the same load at any time.

use std::mem::size_of;

use super::child::Child;
use super::line::{LINE, Lanes};
use super::segment::{RehashScratch, Segment, TAIL};
use crate::puzzle::{Entry, Move};
use crate::search::Stop;
use crate::search::meter::Meter;
use crate::sys::pages::Pages;
use crate::sys::prefetch::prefetch;

/// Segments of all lists that share a memory. Each has a tail, which counts where there are few states.
const SEGMENTS: usize = 32;
/// Segments of a list at least.
const LEAST_SEGMENTS: usize = 4;
/// Bytes of a line of the cache.
const CACHE_LINE: usize = 64;
/// Lines of the first segment at first.
const FIRST: usize = 32;
/// Lines of the space where all segments are at first: two megabytes of 64-bit words. Far
/// apart, the pages and page tables of an empty list take 0.25 ms more, a quarter of the mean search of
/// korf100 with `7-8`.
const FIRST_SPACE: usize = 1 << 15;

pub(crate) struct Closed<W> {
    /// Bits below the layer in a state's tag: none, or two for the move back to the state before it.
    /// Of all moves that have led to a state in its layer, the one is kept whose move back has the
    /// least number.
    move_bits: u32,
    /// Of all segments, each with the same address space.
    lines: Pages<[W; LINE]>,
    /// How many of them a segment has now, most of them not in use.
    stride: usize,
    /// How many of them there are for each segment.
    most_stride: usize,
    /// A power of two.
    segments: Box<[Segment]>,
    segments_log2: u32,
    len: usize,
    /// Of the children that are inserted, the lines where the search for them starts.
    homes: Vec<Home>,
    /// Children whose home is full of others, each with the line to look at next.
    late: Vec<(usize, usize)>,
    scratch: RehashScratch<W>,
}

/// The line where the search for a state starts.
#[derive(Clone, Copy)]
struct Home {
    segment: usize,
    line: usize,
}

impl<W: Entry> Closed<W> {
    /// An empty list, which may grow to `most` bytes: of those that share a memory the one with this number.
    /// `None` where there is no address space for it.
    pub fn new((number, sharers): (usize, usize), most: usize) -> Option<Closed<W>> {
        let segments_log2 = (SEGMENTS / sharers).max(LEAST_SEGMENTS).ilog2();
        let segments = 1 << segments_log2;
        // Sizes that differ by as much as a segment grows: of all lists few grow at once.
        let size = |segment| {
            let growth = Segment::growth::<W>(FIRST);
            FIRST + growth * (sharers * segment + number) / (sharers * segments)
        };
        // Twice a segment's share: segments differ in size by less than that.
        let most_stride = 2 * (most / size_of::<[W; LINE]>() / segments).max(FIRST + TAIL);
        Some(Closed {
            move_bits: 0,
            lines: Pages::reserve(segments * most_stride)?,
            stride: most_stride.min(FIRST_SPACE / segments),
            most_stride,
            segments: (0..segments).map(size).map(Segment::new).collect(),
            segments_log2,
            len: 0,
            homes: Vec::new(),
            late: Vec::new(),
            scratch: RehashScratch::new(),
        })
    }

    /// Accounts for the lines that it begins with.
    pub fn account(&self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let in_use: usize = self.segments.iter().map(Segment::lines).sum();
        meter.grow(0, in_use * size_of::<[W; LINE]>())
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Says that [`Closed::move_back`] will be asked; before anything is inserted.
    pub fn keep_moves_back(&mut self) {
        self.move_bits = 2;
    }

    /// How many layers a tag has room for.
    #[inline(always)]
    pub fn layers(&self) -> u32 {
        W::LAYERS >> self.move_bits
    }

    /// The line where the search for a state starts.
    #[inline(always)]
    pub fn home(&self, hash: u64) -> usize {
        let segment = self.segment_of(hash);
        segment * self.stride + self.segments[segment].home(hash << self.segments_log2)
    }

    /// The segment of a state, by its hash.
    #[inline(always)]
    fn segment_of(&self, hash: u64) -> usize {
        (hash >> (u64::BITS - self.segments_log2)) as usize
    }

    /// Asks for a line that is about to be searched.
    #[inline(always)]
    pub fn prefetch(&self, line: usize) {
        let slots: &[W] = self.lines.all().as_flattened();
        // Those of a `u128` are in two lines of the cache.
        for part in (0..LINE).step_by(CACHE_LINE / size_of::<W>()) {
            prefetch(slots, LINE * line + part);
        }
    }

    /// The layer a state was last reached in, if it was reached; `line` is its home.
    #[inline(always)]
    pub fn layer(&self, lanes: impl Lanes, state: W, line: usize) -> Option<u32> {
        let tag = self.tag(lanes, state, line);
        tag.map(|tag| u32::from(tag) >> self.move_bits)
    }

    /// The move back from a state that was reached, if tags have one; `line` is its home.
    pub fn move_back(&self, lanes: impl Lanes, state: W, line: usize) -> Option<Move> {
        let tag = self.tag(lanes, state, line)?;
        let mv = tag & ((1 << self.move_bits) - 1);
        (self.move_bits > 0).then(|| Move::ALL[usize::from(mv)])
    }

    #[inline(always)]
    fn tag(&self, lanes: impl Lanes, state: W, mut line: usize) -> Option<u8> {
        loop {
            let slots = &self.lines.all()[line];
            let matches = lanes.matches(slots, state);
            if matches != 0 {
                // Always below the length: `% LINE` drops the bounds check, here and below.
                let slot = slots[matches.trailing_zeros() as usize % LINE];
                return (slot != W::default()).then(|| slot.tag());
            }
            line += 1;
        }
    }

    /// Inserts children with the layers that they were reached in, last one first, and says of
    /// each whether it was not there in such a low layer, and in which it was.
    ///
    /// A line that is full of others sends a child to the next one, but not at once: its miss
    /// overlaps with those of other late ones. Equal states stay in their order.
    #[inline(always)]
    pub fn insert_all<N>(
        &mut self,
        lanes: impl Lanes,
        children: &mut [Child<W, N>],
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        self.homes.clear();
        self.late.clear();
        // One after the other, with nothing between: so the misses overlap, those of the TLB too.
        for child in &*children {
            let hash = child.entry.hash();
            let (segment, line) = (self.segment_of(hash), self.home(hash));
            self.prefetch(line);
            self.homes.push(Home { segment, line });
        }
        for (index, child) in children.iter_mut().enumerate().rev() {
            let Home { segment, line } = self.homes[index];
            if !self.insert(lanes, child, segment, line) {
                self.prefetch(line + 1);
                self.late.push((index, line + 1));
            }
        }
        let mut first = 0;
        while let Some(&(index, line)) = self.late.get(first) {
            first += 1;
            let Home { segment, .. } = self.homes[index];
            if !self.insert(lanes, &mut children[index], segment, line) {
                self.prefetch(line + 1);
                self.late.push((index, line + 1));
            }
            self.segments[segment].note_line(line - segment * self.stride);
        }
        for segment in 0..self.segments.len() {
            while self.segments[segment].is_full() {
                self.grow(segment, meter)?;
            }
        }
        Ok(())
    }

    /// Notes a child in a line; false if that is full of others.
    #[inline(always)]
    fn insert<N>(
        &mut self,
        lanes: impl Lanes,
        child: &mut Child<W, N>,
        segment: usize,
        line: usize,
    ) -> bool {
        let move_back = (child.entry.tag() ^ 1) & ((1 << self.move_bits) - 1);
        let tag = (child.layer() << self.move_bits) as u8 | move_back;
        let entry = child.entry.with_tag(tag);
        let slots = &mut self.lines.all_mut()[line];
        let matches = lanes.matches(slots, entry);
        if matches == 0 {
            return false;
        }
        let slot = &mut slots[matches.trailing_zeros() as usize % LINE];
        let is_new = *slot == W::default();
        let (layer, before) = (tag >> self.move_bits, slot.tag() >> self.move_bits);
        child.is_improved = is_new | (layer < before);
        child.before = if is_new { layer } else { before };
        let is_less = is_new | (tag < slot.tag());
        *slot = if is_less { entry } else { *slot };
        self.segments[segment].states += usize::from(is_new);
        self.len += usize::from(is_new);
        true
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, segment: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if self.segments[segment].lines_when_grown::<W>() > self.stride {
            self.spread();
        }
        let lines = &mut self.lines.all_mut()[segment * self.stride..][..self.stride];
        let segments_log2 = self.segments_log2;
        let hash_in_segment = |entry: W| entry.hash() << segments_log2;
        self.segments[segment].grow(lines, hash_in_segment, &mut self.scratch, meter)
    }

    /// Moves all segments to where each has the most lines, the last one first: none of them moves to where one is
    /// that has not moved yet.
    fn spread(&mut self) {
        let (before, after) = (self.stride, self.most_stride);
        let lines = self.lines.all_mut();
        for (number, segment) in self.segments.iter().enumerate().rev() {
            let (from, to) = (number * before, number * after);
            let end = from + segment.lines();
            lines.copy_within(from..end, to);
            // Other segments grow into what is left behind.
            lines[from..end.min(to)].fill([W::default(); LINE]);
        }
        self.stride = after;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::super::line::Single;
    use super::super::open::Bucket;
    use super::super::worker::BATCH;
    use super::*;
    use crate::search::Control;
    use crate::search::meter::Watch;

    fn child<W: Entry>(state: W, layer: u32) -> Child<W, ()> {
        Child::new(state, Bucket { layer, h: 0 }, 0, ())
    }

    /// Reaches states in batches, some of them again, and compares with a plain map. Small
    /// segments grow dozens of times on the way.
    fn is_a_map<W: Entry>(sharers: usize, states: Vec<(W, u32)>) {
        let control = Control::default();
        let watch = Watch::new(&control);
        let mut meter = Meter::new(&watch);
        let mut closed = Closed::<W>::new((sharers - 1, sharers), 1 << 26).unwrap();
        let mut plain: HashMap<W, u32> = HashMap::new();
        for batch in states.chunks(3 * BATCH) {
            let mut children: Vec<Child<W, ()>> = batch
                .iter()
                .map(|&(state, layer)| child(state, layer))
                .collect();
            closed
                .insert_all(Single, &mut children, &mut meter)
                .unwrap();
            for child in children.iter().rev() {
                let (state, layer) = (child.entry, child.layer());
                let before = plain.get(&state).copied();
                let is_improved = before.is_none_or(|before| layer < before);
                assert_eq!(child.is_improved, is_improved);
                assert_eq!(u32::from(child.before), before.unwrap_or(layer));
                if is_improved {
                    plain.insert(state, layer);
                }
            }
        }
        assert_eq!(closed.len(), plain.len());
        for (&state, &layer) in &plain {
            let home = closed.home(state.hash());
            assert_eq!(closed.layer(Single, state, home), Some(layer));
        }
    }

    /// As many states as make segments spread.
    #[test]
    fn it_is_a_map_when_its_segments_have_spread() {
        let states = (1..400_000u64).map(|number| (number, number as u32 % 16));
        let again = (1..400_000u64).map(|number| (number, number as u32 % 7));
        let states: Vec<(u64, u32)> = states.chain(again).collect();
        let wide = |&(state, layer)| (u128::pack(u128::from(state) << 40, 0), layer);
        is_a_map::<u128>(1, states.iter().map(wide).collect());
        let narrow = |(state, layer)| (u64::pack(state << 20, 0), layer);
        is_a_map::<u64>(1, states.into_iter().map(narrow).collect());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn it_is_a_map(
            sharers in 1..20usize,
            states in prop::collection::vec((1..30_000u64, 0..16u32), 1..40_000),
        ) {
            let wide = |&(state, layer)| (u128::pack(u128::from(state) << 40, 0), layer);
            is_a_map::<u128>(sharers, states.iter().map(wide).collect());
            let narrow = |(state, layer)| (u64::pack(state << 20, 0), layer);
            is_a_map::<u64>(sharers, states.into_iter().map(narrow).collect());
        }
    }
}
