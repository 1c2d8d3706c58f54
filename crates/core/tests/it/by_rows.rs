//! Row by row: every board of small sizes, and boards at random of all sizes and goals.

use std::time::Duration;

use proptest::prelude::*;
use slidebench::harness::suite::Random;
use slidebench::harness::suite::generate::{Kind, uniform};
use slidebench::heuristic::Estimate;
use slidebench::puzzle::{Board, Goal, Metric, Problem, Size};
use slidebench::search::{Algorithm, Control, Limits, Settings, Stop, solve};

use crate::solved_by_rows::{solved, solves_all};

#[test]
fn all_boards_of_the_smallest_sizes() {
    solves_all("2x2", 12);
    solves_all("2x3", 360);
    solves_all("3x2", 360);
}

/// Any board of any legal size.
fn boards() -> impl Strategy<Value = Board> {
    let sizes =
        (2..=32).flat_map(|rows| (2..=32).filter_map(move |cols| Size::new(rows, cols).ok()));
    let sizes: Vec<Size> = sizes.collect();
    prop::sample::select(sizes).prop_flat_map(|size| {
        let tiles: Vec<u32> = (0..size.cells() as u32).collect();
        let shuffled = Just(tiles).prop_shuffle();
        shuffled.prop_map(move |tiles| Board::new(size, &tiles).unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn one_of_two_boards_is_solved(board in boards(), goal in prop_oneof![Just(Goal::First), Just(Goal::Last)]) {
        let last = board.size().cells() as u8 - 1;
        let tiles: Vec<u8> = (0..=last).filter(|&cell| cell != board.gap()).collect();
        let other = board.swapped(tiles[0], tiles[1]);
        prop_assert!(solved(&board, goal).is_some() != solved(&other, goal).is_some());
    }
}

/// A few of each size from 2x2 to 8x8, drawn by a seed.
#[test]
fn boards_of_every_size_up_to_8x8() {
    for (rows, cols) in (2..=8).flat_map(|rows| (2..=8).map(move |cols| (rows, cols))) {
        let size = Size::new(rows, cols).unwrap();
        for goal in [Goal::First, Goal::Last] {
            let metric = Metric::Single;
            let kind = Kind { size, goal, metric };
            for instance in uniform(kind, 20, &mut Random::new(1)) {
                let moves = solved(&instance.board, goal).expect("drawn to be solvable");
                // About ten moves for each step of a tile is far more than it takes.
                assert!(
                    moves <= 10 * size.cells() * (rows + cols),
                    "{size}: {moves}"
                );
            }
        }
    }
}

#[test]
fn a_solved_board_needs_no_moves() {
    let sizes = ["2x2", "2x3", "3x2", "5x3", "8x8", "2x32"];
    for size in sizes.map(|size| size.parse().unwrap()) {
        for goal in [Goal::First, Goal::Last] {
            assert_eq!(solved(&Board::solved(size, goal), goal), Some(0));
        }
    }
}

/// The table of a heuristic that it does not read is not asked for, and limits hold.
#[test]
fn limits_end_it() {
    let board: Board = "8 7 6 / 5 4 3 / 2 1 .".parse().unwrap();
    let problem = Problem::new(&board, Goal::Last).unwrap();
    let settings = Settings {
        heuristic: Estimate::Zero,
        ..Settings::new(Algorithm::Rows)
    };
    let limits = |nodes, time| Control {
        limits: Limits {
            nodes,
            time,
            memory: None,
        },
        ..Control::default()
    };
    let stopped = |control| solve(&problem, &settings, &control).result.unwrap_err();
    assert_eq!(stopped(limits(Some(10), None)), Stop::Nodes);
    let enough = limits(Some(10_000), Some(Duration::from_secs(60)));
    assert!(solve(&problem, &settings, &enough).result.is_ok());
}

/// What is for smaller boards says so, whatever it is asked.
#[test]
fn optimal_searches_refuse_wide_boards() {
    let size: Size = "6x6".parse().unwrap();
    let problem = Problem::new(&Board::solved(size, Goal::Last), Goal::Last).unwrap();
    for algorithm in Algorithm::ALL.into_iter().filter(|it| !it.supports(size)) {
        let outcome = solve(&problem, &Settings::new(algorithm), &Control::default());
        assert_eq!(outcome.result, Err(Stop::WideBoard), "{algorithm}");
    }
}
