//! A*: best first by f, within equal f the deepest first, nothing expanded twice.
//!
//! Both lists hold a state in one word. The closed list ([`closed`]) is a hash table whose
//! slots keep the state and the layer of f it was reached in; the open list ([`open`]) is a
//! stack for each (f, h). There are no parent pointers: g follows from f and h,
//! so the path is walked back from the goal through the closed list.

mod closed;
mod entry;
mod open;

use super::Stop;
use super::meter::Meter;
use crate::heuristic::Heuristic;
use crate::puzzle::{Grid, Move, Packed};
use closed::Closed;
pub(crate) use entry::Entry;
use open::{Bucket, Open};

/// States popped and probed together, so that their cache misses overlap.
const BATCH: usize = 64;
/// The note of the start in the open list, in the place of the move that led there.
const NO_MOVE: u8 = 15;

/// Returns `None` where f grows past the layers that the word has room for.
pub(crate) fn search<W: Entry, H: Heuristic<W>>(
    start: Packed<W>,
    grid: &Grid,
    heuristic: &H,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Move>>, Stop> {
    let size = grid.size();
    let goal = Packed::<W>::solved(size);
    let h0 = heuristic.value(heuristic.start(start));
    let mut open = Open::new();
    let mut closed = Closed::new(meter)?;
    closed.reach(
        W::pack(start.cells, 0),
        W::pack(start.cells, 0).hash(),
        meter,
    )?;
    open.push(
        Bucket { layer: 0, h: h0 },
        W::pack(start.cells, NO_MOVE),
        meter,
    )?;
    if start == goal {
        return Ok(Some(Vec::new()));
    }
    let mut batch = Vec::with_capacity(BATCH);
    let mut children = Vec::with_capacity(4 * BATCH);
    while let Some(layer) = open.pop(BATCH, &mut batch) {
        let f = h0 + layer * H::STEP;
        meter.threshold(f);
        for &(entry, _) in &batch {
            closed.prefetch(entry.hash());
        }
        for (entry, h) in batch.drain(..) {
            // Reached again with a smaller f since it was pushed, and expanded by then.
            if closed.layer(entry) < Some(layer) {
                continue;
            }
            let state = entry.state(size);
            let g = f - h;
            let carried = heuristic.resume(state, h);
            meter.expand()?;
            meter.depth(g + 1);
            for &(mv, to) in grid.steps(state.gap) {
                if entry.note() == mv.opposite() as u8 {
                    continue;
                }
                let (child, tile) = state.slide(to);
                meter.stats.generated += 1;
                // No need to wait until the goal is popped. Its neighbours all have the same
                // estimate, and f never falls along a path, so they are popped in the order
                // of their g: the first one to make the goal is as near to the start as any.
                if child == goal {
                    meter.stats.stored = closed.len() as u64 + 1;
                    return Ok(Some(walk_back(
                        start,
                        child,
                        g + 1,
                        h0,
                        grid,
                        heuristic,
                        &closed,
                    )));
                }
                let h = heuristic.value(heuristic.moved(carried, state, child, tile));
                let layer = (g + 1 + h - h0) / H::STEP;
                if layer >= W::LAYERS {
                    return Ok(None);
                }
                let hash = W::pack(child.cells, 0).hash();
                children.push((child.cells, mv, hash, Bucket { layer, h }));
            }
        }
        // One after the other, with nothing between: so the misses overlap, those of the TLB too.
        for &(_, _, hash, _) in &children {
            closed.prefetch(hash);
        }
        // What a stack takes last it gives first.
        for (cells, mv, hash, bucket) in children.drain(..).rev() {
            if closed.reach(W::pack(cells, bucket.layer as u8), hash, meter)? {
                open.push(bucket, W::pack(cells, mv as u8), meter)?;
            }
        }
        meter.stats.stored = closed.len() as u64;
        meter.frontier(open.len());
    }
    unreachable!("a problem is solvable")
}

/// The moves from `start` to `goal`, found from the goal: the state before one with g moves
/// behind it is a neighbour in the closed list with g − 1.
fn walk_back<W: Entry, H: Heuristic<W>>(
    start: Packed<W>,
    goal: Packed<W>,
    cost: u32,
    h0: u32,
    grid: &Grid,
    heuristic: &H,
    closed: &Closed<W>,
) -> Vec<Move> {
    let moves_behind = |state: Packed<W>| {
        let layer = closed.layer(W::pack(state.cells, 0))?;
        Some(h0 + layer * H::STEP - heuristic.value(heuristic.start(state)))
    };
    let mut moves = Vec::new();
    let mut state = goal;
    for g in (0..cost).rev() {
        let before = grid.steps(state.gap).iter().find_map(|&(mv, to)| {
            let (before, _) = state.slide(to);
            (moves_behind(before) == Some(g)).then_some((before, mv.opposite()))
        });
        let (before, mv) = before.expect("a closed state was reached from a closed one");
        moves.push(mv);
        state = before;
    }
    debug_assert_eq!(state, start);
    moves.reverse();
    moves
}
