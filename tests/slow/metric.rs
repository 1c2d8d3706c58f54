//! Whole spaces where a row of tiles is one move, board by board, against published counts.

use std::collections::HashSet;

use rayon::prelude::*;
use slidebench::puzzle::{Board, Goal, Metric, Move, Problem, Rules, Size};
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
    let lines = include_str!("../data/multi_space_counts.csv").lines();
    let of_size = lines.filter_map(|line| line.strip_prefix(size)?.strip_prefix(",multi,"));
    let counts = of_size.filter_map(|fields| fields.split_once(','));
    counts.map(|(_, count)| count.parse().unwrap()).collect()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn every_board_has_its_distance_in_moves_of_rows() {
    let rules = Rules {
        goal: Goal::First,
        metric: Metric::Multi,
    };
    for (text, algorithms) in [
        ("3x3", &[Algorithm::AStar, Algorithm::IdaStar][..]),
        (
            "2x4",
            &[
                Algorithm::Bfs,
                Algorithm::BiBfs,
                Algorithm::AStar,
                Algorithm::IdaStar,
            ],
        ),
    ] {
        let boards = all_boards(text.parse().unwrap());
        let known = published(text);
        for &algorithm in algorithms {
            let costs = boards.par_iter().map(|board| {
                let problem = Problem::new(board, rules).unwrap();
                let settings = Settings::new(algorithm);
                let solution = solve(&problem, &settings, &Control::default()).result;
                let solution = solution.unwrap();
                assert!(solution.verified);
                solution.cost
            });
            let mut counts = vec![0; known.len()];
            let costs: Vec<usize> = costs.collect();
            costs.into_iter().for_each(|cost| counts[cost] += 1);
            assert_eq!(counts, known, "{text} {algorithm}");
        }
    }
}
