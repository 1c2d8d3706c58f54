//! Searches of puzzles whose moves are not of one tile each, or cost other than one: plain textbook
//! code over one function that makes the children of a state.
//!
//! The searches beside this folder are tuned for moves of one tile that cost one, and know nothing
//! of this. Here a state has its children from a [`Variant`], each with the cost of the move and an
//! estimate that is carried along.

mod astar;
mod beam;
mod best_first;
mod breadth_first;
mod ees;
mod idastar;
mod multi;
mod rbfs;
mod reached;
mod tile_costs;

use super::guide::Dispatch;
use super::meter::{Meter, Watch};
use super::{Algorithm, Control, Outcome, Settings, Stats, Stop, Weight};
use crate::heuristic::Estimate;
use crate::puzzle::{
    Cell, Cost, Costs, Grid, Metric, Move, Packed, Problem, Rules, Tile, Wide, Word,
};
use multi::Multi;
use tile_costs::TileCosts;

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
    fn value(&self, carried: Self::Carried) -> u64;

    /// What a move costs whose first tile is this one.
    fn cost(&self, tile: Tile) -> u64;

    /// By how much one move can raise f where that is no small number; `None` where f grows in
    /// steps of one.
    fn widest(&self) -> Option<u64>;

    /// A search whose solution need not be a cheapest one, or in the memory of one path; where there is
    /// none it is refused before.
    fn other(
        _query: &Query<'_, W, Self>,
        algorithm: Algorithm,
        _meter: &mut Meter<'_>,
    ) -> Result<Vec<Move>, Stop>
    where
        Self: Sized,
    {
        unreachable!("there is no {algorithm} of such moves")
    }
}

/// A state that one move leads to.
#[derive(Clone, Copy)]
struct Child<W, C> {
    state: Packed<W>,
    carried: C,
    cost: u64,
    step: Step,
}

/// A move: the way of the gap, and over how many cells it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    mv: Move,
    cells: u8,
}

