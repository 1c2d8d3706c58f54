//! Breadth-first search where a row of tiles is one move, from one end and from both.

use super::{Query, Step, Variant, trace_back};
use crate::puzzle::{Move, Packed, Word};
use crate::search::store::{Queue, Seen};
use crate::search::{Meter, Stop};

/// Remove, check, expand, as in the search of single moves.
pub(super) fn search<W: Word, V: Variant<W>>(
    query: &Query<'_, W, V>,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let mut frontier = Queue::default();
    let mut seen: Seen<W, Option<Step>> = Seen::default();
    frontier.push((query.start, 0), meter)?;
    seen.insert(query.start.cells, None, meter)?;
    while let Some((state, depth)) = frontier.pop_first() {
        let last = seen.get(&state.cells).flatten();
        if state == query.goal {
            let reached_by = |state: Packed<W>| seen.get(&state.cells)?;
            return Ok(trace_back(state, query.grid, reached_by));
        }
        meter.threshold(depth);
        meter.expand()?;
        for child in query.children((state, query.variant.start(state)), last) {
            meter.stats.generated += 1;
            if seen.insert(child.state.cells, Some(child.step), meter)? {
                frontier.push((child.state, depth + 1), meter)?;
                meter.depth(depth + 1);
            }
        }
        meter.stats.stored = seen.len() as u64;
        meter.frontier(frontier.len());
    }
    unreachable!("a problem is solvable")
}

/// One of two searches.
struct Side<W> {
    layer: Queue<Packed<W>>,
    /// The move by which each state was reached from this side's root.
    seen: Seen<W, Option<Step>>,
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
    fn expand_layer<V: Variant<W>>(
        &mut self,
        other: &Side<W>,
        query: &Query<'_, W, V>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Packed<W>>, Stop> {
        self.depth += 1;
        for _ in 0..self.layer.len() {
            let Some(state) = self.layer.pop_first() else {
                break;
            };
            meter.expand()?;
            let last = self.seen.get(&state.cells).flatten();
            for child in query.children((state, query.variant.start(state)), last) {
                meter.stats.generated += 1;
                if self
                    .seen
                    .insert(child.state.cells, Some(child.step), meter)?
                {
                    if other.seen.get(&child.state.cells).is_some() {
                        return Ok(Some(child.state));
                    }
                    self.layer.push(child.state, meter)?;
                }
            }
        }
        Ok(None)
    }

    fn path_to<V>(&self, state: Packed<W>, query: &Query<'_, W, V>) -> Vec<Move> {
        trace_back(state, query.grid, |state| self.seen.get(&state.cells)?)
    }
}

/// Whole layers, of the side with the smaller one first. A move can be taken back by one move, so
/// both sides count alike, and the first state that both have seen is on a shortest solution, as
/// where moves are of one tile.
pub(super) fn search_both_ways<W: Word, V: Variant<W>>(
    query: &Query<'_, W, V>,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    if query.start == query.goal {
        return Ok(Vec::new());
    }
    let mut forward = Side::new(query.start, meter)?;
    let mut backward = Side::new(query.goal, meter)?;
    meter.stats.generated += 1;
    loop {
        let meeting = match forward.layer.len() <= backward.layer.len() {
            true => forward.expand_layer(&backward, query, meter),
            false => backward.expand_layer(&forward, query, meter),
        }?;
        meter.threshold(forward.depth + backward.depth);
        meter.depth(forward.depth + backward.depth);
        meter.stats.stored = (forward.seen.len() + backward.seen.len()) as u64;
        meter.frontier(forward.layer.len() + backward.layer.len());
        if let Some(meeting) = meeting {
            let mut moves = forward.path_to(meeting, query);
            let back = backward.path_to(meeting, query);
            moves.extend(back.into_iter().rev().map(Move::opposite));
            return Ok(moves);
        }
    }
}
