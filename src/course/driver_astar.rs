//! A* as the driver assignment words it: one binary heap, the goal test on removal.
//!
//! The library's A* expands other nodes: it takes the deepest of equal f first and tests
//! for the goal as children are made. Here equal f goes by the move that led to the node,
//! in the order UDLR, and then by insertion, which fixes the counts of the assignment.

use crate::heuristic::{Heuristic, Taxicab};
use crate::puzzle::{Cell, Grid, Move, MoveOrder, Packed, Problem, Word};
use crate::search::{Control, Heap, Meter, Outcome, Seen, Solution, Stop, Watch, trace_back};

/// A node in the frontier; the fields are compared in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting<W> {
    f: u32,
    /// Moves are ordered up, down, left, right.
    last: Option<Move>,
    insertion: u64,
    g: u32,
    cells: W,
    gap: Cell,
}

/// How a node that was added to the frontier was reached.
#[derive(Clone, Copy)]
struct Reached {
    g: u32,
    last: Option<Move>,
}

/// Searches for a shortest solution and replays it.
pub(super) fn solve(problem: &Problem, control: &Control<'_>) -> Outcome {
    let watch = Watch::new(control);
    let mut meter = Meter::new(&watch);
    let found = match problem.size().cells() <= <u64 as Word>::CELLS {
        true => search::<u64>(problem, &mut meter),
        false => search::<u128>(problem, &mut meter),
    };
    let mut stats = meter.stats;
    stats.time = watch.elapsed();
    let result = found.map(|moves| {
        let moves = problem.moves_as_given(moves);
        let verified = problem.is_solved_by(&moves);
        Solution { moves, verified }
    });
    Outcome { result, stats }
}

fn search<W: Word>(problem: &Problem, meter: &mut Meter<'_>) -> Result<Vec<Move>, Stop> {
    let size = problem.size();
    let grid = Grid::new(size, problem.order_as_searched(MoveOrder::UDLR));
    let taxicab = Taxicab::new(size);
    let (start, goal) = (Packed::<W>::new(problem.start()), Packed::solved(size));
    let mut frontier = Heap::new();
    let mut seen = Seen::new();
    meter.stats.h0 = taxicab.start(start);
    meter.stats.generated = 1;
    let root = Waiting {
        f: meter.stats.h0,
        last: None,
        insertion: 0,
        g: 0,
        cells: start.cells,
        gap: start.gap,
    };
    frontier.push(root, meter)?;
    seen.insert(start.cells, Reached { g: 0, last: None }, meter)?;
    while let Some(node) = frontier.pop() {
        let Waiting { g, cells, gap, .. } = node;
        // The place that a lowered node had before.
        if seen.get(&cells).is_some_and(|reached| reached.g < g) {
            continue;
        }
        let state = Packed { cells, gap };
        if state == goal {
            return Ok(trace_back(goal, size, |state| seen.get(&state.cells)?.last));
        }
        meter.threshold(node.f);
        meter.expand()?;
        for &(mv, to) in grid.steps(gap) {
            let (child, tile) = state.slide(to);
            meter.stats.generated += 1;
            let reached = Reached {
                g: g + 1,
                last: Some(mv),
            };
            match seen.get(&child.cells) {
                Some(before) if before.g <= reached.g => continue,
                // In the frontier, by a longer path: the place in the queue is lowered, or the
                // longer path could become the solution. Explored nodes never come here,
                // because the taxicab distance is consistent: their paths are shortest.
                Some(_) => seen.renote(&child.cells, reached),
                None => {
                    seen.insert(child.cells, reached, meter)?;
                    meter.depth(reached.g);
                }
            }
            let h = taxicab.moved(node.f - g, state, child, tile);
            let waiting = Waiting {
                f: reached.g + h,
                last: reached.last,
                insertion: meter.stats.generated,
                g: reached.g,
                cells: child.cells,
                gap: child.gap,
            };
            frontier.push(waiting, meter)?;
        }
        meter.stats.stored = seen.len() as u64;
        meter.frontier(frontier.len());
    }
    unreachable!("a problem is solvable")
}
