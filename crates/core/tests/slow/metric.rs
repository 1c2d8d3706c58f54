//! Whole spaces where a row of tiles is one move, board by board, against published counts.

use std::collections::HashSet;

use rayon::prelude::*;
use slidebench::puzzle::{Board, Costs, Goal, Metric, Move, Problem, Rules, Size};
use slidebench::search::{Algorithm, Control, Settings, solve};

/// Every board that can become the goal.
fn all_boards(size: Size) -> Vec<Board> {
    let goal = Board::solved(size, Goal::First);
    let mut seen = HashSet::from([goal]);
    let mut waiting = vec![goal];
    while let Some(board) = waiting.pop() {
        for child in Move::ALL.into_iter().filter_map(|mv| board.after(mv)) {
            if seen.insert(child) {
                waiting.push(child);
            }
        }
    }
    seen.into_iter().collect()
}

fn published(size: &str) -> Vec<usize> {
    let lines = include_str!("../../../../tests/data/space_counts.csv").lines();
    let of_size = lines.filter_map(|line| line.strip_prefix(size)?.strip_prefix(",multi,"));
    let counts = of_size.filter_map(|fields| fields.split_once(','));
    counts.map(|(_, count)| count.parse().unwrap()).collect()
}

fn cost(board: &Board, algorithm: Algorithm) -> usize {
    let rules = Rules {
        goal: Goal::First,
        metric: Metric::Multi,
        costs: Costs::Unit,
    };
    let problem = Problem::new(board, rules).unwrap();
    let solution = solve(&problem, &Settings::new(algorithm), &Control::default()).result;
    let solution = solution.unwrap();
    assert!(solution.verified);
    solution.cost.whole().unwrap()
}

/// A* on every so many boards, on all of them against the published counts, and the other searches on
/// some.
fn boards_have_their_distances(size: &str, every: usize) {
    let mut boards = all_boards(size.parse().unwrap());
    boards.sort_by_key(ToString::to_string);
    let boards: Vec<Board> = boards.into_iter().step_by(every).collect();
    let costs = boards.par_iter().map(|board| cost(board, Algorithm::AStar));
    let costs: Vec<usize> = costs.collect();
    if every == 1 {
        let known = published(size);
        let mut counts = vec![0; known.len()];
        costs.iter().for_each(|&cost| counts[cost] += 1);
        assert_eq!(counts, known, "{size}");
    }
    let some: Vec<_> = boards.iter().zip(costs).step_by(997 / every).collect();
    some.par_iter().for_each(|&(board, known)| {
        for algorithm in [Algorithm::Bfs, Algorithm::BiBfs, Algorithm::IdaStar] {
            assert_eq!(cost(board, algorithm), known, "{algorithm} {board}");
        }
    });
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn boards_have_their_distances_in_moves_of_rows() {
    boards_have_their_distances("2x4", 1);
    boards_have_their_distances("3x3", 211);
}

#[test]
#[ignore = "minutes: run cargo test --release --test slow -- --ignored"]
fn all_of_3x3_have_their_distances_in_moves_of_rows() {
    boards_have_their_distances("3x3", 1);
}
