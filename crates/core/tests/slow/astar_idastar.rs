//! A*+IDA* on whole small sizes.

use std::collections::HashSet;

use slidebench::heuristic::Estimate;
use slidebench::puzzle::{Board, Goal, Move, Problem, Size};
use slidebench::search::{Algorithm, Prune, Settings};

use crate::open_lists::{cost, estimates, with};

/// Every solvable board of a size, by a search over permutations.
fn all_boards(size: &str) -> Vec<Board> {
    let size: Size = size.parse().unwrap();
    let mut all = vec![Board::solved(size, Goal::First)];
    let mut seen: HashSet<Vec<u8>> = all.iter().map(|board| board.tiles().to_vec()).collect();
    let mut done = 0;
    while let Some(board) = all.get(done).copied() {
        done += 1;
        for mv in Move::ALL {
            if let Some(next) = board.replay(&[mv])
                && seen.insert(next.tiles().to_vec())
            {
                all.push(next);
            }
        }
    }
    all
}

/// Breadth first, so boards come in the order of their distances: the oracle knows no search of
/// this crate.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn small_boards_are_solved_whole() {
    for (size, every) in [("2x3", 1), ("3x3", 9973)] {
        let boards = all_boards(size);
        let far = boards.len() - 1;
        for board in boards.iter().step_by(every).chain([&boards[far]]) {
            let problem = Problem::new(board, Goal::First).unwrap();
            let shortest = cost(&problem, &Settings::new(Algorithm::Bfs));
            for heuristic in estimates(board.size()) {
                // Without an estimate IDA* takes minutes for the farthest ones.
                if matches!(heuristic, Estimate::Zero) && shortest > 20 {
                    continue;
                }
                for prune in [None, Prune::new(8), Prune::new(12)] {
                    for open in [1, 40, 3000] {
                        let settings = with(heuristic, open, prune);
                        assert_eq!(cost(&problem, &settings), shortest, "{board}: {settings:?}");
                    }
                }
            }
        }
    }
}
