//! The states that wait, a stack for each g and h.

use std::mem::size_of;

use super::{States, Taken};
use crate::puzzle::Word;
use crate::search::Stop;
use crate::search::meter::Meter;

/// Stacks that a value of h has at first, and entries of all of them.
const FIRST_STACKS: usize = 32;
const FIRST: usize = 1 << 8;

/// What all states of a stack have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bucket {
    pub g: u32,
    pub h: u32,
}

/// A state on a stack, and the entry below it.
#[derive(Clone, Copy, Default)]
struct Entry {
    state: u32,
    below: u32,
}

/// The stacks of one h.
#[derive(Default)]
struct Column {
    /// By g, the topmost entry; 0 for an empty stack.
    tops: Vec<u32>,
    /// The least g whose stack is not empty; as many as there are stacks where all are.
    least: usize,
}

/// A stack of numbers of states for each pair of g and h.
///
/// A state that is reached by a shorter path is pushed again with its new g; what is left of it
/// in another bucket is passed over when it comes up.
pub(crate) struct Buckets {
    /// By h.
    columns: Vec<Column>,
    /// The first one is never used.
    entries: Vec<Entry>,
    /// The topmost of those that are free, on a stack like the others; 0 for none.
    free: u32,
    len: usize,
}

impl Buckets {
    pub fn new() -> Buckets {
        Buckets {
            columns: Vec::new(),
            entries: Vec::new(),
            free: 0,
            len: 0,
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// For each h the least g: whatever a search prefers, of states with the same h it prefers those
    /// nearer to the start.
    pub fn nearest(&self) -> impl Iterator<Item = Bucket> + '_ {
        let columns = (0..).zip(&self.columns);
        let nearest = columns.filter(|(_, column)| column.least < column.tops.len());
        nearest.map(|(h, column)| Bucket {
            g: column.least as u32,
            h,
        })
    }

    /// The same of one h.
    #[inline(always)]
    pub fn nearest_of(&self, h: u32) -> Option<Bucket> {
        let column = self.columns.get(h as usize)?;
        let g = column.least as u32;
        (column.least < column.tops.len()).then_some(Bucket { g, h })
    }

    /// Puts a state on the stack of its bucket; says whether that is the nearest one of its h now, and
    /// was not before.
    #[inline(always)]
    pub fn push(
        &mut self,
        bucket: Bucket,
        state: u32,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        let (g, h) = (bucket.g as usize, bucket.h as usize);
        if h >= self.columns.len() || g >= self.columns[h].tops.len() {
            self.make_stacks(g, h, meter)?;
        }
        if self.free == 0 {
            self.make_room(meter)?;
        }
        let entry = self.free;
        let own = &mut self.entries[entry as usize];
        self.free = own.below;
        let column = &mut self.columns[h];
        *own = Entry {
            state,
            below: column.tops[g],
        };
        column.tops[g] = entry;
        self.len += 1;
        let is_nearest = g < column.least;
        column.least = column.least.min(g);
        Ok(is_nearest)
    }

    /// Takes the topmost state of the nearest bucket of an h, which has one, unless it was reached by a
    /// shorter path since, or has been expanded; says whether another bucket is the nearest now.
    #[inline(always)]
    pub fn take<W: Word>(&mut self, h: u32, states: &States<W>) -> (Option<Taken<W>>, bool) {
        let column = &mut self.columns[h as usize];
        let g = column.least;
        let top = column.tops[g] as usize;
        let Entry { state, below } = self.entries[top];
        self.entries[top].below = self.free;
        self.free = top as u32;
        column.tops[g] = below;
        self.len -= 1;
        if below == 0 {
            let next = column.tops[g..].iter().position(|&top| top != 0);
            column.least = next.map_or(column.tops.len(), |more| g + more);
        }
        let node = states.node(state);
        let is_current = node.g == g as u32 && !node.is_closed();
        let taken = is_current.then(|| Taken {
            number: state,
            state: node.state(),
            g: g as u32,
            h,
        });
        (taken, below == 0)
    }

    /// Frees as many entries as there are.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let len = self.entries.len();
        let more = len.max(FIRST);
        if len + more > u32::MAX as usize {
            return Err(Stop::Memory);
        }
        let bytes = |entries| entries * size_of::<Entry>();
        meter.grow(bytes(len), bytes(len + more))?;
        let reserved = self.entries.try_reserve_exact(more);
        reserved.map_err(|_| Stop::Memory)?;
        self.entries.resize(len + more, Entry::default());
        // Those in front come first: they are side by side in memory.
        for entry in (len.max(1)..len + more).rev() {
            self.entries[entry].below = self.free;
            self.free = entry as u32;
        }
        Ok(())
    }

    /// Makes stacks for an h, up to some g above this one.
    #[cold]
    #[inline(never)]
    fn make_stacks(&mut self, g: usize, h: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if h >= self.columns.len() {
            let bytes = |columns| columns * size_of::<Column>();
            let columns = (h + 1).next_power_of_two();
            meter.grow(bytes(self.columns.len()), bytes(columns))?;
            self.columns.resize_with(columns, Column::default);
        }
        let column = &mut self.columns[h];
        let stacks = column.tops.len();
        let wanted = (g + 1).next_multiple_of(FIRST_STACKS).max(2 * stacks);
        let bytes = |stacks| stacks * size_of::<u32>();
        meter.grow(bytes(stacks), bytes(wanted))?;
        column.tops.resize(wanted, 0);
        if column.least == stacks {
            column.least = wanted;
        }
        Ok(())
    }
}
