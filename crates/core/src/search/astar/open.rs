//! The open list: a stack for each (layer of f, h), the best one first.

use std::marker::PhantomData;
use std::mem::size_of;

use bytemuck::Pod;

use crate::puzzle::Entry;
use crate::search::Stop;
use crate::search::meter::Meter;
use crate::sys::huge_pages::use_huge_pages;
use crate::sys::pages::Pages;

/// Entries of a block; stacks take and return whole blocks, so nothing is ever copied.
const BLOCK: usize = 256;
/// Bytes of entries from which on a list takes huge pages: the last one, which may be all but empty, is then a third of the
/// list at most.
const HUGE_FROM: usize = 4 << 20;
/// Values of h that there is room for at first.
const WIDTH: usize = 64;

/// What all states of one stack have in common; g is f − h.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Bucket {
    /// How many steps f is above that of the start.
    pub layer: u32,
    pub h: u32,
}

/// The entries of one bucket.
#[derive(Clone, Copy, Default)]
struct Stack {
    /// Where the next entry goes, unless a block ends there; 0 for a stack that is empty.
    top: usize,
    /// How many of its states were reached again in a lower layer; 0 once the stack is empty. Right where no stack
    /// is partly popped: then it depends on which states wait, and not on the ways by which they were reached.
    retired: usize,
}

/// The entries up to a layer, those first that a search came nearest to the goal from.
pub(crate) struct Ranked {
    /// Where they are.
    pub places: Vec<u32>,
    /// For each block, the bucket of its entries.
    buckets: Vec<Bucket>,
}

impl Ranked {
    /// Not a part of `Open`, so that it is compiled once.
    fn sort(&mut self, nearest: &[u8]) {
        (self.places).sort_by_key(|&place| nearest[place as usize]);
    }

    /// The bucket of an entry.
    pub fn bucket(&self, place: u32) -> Bucket {
        self.buckets[place as usize / BLOCK]
    }
}

/// A priority queue of packed states, with a note `N` for each.
pub(crate) struct Open<W, N> {
    /// Blocks of entries, all of them. The first one is never used.
    entries: Pages<W>,
    /// So many bytes of a note for each entry.
    notes: Pages<u8>,
    note_bytes: usize,
    /// For each entry, how near to the goal a search has come from there: its h at first. Only
    /// written where that is wanted.
    nearest: Pages<u8>,
    keeps_nearest: bool,
    /// For each block in use, the one below it in its stack; 0 below the lowest.
    below: Vec<u32>,
    free: Vec<u32>,
    /// By layer and h.
    stacks: Vec<Stack>,
    /// Tops for the parts of a bucket that was divided.
    parts: Vec<usize>,
    /// How many values of h a layer has.
    width: usize,
    /// For each layer, an h below which all stacks are empty.
    least: Vec<usize>,
    /// No layer before this one has entries.
    first: usize,
    len: usize,
    note: PhantomData<N>,
}

