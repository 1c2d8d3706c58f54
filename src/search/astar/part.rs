//! A part of the closed list: lines of slots that grow in place.

use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::Range;
use std::slice;

use memmap2::{MmapMut, MmapOptions};

use super::line::{LINE, Lanes};
use super::{BATCH, Entry};
use crate::lookup::huge_pages::use_huge_pages;
use crate::lookup::prefetch::prefetch;
use crate::search::Stop;
use crate::search::meter::Meter;

/// Lines behind the last home, for what runs over: half of them take all children of a batch.
pub(super) const TAIL: usize = 2 * 3 * BATCH / LINE;
/// Lines that move together when a part grows.
const WINDOW: usize = 512;

pub(super) struct Part<W> {
    /// Pages of the system's own, which are zeroed and taken only when they are first used. The
    /// first `homes` lines are homes, and [`TAIL`] more take what runs over.
    pages: MmapMut,
    homes: usize,
    states: usize,
    /// Whether more than half of the tail is in use.
    runs_over: bool,
    /// Bits of the hash that have chosen this part.
    spent: u32,
    word: PhantomData<W>,
}

impl<W: Entry> Part<W> {
    /// A part of so many homes, which may grow to `most` bytes.
    pub fn new(homes: usize, spent: u32, most: u64) -> Result<Part<W>, Stop> {
        let least = (homes + TAIL) * size_of::<[W; LINE]>();
        Ok(Part {
            pages: reserve((most as usize).max(least), least)?,
            homes,
            states: 0,
            runs_over: false,
            spent,
            word: PhantomData,
        })
    }

    #[inline(always)]
    pub fn lines(&self) -> &[[W; LINE]] {
        let lines = self.pages.len() / size_of::<[W; LINE]>();
        // SAFETY: a page is aligned as any word is, its bytes are initialised, and words are
        // plain. A checked cast asks for both again at each of 1.5 probes a node.
        unsafe { slice::from_raw_parts(self.pages.as_ptr().cast(), lines) }
    }

    #[inline(always)]
    fn lines_mut(&mut self) -> &mut [[W; LINE]] {
        let lines = self.pages.len() / size_of::<[W; LINE]>();
        // SAFETY: as above.
        unsafe { slice::from_raw_parts_mut(self.pages.as_mut_ptr().cast(), lines) }
    }

    /// The line where the search for a state starts, never before that of a smaller hash.
    #[inline(always)]
    pub fn home(&self, hash: u64) -> usize {
        let within = hash << self.spent;
        ((u128::from(within) * self.homes as u128) >> 64) as usize
    }

    /// The slot of a state in a line, or the first empty one; `None` if it is full of others.
    #[inline(always)]
    pub fn find(&self, lanes: impl Lanes, line: usize, state: W) -> Option<usize> {
        let matches = lanes.matches(&self.lines()[line], state);
        (matches != 0).then(|| matches.trailing_zeros() as usize)
    }

    /// Notes an entry in the slot found for it. Returns whether that is news, and whether the
    /// state is new.
    #[inline(always)]
    pub fn note(&mut self, line: usize, slot: usize, entry: W) -> (bool, bool) {
        let slot = &mut self.lines_mut()[line][slot];
        let is_new = *slot == W::default();
        let is_news = is_new | (entry.note() < slot.note());
        *slot = if is_news { entry } else { *slot };
        self.states += usize::from(is_new);
        self.runs_over |= line >= self.homes + TAIL / 2;
        (is_news, is_new)
    }

    #[inline(always)]
    pub fn prefetch(&self, line: usize) {
        prefetch(self.lines(), line);
    }

    /// Seven eighths: with steps of a half, at most 15.4 bytes a state of 4x4 with the open list
    /// on korf100 from a million states on.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.states * 8 > self.homes * LINE * 7 || self.runs_over
    }

    /// Grows by a half, from the last line to the first, so that old and new part are never
    /// held together.
    #[cold]
    #[inline(never)]
    pub fn grow(&mut self, movers: &mut Movers<W>, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut end = self.homes + TAIL;
        let more = self.homes / 2;
        if end + more > self.lines().len() {
            return Err(Stop::Memory);
        }
        meter.grow(0, more * size_of::<[W; LINE]>())?;
        movers.make_ready(end + more, meter)?;
        self.homes += more;
        self.runs_over = false;
        use_huge_pages(&mut self.lines_mut()[..end + more]);
        while end > 0 {
            let is_full = |line: &[W; LINE]| line[LINE - 1] != W::default();
            let mut start = end.saturating_sub(WINDOW);
            // No state from before the window may be in it: it would belong further ahead.
            while start > 0 && is_full(&self.lines()[start - 1]) {
                start -= 1;
            }
            self.spread(start..end, movers);
            end = start;
        }
        Ok(())
    }

    /// Places the states of a window anew. They have their homes in it or behind it, and behind
    /// it every state is in its new place.
    fn spread(&mut self, window: Range<usize>, movers: &mut Movers<W>) {
        let window = &mut self.lines_mut()[window];
        movers.lines.clear();
        movers.lines.extend_from_slice(window);
        window.fill([W::default(); LINE]);
        for line in &movers.lines {
            for &entry in line.iter().take_while(|&&entry| entry != W::default()) {
                let mut line = self.home(entry.hash());
                while usize::from(movers.filled[line]) == LINE {
                    line += 1;
                }
                let slot = &mut movers.filled[line];
                self.lines_mut()[line][usize::from(*slot)] = entry;
                *slot += 1;
            }
        }
    }
}

/// What a part needs while it grows.
pub(super) struct Movers<W> {
    /// A window's lines as they were.
    lines: Vec<[W; LINE]>,
    /// How many slots of each new line are filled: a growth takes twice as long if it has to look
    /// for the first empty one.
    filled: Vec<u8>,
}

impl<W: Entry> Movers<W> {
    pub fn new() -> Movers<W> {
        Movers {
            lines: Vec::new(),
            filled: Vec::new(),
        }
    }

    fn make_ready(&mut self, lines: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.filled.clear();
        if self.filled.capacity() < lines {
            // With room for parts that are full a little later than this one.
            let capacity = lines + lines / 2;
            meter.grow(self.filled.capacity(), capacity)?;
            self.filled.reserve_exact(capacity);
        }
        self.filled.resize(lines, 0);
        Ok(())
    }
}

/// Reserves address space, as much as the system lets have.
fn reserve(most: usize, least: usize) -> Result<MmapMut, Stop> {
    let mut bytes = most;
    loop {
        match MmapOptions::new().len(bytes).no_reserve_swap().map_anon() {
            Ok(pages) => return Ok(pages),
            Err(_) if bytes > least => bytes = (bytes / 2).max(least),
            Err(_) => return Err(Stop::Memory),
        }
    }
}
