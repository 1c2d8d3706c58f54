//! A* as the driver assignment words it: one binary heap, the goal test on removal.
//!
//! The library's A* expands other nodes: it takes the deepest of equal f first and tests
//! for the goal as children are made. Here equal f goes by the move that led to the node,
//! in the order UDLR, and then by insertion, which fixes the counts of the assignment.

use crate::heuristic::{Heuristic, Taxicab};
use crate::puzzle::{Cell, Grid, Move, MoveOrder, Packed, Problem, Word};
use crate::search::{Control, Heap, Meter, Outcome, Seen, Stats, Stop, Watch, trace_back};

/// A node in the frontier; the fields are compared in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct OpenNode<W> {
    f: u32,
    /// The last move on the board as it was given; moves are ordered up, down, left, right.
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
    /// The last move on the board that is searched.
    last: Option<Move>,
}

/// The nodes that wait, and those that were ever added.
struct Nodes<W> {
    frontier: Heap<OpenNode<W>>,
    seen: Seen<W, Reached>,
}

impl<W: Word> Nodes<W> {
    /// Notes how a state was reached, unless it was reached as early before; says whether it
    /// has to be added to the frontier.
    fn note(&mut self, cells: W, reached: Reached, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        match self.seen.get(&cells) {
            Some(before) if before.g <= reached.g => return Ok(false),
            // In the frontier, by a longer path: the place in the queue is lowered, or the
            // longer path could become the solution. Explored nodes never come here,
            // because the taxicab distance is consistent: their paths are shortest.
            Some(_) => self.seen.renote(&cells, reached),
            None => {
                self.seen.insert(cells, reached, meter)?;
                meter.depth(reached.g);
            }
        }
        Ok(true)
    }
}

/// Searches for a shortest solution and replays it.
pub(super) fn solve(problem: &Problem, control: &Control<'_>) -> Outcome {
    if problem.size().is_wide() {
        return Outcome::new(problem, Err(Stop::WideBoard), Stats::default());
    }
    let watch = Watch::new(control);
    watch.start();
    let mut meter = Meter::new(&watch);
    let found = match problem.size().cells() <= <u64 as Word>::CELLS {
        true => search::<u64>(problem, &mut meter),
        false => search::<u128>(problem, &mut meter),
    };
    let mut stats = meter.stats;
    stats.time = watch.elapsed();
    Outcome::new(problem, found, stats)
}

fn search<W: Word>(problem: &Problem, meter: &mut Meter<'_>) -> Result<Vec<Move>, Stop> {
    let size = problem.size();
    let grid = Grid::new(size, problem.order_as_searched(MoveOrder::UDLR));
    let taxicab = Taxicab::toward(problem.target());
    let [start, goal] = [problem.start(), problem.target()].map(Packed::<W>::new);
    let mut nodes = Nodes {
        frontier: Heap::default(),
        seen: Seen::default(),
    };
    meter.stats.h0 = taxicab.start(start);
    meter.stats.generated = 1;
    let root = OpenNode {
        f: meter.stats.h0,
        last: None,
        insertion: 0,
        g: 0,
        cells: start.cells,
        gap: start.gap,
    };
    nodes.frontier.push(root, meter)?;
    nodes.note(start.cells, Reached { g: 0, last: None }, meter)?;
    while let Some(node) = nodes.frontier.pop() {
        let OpenNode { g, cells, gap, .. } = node;
        // The place that a lowered node had before.
        if nodes.seen.get(&cells).is_some_and(|reached| reached.g < g) {
            continue;
        }
        let state = Packed { cells, gap };
        if state == goal {
            let last = |state: Packed<W>| nodes.seen.get(&state.cells)?.last;
            return Ok(trace_back(goal, size, last));
        }
        meter.threshold(node.f);
        meter.expand()?;
        for &(mv, to) in grid.steps(gap) {
            let (child, tile) = state.slide(to);
            meter.stats.generated += 1;
            let (g, last) = (g + 1, Some(mv));
            if !nodes.note(child.cells, Reached { g, last }, meter)? {
                continue;
            }
            let waiting = OpenNode {
                f: g + taxicab.moved(node.f - node.g, state, child, tile),
                last: Some(problem.move_as_given(mv)),
                insertion: meter.stats.generated,
                g,
                cells: child.cells,
                gap: child.gap,
            };
            nodes.frontier.push(waiting, meter)?;
        }
        meter.stats.stored = nodes.seen.len() as u64;
        meter.frontier(nodes.frontier.len());
    }
    unreachable!("a problem is solvable")
}
