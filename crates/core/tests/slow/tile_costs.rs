//! Tiles with costs of their own: A* on boards of 3x3, and the other searches on some, against a plain
//! Dijkstra.

use rayon::prelude::*;
use slidebench::heuristic::Estimate;
use slidebench::puzzle::{Board, Cost, Goal};
use slidebench::search::{Algorithm, Settings};

use crate::costed::{REAL, SEARCHES, cost, rules};
use crate::dijkstra::dijkstra;

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn boards_of_3x3_cost_what_dijkstra_says() {
    boards_cost_what_dijkstra_says(211);
}

#[test]
#[ignore = "minutes: run cargo test --release --test slow -- --ignored"]
fn all_of_3x3_cost_what_dijkstra_says() {
    boards_cost_what_dijkstra_says(1);
}

/// A* on every so many boards, and the other searches on some of these.
fn boards_cost_what_dijkstra_says(every: usize) {
    for costs in REAL {
        let goal = Goal::Last;
        let solved = Board::solved("3x3".parse().unwrap(), goal);
        let known = dijkstra(solved, costs, Cost::from(u32::MAX));
        assert_eq!(known.len(), 181_440);
        let check = |board: &Board, algorithm: Algorithm| {
            let found = cost(board, rules(goal, costs), &Settings::new(algorithm));
            assert_eq!(found, known[board], "{algorithm} {costs} {board}");
        };
        let mut boards: Vec<&Board> = known.keys().collect();
        boards.sort_by_key(ToString::to_string);
        let boards: Vec<&Board> = boards.into_iter().step_by(every).collect();
        boards
            .par_iter()
            .for_each(|board| check(board, Algorithm::AStar));
        let some: Vec<_> = boards.iter().step_by(997 / every).collect();
        some.par_iter().for_each(|board| {
            check(board, Algorithm::IdaStar);
            check(board, Algorithm::Bfs);
        });
    }
}

/// Some boards of 3x3 for every cost and two goals, with and without an estimate.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn searches_find_what_dijkstra_finds_on_3x3() {
    for goal in [Goal::Last, Goal::Spiral] {
        let solved = Board::solved("3x3".parse().unwrap(), goal);
        for costs in REAL {
            let all = dijkstra(solved, costs, Cost::from(u32::MAX));
            assert_eq!(all.len(), 181_440);
            let some = all
                .iter()
                .filter(|(board, _)| board.tiles()[..5] == [3, 8, 0, 1, 6]);
            for (board, &least) in some {
                for algorithm in SEARCHES {
                    let found = cost(board, rules(goal, costs), &Settings::new(algorithm));
                    assert_eq!(found, least, "{algorithm} {costs} {board}");
                }
                let uniform = Settings {
                    heuristic: Estimate::Zero,
                    ..Settings::new(Algorithm::AStar)
                };
                assert_eq!(cost(board, rules(goal, costs), &uniform), least);
            }
        }
    }
}
