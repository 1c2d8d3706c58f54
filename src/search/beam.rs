//! Beam search: how long a solution is at most, at a price that is known before.
//!
//! Breadth-first, but of each layer only the states with the least estimates are kept. What it
//! finds is seldom a shortest solution and seldom much longer, and it is found in a time that
//! hardly depends on the board: enough to tell how far IDA* has to go.

use std::collections::HashSet;
use std::sync::atomic::Ordering::Relaxed;

use foldhash::fast::FixedState;

use super::astar::Entry;
use super::idastar::{Choice, Machine, Tuned};
use super::with_estimate::{WithEstimate, with_estimate};
use super::{Control, Engine, Settings};
use crate::heuristic::Heuristic;
use crate::puzzle::{Grid, Packed, Problem, Word};

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

fn narrow<W: Entry + Tuned>(
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
    with_estimate(settings.heuristic, problem.size(), beam)
}

struct Beam<'a, W> {
    start: Packed<W>,
    grid: Grid,
    width: usize,
    control: &'a Control<'a>,
}

/// A child, but for what it carries: most are not kept.
struct Child<W> {
    state: Packed<W>,
    parent: u32,
}

type States<W> = HashSet<W, FixedState>;

impl<W: Entry> WithEstimate<W> for Beam<'_, W> {
    type Output = Option<u32>;

    fn with<H: Heuristic<W>>(
        self,
        heuristic: &H,
        _: fn(Engine, &Grid, &Machine) -> Choice<W, H>,
    ) -> Option<u32> {
        let goal = Packed::<W>::solved(self.grid.size());
        let mut layer = vec![(self.start, heuristic.start(self.start))];
        // A state of the layer before the last is a step back, whichever way it is reached.
        let mut seen = [States::<W>::default(), States::default()];
        seen[0].insert(self.start.cells);
        for g in 0..MOST_LAYERS {
            if layer.iter().any(|(state, _)| *state == goal) {
                return Some(g);
            }
            if self.control.cancel.is_some_and(|flag| flag.load(Relaxed)) {
                return None;
            }
            let [last, before] = &mut seen;
            let children = self.children(&layer, heuristic, before);
            std::mem::swap(last, before);
            let kept = children.into_iter().flatten().take(self.width);
            layer = kept
                .map(|child| {
                    let (parent, carried) = layer[child.parent as usize];
                    let (state, tile) = parent.slide(child.state.gap);
                    let carried = heuristic.moved(carried, parent, state, tile);
                    (state, carried)
                })
                .collect();
        }
        None
    }
}

impl<W: Entry> Beam<'_, W> {
    /// The children of a layer by their estimates, each state once, and none that is in `seen`;
    /// that is all of them from then on.
    fn children<H: Heuristic<W>>(
        &self,
        layer: &[(Packed<W>, H::Carried)],
        heuristic: &H,
        seen: &mut States<W>,
    ) -> Vec<Vec<Child<W>>> {
        let mut new = States::with_capacity_and_hasher(2 * layer.len(), FixedState::default());
        let mut children = Vec::new();
        for (parent, &(state, carried)) in layer.iter().enumerate() {
            for &(_, to) in self.grid.steps(state.gap) {
                let (child, tile) = state.slide(to);
                if seen.contains(&child.cells) || !new.insert(child.cells) {
                    continue;
                }
                let carried = heuristic.moved(carried, state, child, tile);
                let h = heuristic.value(carried) as usize;
                if children.len() <= h {
                    children.resize_with(h + 1, Vec::new);
                }
                children[h].push(Child {
                    state: child,
                    parent: parent as u32,
                });
            }
        }
        *seen = new;
        children
    }
}
