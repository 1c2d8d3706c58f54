//! What best-first searches have in common: the children of a state, the states that were reached,
//! and the open list.
//!
//! All states of one g and one h have the same priority, whatever a search makes of the two, and of one
//! h those of the least g come first. So the [`Buckets`] of the open list are pairs of g and h, and
//! [`Open`] compares one of each h: a search that changes its priorities sorts no states.
//!
//! A heuristic is asked for all [`Children`] of a state at once, so that a search is compiled once
//! for each word and not for each heuristic.

mod buckets;
mod children;
mod nodes;
mod open;
mod reached;

use super::Stop;
use super::meter::Meter;
use super::path::trace_back;
use crate::puzzle::{Move, Packed, Size, Word};
pub(crate) use buckets::{Bucket, Buckets};
pub(crate) use children::{Children, Guided, Successors};
pub(crate) use open::{Open, Priority};
pub(crate) use reached::{Reached, States, WhenClosed};

/// What is searched.
pub(crate) struct Query<'a, W> {
    pub start: Packed<W>,
    pub goal: Packed<W>,
    pub size: Size,
    pub successors: &'a dyn Successors<W>,
}

/// A state that was taken from the open list, with its number among those reached.
#[derive(Clone, Copy)]
pub(crate) struct Taken<W> {
    pub number: u32,
    pub state: Packed<W>,
    pub g: u32,
    pub h: u32,
}

impl<W: Word> Query<'_, W> {
    /// Begins: the start is reached, and the only one on the open list.
    pub fn begin(&self, meter: &mut Meter<'_>) -> Result<(States<W>, Bucket), Stop> {
        let mut states = States::new();
        let h = self.successors.estimate(self.start);
        states.begin(self.start, meter)?;
        Ok((states, Bucket { g: 0, h }))
    }

    /// Makes the children of a state that was taken, and gives each that is new, or nearer to the start
    /// than before, to `push` with its bucket and what was known of it.
    #[inline(always)]
    pub fn expand(
        &self,
        taken: &Taken<W>,
        states: &mut States<W>,
        when_closed: WhenClosed,
        meter: &mut Meter<'_>,
        mut push: impl FnMut(u32, Bucket, Reached, &mut States<W>, &mut Meter<'_>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        meter.expand()?;
        let last = states.close(taken.number, meter);
        let mut children = Children::new();
        (self.successors).children(taken.state, taken.h, last, &mut children);
        // The misses of all children overlap.
        children.iter_mut().for_each(|child| states.prefetch(child));
        let g = taken.g + 1;
        meter.stats.generated += children.len() as u64;
        for child in children.iter() {
            let (number, reached) = states.reach(child, g, when_closed, meter)?;
            if reached != Reached::Farther {
                meter.depth(g);
                push(number, Bucket { g, h: child.h }, reached, states, meter)?;
            }
        }
        meter.stats.stored = states.len() as u64;
        Ok(())
    }

    /// The moves to the goal, which was reached.
    pub fn path(&self, states: &States<W>) -> Vec<Move> {
        trace_back(self.goal, self.size, |state| states.reached_by(state.cells))
    }
}
