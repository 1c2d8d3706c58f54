//! The closed list: every state reached, with the layer of f it was last reached in.
//!
//! One open-addressing table of a word a state, in parts chosen by the hash's top bits. A part
//! grows in small steps inside an address range eight times as large as it was: the pages it
//! has not grown into cost nothing. Its states wait in a scratch buffer meanwhile, so old and
//! new table are never held together, but for that one part.

use std::marker::PhantomData;
use std::mem::size_of;

use memmap2::MmapMut;

use super::Entry;
use crate::search::Stop;
use crate::search::meter::Meter;

const PARTS_LOG2: u32 = 5;
/// Slots that are probed before the next ones: a cache line of `u64`s.
const LINE: usize = 8;
/// Slots of the first part at first.
const FIRST: usize = 256;
/// Slots behind the last home.
const TAIL: usize = 64;
/// How much larger a new address range is than what is used of it at first.
const RESERVE: usize = 8;

pub(crate) struct Closed<W> {
    parts: Vec<Part<W>>,
    len: usize,
    scratch: Vec<W>,
}

impl<W: Entry> Closed<W> {
    pub fn new(meter: &mut Meter<'_>) -> Result<Closed<W>, Stop> {
        // Sizes that differ by up to a quarter: the parts never grow all at once, so that the
        // whole has about the same load at any time.
        let sizes = (0..1 << PARTS_LOG2)
            .map(|part| FIRST + ((FIRST / 4 * part) >> PARTS_LOG2) / LINE * LINE);
        let parts: Vec<Part<W>> = sizes.map(Part::new).collect::<Result<_, _>>()?;
        let slots: usize = parts.iter().map(|part| part.in_use + TAIL).sum();
        meter.grow(0, slots * size_of::<W>())?;
        Ok(Closed {
            parts,
            len: 0,
            scratch: Vec::new(),
        })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn part(&self, hash: u64) -> &Part<W> {
        &self.parts[(hash >> (64 - PARTS_LOG2)) as usize]
    }

    /// Asks for the cache line of a state that is about to be looked up.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        let part = self.part(hash);
        prefetch(&part.slots()[part.home(hash)]);
    }

    /// The layer a state was last reached in, if it was reached.
    #[inline(always)]
    pub fn layer(&self, state: W) -> Option<u32> {
        let hash = state.hash();
        let part = self.part(hash);
        let slot = part.slots()[part.find(state, hash)];
        (slot != W::default()).then(|| slot.note().into())
    }

    /// Notes that a state was reached in the layer it carries; false if that is no news.
    #[inline(always)]
    pub fn reach(&mut self, entry: W, hash: u64, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        let part = &mut self.parts[(hash >> (64 - PARTS_LOG2)) as usize];
        let at = part.find(entry, hash);
        let slot = &mut part.slots_mut()[at];
        if *slot != W::default() {
            let is_nearer = entry.note() < slot.note();
            if is_nearer {
                *slot = entry;
            }
            return Ok(is_nearer);
        }
        *slot = entry;
        part.states += 1;
        self.len += 1;
        if part.is_full(at) {
            part.grow(&mut self.scratch, meter)?;
        }
        Ok(true)
    }
}

struct Part<W> {
    /// Pages of the system's own, which are zeroed and taken only when they are first used. The
    /// first `in_use` slots are homes, and [`TAIL`] more take what runs over.
    pages: MmapMut,
    in_use: usize,
    states: usize,
    word: PhantomData<W>,
}

impl<W: Entry> Part<W> {
    fn new(in_use: usize) -> Result<Part<W>, Stop> {
        Ok(Part {
            pages: pages::<W>(in_use)?,
            in_use,
            states: 0,
            word: PhantomData,
        })
    }

    #[inline(always)]
    fn slots(&self) -> &[W] {
        bytemuck::cast_slice(&self.pages)
    }

    #[inline(always)]
    fn slots_mut(&mut self) -> &mut [W] {
        bytemuck::cast_slice_mut(&mut self.pages)
    }

