//! Two-sided breadth-first search: from the start and from the goal until they meet.

use super::Stop;
use super::meter::Meter;
use super::path::trace_back;
use super::store::{Queue, Seen};
use crate::puzzle::{Grid, Move, Packed, Word};

/// One of the two searches.
struct Side<W> {
    layer: Queue<Packed<W>>,
    /// The move by which each state was reached from this side's root.
    seen: Seen<W, Option<Move>>,
    depth: u32,
}

impl<W: Word> Side<W> {
    fn new(root: Packed<W>, meter: &mut Meter<'_>) -> Result<Side<W>, Stop> {
        let mut side = Side {
            layer: Queue::default(),
            seen: Seen::default(),
            depth: 0,
        };
        side.layer.push(root, meter)?;
        side.seen.insert(root.cells, None, meter)?;
        Ok(side)
    }

    /// Expands a whole layer; returns the first child that the other side has seen.
    fn expand_layer(
        &mut self,
        other: &Side<W>,
        grid: &Grid,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Packed<W>>, Stop> {
        self.depth += 1;
        for _ in 0..self.layer.len() {
            let Some(state) = self.layer.pop_first() else {
                break;
            };
            meter.expand()?;
            for &(mv, to) in grid.steps(state.gap) {
                let (child, _) = state.slide(to);
                meter.stats.generated += 1;
                if self.seen.insert(child.cells, Some(mv), meter)? {
                    if other.seen.get(&child.cells).is_some() {
                        return Ok(Some(child));
                    }
                    self.layer.push(child, meter)?;
                }
            }
        }
        Ok(None)
    }

    fn path_to(&self, state: Packed<W>, grid: &Grid) -> Vec<Move> {
        trace_back(state, grid.size(), |state| self.seen.get(&state.cells)?)
    }
}

/// Expands whole layers, of the side with the smaller one first.
///
/// With layers of depth a and b complete and no meeting, the solution is longer than a + b.
/// So a state of the new layer that the other side has seen is on a shortest solution,
/// of length a + 1 + b.
pub(crate) fn search<W: Word>(
    start: Packed<W>,
    goal: Packed<W>,
    grid: &Grid,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    if start == goal {
        return Ok(Vec::new());
    }
    let mut forward = Side::new(start, meter)?;
    let mut backward = Side::new(goal, meter)?;
    meter.stats.generated += 1;
    loop {
        let meeting = if forward.layer.len() <= backward.layer.len() {
            forward.expand_layer(&backward, grid, meter)
        } else {
            backward.expand_layer(&forward, grid, meter)
        }?;
        meter.threshold(forward.depth + backward.depth);
        meter.depth(forward.depth + backward.depth);
        meter.stats.stored = (forward.seen.len() + backward.seen.len()) as u64;
        meter.frontier(forward.layer.len() + backward.layer.len());
        if let Some(meeting) = meeting {
            let mut moves = forward.path_to(meeting, grid);
            let back = backward.path_to(meeting, grid);
            moves.extend(back.into_iter().rev().map(Move::opposite));
            return Ok(moves);
        }
    }
}
