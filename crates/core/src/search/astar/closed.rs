//! The closed list: every state reached, with the layer of f it was last reached in.
//!
//! An open-addressing table of a word a state, probed by cache lines, in segments chosen by the
//! hash's top bits ([`segment`](super::segment)). Segments grow one at a time, each when it is
//! full, so that the whole has about the same load at any time.
//!
//! A state whose line is full of others goes on through the lines of a group, which lie in a page of memory, in steps
//! of its own: at a load of three quarters a new state passes 0.4 full lines so, and 0.7 if it took the
//! next line each time.

use std::mem::size_of;

use super::child::Child;
use super::line::{LINE, Lanes};
use super::segment::{
    GROUP, LONGEST_TAIL, RehashScratch, SEGMENTS, Segment, next_line, segment_of,
};
use crate::puzzle::{Entry, Move};
use crate::search::Stop;
use crate::search::meter::Meter;
use crate::sys::huge_pages::HUGE_PAGE;
use crate::sys::pages::Pages;
use crate::sys::prefetch::prefetch;

/// Bytes of a line of the cache.
const CACHE_LINE: usize = 64;
/// Children that are inserted at once at most. With 256, one thread takes 3 % more CPU time (instance 26 of korf100).
pub(crate) const MOST_AT_ONCE: usize = 768;
/// Children whose lines are asked for before the first of them is looked up. With 16 a search takes 7 % more CPU time, with
/// all of them 3 % more (instance 26 of korf100): a processor waits for so many lines at a time, and no more.
const AHEAD: usize = 48;
/// Homes of the first segment at first.
const FIRST: usize = 64;
/// Lines of the space where all segments are at first: two megabytes of 64-bit words. Far
/// apart, the pages and page tables of an empty list take 0.25 ms more, a quarter of the mean search of
/// korf100 with `7-8`.
const FIRST_SPACE: usize = 1 << 15;
// A group has the same lines whether they are counted from the first of its segment or from the first of all.
const _: () = assert!((FIRST_SPACE / SEGMENTS).is_multiple_of(GROUP));

pub(crate) struct Closed<W> {
    /// Bits below the layer in a state's tag: none, or two for the move back to the state before it.
    /// Of all moves that have led to a state in its layer, the one is kept whose move back has the
    /// least number.
    move_bits: u32,
    /// Of all segments, each with the same address space.
    lines: Pages<[W; LINE]>,
    /// How many lines a segment has now, most of them not in use.
    stride: usize,
    /// How many lines there are for each segment.
    most_stride: usize,
    segments: [Segment; SEGMENTS],
    /// The children that are inserted, each with where it goes.
    probes: Box<[Probe]>,
    scratch: RehashScratch<W>,
}

/// A child on its way to its slot.
#[derive(Clone, Copy, Default)]
struct Probe {
    /// The line that is looked at next.
    line: usize,
    /// Its number.
    child: u16,
    segment: u16,
    /// How many lines were full of others.
    passed: u16,
}

impl Probe {
    /// Goes on to the next line; how many were full of others.
    #[inline(always)]
    fn pass(&mut self, hash: u64) -> usize {
        self.passed += 1;
        let passed = usize::from(self.passed);
        self.line = next_line(self.line, hash, passed);
        passed
    }
}

impl<W: Entry> Closed<W> {
    /// An empty list, which may grow to `most` bytes: of those that share a memory the one with this number.
    /// `None` where there is no address space for it.
    pub fn new((number, sharers): (usize, usize), most: usize) -> Option<Closed<W>> {
        // Sizes that differ by as much as a segment grows: of all lists few grow at once.
        let size = |segment| {
            let growth = Segment::growth::<W>(FIRST);
            FIRST + growth * (sharers * segment + number) / (sharers * SEGMENTS)
        };
        // Twice a segment's share: segments differ in size by less than that.
        let most_stride = 2 * (most / size_of::<[W; LINE]>() / SEGMENTS).max(FIRST + LONGEST_TAIL);
        // From where segments are far apart on, each begins where a huge page does.
        let huge_page = HUGE_PAGE / size_of::<[W; LINE]>();
        let unit = if most_stride < huge_page {
            GROUP
        } else {
            huge_page
        };
        let most_stride = most_stride.next_multiple_of(unit);
        debug_assert!(most_stride.is_multiple_of(GROUP));
        Some(Closed {
            move_bits: 0,
            lines: Pages::reserve(SEGMENTS * most_stride)?,
            stride: most_stride.min(FIRST_SPACE / SEGMENTS),
            most_stride,
            segments: std::array::from_fn(|segment| Segment::new(size(segment))),
            probes: vec![Probe::default(); MOST_AT_ONCE].into(),
            scratch: RehashScratch::new(),
        })
    }

