//! A*+IDA* on whole small sizes.

use std::collections::HashSet;

use proptest::prelude::*;
use slidebench::heuristic::Estimate;
use slidebench::puzzle::{Board, Goal, Move, Problem, Size};
use slidebench::search::{Prune, Settings};

use crate::open_lists::{cost, estimates, with};
use crate::walks::walks;

/// Every solvable board of a size, with its distance from the goal, breadth first: an oracle that knows no
/// search of this crate.
fn all_boards(size: &str) -> Vec<(Board, usize)> {
    let size: Size = size.parse().unwrap();
    let mut all = vec![(Board::solved(size, Goal::First), 0)];
    let mut seen = HashSet::from([all[0].0.tiles().to_vec()]);
    let mut done = 0;
    while let Some((board, distance)) = all.get(done).copied() {
        done += 1;
        for mv in Move::ALL {
            if let Some(next) = board.replay(&[mv])
                && seen.insert(next.tiles().to_vec())
            {
                all.push((next, distance + 1));
            }
        }
    }
    all
}

/// All of 2x3, and of 3x3 each 97th and the farthest.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn small_boards_cost_what_they_are_away() {
    for (size, every) in [("2x3", 1), ("3x3", 97)] {
        let boards = all_boards(size);
        for (board, distance) in boards.iter().step_by(every).chain(boards.last()) {
            let problem = Problem::new(board, Goal::First).unwrap();
            for heuristic in estimates(board.size()) {
                // Without an estimate IDA* takes minutes for the farthest ones.
                if matches!(heuristic, Estimate::Zero) && *distance > 14 {
                    continue;
                }
                for prune in [None, Prune::new(8), Prune::new(12)] {
                    for open in [1, 40, 3000] {
                        let settings = with(heuristic, open, prune);
                        assert_eq!(
                            cost(&problem, &settings),
                            *distance,
                            "{board}: {settings:?}"
                        );
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// 500 random walks, with every heuristic.
    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
    fn walks_cost_what_idastar_finds(
        (board, goal) in walks(&["2x3", "3x3", "4x4", "5x5"], 50),
        depth in 2u32..13,
        open in 1usize..3000,
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        let shortest = cost(&problem, &Settings::idastar(Estimate::LinearConflict));
        for heuristic in estimates(board.size()) {
            if !matches!(heuristic, Estimate::Zero) {
                let settings = with(heuristic, open, Prune::new(depth));
                prop_assert_eq!(cost(&problem, &settings), shortest);
            }
        }
    }
}
