//! Searches of puzzles whose moves are not of one tile each: plain textbook code over one
//! function that makes the children of a state.
//!
//! The searches beside this folder are tuned for moves of one tile that cost one, and know nothing
//! of this. Here a state has its children from a [`Variant`], each with the cost of the move and an
//! estimate that is carried along.

mod astar;
mod breadth_first;
mod idastar;
mod multi;

use super::guide::Dispatch;
use super::meter::{Meter, Watch};
use super::{Algorithm, Control, Outcome, Settings, Stats, Stop};
use crate::heuristic::Estimate;
use crate::puzzle::{Cell, Grid, Metric, Move, Packed, Problem, Tile, Word};
use multi::Multi;

/// What a move is, what it costs, and how far the goal is at least.
pub(super) trait Variant<W: Word>: Sync {
    /// What travels with a state, so that a move need not compute the estimate anew.
    type Carried: Copy;

    /// Whether the gap may go on in the direction that it came in, as a part of one move.
    const GOES_ON: bool;

    /// What a path that starts at `state` carries.
    fn start(&self, state: Packed<W>) -> Self::Carried;

    /// What is carried on after `tile` went from cell `from` to cell `to`.
    fn slid(&self, carried: Self::Carried, tile: Tile, from: Cell, to: Cell) -> Self::Carried;

    /// The estimate: never too high, and a move changes it by at most its cost.
    fn value(&self, carried: Self::Carried) -> u32;
}

/// A state that one move leads to.
#[derive(Clone, Copy)]
struct Child<W, C> {
    state: Packed<W>,
    carried: C,
    step: Step,
}

/// A move: the way of the gap, and over how many cells it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    mv: Move,
    cells: u8,
}

impl Step {
    /// Whether a move that follows this one is worth a try. After a move in a line, another one in
    /// the same line is one move or none.
    fn lets(self, next: Move) -> bool {
        next != self.mv && next != self.mv.opposite()
    }
}

/// The children of a state that was reached by `last`, in the order of moves, the nearest first.
fn children<'a, W: Word, V: Variant<W>>(
    variant: &'a V,
    grid: &'a Grid,
    (state, carried): (Packed<W>, V::Carried),
    last: Option<Step>,
) -> impl Iterator<Item = Child<W, V::Carried>> + 'a
where
    V::Carried: 'a,
{
    let ways = grid.order().moves().into_iter();
    let ways = ways.filter(move |&mv| last.is_none_or(|last| last.lets(mv)));
    ways.flat_map(move |mv| {
        let parent = Child {
            state,
            carried,
            step: Step { mv, cells: 0 },
        };
        let next = move |child: &Child<W, V::Carried>| one_cell_on(variant, grid, child);
        let most = if V::GOES_ON { usize::MAX } else { 1 };
        std::iter::successors(next(&parent), next).take(most)
    })
}

/// The same move one cell further, if there is one.
fn one_cell_on<W: Word, V: Variant<W>>(
    variant: &V,
    grid: &Grid,
    child: &Child<W, V::Carried>,
) -> Option<Child<W, V::Carried>> {
    let (from, step) = (child.state.gap, child.step);
    let to = grid.size().neighbour(from, step.mv)?;
    let (state, tile) = child.state.slide(to);
    Some(Child {
        state,
        carried: variant.slid(child.carried, tile, to, from),
        step: Step {
            cells: step.cells + 1,
            ..step
        },
    })
}

/// Moves of the gap by one cell each, from a state back to where the search came from.
fn trace_back<W: Word>(
    mut state: Packed<W>,
    grid: &Grid,
    reached_by: impl Fn(Packed<W>) -> Option<Step>,
) -> Vec<Move> {
    let mut moves = Vec::new();
    while let Some(Step { mv, cells }) = reached_by(state) {
        for _ in 0..cells {
            moves.push(mv);
            let from = grid.size().neighbour(state.gap, mv.opposite());
            (state, _) = state.slide(from.expect("a move on the board can be undone"));
        }
    }
    moves.reverse();
    moves
}

/// The searches that there are under such rules.
pub(super) const fn has(algorithm: Algorithm) -> bool {
    matches!(
        algorithm,
        Algorithm::Bfs | Algorithm::BiBfs | Algorithm::AStar | Algorithm::IdaStar
    )
}

/// Whether there is such a search, and such an estimate.
pub(super) fn check<H: Dispatch>(settings: &Settings<'_, H>) -> Result<(), Stop> {
    let estimate = settings.heuristic.estimate();
    let is_known = matches!(estimate, Some(Estimate::Zero | Estimate::Taxicab));
    match has(settings.algorithm) && settings.endgame.is_none() {
        true if is_known || !settings.algorithm.is_informed() => Ok(()),
        _ => Err(Stop::OtherMetric),
    }
}

/// Searches for a solution of fewest moves, on one thread, and replays it.
pub(super) fn solve<H: Dispatch>(
    problem: &Problem,
    settings: &Settings<'_, H>,
    control: &Control<'_>,
) -> Outcome {
    debug_assert_eq!(problem.rules().metric, Metric::Multi);
    match problem.size().cells() <= <u64 as Word>::CELLS {
        true => solve_packed::<u64, H>(problem, settings, control),
        false => solve_packed::<u128, H>(problem, settings, control),
    }
}

fn solve_packed<W: Word, H: Dispatch>(
    problem: &Problem,
    settings: &Settings<'_, H>,
    control: &Control<'_>,
) -> Outcome {
    let algorithm = settings.algorithm;
    let order = settings.order.unwrap_or(algorithm.default_order());
    let grid = Grid::new(problem.size(), problem.order_as_searched(order));
    let is_guided = settings.heuristic.estimate() == Some(Estimate::Taxicab);
    let variant = Multi::toward(problem.target(), is_guided);
    let [start, goal] = [problem.start(), problem.target()].map(Packed::<W>::new);
    let query = Query {
        start,
        goal,
        grid: &grid,
        variant: &variant,
    };
    let watch = Watch::new(control);
    watch.start();
    let mut meter = Meter::new(&watch);
    meter.stats.generated = 1;
    if algorithm.is_informed() {
        let carried = Variant::<W>::start(&variant, start);
        meter.stats.h0 = Variant::<W>::value(&variant, carried);
    }
    let found = match algorithm {
        Algorithm::Bfs => breadth_first::search(&query, &mut meter),
        Algorithm::BiBfs => breadth_first::search_both_ways(&query, &mut meter),
        Algorithm::AStar => astar::search(&query, &mut meter),
        _ => idastar::search(&query, &mut meter),
    };
    let stats = Stats {
        f_reached: watch.threshold(),
        cpu_time: watch.cpu_time(),
        time: watch.elapsed(),
        ..meter.stats
    };
    Outcome::new(problem, found, stats)
}

/// What a search is asked.
struct Query<'a, W, V> {
    start: Packed<W>,
    goal: Packed<W>,
    grid: &'a Grid,
    variant: &'a V,
}

impl<W: Word, V: Variant<W>> Query<'_, W, V> {
    /// The children of a state, and what they carry.
    fn children(
        &self,
        node: (Packed<W>, V::Carried),
        last: Option<Step>,
    ) -> impl Iterator<Item = Child<W, V::Carried>> {
        children(self.variant, self.grid, node, last)
    }

    fn estimate(&self, carried: V::Carried) -> u32 {
        self.variant.value(carried)
    }
}
