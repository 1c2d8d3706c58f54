//! A threshold's subtrees, handed to an engine a few at a time: by one thread or by many.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::engine::{Engine, Found};
use super::frontier::SubtreeOf;
use super::tree::Tree;
use crate::heuristic::Heuristic;
use crate::puzzle::Entry;
use crate::search::control::Stop;
use crate::search::meter::{Meter, Watch};
use crate::sys::cpu_time::thread_cpu_time;

/// The calls of an engine that exhaust a threshold, each for a few subtrees.
pub(super) struct Calls<'a, W: Entry, H: Heuristic<W>> {
    pub tree: &'a Tree<'a, W, H>,
    pub engine: &'a dyn Engine<W, H>,
    pub subtrees: &'a [SubtreeOf<W, H>],
    pub in_a_call: usize,
    /// About how many nodes a subtree has.
    pub expected: u64,
}

impl<W: Entry, H: Heuristic<W>> Calls<'_, W, H> {
    /// One call: a solution comes with the place of its subtree among all.
    fn call(&self, call: usize, subtrees: &[SubtreeOf<W, H>], meter: &mut Meter<'_>) -> Found {
        let found = self
            .engine
            .search(self.tree, subtrees, self.expected, meter)?;
        Ok(found.map(|(index, moves)| (call * self.in_a_call + index, moves)))
    }

    /// One call after the other: what is counted is what the recursion counts.
    pub fn sequential(&self, meter: &mut Meter<'_>) -> Found {
        for (call, subtrees) in self.subtrees.chunks(self.in_a_call).enumerate() {
            let found = self.call(call, subtrees, meter)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Calls that threads take in their order, each the next one, until one finds a solution:
    /// little is searched to the right of it. Every node of a complete iteration is counted once,
    /// whoever searches it.
    pub fn parallel(&self, meter: &mut Meter<'_>) -> Found {
        let watch: &Watch<'_> = meter.watch();
        let next = AtomicUsize::new(0);
        // The caller is one of the workers, and its CPU time is known already.
        let caller = rayon::current_thread_index();
        let ends = rayon::broadcast(|worker| {
            let begun = thread_cpu_time();
            let mut own = Meter::new(watch);
            let found = self.worker(&next, &mut own);
            own.end();
            if Some(worker.index()) != caller {
                watch.add_cpu_time(begun);
            }
            (found, own)
        });
        let (mut solution, mut stopped) = (None, None);
        for (found, own) in ends {
            meter.absorb(&own);
            match found {
                Ok(found) => solution = solution.or(found),
                // A thread that ends for another one does not know why that one ends.
                Err(stop) => stopped = stopped.filter(|&why| why != Stop::Cancelled).or(Some(stop)),
            }
        }
        match (solution, stopped) {
            (None, Some(stop)) => Err(stop),
            (solution, _) => Ok(solution),
        }
    }

    /// One thread's calls.
    fn worker(&self, next: &AtomicUsize, meter: &mut Meter<'_>) -> Found {
        loop {
            let call = next.fetch_add(1, Relaxed);
            let Some(subtrees) = self.subtrees.chunks(self.in_a_call).nth(call) else {
                return Ok(None);
            };
            meter.watch().proceed()?;
            let found = self.call(call, subtrees, meter)?;
            if found.is_some() {
                meter.watch().finish();
                return Ok(found);
            }
        }
    }
}