    /// Accounts for the lines that it begins with.
    pub fn account(&self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let in_use: usize = self.segments.iter().map(Segment::lines).sum();
        meter.grow(0, in_use * size_of::<[W; LINE]>())
    }

    pub fn len(&self) -> usize {
        self.segments.iter().map(|segment| segment.states).sum()
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
        let segment = segment_of(hash);
        segment * self.stride + self.segments[segment].home(hash)
    }

    /// Asks for a line that is about to be searched.
    #[inline(always)]
    pub fn prefetch(&self, line: usize) {
        prefetch_line(self.lines.all(), line);
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
        let mut passed = 0;
        loop {
            let slots = &self.lines.all()[line];
            let matches = lanes.matches(slots, state);
            if matches != 0 {
                // Always below the length: `% LINE` drops the bounds check, here and below.
                let slot = slots[matches.trailing_zeros() as usize % LINE];
                return (slot != W::default()).then(|| slot.tag());
            }
            passed += 1;
            line = next_line(line, state.hash(), passed);
        }
    }

    /// Inserts children with the layers that they were reached in, last one first, and marks those that were not
    /// reached in such a low layer before. Those of them that were reached in a higher one are given to `lowered`, with
    /// that layer. There are at most [`MOST_AT_ONCE`] children.
    ///
    /// A line that is full of others sends a child to the next one, but not at once: its miss overlaps with those of
    /// other late ones. Equal states stay in their order.
    #[inline(always)]
    pub fn insert_all<N>(
        &mut self,
        lanes: impl Lanes,
        children: &mut [Child<W, N>],
        meter: &mut Meter<'_>,
        mut lowered: impl FnMut(&Child<W, N>, u32),
    ) -> Result<(), Stop> {
        self.find_homes(children);
        let (stride, move_bits) = (self.stride, self.move_bits);
        let (lines, segments) = (self.lines.all_mut(), &mut self.segments);
        let probes = &mut self.probes[..children.len()];
        let mut asked = probes.len().min(AHEAD);
        for probe in &probes[..asked] {
            prefetch_line(lines, probe.line);
        }
        let mut under_way = probes.len();
        while under_way > 0 {
            let mut late = 0;
            for turn in 0..under_way {
                if let Some(probe) = probes.get(asked) {
                    prefetch_line(lines, probe.line);
                    asked += 1;
                }
                let mut probe = probes[turn];
                let child = &mut children[usize::from(probe.child)];
                let segment = &mut segments[usize::from(probe.segment)];
                match insert(lanes, &mut lines[probe.line], child, move_bits) {
                    Inserted::AsBefore => {}
                    Inserted::New => {
                        segment.states += 1;
                        child.is_improved = true;
                    }
                    Inserted::Lower(before) => {
                        child.is_improved = true;
                        lowered(child, before);
                    }
                    Inserted::Nowhere => {
                        let passed = probe.pass(child.entry.hash());
                        prefetch_line(lines, probe.line);
                        if passed >= GROUP {
                            segment.note_line(probe.line - usize::from(probe.segment) * stride);
                        }
                        probes[late] = probe;
                        late += 1;
                    }
                }
            }
            under_way = late;
        }
        self.grow_what_is_full(meter)
    }

    /// Says of each child where the search for it begins; the last child comes first.
    #[inline(always)]
    fn find_homes<N>(&mut self, children: &[Child<W, N>]) {
        let last_first = children.iter().enumerate().rev();
        for (probe, (number, child)) in self.probes.iter_mut().zip(last_first) {
            let hash = child.entry.hash();
            let segment = segment_of(hash);
            *probe = Probe {
                line: segment * self.stride + self.segments[segment].home(hash),
                child: number as u16,
                segment: segment as u16,
                passed: 0,
            };
        }
    }

