//! IDA* in all its ways: the same counts from every engine and any number of threads.

use std::sync::Mutex;
use std::time::Duration;

use proptest::prelude::*;
use slidebench::heuristic::Estimate;
use slidebench::puzzle::{Goal, Problem, parse_board};
use slidebench::search::{
    Algorithm, Control, EngineChoice, Event, Iteration, Outcome, Prune, Settings, solve,
};

use crate::walks::walks;

/// A search, and its thresholds without their times.
fn run(problem: &Problem, settings: &Settings<'_>) -> (Outcome, Vec<(u32, u64, u64, bool)>) {
    let iterations = Mutex::new(Vec::new());
    let listener = |event: Event| {
        if let Event::Iteration(Iteration {
            threshold,
            expanded,
            generated,
            complete,
            ..
        }) = event
        {
            let counts = (threshold, expanded, generated, complete);
            iterations.lock().unwrap().push(counts);
        }
    };
    let control = Control {
        listener: Some(&listener),
        ..Control::default()
    };
    let outcome = solve(problem, settings, &control);
    assert!(
        outcome
            .result
            .as_ref()
            .is_ok_and(|solution| solution.verified)
    );
    (outcome, iterations.into_inner().unwrap())
}

fn with(heuristic: Estimate<'static>, engine: EngineChoice) -> Settings<'static> {
    Settings {
        heuristic,
        engine,
        ..Settings::new(Algorithm::IdaStar)
    }
}

fn cost(outcome: &Outcome) -> usize {
    outcome.result.as_ref().unwrap().moves.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The order ULRD has engines of its own for 4x4 and 5x5, any other the plain recursion;
    /// complete thresholds have the same nodes in every order.
    #[test]
    fn engines_agree_on_every_threshold((board, goal) in walks(&["4x4", "5x5"], 110)) {
        let problem = Problem::new(&board, goal).unwrap();
        for heuristic in [Estimate::Taxicab, Estimate::LinearConflict] {
            let (scalar, thresholds) = run(&problem, &with(heuristic, EngineChoice::Scalar));
            let (batched, batched_thresholds) = run(&problem, &with(heuristic, EngineChoice::Batched));
            prop_assert_eq!(&thresholds, &batched_thresholds);
            prop_assert_eq!(&scalar.result, &batched.result);
            let plain = Settings {
                order: Some("UDLR".parse().unwrap()),
                ..with(heuristic, EngineChoice::Auto)
            };
            let (plain, plain_thresholds) = run(&problem, &plain);
            prop_assert_eq!(cost(&plain), cost(&scalar));
            let complete = thresholds.len().saturating_sub(1);
            prop_assert_eq!(&thresholds[..complete], &plain_thresholds[..complete]);
        }
    }

    #[test]
    fn pruning_keeps_the_cost_and_saves_nodes(
        (board, goal) in walks(&["2x3", "3x3", "3x4", "4x4", "5x5"], 90), depth in 2..=10u32
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        let plain = with(Estimate::Taxicab, EngineChoice::Scalar);
        let (plain, thresholds) = run(&problem, &plain);
        let pruning = Settings {
            prune: Prune::new(depth),
            ..with(Estimate::Taxicab, EngineChoice::Auto)
        };
        let (pruned, pruned_thresholds) = run(&problem, &pruning);
        prop_assert_eq!(cost(&pruned), cost(&plain));
        for (pruned, plain) in pruned_thresholds.iter().zip(&thresholds).filter(|pair| pair.1.3) {
            prop_assert!(pruned.2 <= plain.2);
        }
    }
}

/// Instances of korf100 with millions of nodes: the batched engine works in earnest.
const MILLIONS: [&str; 3] = [
    "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6",
    "3 14 9 7 12 15 0 4 1 8 5 6 11 10 2 13",
    "5 11 6 9 4 13 12 0 8 2 15 10 1 7 3 14",
];

#[test]
fn complete_thresholds_are_the_same_on_any_number_of_threads() {
    for board in MILLIONS {
        let problem = Problem::new(&parse_board(board, None).unwrap(), Goal::First).unwrap();
        for engine in [EngineChoice::Scalar, EngineChoice::Batched] {
            let settings = with(Estimate::Taxicab, engine);
            let (alone, thresholds) = run(&problem, &settings);
            for threads in [2, 3, 5] {
                let settings = Settings {
                    threads,
                    ..settings
                };
                let (shared, shared_thresholds) = run(&problem, &settings);
                assert_eq!(cost(&shared), cost(&alone));
                let complete = thresholds.len() - 1;
                assert_eq!(shared_thresholds[..complete], thresholds[..complete]);
                assert_eq!(shared_thresholds.len(), thresholds.len());
            }
        }
    }
}

#[test]
fn turned_boards_have_the_same_counts() {
    for board in MILLIONS {
        let board = parse_board(board, None).unwrap();
        for engine in [EngineChoice::Scalar, EngineChoice::Batched] {
            let settings = with(Estimate::Taxicab, engine);
            let first = run(&Problem::new(&board, Goal::First).unwrap(), &settings);
            // On the turned board the order ULRD is DRLU, so only whole thresholds agree.
            let last = run(
                &Problem::new(&board.turned(), Goal::Last).unwrap(),
                &settings,
            );
            assert_eq!(cost(&first.0), cost(&last.0));
            let complete = first.1.len() - 1;
            assert_eq!(first.1[..complete], last.1[..complete]);
        }
    }
}

/// The CPU time of a search is that of its threads: each of them has at most the time that passes.
#[test]
fn cpu_time_is_that_of_the_threads_that_search() {
    let board = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15".parse().unwrap();
    let problem = Problem::new(&board, Goal::First).unwrap();
    for threads in [1, 2] {
        let settings = Settings {
            threads,
            ..with(Estimate::Taxicab, EngineChoice::Scalar)
        };
        let stats = run(&problem, &settings).0.stats;
        // Where the system does not tell the time of a thread there is none.
        let Some(cpu_time) = stats.cpu_time.or(cfg!(unix).then_some(Duration::ZERO)) else {
            return;
        };
        assert!(!cpu_time.is_zero());
        assert!(cpu_time <= stats.time * threads as u32, "{stats:?}");
    }
}