impl Step {
    /// Whether a move that follows this one is worth a try: it does not take it back, and where
    /// moves go on, another one in the same line would be one move with it.
    fn lets(self, next: Move, goes_on: bool) -> bool {
        next != self.mv.opposite() && !(goes_on && next == self.mv)
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
    let ways = ways.filter(move |&mv| last.is_none_or(|last| last.lets(mv, V::GOES_ON)));
    ways.flat_map(move |mv| {
        let parent = Child {
            state,
            carried,
            cost: 0,
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
        cost: match step.cells {
            0 => variant.cost(tile),
            _ => child.cost,
        },
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

/// The searches that there are where a row of tiles is one move.
pub(super) const fn has_multi(algorithm: Algorithm) -> bool {
    matches!(
        algorithm,
        Algorithm::Bfs
            | Algorithm::BiBfs
            | Algorithm::AStar
            | Algorithm::IdaStar
            | Algorithm::Beam(_)
    )
}

/// The searches that there are where tiles have costs of their own. Breadth-first search is
/// uniform-cost search there.
pub(super) const fn has_costs(algorithm: Algorithm) -> bool {
    matches!(
        algorithm,
        Algorithm::Bfs
            | Algorithm::AStar
            | Algorithm::IdaStar
            | Algorithm::WAStar { .. }
            | Algorithm::Greedy
            | Algorithm::WIdaStar(_)
            | Algorithm::Beam(_)
            | Algorithm::Ees(_)
            | Algorithm::AraStar(_)
            | Algorithm::Rbfs
    )
}

/// Whether there is such a search, and such an estimate.
pub(super) fn check<H: Dispatch>(settings: &Settings<'_, H>, rules: &Rules) -> Result<(), Stop> {
    let estimate = settings.heuristic.estimate();
    let is_known = matches!(estimate, Some(Estimate::Zero | Estimate::Taxicab));
    let has = match (rules.metric, rules.costs) {
        (_, Costs::Unit) => has_multi(settings.algorithm),
        (Metric::Single, _) => has_costs(settings.algorithm),
        (Metric::Multi, _) => false,
    };
    match has && settings.endgame.is_none() {
        true if is_known || !settings.algorithm.is_informed() => Ok(()),
        _ => Err(Stop::OtherMetric),
    }
}

/// Searches for a solution, on one thread, and replays it.
pub(super) fn solve<H: Dispatch>(
    problem: &Problem,
    settings: &Settings<'_, H>,
    control: &Control<'_>,
) -> Outcome {
    let size = problem.size();
    match size.cells() <= <u64 as Word>::CELLS {
        true => solve_packed::<u64, H>(problem, settings, control),
        false if !size.is_wide() => solve_packed::<u128, H>(problem, settings, control),
        // Rows of tiles are for smaller boards.
        false => {
            let variant = TileCosts::of(problem, is_guided(settings));
            solve_variant::<Wide, _, H>(problem, &variant, settings, control)
        }
    }
}

/// Whether the search has an estimate that is worth something.
fn is_guided<H: Dispatch>(settings: &Settings<'_, H>) -> bool {
    let has_estimate = settings.heuristic.estimate() == Some(Estimate::Taxicab);
    settings.algorithm.is_informed() && has_estimate
}

fn solve_packed<W: Word, H: Dispatch>(
    problem: &Problem,
    settings: &Settings<'_, H>,
    control: &Control<'_>,
) -> Outcome {
    let is_guided = is_guided(settings);
    match problem.rules().costs {
        Costs::Unit => {
            let variant = Multi::toward(problem.target(), is_guided);
            solve_variant::<W, _, H>(problem, &variant, settings, control)
        }
        _ => {
            let variant = TileCosts::of(problem, is_guided);
            solve_variant::<W, _, H>(problem, &variant, settings, control)
        }
    }
}

fn solve_variant<W: Word, V: Variant<W>, H: Dispatch>(
    problem: &Problem,
    variant: &V,
    settings: &Settings<'_, H>,
    control: &Control<'_>,
) -> Outcome {
    let algorithm = settings.algorithm;
    let order = settings.order.unwrap_or(algorithm.default_order());
    let grid = Grid::new(problem.size(), problem.order_as_searched(order));
    let [start, goal] = [problem.start(), problem.target()].map(Packed::<W>::new);
    let query = Query {
        start,
        goal,
        grid: &grid,
        variant,
    };
    let watch = Watch::new(control);
    watch.start();
    let mut meter = Meter::new(&watch);
    meter.stats.generated = 1;
    if algorithm.is_informed() {
        let h0 = variant.value(variant.start(start));
        match variant.widest() {
            None => meter.stats.h0 = h0 as u32,
            Some(_) => meter.stats.h0_cost = Some(Cost::from_millionths(h0)),
        }
    }
    let found = match algorithm {
        Algorithm::Bfs if V::GOES_ON => breadth_first::search(&query, &mut meter),
        Algorithm::BiBfs => breadth_first::search_both_ways(&query, &mut meter),
        Algorithm::Beam(width) => beam::search(&query, width.states(), &mut meter),
        // Without an estimate it is uniform-cost search.
        Algorithm::Bfs | Algorithm::AStar => astar::search(&query, &mut meter),
        Algorithm::IdaStar => idastar::search(&query, Weight::ONE, &mut meter),
        Algorithm::WIdaStar(weight) => idastar::search(&query, weight, &mut meter),
        _ => V::other(&query, algorithm, &mut meter),
    };
    let stats = Stats {
        f_reached: watch.threshold(),
        cpu_time: watch.cpu_time(),
        time: watch.elapsed(),
        ..meter.stats
    };
    let mut outcome = Outcome::new(problem, found, stats);
    // An estimate that is not above it makes a solution a cheapest one, whatever search has found it.
    if let Ok(solution) = &outcome.result
        && solution.cost == stats.h0.into()
        && algorithm.is_informed()
        && stats.h0_cost.is_none()
    {
        outcome.stats.lower_bound = Some(stats.h0);
    }
    outcome
}

/// What a search is asked.
pub(super) struct Query<'a, W, V> {
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

    fn estimate(&self, carried: V::Carried) -> u64 {
        self.variant.value(carried)
    }
}