impl<W: Entry, N: Pod> Open<W, N> {
    /// An empty list that may grow to `most` bytes; `None` where there is no address space for it.
    /// It keeps the first `note_bytes` bytes of each note; the others come back as anything, or as zeros
    /// where none are kept.
    pub fn new(most: usize, note_bytes: usize) -> Option<Open<W, N>> {
        let entries = (most / size_of::<W>()).max(16 * BLOCK);
        Some(Open {
            entries: Pages::reserve(entries)?,
            notes: Pages::reserve(note_start::<N>(note_bytes, entries + BLOCK))?,
            note_bytes,
            nearest: Pages::reserve(entries)?,
            keeps_nearest: false,
            note: PhantomData,
            below: vec![0],
            free: Vec::new(),
            stacks: Vec::new(),
            parts: Vec::new(),
            width: WIDTH,
            least: Vec::new(),
            first: 0,
            len: 0,
        })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Says that [`Open::ranked`] will be asked.
    pub fn keep_nearest(&mut self) {
        self.keeps_nearest = true;
    }

    #[inline(always)]
    pub fn push(
        &mut self,
        bucket: Bucket,
        entry: W,
        note: &N,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let (layer, h) = (bucket.layer as usize, bucket.h as usize);
        if layer >= self.least.len() || h >= self.width {
            self.widen(layer, h, meter)?;
        }
        let place = layer * self.width + h;
        let top = self.stacks[place].top;
        if top == 0 {
            self.least[layer] = self.least[layer].min(h);
            self.first = self.first.min(layer);
        }
        let top = self.put(top, entry, note, bucket.h, meter)?;
        self.stacks[place].top = top;
        self.len += 1;
        Ok(())
    }

    /// Says that a state of a bucket, which was pushed before, was reached again in a lower layer. Its entry stays
    /// and is not live.
    #[inline(always)]
    pub fn retire(&mut self, bucket: Bucket) {
        let place = bucket.layer as usize * self.width + bucket.h as usize;
        // Always there, unless a damaged table tells two values of a state.
        if let Some(stack) = self.stacks.get_mut(place) {
            stack.retired += 1;
        }
    }

    /// Puts an entry on the stack whose top is this; returns the next top.
    #[inline(always)]
    fn put(
        &mut self,
        mut top: usize,
        entry: W,
        note: &N,
        h: u32,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Stop> {
        if top.is_multiple_of(BLOCK) {
            top = self.block_on(top, meter)?;
            if self.keeps_nearest {
                // All entries of the block will have this h.
                self.nearest.all_mut()[top..][..BLOCK].fill(h as u8);
            }
        }
        self.entries.all_mut()[top] = entry;
        if size_of::<N>() > 0 && self.note_bytes > 0 {
            let start = note_start::<N>(self.note_bytes, top);
            let place = &mut self.notes.all_mut()[start..][..size_of::<N>()];
            place.copy_from_slice(bytemuck::bytes_of(note));
        }
        Ok(top + 1)
    }

    /// A block on top of the one that ends here; returns where it starts.
    #[cold]
    #[inline(never)]
    fn block_on(&mut self, top: usize, meter: &mut Meter<'_>) -> Result<usize, Stop> {
        let below = (top / BLOCK).saturating_sub(1) as u32;
        if let Some(block) = self.free.pop() {
            self.below[block as usize] = below;
            return Ok(block as usize * BLOCK);
        }
        let start = self.below.len() * BLOCK;
        if start + BLOCK > self.entries.all().len() {
            return Err(Stop::Memory);
        }
        // Its entries, and itself in two lists, which double when they are full.
        let entries = BLOCK * size_of::<W>() + note_start::<N>(self.note_bytes, BLOCK);
        meter.grow(0, entries + 4 * size_of::<u32>())?;
        if start * size_of::<W>() == HUGE_FROM {
            use_huge_pages(self.entries.all_mut());
            use_huge_pages(self.notes.all_mut());
        }
        self.below.push(below);
        Ok(start)
    }

    /// Makes stacks for a layer and for an h.
    #[cold]
    #[inline(never)]
    fn widen(&mut self, layer: usize, h: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let width = self.width.max((h + 1).next_power_of_two());
        let layers = self.least.len().max(layer + 1);
        let bytes = |stacks| stacks * size_of::<Stack>();
        meter.grow(bytes(self.stacks.len()), bytes(layers * width))?;
        self.stacks = widened(&self.stacks, self.width, layers * width, width);
        self.width = width;
        self.least.resize(layers, usize::MAX);
        Ok(())
    }

    /// The first layer that has entries.
    pub fn first_layer(&mut self) -> Option<u32> {
        while self.first < self.least.len() {
            let stacks = &self.stacks[self.first * self.width..][..self.width];
            let least = &mut self.least[self.first];
            while *least < stacks.len() && stacks[*least].top == 0 {
                *least += 1;
            }
            if *least < stacks.len() {
                return Some(self.first as u32);
            }
            self.first += 1;
        }
        None
    }

    /// The first bucket that has live entries, and how many; between two buckets. What is in layers before it is
    /// dropped.
    pub fn first_bucket(&mut self) -> Option<(Bucket, usize)> {
        while let Some(layer) = self.first_layer() {
            let stacks = &self.stacks[layer as usize * self.width..][..self.width];
            let live = stacks.iter().map(|stack| self.live(stack));
            if let Some((h, live)) = live.enumerate().find(|&(_, live)| live > 0) {
                return Some((Bucket { layer, h: h as u32 }, live));
            }
            let all = Bucket { layer, h: u32::MAX };
            self.pop(all, usize::MAX, &mut Vec::new(), |_, _, _| ());
        }
        None
    }

    /// How many states of a stack were not reached again in a lower layer.
    fn live(&self, stack: &Stack) -> usize {
        let Some(last) = stack.top.checked_sub(1) else {
            return 0;
        };
        let of_last_block = last % BLOCK + 1;
        let mut below = self.below[last / BLOCK];
        let mut entries = of_last_block;
        while below > 0 {
            entries += BLOCK;
            below = self.below[below as usize];
        }
        // Never below 0, unless a damaged table tells two values of a state.
        entries.saturating_sub(stack.retired)
    }

    /// Drops what its layer has below a bucket.
    pub fn drop_before(&mut self, bucket: Bucket) {
        if let Some(h) = bucket.h.checked_sub(1) {
            self.pop(
                Bucket { h, ..bucket },
                usize::MAX,
                &mut Vec::new(),
                |_, _, _| (),
            );
        }
    }

    /// Divides a bucket into so many parts, by what each entry says. They wait until they are taken.
    pub fn divide(
        &mut self,
        bucket: Bucket,
        parts: usize,
        part_of: impl Fn(W) -> usize,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        self.parts.clear();
        self.parts.resize(parts, 0);
        if bucket.layer as usize >= self.least.len() || bucket.h as usize >= self.width {
            return Ok(());
        }
        let mut taken: Vec<(W, N)> = Vec::with_capacity(BLOCK);
        while self.pop_bucket(bucket, BLOCK, &mut taken, |entry, note| (entry, note)) > 0 {
            self.len += taken.len();
            for (entry, note) in taken.drain(..) {
                let part = part_of(entry);
                self.parts[part] = self.put(self.parts[part], entry, &note, bucket.h, meter)?;
            }
        }
        Ok(())
    }

    /// Puts a part of a bucket that was divided back into the bucket, which is empty.
    pub fn take_part(&mut self, bucket: Bucket, part: usize) {
        // Where there is no such entry there may be no such bucket.
        if self.parts[part] > 0 {
            let (layer, h) = (bucket.layer as usize, bucket.h as usize);
            let top = &mut self.stacks[layer * self.width + h].top;
            debug_assert_eq!(*top, 0);
            *top = self.parts[part];
            self.least[layer] = self.least[layer].min(h);
            self.first = self.first.min(layer);
        }
    }

    /// Takes up to `most` entries of a layer, those with the smallest h first and none above that of the bucket,
    /// last in first out, and puts what `make` makes of each, its note and its h behind `taken`.
    #[inline(always)]
    pub fn pop<T>(
        &mut self,
        up_to: Bucket,
        most: usize,
        taken: &mut Vec<T>,
        make: impl Fn(W, N, u32) -> T,
    ) {
        let layer = up_to.layer;
        let Some(least) = self.least.get(layer as usize) else {
            return;
        };
        let end = self.width.min((up_to.h as usize).saturating_add(1));
        let (mut h, mut left) = (*least, most);
        while left > 0 && h < end {
            let bucket = Bucket { layer, h: h as u32 };
            left -= self.pop_bucket(bucket, left, taken, |entry, note| {
                make(entry, note, h as u32)
            });
            h += usize::from(self.stacks[layer as usize * self.width + h].top == 0);
        }
        self.least[layer as usize] = h;
    }

    /// Takes up to `most` entries of one stack, last in first out, and puts what `make` makes of each and its note
    /// behind `taken`; how many there were.
    #[inline(always)]
    pub fn pop_bucket<T>(
        &mut self,
        bucket: Bucket,
        most: usize,
        taken: &mut Vec<T>,
        make: impl Fn(W, N) -> T,
    ) -> usize {
        let stack = &mut self.stacks[bucket.layer as usize * self.width + bucket.h as usize];
        let (mut top, mut left) = (stack.top, most);
        while left > 0 && top > 0 {
            let block = (top - 1) / BLOCK;
            let first = (block * BLOCK).max(top.saturating_sub(left));
            let entries = &self.entries.all()[first..top];
            // Not pushed one by one: so there is one look whether there is room.
            taken.extend((0..entries.len()).rev().map(|number| {
                let note = note_at(&self.notes, self.note_bytes, first + number);
                make(entries[number], note)
            }));
            left -= top - first;
            top = first;
            if top == block * BLOCK {
                self.free.push(block as u32);
                top = end_of(self.below[block]);
            }
        }
        stack.top = top;
        if top == 0 {
            stack.retired = 0;
        }
        self.len -= most - left;
        most - left
    }

    /// The values of h for which a layer has entries, smallest first.
    pub fn estimates_in(&self, layer: u32) -> impl DoubleEndedIterator<Item = u32> + '_ {
        let stacks = self.stacks.chunks_exact(self.width).nth(layer as usize);
        let stacks = stacks.unwrap_or_default().iter().enumerate();
        stacks
            .filter(|(_, stack)| stack.top > 0)
            .map(|(h, _)| h as u32)
    }

    /// What is on the list up to a layer, in the order of how near to the goal a search has come from
    /// there; of equals, smallest h first.
    pub fn ranked(&self, last_layer: u32) -> Ranked {
        let none = Bucket { layer: 0, h: 0 };
        let mut ranked = Ranked {
            places: Vec::new(),
            buckets: vec![none; self.below.len()],
        };
        for h in 0..self.width {
            for layer in 0..self.least.len().min(last_layer as usize + 1) {
                let mut top = self.stacks[layer * self.width + h].top;
                while top > 0 {
                    let block = (top - 1) / BLOCK;
                    ranked.buckets[block] = Bucket {
                        layer: layer as u32,
                        h: h as u32,
                    };
                    ranked.places.extend((block * BLOCK) as u32..top as u32);
                    top = end_of(self.below[block]);
                }
            }
        }
        ranked.sort(self.nearest.all());
        ranked
    }

    /// Notes how near to the goal a search has come from an entry.
    pub fn set_nearest(&mut self, place: u32, h: u8) {
        self.nearest.all_mut()[place as usize] = h;
    }

    /// The entry at a place, with its note.
    pub fn entry(&self, place: usize) -> (W, N) {
        let note = note_at(&self.notes, self.note_bytes, place);
        (self.entries.all()[place], note)
    }
}

/// Rows of stacks that were so many in each, with more in each, as many as make `len`.
fn widened<T: Copy + Default>(stacks: &[T], width: usize, len: usize, wider: usize) -> Vec<T> {
    let mut all = vec![T::default(); len];
    for (row, stacks) in stacks.chunks_exact(width).enumerate() {
        all[row * wider..][..stacks.len()].copy_from_slice(stacks);
    }
    all
}

/// Where a block ends; 0 for none.
#[inline(always)]
fn end_of(block: u32) -> usize {
    match block {
        0 => 0,
        block => (block as usize + 1) * BLOCK,
    }
}

/// Where the note of an entry starts, of which so many bytes are kept. A note is written and read as a
/// whole, which takes no call where its size is known: the bytes that are not kept lie where the next
/// entry's note goes, which is not there yet, or between two blocks.
#[inline(always)]
fn note_start<N>(bytes: usize, place: usize) -> usize {
    place * bytes + place / BLOCK * size_of::<N>()
}

/// The note of an entry.
#[inline(always)]
fn note_at<N: Pod>(notes: &Pages<u8>, bytes: usize, place: usize) -> N {
    if size_of::<N>() == 0 || bytes == 0 {
        return N::zeroed();
    }
    let start = note_start::<N>(bytes, place);
    bytemuck::pod_read_unaligned(&notes.all()[start..][..size_of::<N>()])
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::search::Control;
    use crate::search::meter::Watch;

    proptest! {
        /// What is popped is what a plain list would give, through blocks that are freed and
        /// taken again, and layers and values of h that come late.
        #[test]
        fn it_is_a_stack_for_each_bucket(
            rounds in prop::collection::vec(
                (0..5u32, 0..200u32, 0..700usize, 1..900usize), 1..40
            )
        ) {
            let control = Control::default();
            let watch = Watch::new(&control);
            let mut meter = Meter::new(&watch);
            let mut open = Open::<u64, [u8; 4]>::new(1 << 26, 3).unwrap();
            // In the order in which they are due: by layer and h, and the last one first.
            let mut plain: BTreeSet<(u32, u32, Reverse<u64>)> = BTreeSet::new();
            let mut next = 1;
            for (layer, h, pushed, popped) in rounds {
                for _ in 0..pushed {
                    let note = [next as u8, h as u8, layer as u8, 0];
                    open.push(Bucket { layer, h }, next, &note, &mut meter).unwrap();
                    plain.insert((layer, h, Reverse(next)));
                    next += 1;
                }
                let mut taken = Vec::new();
                let first = open.first_layer();
                prop_assert_eq!(first, plain.first().map(|entry| entry.0));
                let layer = first.unwrap_or_default();
                let all_of_layer = Bucket { layer, h: u32::MAX };
                open.pop(all_of_layer, popped, &mut taken, |entry, note, h| {
                    assert_eq!(note[..3], [entry as u8, h as u8, layer as u8]);
                    (h, entry)
                });
                for (h, entry) in taken.iter().copied() {
                    let (layer, least, Reverse(last)) = plain.pop_first().unwrap();
                    prop_assert_eq!((Some(layer), least, last), (first, h, entry));
                }
                let all = plain.iter().filter(|entry| Some(entry.0) == first).count();
                prop_assert!(taken.len() == popped || all == 0);
                prop_assert_eq!(open.len(), plain.len());
            }
        }

        /// States that were reached again, before or after others were pushed, do not count; what is before the first
        /// bucket with others can be dropped.
        #[test]
        fn it_knows_the_first_bucket_that_has_live_entries(
            buckets in prop::collection::vec((0..3u32, 0..4u32, 0..600usize, any::<bool>()), 1..12)
        ) {
            let control = Control::default();
            let watch = Watch::new(&control);
            let mut meter = Meter::new(&watch);
            let mut open = Open::<u64, [u8; 4]>::new(1 << 26, 0).unwrap();
            let mut live: BTreeMap<Bucket, usize> = BTreeMap::new();
            for (layer, h, entries, are_retired) in buckets {
                let bucket = Bucket { layer, h };
                for entry in 0..entries as u64 {
                    open.push(bucket, entry, &[0; 4], &mut meter).unwrap();
                    if are_retired {
                        open.retire(bucket);
                    }
                }
                *live.entry(bucket).or_default() += if are_retired { 0 } else { entries };
            }
            let first = live.iter().find(|&(_, &live)| live > 0);
            let first = first.map(|(&bucket, &live)| (bucket, live));
            prop_assert_eq!(open.first_bucket(), first);
            if let Some((bucket, count)) = first {
                open.drop_before(bucket);
                let mut popped = Vec::new();
                open.pop(bucket, usize::MAX, &mut popped, |_, _, h| h);
                prop_assert!(popped.len() >= count && popped.iter().all(|&h| h == bucket.h));
            }
        }

        /// What is popped of a part is what belongs to it, with what is pushed below it meanwhile, and nothing
        /// is lost.
        #[test]
        fn it_gives_a_bucket_in_parts(
            entries in prop::collection::vec(1..1_000_000u64, 1..3_000),
            parts in 2..9usize,
            above in 0..500usize,
        ) {
            let control = Control::default();
            let watch = Watch::new(&control);
            let mut meter = Meter::new(&watch);
            let mut open = Open::<u64, [u8; 4]>::new(1 << 26, 3).unwrap();
            let (bucket, below) = (Bucket { layer: 1, h: 9 }, Bucket { layer: 1, h: 8 });
            let note = |entry: u64| [entry as u8, (entry >> 8) as u8, (entry >> 16) as u8, 0];
            let part_of = |entry: u64| (entry % parts as u64) as usize;
            for &entry in &entries {
                open.push(bucket, entry, &note(entry), &mut meter).unwrap();
            }
            for entry in 0..above as u64 {
                open.push(Bucket { layer: 1, h: 10 }, entry, &note(entry), &mut meter).unwrap();
            }
            prop_assert_eq!(open.first_bucket(), Some((bucket, entries.len())));
            open.divide(bucket, parts, part_of, &mut meter).unwrap();
            prop_assert_eq!(open.len(), entries.len() + above);
            for part in 0..parts {
                open.take_part(bucket, part);
                open.push(below, part as u64, &note(part as u64), &mut meter).unwrap();
                let mut popped = Vec::new();
                loop {
                    let before = popped.len();
                    open.pop(bucket, 100, &mut popped, |entry, kept, h| {
                        assert_eq!(kept[..3], note(entry)[..3]);
                        (h, entry)
                    });
                    if popped.len() == before {
                        break;
                    }
                }
                let of_part = entries.iter().filter(|&&entry| part_of(entry) == part);
                let mut expected: Vec<_> = of_part.map(|&entry| (9, entry)).collect();
                expected.push((8, part as u64));
                popped.sort();
                expected.sort();
                prop_assert_eq!(popped, expected);
            }
            prop_assert_eq!(open.len(), above);
            prop_assert_eq!(open.first_bucket().map(|(bucket, _)| bucket.h), (above > 0).then_some(10));
        }
    }
}
