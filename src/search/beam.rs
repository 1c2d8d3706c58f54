//! Beam search: how long a solution is at most, at a price that is known before.
//!
//! Breadth-first, but of each layer only the states with the least estimates are kept. What it
//! finds is seldom a shortest solution and seldom much longer, and it is found in a time that
//! hardly depends on the board: enough to tell how far IDA* has to go.

use std::collections::HashSet;

use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::guide::{SearchWord, WithHeuristic};
use super::idastar::EnginesFor;
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
        grid: Grid::new(problem.size(), order),
        width,
        control,
    };
    W::dispatch(&settings.heuristic, problem.size(), beam)
}

struct Beam<'a, W> {
    start: Packed<W>,
    grid: Grid,
    width: usize,
    control: &'a Control<'a>,
}

/// A state of a layer, with what the path to it carries.
struct Node<W, C> {
    state: Packed<W>,
    carried: C,
}

/// A child, but for what it carries: most are not kept.
#[derive(Clone, Copy)]
struct Child<W> {
    state: Packed<W>,
    parent: u32,
}

type States<W> = HashSet<W, FixedState>;

impl<W: Entry> WithHeuristic<W> for Beam<'_, W> {
    type Output = Option<u32>;

    fn with<H: Heuristic<W>>(self, heuristic: &H, _: EnginesFor<W, H>) -> Option<u32> {
        let goal = Packed::<W>::solved(self.grid.size());
        let mut layer = vec![Node {
            state: self.start,
            carried: heuristic.start(self.start),
        }];
        let mut last = States::<W>::default();
        let mut before = States::<W>::default();
        last.insert(self.start.cells);
        for g in 0..MOST_LAYERS {
            if layer.iter().any(|node| node.state == goal) {
                return Some(g);
            }
            if self.control.is_cancelled() {
                return None;
            }
            let (children, new) = self.children(&layer, &before);
            before = std::mem::replace(&mut last, new);
            layer = self.nearest(&children, &layer, heuristic);
        }
        None
    }
}

impl<W: Entry> Beam<'_, W> {
    /// The children of a layer, each state once. One of the layer before the last is a step back,
    /// whichever way it is reached.
    fn children<C>(&self, layer: &[Node<W, C>], before: &States<W>) -> (Vec<Child<W>>, States<W>) {
        let mut new = States::with_capacity_and_hasher(2 * layer.len(), FixedState::default());
        let mut children = Vec::with_capacity(2 * layer.len());
        for (parent, node) in layer.iter().enumerate() {
            for &(_, to) in self.grid.steps(node.state.gap) {
                let (state, _) = node.state.slide(to);
                if !before.contains(&state.cells) && new.insert(state.cells) {
                    let parent = parent as u32;
                    children.push(Child { state, parent });
                }
            }
        }
        (children, new)
    }

    /// The next layer: the children with the least estimates, in that order.
    ///
    /// What a child carries is computed twice if it is kept. To keep it for all costs more: it is
    /// 300 bytes for pattern databases.
    fn nearest<H: Heuristic<W>>(
        &self,
        children: &[Child<W>],
        layer: &[Node<W, H::Carried>],
        heuristic: &H,
    ) -> Vec<Node<W, H::Carried>> {
        let carried = |child: &Child<W>| {
            let parent = &layer[child.parent as usize];
            let (state, tile) = parent.state.slide(child.state.gap);
            heuristic.moved(parent.carried, parent.state, state, tile)
        };
        let estimates = children.par_iter().map(|it| heuristic.value(carried(it)));
        let estimates: Vec<u32> = estimates.collect();
        let mut order: Vec<usize> = (0..children.len()).collect();
        order.sort_by_key(|&child| estimates[child]);
        order.truncate(self.width);
        let kept = order.par_iter().map(|&child| Node {
            state: children[child].state,
            carried: carried(&children[child]),
        });
        kept.collect()
    }
}
