//! Iterative-deepening depth-first search: the memory of one path, a shortest solution.

use super::Stop;
use super::meter::Meter;
use crate::puzzle::{Grid, Move, Packed, Word};

/// Depth-limited searches with limits 0, 1, 2 …
pub(crate) fn search<W: Word>(
    start: Packed<W>,
    goal: Packed<W>,
    grid: &Grid,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let mut path = Path {
        grid,
        goal,
        ancestors: vec![start.cells],
        moves: Vec::new(),
    };
    for limit in 0.. {
        let iteration = meter.begin_iteration(limit);
        let found = path.extend(start, limit, meter)?;
        meter.end_iteration(iteration, !found);
        if found {
            break;
        }
    }
    Ok(path.moves)
}

/// The path from the start to the state in hand.
struct Path<'a, W> {
    grid: &'a Grid,
    goal: Packed<W>,
    /// The states on the path, for the cycle check.
    ancestors: Vec<W>,
    moves: Vec<Move>,
}

impl<W: Word> Path<'_, W> {
    /// Looks for the goal at most `left` moves on; leaves the path at it if it is there.
    fn extend(&mut self, state: Packed<W>, left: u32, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        if state == self.goal {
            return Ok(true);
        }
        if left == 0 {
            return Ok(false);
        }
        meter.expand()?;
        for &(mv, to) in self.grid.steps(state.gap) {
            let (child, _) = state.slide(to);
            meter.stats.generated += 1;
            if self.ancestors.contains(&child.cells) {
                continue;
            }
            self.ancestors.push(child.cells);
            self.moves.push(mv);
            meter.depth(self.moves.len() as u32);
            if self.extend(child, left - 1, meter)? {
                return Ok(true);
            }
            self.ancestors.pop();
            self.moves.pop();
        }
        Ok(false)
    }
}
