//! A*+IDA*: shortest solutions however long its open list is and whatever is pruned, the same
//! thresholds on any number of threads and after it was resumed.

use proptest::prelude::*;
use slidebench::heuristic::Estimate;
use slidebench::puzzle::{Goal, Problem, parse_board};
use slidebench::search::{Control, EngineChoice, Limits, Prune, Settings, solve};

use crate::open_lists::{PATTERNS, cost, estimates, with};
use crate::resumed::{complete, same_when_resumed, with_iterations};
use crate::walks::walks;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn it_costs_what_idastar_costs(
        (board, goal) in walks(&["3x3", "3x4", "4x4", "5x5"], 60),
        open in 1usize..5000,
        depth in 2u32..13,
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        let strongest = *estimates(board.size()).last().unwrap();
        let shortest = cost(&problem, &Settings { prune: Prune::new(12), ..Settings::idastar(strongest) });
        let settings = with(strongest, open, Prune::new(depth));
        prop_assert_eq!(cost(&problem, &settings), shortest);
        for engine in [EngineChoice::Scalar, EngineChoice::Batched] {
            prop_assert_eq!(cost(&problem, &Settings { engine, ..settings }), shortest);
        }
    }
}

/// Cost 57 with taxicab 41; its gap is in no corner.
pub fn hard() -> Problem {
    let board = parse_board("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", None).unwrap();
    Problem::new(&board, Goal::First).unwrap()
}

#[test]
fn threads_and_engines_count_the_same_thresholds() {
    for heuristic in [Estimate::LinearConflict, Estimate::Patterns(&PATTERNS[2])] {
        let settings = with(heuristic, 50, Prune::new(8));
        let (outcome, alone) = with_iterations(&hard(), &settings, None);
        assert_eq!(outcome.result.unwrap().moves.len(), 57);
        let alone = complete(&alone);
        assert!(alone.len() > 2, "{alone:?}");
        for threads in [2, 3] {
            let (outcome, iterations) = with_iterations(
                &hard(),
                &Settings {
                    threads,
                    ..settings
                },
                None,
            );
            assert_eq!(outcome.result.unwrap().moves.len(), 57);
            assert_eq!(complete(&iterations), alone, "{threads} threads");
        }
        let engine = EngineChoice::Scalar;
        let (_, iterations) = with_iterations(&hard(), &Settings { engine, ..settings }, None);
        assert_eq!(complete(&iterations), alone);
    }
}

/// From whichever threshold it goes on, the next ones count what they count in one go. The last one
/// may be searched in another order.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn a_resumed_search_counts_the_same_thresholds() {
    let settings = with(Estimate::Patterns(&PATTERNS[2]), 50, Prune::new(8));
    let all = same_when_resumed(&hard(), &settings);
    assert!(all.len() > 2, "{all:?}");
}

/// Where memory is short the open list stays short, and the search goes on.
#[test]
fn little_memory_is_enough() {
    for memory in [1 << 19, 1 << 21] {
        let control = Control {
            limits: Limits {
                memory: Some(memory),
                ..Limits::default()
            },
            ..Control::default()
        };
        let settings = Settings {
            open: Some(usize::MAX),
            ..with(Estimate::LinearConflict, 0, None)
        };
        let outcome = solve(&hard(), &settings, &control);
        assert_eq!(outcome.result.unwrap().moves.len(), 57);
        assert!(outcome.stats.peak_memory <= memory);
    }
}
