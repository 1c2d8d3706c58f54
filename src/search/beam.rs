//! Beam search: how long a solution is at most, at a price that is known before.
//!
//! Breadth-first, but of each layer only the states with the least estimates are kept. What it
//! finds is seldom a shortest solution and seldom much longer, and it is found in a time that
//! hardly depends on the board: enough to tell how far IDA* has to go.
//!
//! Only what an estimate carries along is compiled for each estimate; the rest calls it.

use std::collections::HashSet;

use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::guide::{Code, SearchWord, WithHeuristic};
use super::{Control, Settings};
use crate::heuristic::Heuristic;
use crate::puzzle::{Entry, Grid, Packed, Problem, Word};

/// The most layers: no board of up to 25 cells is known to need as many moves, and a beam that
/// has not come to the goal by then turns in circles.
const MOST_LAYERS: u32 = 400;

/// The cost of a solution that a beam of that many states finds; `None` where it finds none, or
/// is cancelled. Reads the settings' estimate alone.
pub fn upper_bound(
    problem: &Problem,
    width: usize,
    settings: &Settings<'_>,
    control: &Control<'_>,
) -> Option<u32> {
    match problem.size().cells() <= <u64 as Word>::CELLS {
        true => narrow::<u64>(problem, width, settings, control),
        false => narrow::<u128>(problem, width, settings, control),
    }
}

fn narrow<W: SearchWord>(
    problem: &Problem,
    width: usize,
    settings: &Settings<'_>,
    control: &Control<'_>,
) -> Option<u32> {
    let order = problem.order_as_searched(settings.algorithm.default_order());
    let beam = Beam {
        start: Packed::<W>::new(problem.start()),
        goal: Packed::new(problem.target()),
        grid: Grid::new(problem.size(), order),
        width,
        control,
    };
    W::dispatch(&settings.heuristic, problem.target(), beam)
}

struct Beam<'a, W> {
    start: Packed<W>,
    goal: Packed<W>,
    grid: Grid,
    width: usize,
    control: &'a Control<'a>,
}

/// A child of a layer, but for what it carries: most are not kept.
#[derive(Clone, Copy)]
struct Child<W> {
    state: Packed<W>,
    parent: u32,
}

type States<W> = HashSet<W, FixedState>;

impl<W: Entry> WithHeuristic<W> for Beam<'_, W> {
    type Output = Option<u32>;

    fn with<H: Heuristic<W>>(self, heuristic: &H, _: Code<W, H>) -> Option<u32> {
        let mut layer = CarryingLayer {
            heuristic,
            states: vec![self.start],
            carried: vec![heuristic.start(self.start)],
        };
        self.search(&mut layer)
    }
}

impl<W: Entry> Beam<'_, W> {
    fn search(&self, layer: &mut dyn Layer<W>) -> Option<u32> {
        let mut last = States::<W>::default();
        let mut before = States::<W>::default();
        last.insert(self.start.cells);
        for g in 0..MOST_LAYERS {
            if layer.states().contains(&self.goal) {
                return Some(g);
            }
            if self.control.is_cancelled() {
                return None;
            }
            let (mut children, new) = self.children(layer.states(), &before);
            before = std::mem::replace(&mut last, new);
            self.keep_nearest(&mut children, layer);
            layer.advance(&children);
        }
        None
    }

    /// The children of a layer, each state once. One of the layer before the last is a step back,
    /// whichever way it is reached.
    fn children(&self, layer: &[Packed<W>], before: &States<W>) -> (Vec<Child<W>>, States<W>) {
        let mut new = States::with_capacity_and_hasher(2 * layer.len(), FixedState::default());
        let mut children = Vec::with_capacity(2 * layer.len());
        for (parent, node) in layer.iter().enumerate() {
            for &(_, to) in self.grid.steps(node.gap) {
                let (state, _) = node.slide(to);
                if !before.contains(&state.cells) && new.insert(state.cells) {
                    let parent = parent as u32;
                    children.push(Child { state, parent });
                }
            }
        }
        (children, new)
    }

    /// Keeps the children with the least estimates, in that order.
    fn keep_nearest(&self, children: &mut Vec<Child<W>>, layer: &dyn Layer<W>) {
        let estimates = children.par_iter().map(|child| layer.estimate(child));
        let estimates: Vec<u32> = estimates.collect();
        let mut order: Vec<usize> = (0..children.len()).collect();
        order.sort_by_key(|&child| estimates[child]);
        order.truncate(self.width);
        *children = order.into_iter().map(|child| children[child]).collect();
    }
}

/// The states of a layer, with what the paths to them carry.
trait Layer<W>: Sync {
    fn states(&self) -> &[Packed<W>];

    fn estimate(&self, child: &Child<W>) -> u32;

    /// Replaces the layer by these children.
    ///
    /// What they carry is computed once more. To keep it from the estimate costs more: it is 300
    /// bytes for pattern databases, and most children are not kept.
    fn advance(&mut self, children: &[Child<W>]);
}

struct CarryingLayer<'a, W: Word, H: Heuristic<W>> {
    heuristic: &'a H,
    states: Vec<Packed<W>>,
    carried: Vec<H::Carried>,
}

impl<W: Word, H: Heuristic<W>> CarryingLayer<'_, W, H> {
    fn carried(&self, child: &Child<W>) -> H::Carried {
        let parent = child.parent as usize;
        let (before, carried) = (self.states[parent], self.carried[parent]);
        let (after, tile) = before.slide(child.state.gap);
        self.heuristic.moved(carried, before, after, tile)
    }
}

impl<W: Word, H: Heuristic<W>> Layer<W> for CarryingLayer<'_, W, H> {
    fn states(&self) -> &[Packed<W>] {
        &self.states
    }

    fn estimate(&self, child: &Child<W>) -> u32 {
        self.heuristic.value(self.carried(child))
    }

    fn advance(&mut self, children: &[Child<W>]) {
        const CHUNK: usize = 1 << 10;
        let parents = children.iter().map(|child| child.parent as usize);
        let mut carried: Vec<_> = parents.map(|parent| self.carried[parent]).collect();
        let (layer, chunks) = (&*self, carried.chunks_mut(CHUNK));
        let jobs = chunks.zip(children.chunks(CHUNK)).map(|(carried, chunk)| {
            let job: Job<'_> = Box::new(move || {
                for (carried, child) in carried.iter_mut().zip(chunk) {
                    *carried = layer.carried(child);
                }
            });
            job
        });
        run_all(jobs.collect());
        self.states = children.iter().map(|child| child.state).collect();
        self.carried = carried;
    }
}

type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Runs jobs on all threads.
fn run_all(jobs: Vec<Job<'_>>) {
    jobs.into_par_iter().for_each(|job| job());
}
