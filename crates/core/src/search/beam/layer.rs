//! A layer of a beam: its states, with what the paths to them carry.

use std::ops::Range;

use super::CHUNK;
use crate::heuristic::Heuristic;
use crate::puzzle::{Cell, Grid, Packed, Word};
use crate::search::Stop;
use crate::search::astar::{NO_MOVE, Onward};
use crate::search::meter::Meter;
use crate::search::store::{copies, reserve};
use crate::search::threads::share;

/// A child of a layer, but for its state and what it carries: most are not kept.
#[derive(Clone, Copy, Default)]
pub(crate) struct Child {
    pub parent: u32,
    pub h: u16,
    /// Where the gap goes.
    pub to: Cell,
    pub mv: u8,
}

impl Child {
    /// Where it comes from, in one number.
    pub fn step(&self) -> u32 {
        self.parent << 2 | u32::from(self.mv)
    }
}

/// The children of some states.
#[derive(Default)]
pub(crate) struct Chunk {
    pub children: Vec<Child>,
    /// The first one that is the goal.
    pub goal: Option<Child>,
}

/// The states of a layer.
pub(crate) trait Layer<W>: Sync {
    /// The layer of the start alone.
    fn begin(&mut self, start: Packed<W>);

    fn states(&self) -> &[Packed<W>];

    /// What a state takes, with what it carries.
    fn bytes_of_a_state(&self) -> usize;

    /// Makes the children of some of its states, for which the chunk has room.
    fn expand(&self, states: Range<usize>, chunk: &mut Chunk);

    /// Replaces the layer by these children.
    ///
    /// What they carry is computed once more. To keep it from the estimate costs more: it is 300
    /// bytes for pattern databases, and most children are not kept.
    fn advance(
        &mut self,
        kept: &[Child],
        threads: usize,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop>;
}

/// The layer of an estimate.
pub(crate) struct CarryingLayer<'a, W: Word, H: Heuristic<W>> {
    heuristic: &'a H,
    onward: Onward,
    goal: Packed<W>,
    states: Vec<Packed<W>>,
    /// The moves that led to them.
    last: Vec<u8>,
    carried: Vec<H::Carried>,
}

impl<'a, W: Word, H: Heuristic<W>> CarryingLayer<'a, W, H> {
    pub fn new(heuristic: &'a H, grid: &Grid, goal: Packed<W>) -> CarryingLayer<'a, W, H> {
        CarryingLayer {
            heuristic,
            onward: Onward::new(grid),
            goal,
            states: Vec::new(),
            last: Vec::new(),
            carried: Vec::new(),
        }
    }

    /// A child that is kept, as the next layer has it.
    fn child(&self, child: &Child) -> (Packed<W>, H::Carried) {
        let parent = child.parent as usize;
        let before = self.states[parent];
        let (after, tile) = before.slide(child.to);
        let carried = (self.heuristic).moved(self.carried[parent], before, after, tile);
        (after, carried)
    }
}

impl<W: Word, H: Heuristic<W>> Layer<W> for CarryingLayer<'_, W, H> {
    fn begin(&mut self, start: Packed<W>) {
        self.states = vec![start];
        self.last = vec![NO_MOVE];
        self.carried = vec![self.heuristic.start(start)];
    }

    fn states(&self) -> &[Packed<W>] {
        &self.states
    }

    fn bytes_of_a_state(&self) -> usize {
        size_of::<(Packed<W>, u8, H::Carried)>()
    }

    fn expand(&self, states: Range<usize>, chunk: &mut Chunk) {
        for parent in states {
            let (state, carried) = (self.states[parent], self.carried[parent]);
            for &(mv, to) in self.onward.steps(state.gap, self.last[parent]) {
                let (after, tile) = state.slide(to);
                let moved = self.heuristic.moved(carried, state, after, tile);
                let child = Child {
                    parent: parent as u32,
                    h: self.heuristic.value(moved) as u16,
                    to,
                    mv: mv as u8,
                };
                chunk.children.push(child);
                if after == self.goal {
                    chunk.goal.get_or_insert(child);
                }
            }
        }
    }

    fn advance(
        &mut self,
        kept: &[Child],
        threads: usize,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let mut states = copies(self.states[0], kept.len())?;
        let mut carried = copies(self.carried[0], kept.len())?;
        let parts = states.chunks_mut(CHUNK).zip(carried.chunks_mut(CHUNK));
        let jobs = parts.zip(kept.chunks(CHUNK)).collect();
        share(jobs, threads, meter, &|((states, carried), kept), _| {
            let places = states.iter_mut().zip(carried);
            for ((state, carried), child) in places.zip(kept) {
                (*state, *carried) = self.child(child);
            }
            Ok(())
        })?;
        self.last.clear();
        reserve(&mut self.last, kept.len())?;
        self.last.extend(kept.iter().map(|child| child.mv));
        (self.states, self.carried) = (states, carried);
        Ok(())
    }
}
