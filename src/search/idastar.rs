//! Iterative-deepening A*: depth-first searches bounded by f, the memory of one path.

use super::meter::Meter;
use super::{Iteration, Stop};
use crate::heuristic::Heuristic;
use crate::puzzle::{Grid, Move, Packed, Word};

/// Searches with the thresholds h(start), then one step of f more each time.
///
/// f grows along a path in steps of [`Heuristic::STEP`], so the smallest f that a threshold
/// cut off is one step above it.
pub(crate) fn search<W: Word, H: Heuristic<W>>(
    start: Packed<W>,
    grid: &Grid,
    heuristic: &H,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let mut tree = Tree {
        grid,
        heuristic,
        goal: Packed::solved(grid.size()),
        threshold: heuristic.value(heuristic.start(start)),
        moves: Vec::new(),
    };
    if start == tree.goal {
        return Ok(Vec::new());
    }
    loop {
        let before = (meter.stats, meter.watch().elapsed());
        meter.threshold(tree.threshold);
        meter.stats.iterations += 1;
        let found = tree.visit(start, heuristic.start(start), 0, None, meter)?;
        meter.watch().report(Iteration {
            threshold: tree.threshold,
            expanded: meter.stats.expanded - before.0.expanded,
            generated: meter.stats.generated - before.0.generated,
            time: meter.watch().elapsed() - before.1,
            complete: !found,
        });
        if found {
            tree.moves.reverse();
            return Ok(tree.moves);
        }
        tree.threshold += H::STEP;
    }
}

/// The tree of all paths without an immediate return, cut off above the threshold.
struct Tree<'a, W, H> {
    grid: &'a Grid,
    heuristic: &'a H,
    goal: Packed<W>,
    threshold: u32,
    /// The solution, last move first, once it is found.
    moves: Vec<Move>,
}

impl<W: Word, H: Heuristic<W>> Tree<'_, W, H> {
    /// Searches below `state`, which is not the goal; true if a solution is found.
    fn visit(
        &mut self,
        state: Packed<W>,
        carried: H::Carried,
        g: u32,
        last: Option<Move>,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        meter.expand()?;
        meter.depth(g + 1);
        for &(mv, to) in self.grid.steps(state.gap) {
            if last == Some(mv.opposite()) {
                continue;
            }
            let (child, tile) = state.slide(to);
            let carried = self.heuristic.moved(carried, state, child, tile);
            meter.stats.generated += 1;
            if g + 1 + self.heuristic.value(carried) > self.threshold {
                continue;
            }
            if child == self.goal || self.visit(child, carried, g + 1, Some(mv), meter)? {
                self.moves.push(mv);
                return Ok(true);
            }
        }
        Ok(false)
    }
}
