//! Estimates against exact distances, on boards near the goal or on all there are.

use std::collections::HashMap;

use slidebench::heuristic::{Heuristic, LinearConflict, SteppedWalks, TalliedWalks, Taxicab};
use slidebench::lookup::{AbstractBoards, BuildControl, WalkingTable};
use slidebench::puzzle::{Board, Goal, Grid, MoveOrder, Packed, Size, Word};

use crate::distances::distances_from;

/// The distance of every board that is at most `depth` moves from the goal.
fn distances(size: &str, depth: u32) -> HashMap<Board, u32> {
    distances_from(Board::solved(size.parse().unwrap(), Goal::First), depth)
}

/// The estimate of a board, after checking that each move from there changes it by one and
/// that what is carried over the move is what a path that starts there carries.
pub fn checked_estimate<W: Word, H: Heuristic<W>>(
    heuristic: &H,
    state: Packed<W>,
    grid: &Grid,
) -> u32 {
    let carried = heuristic.start(state);
    let estimate = heuristic.value(carried);
    let resumed = heuristic.resume(state, estimate);
    assert_eq!(heuristic.value(resumed), estimate);
    for &(_, to) in grid.steps(state.gap) {
        let (after, tile) = state.slide(to);
        let moved = heuristic.value(heuristic.moved(carried, state, after, tile));
        assert_eq!(moved.abs_diff(estimate), 1, "{state:?} {to}");
        assert_eq!(
            moved,
            heuristic.value(heuristic.start(after)),
            "{state:?} {to}"
        );
    }
    estimate
}

/// Every estimate on every board of a size that is at most `depth` moves from the goal.
pub fn is_admissible_and_consistent(size: &str, depth: u32, boards: usize) {
    let distances = distances(size, depth);
    assert_eq!(distances.len(), boards);
    let size: Size = size.parse().unwrap();
    let grid = Grid::new(size, MoveOrder::UDLR);
    let taxicab = Taxicab::new(size);
    let linear_conflict = LinearConflict::new(size);
    let boards = AbstractBoards::new(size).unwrap();
    let stepped = SteppedWalks::new(boards.clone());
    let table = WalkingTable::build(boards, &BuildControl::default());
    let tallied = TalliedWalks::new(table.unwrap());
    for (board, distance) in distances {
        let state = Packed::<u64>::new(&board);
        let md = checked_estimate(&taxicab, state, &grid);
        let lc = checked_estimate(&linear_conflict, state, &grid);
        let wd = checked_estimate(&stepped, state, &grid);
        assert_eq!(wd, checked_estimate(&tallied, state, &grid));
        for estimate in [md, lc, wd] {
            assert!(md <= estimate && estimate <= distance, "{board}");
            assert!((distance - estimate).is_multiple_of(2), "{board}");
        }
    }
}
