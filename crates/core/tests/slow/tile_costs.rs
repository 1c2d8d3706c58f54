//! Tiles with costs of their own: A* on boards of 3x3, and the other searches on some, against a plain
//! Dijkstra.

use rayon::prelude::*;
use slidebench::puzzle::{Board, Cost, Costs, Goal, Metric, Problem, Rules};
use slidebench::search::{Algorithm, Control, Settings, solve};

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
    for costs in [Costs::Heavy, Costs::Sqrt, Costs::Inverse, Costs::Reverse] {
        let goal = Goal::Last;
        let solved = Board::solved("3x3".parse().unwrap(), goal);
        let known = dijkstra(solved, costs, Cost::from(u32::MAX));
        assert_eq!(known.len(), 181_440);
        let rules = Rules {
            goal,
            metric: Metric::Single,
            costs,
        };
        let check = |board: &Board, algorithm: Algorithm| {
            let problem = Problem::new(board, rules).unwrap();
            let solution = solve(&problem, &Settings::new(algorithm), &Control::default()).result;
            let solution = solution.unwrap();
            assert!(solution.verified);
            assert_eq!(solution.cost, known[board], "{algorithm} {costs} {board}");
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
