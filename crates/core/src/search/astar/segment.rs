//! A segment of the closed list: lines of slots that grow in place.

use std::cmp::Ordering;
use std::mem::size_of;

use super::closed::MOST_AT_ONCE;
use super::line::LINE;
use crate::puzzle::Entry;
use crate::search::Stop;
use crate::search::meter::Meter;
use crate::sys::huge_pages::extend_huge_pages;

/// Segments of a list, by the top bits of the hash: other threads wait for one that grows. With a quarter of them two threads
/// take 7 % more time (instance 60 of korf100).
pub(super) const SEGMENTS: usize = 1 << SEGMENTS_LOG2;
const SEGMENTS_LOG2: u32 = 4;
/// Lines that a state goes through before it leaves them: a page of 64-bit words.
pub(super) const GROUP: usize = 64;
/// Lines that move together when a segment grows: whole groups.
const WINDOW: usize = 2 * GROUP;

/// The line after one that is full, for a state that has passed so many: all lines of its group in steps that
/// its hash names, and then those of the next groups one after the other.
#[inline(always)]
pub(super) fn next_line(line: usize, hash: u64, passed: usize) -> usize {
    let first = line - line % GROUP;
    // An odd step comes to all of them.
    let step = hash as usize | 1;
    match passed.cmp(&GROUP) {
        Ordering::Less => first + line.wrapping_add(step) % GROUP,
        Ordering::Equal => first + GROUP,
        Ordering::Greater => line + 1,
    }
}

/// Lines behind the group of the last home: as many as all children that are inserted at once may fill.
const TAIL: usize = MOST_AT_ONCE / LINE;
/// Lines behind the last home at most.
pub(super) const LONGEST_TAIL: usize = GROUP - 1 + TAIL;

/// The segment of a state, by its hash.
#[inline(always)]
pub(super) fn segment_of(hash: u64) -> usize {
    (hash >> (u64::BITS - SEGMENTS_LOG2)) as usize
}

/// How far a segment's lines are in use. The first `homes` of them are homes; the rest of the last group and a
/// [`TAIL`] more take what runs over.
pub(super) struct Segment {
    homes: usize,
    pub states: usize,
    /// Whether a state has left the group that the last home is in.
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
        lines_for(self.homes)
    }

    /// Lines in use when it has grown.
    pub fn lines_when_grown<W: Entry>(&self) -> usize {
        lines_for(self.homes + Segment::growth::<W>(self.homes))
    }

    /// The line where the search for a state starts, never before that of a smaller hash.
    #[inline(always)]
    pub fn home(&self, hash: u64) -> usize {
        ((u128::from(hash << SEGMENTS_LOG2) * self.homes as u128) >> 64) as usize
    }

    /// Takes note of how far behind its group a state went.
    #[inline(always)]
    pub fn note_line(&mut self, line: usize) {
        self.runs_over |= line >= self.homes.next_multiple_of(GROUP);
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
        scratch: &mut RehashScratch<W>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let (mut end, grown) = (self.lines(), self.lines_when_grown::<W>());
        if grown > lines.len() {
            return Err(Stop::Memory);
        }
        meter.grow(0, (grown - end) * size_of::<[W; LINE]>())?;
        scratch.make_ready(grown, meter)?;
        let homes_before = self.homes;
        self.homes += Segment::growth::<W>(homes_before);
        self.runs_over = false;
        extend_huge_pages(lines, end, grown);
        while end > 0 {
            let is_full = |line: &[W; LINE]| line[LINE - 1] != W::default();
            let mut start = (end - 1) / WINDOW * WINDOW;
            // No state from before the window may be in it: it would belong further ahead.
            while start > 0 && lines[start - GROUP..start].iter().all(is_full) {
                start -= GROUP;
            }
            // States move by half of where they are, or a third: far enough behind, all of a window move out of it.
            let first = start * self.homes / homes_before;
            if first - first % GROUP >= end {
                let (before, behind) = lines.split_at_mut(end);
                let window = &mut before[start..];
                self.rehash(window, behind, end, &mut scratch.filled);
                window.fill([W::default(); LINE]);
            } else {
                let window = &mut lines[start..end];
                scratch.lines.clear();
                scratch.lines.extend_from_slice(window);
                window.fill([W::default(); LINE]);
                self.rehash(&scratch.lines, lines, 0, &mut scratch.filled);
            }
            end = start;
        }
        Ok(())
    }

    /// Places the states of a window anew, in lines from number `first` on. They have their homes in the window, and
    /// behind it every state is in its new place.
    fn rehash<W: Entry>(
        &mut self,
        window: &[[W; LINE]],
        lines: &mut [[W; LINE]],
        first: usize,
        filled: &mut [u8],
    ) {
        let filled = &mut filled[first..];
        // As long as each other: an index is checked once.
        let len = lines.len().min(filled.len());
        let (lines, filled) = (&mut lines[..len], &mut filled[..len]);
        for line in window {
            for &entry in line.iter().take_while(|&&entry| entry != W::default()) {
                let hash = entry.hash();
                let (mut line, mut passed) = (self.home(hash), 0);
                while usize::from(filled[line - first]) == LINE {
                    passed += 1;
                    line = next_line(line, hash, passed);
                }
                if passed >= GROUP {
                    self.note_line(line);
                }
                let slot = usize::from(filled[line - first]);
                filled[line - first] += 1;
                lines[line - first][slot % LINE] = entry;
            }
        }
    }
}

/// Lines in use with so many homes.
fn lines_for(homes: usize) -> usize {
    homes.next_multiple_of(GROUP) + TAIL
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