    #[inline(always)]
    fn grow_what_is_full(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        for segment in 0..self.segments.len() {
            while self.segments[segment].is_full() {
                self.grow(segment, meter)?;
            }
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, segment: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if self.segments[segment].lines_when_grown::<W>() > self.stride {
            self.spread();
        }
        let stride = self.stride;
        let lines = &mut self.lines.all_mut()[segment * stride..][..stride];
        self.segments[segment].grow(lines, &mut self.scratch, meter)
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

/// Asks for a line that is about to be searched.
#[inline(always)]
fn prefetch_line<W: Entry>(lines: &[[W; LINE]], line: usize) {
    let slots: &[W] = lines.as_flattened();
    // Those of a `u128` are in two lines of the cache.
    for part in (0..LINE).step_by(CACHE_LINE / size_of::<W>()) {
        prefetch(slots, LINE * line + part);
    }
}

/// What a line has done with a child.
enum Inserted {
    /// The state was not reached before.
    New,
    /// It was, in this layer, which is a higher one.
    Lower(u32),
    /// It was, in such a low layer.
    AsBefore,
    /// The line is full of others.
    Nowhere,
}

/// Inserts a child into a line, if there is a place.
#[inline(always)]
fn insert<W: Entry, N>(
    lanes: impl Lanes,
    slots: &mut [W; LINE],
    child: &Child<W, N>,
    move_bits: u32,
) -> Inserted {
    let matches = lanes.matches(slots, child.entry);
    if matches == 0 {
        return Inserted::Nowhere;
    }
    let slot = &mut slots[matches.trailing_zeros() as usize % LINE];
    let move_back = u32::from(child.entry.tag() ^ 1) & ((1 << move_bits) - 1);
    let tag = child.layer() << move_bits | move_back;
    let (is_new, tag_before) = (*slot == W::default(), u32::from(slot.tag()));
    if !is_new && tag >= tag_before {
        return Inserted::AsBefore;
    }
    *slot = child.entry.with_tag(tag as u8);
    let before = tag_before >> move_bits;
    match is_new {
        true => Inserted::New,
        false if child.layer() < before => Inserted::Lower(before),
        false => Inserted::AsBefore,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::super::line::Single;
    use super::super::open::Bucket;
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
        for batch in states.chunks(MOST_AT_ONCE) {
            let mut children: Vec<Child<W, ()>> = batch
                .iter()
                .map(|&(state, layer)| child(state, layer))
                .collect();
            let mut lowered = Vec::new();
            closed
                .insert_all(Single, &mut children, &mut meter, |child, before| {
                    lowered.push((child.entry, child.layer(), before));
                })
                .unwrap();
            let mut expected = Vec::new();
            for child in children.iter().rev() {
                let (state, layer) = (child.entry, child.layer());
                let before = plain.get(&state).copied();
                let is_improved = before.is_none_or(|before| layer < before);
                assert_eq!(child.is_improved, is_improved);
                if is_improved {
                    expected.extend(before.map(|before| (state, layer, before)));
                    plain.insert(state, layer);
                }
            }
            lowered.sort();
            expected.sort();
            assert_eq!(lowered, expected);
        }
        assert_eq!(closed.len(), plain.len());
        for (&state, &layer) in &plain {
            let home = closed.home(state.hash());
            assert_eq!(closed.layer(Single, state, home), Some(layer));
        }
    }

    /// So many of each batch go to one small segment that they fill its last group and more.
    #[test]
    fn it_is_a_map_when_a_segment_runs_over() {
        let narrow = (1..400_000u64).map(|number| u64::pack(number << 20, 0));
        let wide = (1..400_000u128).map(|number| u128::pack(number << 40, 0));
        let layers = (0..16).cycle();
        let of_first = |hash| segment_of(hash) == 0;
        let narrow = narrow.filter(|it| of_first(it.hash())).zip(layers.clone());
        is_a_map::<u64>(1, narrow.collect());
        let wide = wide.filter(|it| of_first(it.hash())).zip(layers);
        is_a_map::<u128>(1, wide.collect());
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
