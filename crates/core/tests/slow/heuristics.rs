//! Estimates against exact distances and against what defines them, on more boards than an everyday run has
//! time for.

use proptest::prelude::*;
use slidebench::heuristic::{Estimate, LinearConflict, Taxicab, WalkingDistance};
use slidebench::puzzle::{Board, Goal, Grid, MoveOrder, Packed, Problem, Tile, Wide, Word};

use crate::conflicts::conflicts_by_subsets;
use crate::consistency::{checked_estimate, is_admissible_and_consistent};
use crate::estimates::estimates;
use crate::walks::walks;

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn estimates_are_admissible_and_consistent_on_all_of_2x5() {
    is_admissible_and_consistent("2x5", 55, 1_814_400);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn estimates_are_admissible_and_consistent_near_the_goal_of_3x4() {
    is_admissible_and_consistent("3x4", 20, 487_218);
}

/// The walking distance, checked, if there is one.
fn checked_walk<W: Word>(state: Packed<W>, grid: &Grid) -> Option<u32> {
    match estimates(grid.size()).pop() {
        Some(Estimate::WalkingDistance(WalkingDistance::Stepped(walks))) => {
            Some(checked_estimate(walks, state, grid))
        }
        Some(Estimate::WalkingDistance(WalkingDistance::Tallied(walks))) => {
            Some(checked_estimate(walks, state, grid))
        }
        _ => None,
    }
}

/// Linear conflict by its definition, for either goal.
fn linear_conflict_by_subsets(board: &Board, goal: Goal) -> u32 {
    let size = board.size();
    let solved = Board::solved(size, goal);
    let col = |board: &Board, col| -> Vec<Tile> { board.rows().map(|row| row[col]).collect() };
    let in_rows = board
        .rows()
        .zip(solved.rows())
        .map(|(row, home)| conflicts_by_subsets(row, home));
    let in_cols = (0..size.cols()).map(|c| conflicts_by_subsets(&col(board, c), &col(&solved, c)));
    Taxicab::of(board, goal) + 2 * in_rows.chain(in_cols).sum::<u32>()
}

proptest! {
    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
    fn what_is_carried_is_what_is_computed(
        (board, goal) in walks(
            &["2x2", "3x2", "3x3", "4x4", "2x6", "2x7", "6x2", "3x6", "4x5", "5x4", "5x5", "3x8", "2x12", "12x2", "6x6", "7x7", "8x8", "5x9", "12x4"],
            300,
        )
    ) {
        fn check<W: Word>(problem: &Problem) {
            let (size, board, goal) = (problem.size(), problem.board(), problem.goal());
            let grid = Grid::new(size, MoveOrder::UDLR);
            let state = Packed::<W>::new(problem.start());
            let md = checked_estimate(&Taxicab::new(size), state, &grid);
            assert_eq!(md, Taxicab::of(board, goal));
            let lc = checked_estimate(&LinearConflict::new(size), state, &grid);
            assert_eq!(lc, linear_conflict_by_subsets(board, goal));
            if let Some(wd) = checked_walk(state, &grid) {
                assert!(md <= wd && (wd - md).is_multiple_of(2));
            }
        }
        let problem = Problem::new(&board, goal).unwrap();
        if board.size().cells() <= <u64 as Word>::CELLS {
            check::<u64>(&problem);
        }
        if board.size().cells() <= <u128 as Word>::CELLS {
            check::<u128>(&problem);
        }
        check::<Wide>(&problem);
    }
}
