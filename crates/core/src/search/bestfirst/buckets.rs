//! The states that wait, a stack for each g and h.

use std::mem::size_of;

use super::{States, Taken};
use crate::puzzle::Word;
use crate::search::Stop;
use crate::search::meter::Meter;

/// Stacks that a value of h has at first.
const FIRST_STACKS: usize = 32;

/// What all states of a stack have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bucket {
    pub g: u32,
    pub h: u32,
}

/// The stacks of one h.
#[derive(Default)]
struct Column {
    /// By g, the number of the topmost node and one; 0 for an empty stack.
    tops: Vec<u32>,
    /// The least g whose stack is not empty; as many as there are stacks where all are.
    least: usize,
}

/// A stack of nodes for each pair of g and h.
///
/// A node has what is below it in itself. One that was left for a shorter path, or has been expanded
/// since, is passed over when it comes up.
pub(crate) struct Buckets {
    /// By h.
    columns: Vec<Column>,
    len: usize,
}

impl Buckets {
    pub fn new() -> Buckets {
        Buckets {
            columns: Vec::new(),
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
    /// was not before. The state waits on no stack.
    #[inline(always)]
    pub fn push<W: Word>(
        &mut self,
        bucket: Bucket,
        state: u32,
        states: &mut States<W>,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        let (g, h) = (bucket.g as usize, bucket.h as usize);
        if h >= self.columns.len() || g >= self.columns[h].tops.len() {
            self.make_stacks(g, h, meter)?;
        }
        let column = &mut self.columns[h];
        states.node_mut(state).below = std::mem::replace(&mut column.tops[g], state + 1);
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
        let number = column.tops[g] - 1;
        let node = states.node(number);
        column.tops[g] = node.below;
        self.len -= 1;
        match node.below {
            0 => {
                let next = column.tops[g..].iter().position(|&top| top != 0);
                column.least = next.map_or(column.tops.len(), |more| g + more);
            }
            // It is likely to come soon, and was left long ago.
            below => states.prefetch_node(below - 1),
        }
        let bucket = Bucket { g: g as u32, h };
        let taken = node.waits_in(bucket).then(|| Taken {
            number,
            state: node.state(),
            g: bucket.g,
            h,
        });
        (taken, node.below == 0)
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
