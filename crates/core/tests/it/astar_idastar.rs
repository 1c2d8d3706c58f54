//! A*+IDA*: shortest solutions however long its open list is and whatever is pruned, the same
//! thresholds on any number of threads and after it was resumed.

use std::sync::Mutex;
use std::time::Duration;

use proptest::prelude::*;
use slidebench::heuristic::Estimate;
use slidebench::puzzle::{Goal, Problem, parse_board};
use slidebench::search::{
    Control, EngineChoice, Event, Iteration, Limits, Outcome, Prune, ResumePoint, Settings, solve,
};

use crate::open_lists::{PATTERNS, cost, estimates, with};
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

/// Cost 57 with taxicab 41.
fn hard() -> Problem {
    let board = parse_board("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", None).unwrap();
    Problem::new(&board, Goal::First).unwrap()
}

/// A search, and what it said of its thresholds.
fn with_iterations(
    problem: &Problem,
    settings: &Settings<'_>,
    resume: Option<ResumePoint>,
) -> (Outcome, Vec<Iteration>) {
    let iterations = Mutex::new(Vec::new());
    let listener = |event: Event| {
        if let Event::Iteration(iteration) = event {
            iterations.lock().unwrap().push(iteration);
        }
    };
    let control = Control {
        listener: Some(&listener),
        resume,
        ..Control::default()
    };
    let outcome = solve(problem, settings, &control);
    (outcome, iterations.into_inner().unwrap())
}

fn complete(iterations: &[Iteration]) -> Vec<(u32, u64, u64)> {
    let complete = iterations.iter().filter(|it| it.complete);
    complete
        .map(|it| (it.threshold, it.expanded, it.generated))
        .collect()
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
    let (whole, iterations) = with_iterations(&hard(), &settings, None);
    let all = complete(&iterations);
    let mut sum = ResumePoint {
        threshold: 0,
        iterations: 0,
        expanded: 0,
        generated: 0,
        time: Duration::ZERO,
        cpu_time: None,
    };
    for (index, &(threshold, expanded, generated)) in all.iter().enumerate() {
        sum = ResumePoint {
            threshold,
            iterations: sum.iterations + 1,
            expanded: sum.expanded + expanded,
            generated: sum.generated + generated,
            ..sum
        };
        let (resumed, left) = with_iterations(&hard(), &settings, Some(sum));
        assert_eq!(resumed.stats.iterations, whole.stats.iterations);
        assert_eq!(resumed.result.unwrap().moves.len(), 57);
        assert_eq!(complete(&left), all[index + 1..], "behind {threshold}");
    }
    assert!(sum.iterations > 2, "{all:?}");
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
