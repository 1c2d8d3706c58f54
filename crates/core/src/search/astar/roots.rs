//! The roots of A*+IDA* with the paths to them, for those who search them elsewhere.

use std::slice;

use bytemuck::Pod;

use super::then_idastar::ThenIdaStar;
use super::worker::Worker;
use super::{Task, walk_back};
use crate::heuristic::Heuristic;
use crate::puzzle::{Entry, Move, Packed};
use crate::search::idastar::{Fsm, FsmState};
use crate::search::{NodeCounts, Stop};

/// The roots of a threshold.
pub(crate) struct RootList {
    /// The largest f; at first `None` where the first one that may hold a solution is meant.
    pub threshold: Option<u32>,
    /// What A* counted, if it counts in this threshold: in the first one.
    pub before: NodeCounts,
    /// The least f of the open list.
    pub first: u32,
    /// For each root the moves that lead to it, and its h; smallest h first.
    pub roots: Vec<(Vec<Move>, u32)>,
}

/// Lists the roots of a threshold with the paths that the closed list keeps to them.
pub(super) fn list_roots<W: Entry, H: Heuristic<W>, N: Pod>(
    task: &Task<'_, W>,
    heuristic: &H,
    worker: &mut Worker<'_, W, N>,
    then: &ThenIdaStar<'_, W, H>,
    counts: NodeCounts,
    list: &mut RootList,
) -> Result<(), Stop> {
    list.first = worker.first_f();
    let threshold = *list.threshold.get_or_insert(list.first);
    if threshold < list.first {
        return Ok(());
    }
    if threshold == list.first {
        list.before = counts;
    }
    let ranked = worker.open.ranked(worker.layer_of(threshold));
    for &place in &ranked.places {
        let (entry, bucket) = (worker.open.entry(place as usize).0, ranked.bucket(place));
        if worker.is_stale(entry, bucket.layer) {
            continue;
        }
        let state = entry.state(task.grid.size());
        let g = worker.f_of(bucket.layer) - bucket.h;
        let moves = match then.remembers {
            true => kept_path(task, worker, state, g)?,
            false => path_through(task, heuristic, worker, entry, g)?,
        };
        if root_state(then.fsm, then.remembers, &moves).is_some() {
            list.roots.push((moves, bucket.h));
        }
    }
    Ok(())
}

/// The path to a state by the moves back that the closed list keeps.
fn kept_path<W: Entry, N: Pod>(
    task: &Task<'_, W>,
    worker: &Worker<'_, W, N>,
    mut state: Packed<W>,
    g: u32,
) -> Result<Vec<Move>, Stop> {
    let mut moves = Vec::with_capacity(g as usize);
    while state != task.start && moves.len() < g as usize {
        let back = worker.move_back(W::pack(state.cells, 0));
        let to = back.and_then(|mv| task.grid.size().neighbour(state.gap, mv));
        let (Some(back), Some(to)) = (back, to) else {
            return Err(Stop::Inconsistent);
        };
        state = state.slide(to).0;
        moves.push(back.opposite());
    }
    moves.reverse();
    match state == task.start && moves.len() == g as usize {
        true => Ok(moves),
        false => Err(Stop::Inconsistent),
    }
}

/// A path to a state of the open list that ends with the move which is noted there.
fn path_through<W: Entry, H: Heuristic<W>, N: Pod>(
    task: &Task<'_, W>,
    heuristic: &H,
    worker: &Worker<'_, W, N>,
    entry: W,
    g: u32,
) -> Result<Vec<Move>, Stop> {
    let (state, last) = (entry.state(task.grid.size()), last_move(entry));
    let before = last.and_then(|mv| task.grid.size().neighbour(state.gap, mv.opposite()));
    let (Some(last), Some(before), Some(g)) = (last, before, g.checked_sub(1)) else {
        return Err(Stop::Inconsistent);
    };
    let before = state.slide(before).0;
    let mut moves = walk_back(task, heuristic, slice::from_ref(worker), before, g)?;
    moves.push(last);
    Ok(moves)
}

/// What the fsm knows at a root that these moves lead to; `None` where it forbids the last of them,
/// as many as it remembers. Those before them may be forbidden too: nobody looks so far back in a
/// search of all roots, and units count what that counts.
pub(crate) fn root_state(fsm: &Fsm, remembers: bool, moves: &[Move]) -> Option<FsmState> {
    let last = &moves[moves.len().saturating_sub(fsm.memory() as usize)..];
    match remembers {
        true => (last.iter()).try_fold(Fsm::START, |state, &mv| fsm.after(state, mv)),
        false => Some(fsm.begin_after(moves.last().copied())),
    }
}

/// Whether the fsm knows the moves that led to a state of the open list: only where a tag has room
/// for a move beside the layer.
pub(crate) fn remembers<W: Entry, H: Heuristic<W>>(fsm: &Fsm) -> bool {
    W::LAYERS > 16 && H::STEP == 2 && !fsm.is_no_return()
}

/// The move that led to a state of the open list.
pub(super) fn last_move<W: Entry>(entry: W) -> Option<Move> {
    Move::ALL.get(usize::from(entry.tag())).copied()
}
