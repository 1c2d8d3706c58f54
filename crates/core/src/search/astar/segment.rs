//! A segment of the closed list: lines of slots that grow in place.

use std::mem::size_of;
use std::ops::Range;

use super::line::LINE;
use super::worker::BATCH;
use crate::puzzle::Entry;
use crate::search::Stop;
use crate::search::meter::Meter;
use crate::sys::huge_pages::move_into_huge_pages;

/// Lines behind the last home, for what runs over: half of them take all children that are inserted at once.
pub(super) const TAIL: usize = 2 * 3 * BATCH / LINE;
/// Lines that move together when a segment grows.
const WINDOW: usize = 512;

/// How far a segment's lines are in use. The first `homes` of them are homes, and [`TAIL`] more
/// take what runs over.
pub(super) struct Segment {
    homes: usize,
    pub states: usize,
    /// Whether more than half of the tail is in use.
    runs_over: bool,
}

impl Segment {
    pub fn new(homes: usize) -> Segment {
        Segment {
            homes,
            states: 0,
            runs_over: false,
        }
    }

    /// Lines in use.
    pub fn lines(&self) -> usize {
        self.homes + TAIL
    }

    /// Lines in use when it has grown.
    pub fn lines_when_grown<W>(&self) -> usize {
        self.lines() + Segment::growth::<W>(self.homes)
    }

    /// The line where the search for a state starts, never before that of a smaller hash.
    #[inline(always)]
    pub fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.homes as u128) >> 64) as usize
    }

    /// Takes note of how far behind its home a state went.
    #[inline(always)]
    pub fn note_line(&mut self, line: usize) {
        self.runs_over |= line >= self.homes + TAIL / 2;
    }

    /// How many homes more it has when it has grown: a half, or a third of large words, which makes
    /// 1.3 bytes a state less of them.
    pub fn growth<W>(homes: usize) -> usize {
        homes / if size_of::<W>() > 8 { 3 } else { 2 }
    }

    /// Seven eighths: with steps of a half, at most 15.6 bytes a state of 4x4 with the open list
    /// on korf100 with taxicab and one thread, from a million states on.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.states * 8 > self.homes * LINE * 7 || self.runs_over
    }

    /// Grows by a part, from the last line to the first, so that old and new segment are never
    /// held together.
    pub fn grow<W: Entry>(
        &mut self,
        lines: &mut [[W; LINE]],
        hash: impl Fn(W) -> u64,
        scratch: &mut RehashScratch<W>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let mut end = self.lines();
        let more = Segment::growth::<W>(self.homes);
        if end + more > lines.len() {
            return Err(Stop::Memory);
        }
        meter.grow(0, more * size_of::<[W; LINE]>())?;
        scratch.make_ready(end + more, meter)?;
        self.homes += more;
        self.runs_over = false;
        move_into_huge_pages(&mut lines[..end + more]);
        while end > 0 {
            let is_full = |line: &[W; LINE]| line[LINE - 1] != W::default();
            let mut start = end.saturating_sub(WINDOW);
            // No state from before the window may be in it: it would belong further ahead.
            while start > 0 && is_full(&lines[start - 1]) {
                start -= 1;
            }
            self.rehash(lines, start..end, &hash, scratch);
            end = start;
        }
        Ok(())
    }

    /// Places the states of a window anew. They have their homes in it or behind it, and behind
    /// it every state is in its new place.
    fn rehash<W: Entry>(
        &self,
        lines: &mut [[W; LINE]],
        window: Range<usize>,
        hash: impl Fn(W) -> u64,
        scratch: &mut RehashScratch<W>,
    ) {
        let window = &mut lines[window];
        scratch.lines.clear();
        scratch.lines.extend_from_slice(window);
        window.fill([W::default(); LINE]);
        for line in &scratch.lines {
            for &entry in line.iter().take_while(|&&entry| entry != W::default()) {
                let mut line = self.home(hash(entry));
                while usize::from(scratch.filled[line]) == LINE {
                    line += 1;
                }
                let slot = &mut scratch.filled[line];
                lines[line][usize::from(*slot)] = entry;
                *slot += 1;
            }
        }
    }
}

/// What a segment needs while it grows.
pub(super) struct RehashScratch<W> {
    /// A window's lines as they were.
    lines: Vec<[W; LINE]>,
    /// How many slots of each new line are filled: a growth takes twice as long if it has to look
    /// for the first empty one.
    filled: Vec<u8>,
}

impl<W: Entry> RehashScratch<W> {
    pub fn new() -> RehashScratch<W> {
        RehashScratch {
            lines: Vec::new(),
            filled: Vec::new(),
        }
    }

    fn make_ready(&mut self, lines: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if self.lines.capacity() == 0 {
            meter.grow(0, WINDOW * size_of::<[W; LINE]>())?;
            self.lines.reserve_exact(WINDOW);
        }
        self.filled.clear();
        if self.filled.capacity() < lines {
            // With room for segments that are full a little later than this one.
            let capacity = lines + lines / 2;
            meter.grow(self.filled.capacity(), capacity)?;
            self.filled.reserve_exact(capacity);
        }
        self.filled.resize(lines, 0);
        Ok(())
    }
}
