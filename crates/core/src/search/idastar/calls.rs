//! A threshold's subtrees, handed to an engine a few at a time: by one thread or by many.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::engine::{Engine, Found, Grain};
use super::frontier::SubtreeOf;
use super::tree::Tree;
use crate::heuristic::Heuristic;
use crate::puzzle::Entry;
use crate::search::meter::Meter;
use crate::search::threads::on_every_thread;

/// The calls of an engine that exhaust a threshold, each for a few subtrees.
pub(super) struct Calls<'a, W: Entry, H: Heuristic<W>> {
    pub tree: &'a Tree<'a, W, H>,
    pub engine: &'a dyn Engine<W, H>,
    pub subtrees: &'a [SubtreeOf<W, H>],
    /// About how many nodes a subtree has.
    pub expected: u64,
    /// The least and the most nodes for a call.
    pub grain: Grain,
}

/// A call has a 32nd of the nodes so far, within the engine's grain: what an engine searches twice
/// near the solution, or in vain to the right of it, is a small part of the whole.
const SHARE: u64 = 32;

impl<W: Entry, H: Heuristic<W>> Calls<'_, W, H> {
    /// One call after the other: what is counted is what the recursion counts.
    pub fn sequential(&self, meter: &mut Meter<'_>) -> Found {
        let begun = meter.counts().generated;
        let mut expected = self.expected;
        let mut first = 0;
        while first < self.subtrees.len() {
            let so_far = meter.counts().generated;
            if first > 0 {
                expected = (so_far - begun) / first as u64;
            }
            let nodes = (so_far / SHARE).clamp(self.grain.least, self.grain.most);
            let count = (nodes / expected.max(1)).max(1) as usize;
            let behind = (first + count).min(self.subtrees.len());
            let subtrees = &self.subtrees[first..behind];
            let found = self.engine.search(self.tree, subtrees, expected, meter)?;
            if let Some((index, moves)) = found {
                return Ok(Some((first + index, moves)));
            }
            first = behind;
        }
        Ok(None)
    }

    /// Calls that threads take in their order, each the next one, until one finds a solution:
    /// little is searched to the right of it. Every node of a complete iteration is counted once,
    /// whoever searches it.
    pub fn parallel(&self, meter: &mut Meter<'_>) -> Found {
        let next = AtomicUsize::new(0);
        on_every_thread(meter, |_, own| self.worker(&next, own), Option::or)
    }

    /// One thread's calls.
    fn worker(&self, next: &AtomicUsize, meter: &mut Meter<'_>) -> Found {
        let in_a_call = (self.grain.most / self.expected.max(1)).max(1) as usize;
        loop {
            let call = next.fetch_add(1, Relaxed);
            let Some(subtrees) = self.subtrees.chunks(in_a_call).nth(call) else {
                return Ok(None);
            };
            meter.watch().proceed()?;
            let found = (self.engine).search(self.tree, subtrees, self.expected, meter)?;
            if let Some((index, moves)) = found {
                meter.watch().finish();
                return Ok(Some((call * in_a_call + index, moves)));
            }
        }
    }
}