    /// The front of the line where the search for a state starts, never before that of a
    /// smaller hash.
    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        let within = hash << PARTS_LOG2;
        let lines = (self.in_use / LINE) as u64;
        LINE * ((u128::from(within) * u128::from(lines)) >> 64) as usize
    }

    /// The slot of a state, or the empty one where it belongs.
    #[inline(always)]
    fn find(&self, state: W, hash: u64) -> usize {
        self.first_slot(hash, |slot| slot == W::default() || slot.same_state(state))
    }

    /// The first slot from a hash's home on that is wanted.
    #[inline(always)]
    fn first_slot(&self, hash: u64, is_wanted: impl Fn(W) -> bool) -> usize {
        let (slots, mut at) = (self.slots(), self.home(hash));
        while !is_wanted(slots[at]) {
            at += 1;
        }
        at
    }

    /// Five sixths: past that the runs of full lines get long. The last slot stays empty, so
    /// that every search ends.
    #[inline(always)]
    fn is_full(&self, last_taken: usize) -> bool {
        self.states * 6 > self.in_use * 5 || last_taken + 2 > self.in_use + TAIL
    }

    /// Grows by a quarter: at most 16 bytes a state of 4x4 with the open list, where steps of a
    /// half took up to 16.9 on korf100.
    #[cold]
    fn grow(&mut self, scratch: &mut Vec<W>, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let bytes = |slots: usize| slots * size_of::<W>();
        scratch.clear();
        if scratch.capacity() < self.states {
            // With room for parts that are full a little later than this one.
            let capacity = self.states + self.states / 4;
            meter.grow(bytes(scratch.capacity()), bytes(capacity))?;
            scratch.reserve_exact(capacity);
        }
        let used = &self.slots()[..self.in_use + TAIL];
        scratch.extend(used.iter().filter(|&&slot| slot != W::default()));
        loop {
            let more = self.in_use / 4 / LINE * LINE;
            meter.grow(0, bytes(more))?;
            if self.spread(scratch, self.in_use + more)? {
                return Ok(());
            }
        }
    }

    /// Places the states anew over `in_use` slots, in the same pages where the reserved range has
    /// room; false if they do not fit, which a run over the end of the tail would be.
    fn spread(&mut self, states: &[W], in_use: usize) -> Result<bool, Stop> {
        let end = self.in_use + TAIL;
        self.slots_mut()[..end].fill(W::default());
        if in_use + TAIL > self.slots().len() {
            // The old pages go before the new ones come.
            self.pages = MmapMut::map_anon(1).map_err(|_| Stop::Memory)?;
            self.pages = pages::<W>(in_use)?;
        }
        self.in_use = in_use;
        use_huge_pages(&mut self.slots_mut()[..in_use]);
        // Homes keep their order, so this walks the part from front to back.
        for &entry in states {
            let slot = self.first_slot(entry.hash(), |slot| slot == W::default());
            if slot + 2 > in_use + TAIL {
                return Ok(false);
            }
            self.slots_mut()[slot] = entry;
        }
        Ok(true)
    }
}

/// Reserves slots for a part that uses so many at first.
fn pages<W>(in_use: usize) -> Result<MmapMut, Stop> {
    let slots = RESERVE * in_use + TAIL;
    MmapMut::map_anon(slots * size_of::<W>()).map_err(|_| Stop::Memory)
}

/// Advises the system to back a range with huge pages, where it fills some.
///
/// Random probes into small pages miss the TLB as well as the cache.
fn use_huge_pages<W>(slots: &mut [W]) {
    const HUGE_PAGE: usize = 2 << 20;
    let bytes = size_of_val(slots);
    let start = slots.as_mut_ptr().cast::<u8>();
    let lead = start.align_offset(HUGE_PAGE);
    if bytes < lead + HUGE_PAGE {
        return;
    }
    #[cfg(target_os = "linux")]
    // SAFETY: the range lies inside the slice, and the advice changes no content.
    unsafe {
        let length = (bytes - lead) / HUGE_PAGE * HUGE_PAGE;
        libc::madvise(start.add(lead).cast(), length, libc::MADV_HUGEPAGE);
    }
}

#[inline(always)]
fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect but on the cache.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
