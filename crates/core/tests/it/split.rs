//! Units: a threshold in parts counts what it counts as a whole, node for node.

use proptest::prelude::*;
use slidebench::heuristic::Estimate;
use slidebench::puzzle::{Goal, Problem, parse_board};
use slidebench::search::{
    Algorithm, Control, EngineChoice, Prune, Settings, SplitError, Stop, search_unit, solve, split,
};

use crate::units::{compare, run_units, thresholds, units, with};
use crate::walks::walks;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn parts_count_what_the_whole_counts(
        (board, goal) in walks(&["2x3", "3x3", "3x4", "4x4", "5x5"], 90),
        wanted in 1..300usize, prune in prop::option::of(3..9u32)
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        let prune = prune.and_then(Prune::new);
        for heuristic in [Estimate::Taxicab, Estimate::LinearConflict] {
            for engine in [EngineChoice::Scalar, EngineChoice::Batched] {
                compare(&problem, &with(heuristic, engine, prune), wanted);
            }
        }
    }
}

/// Boards with millions of nodes, so that every engine works in earnest.
#[test]
fn large_thresholds_add_up() {
    let board = "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6";
    let problem = Problem::new(&parse_board(board, None).unwrap(), Goal::First).unwrap();
    for (heuristic, prune) in [
        (Estimate::Taxicab, None),
        (Estimate::Taxicab, Prune::new(8)),
        (Estimate::LinearConflict, None),
    ] {
        compare(&problem, &with(heuristic, EngineChoice::Auto, prune), 50);
    }
    let threads = Settings {
        threads: 2,
        ..with(Estimate::Taxicab, EngineChoice::Auto, None)
    };
    for &(threshold, nodes, complete) in thresholds(&problem, &threads).iter().rev().skip(1) {
        let units = units(&problem, threshold, 7, &threads);
        assert_eq!(run_units(&problem, &units, &threads), (nodes, complete));
    }
}

/// A*+IDA* with an open list of as many states as units are wanted, and the units: exhausted
/// thresholds count the same, and the last one has the solution.
fn compare_roots(problem: &Problem, settings: &Settings<'_>, wanted: usize) {
    let settings = &Settings {
        algorithm: Algorithm::AStarIdaStar,
        open: Some(wanted),
        ..*settings
    };
    let first = split(problem, None, wanted, settings, &Control::default());
    if let Err(SplitError::SolvedByAStar { cost }) = first {
        let solution = solve(problem, settings, &Control::default()).result;
        assert_eq!(solution.unwrap().moves.len(), cost);
        return;
    }
    let whole = thresholds(problem, settings);
    assert_eq!(whole[0].0, first.unwrap()[0].threshold);
    for (threshold, nodes, complete) in whole {
        let units = units(problem, threshold, wanted, settings);
        let (counted, exhausted) = run_units(problem, &units, settings);
        assert_eq!(exhausted, complete, "{threshold}");
        if complete {
            assert_eq!(counted, nodes, "{threshold}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn open_lists_count_what_the_whole_counts(
        (board, goal) in walks(&["2x3", "3x3", "3x4", "4x4", "5x5"], 90),
        wanted in 1..300usize, prune in prop::option::of(3..9u32)
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        prop_assume!(!problem.is_solved_by(&[]));
        let prune = prune.and_then(Prune::new);
        for heuristic in [Estimate::Taxicab, Estimate::LinearConflict] {
            compare_roots(&problem, &with(heuristic, EngineChoice::Scalar, prune), wanted);
        }
    }
}

/// The path to a root may hold a forbidden sequence farther back than the fsm remembers.
#[test]
fn roots_with_a_forbidden_move_long_ago_are_units() {
    let board = "5 1 2 3 4 11 10 12 8 9 7 17 15 13 14 20 0 16 18 19 21 6 22 23 24";
    let problem = Problem::new(&parse_board(board, None).unwrap(), Goal::First).unwrap();
    for heuristic in [Estimate::Taxicab, Estimate::LinearConflict] {
        let settings = with(heuristic, EngineChoice::Scalar, Prune::new(8));
        compare_roots(&problem, &settings, 205);
    }
}

#[test]
fn thresholds_below_an_open_list_have_no_units() {
    let board = parse_board("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", None).unwrap();
    let problem = Problem::new(&board, Goal::First).unwrap();
    let settings = Settings::new(Algorithm::AStarIdaStar);
    let split = |threshold| split(&problem, threshold, 1000, &settings, &Control::default());
    let first = split(None).unwrap()[0].threshold;
    assert!(first > 41, "A* has closed the first layer");
    for wrong in [first - 2, first + 1] {
        let expected = SplitError::NoThreshold {
            threshold: wrong,
            h: first,
            step: 2,
        };
        assert_eq!(split(Some(wrong)), Err(expected));
    }
}

#[test]
fn units_of_another_search_are_refused() {
    let board = parse_board("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", None).unwrap();
    let problem = Problem::new(&board, Goal::First).unwrap();
    let md = with(Estimate::Taxicab, EngineChoice::Auto, None);
    let lc = with(Estimate::LinearConflict, EngineChoice::Auto, None);
    let units = units(&problem, 45, 100, &md);
    let outcomes = units
        .iter()
        .map(|unit| search_unit(&problem, unit, &lc, &Control::default()));
    assert!(
        outcomes
            .into_iter()
            .any(|it| it.result == Err(Stop::OtherTree))
    );
    let split = |threshold| split(&problem, Some(threshold), 10, &md, &Control::default());
    for wrong in [39, 42] {
        let told = SplitError::NoThreshold {
            threshold: wrong,
            h: 41,
            step: 2,
        };
        assert_eq!(split(wrong), Err(told));
    }
}
