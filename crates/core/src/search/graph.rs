//! Breadth-first and depth-first search: one graph search, two disciplines.

use super::Stop;
use super::meter::Meter;
use super::path::trace_back;
use super::store::{Queue, Seen};
use crate::puzzle::{Grid, Move, Packed, Word};

/// Which end of the frontier the next state is removed from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Discipline {
    /// Breadth-first: first in, first out. Finds a shortest solution.
    Fifo,
    /// Depth-first: last in, first out. Finds a solution, seldom a short one.
    Lifo,
}

/// Remove, check, expand: the goal test is on removal. A child that was seen before, in the
/// frontier or expanded, is not added.
pub(crate) fn search<W: Word>(
    start: Packed<W>,
    goal: Packed<W>,
    grid: &Grid,
    discipline: Discipline,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let mut frontier = Queue::default();
    let mut seen = Seen::default();
    frontier.push((start, 0), meter)?;
    seen.insert(start.cells, None, meter)?;
    while let Some((state, depth)) = match discipline {
        Discipline::Fifo => frontier.pop_first(),
        Discipline::Lifo => frontier.pop_last(),
    } {
        if state == goal {
            return Ok(trace_back(goal, grid.size(), |state| {
                seen.get(&state.cells)?
            }));
        }
        meter.threshold(depth);
        meter.expand()?;
        // What a stack takes last it gives first: children go on it in reverse.
        let steps = grid.steps(state.gap);
        for index in 0..steps.len() {
            let (mv, to) = match discipline {
                Discipline::Fifo => steps[index],
                Discipline::Lifo => steps[steps.len() - 1 - index],
            };
            let (child, _) = state.slide(to);
            meter.stats.generated += 1;
            if seen.insert(child.cells, Some(mv), meter)? {
                frontier.push((child, depth + 1), meter)?;
                meter.depth(depth + 1);
            }
        }
        meter.stats.stored = seen.len() as u64;
        meter.frontier(frontier.len());
    }
    unreachable!("a problem is solvable")
}
