//! IDA* in all its ways: the same counts from every engine and any number of threads.

use std::time::Duration;

use proptest::prelude::*;
use slidebench::heuristic::Estimate;
use slidebench::puzzle::{Goal, Problem, parse_board};
use slidebench::search::{EngineChoice, Prune, Settings};

use crate::thresholds::{assert_engines_agree, cost, run, with};
use crate::walks::walks;

/// Whether the processor has what the batched engine for taxicab takes; says so where it has not.
fn has_batches() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    if !has {
        eprintln!("skipped: there is no batched engine for taxicab without AVX2");
    }
    has
}

/// The engines for taxicab that there are to be compared on this machine.
fn engines() -> &'static [EngineChoice] {
    match has_batches() {
        true => &[EngineChoice::Scalar, EngineChoice::Batched],
        false => &[EngineChoice::Scalar],
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Slow tests have boards that are farther from the goal.
    #[test]
    fn engines_agree_on_every_threshold((board, goal) in walks(&["4x4", "5x5"], 60)) {
        assert_engines_agree(&Problem::new(&board, goal).unwrap());
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
        for &engine in engines() {
            let settings = with(Estimate::Taxicab, engine);
            let (alone, thresholds) = run(&problem, &settings);
            assert_eq!(alone.stats.engine, Some(engine));
            for threads in [2, 3, 5] {
                let settings = Settings {
                    threads,
                    ..settings
                };
                let (shared, shared_thresholds) = run(&problem, &settings);
                assert_eq!(shared.stats.engine, Some(engine));
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
        for &engine in engines() {
            let settings = with(Estimate::Taxicab, engine);
            let first = run(&Problem::new(&board, Goal::First).unwrap(), &settings);
            // On the turned board the order ULRD is DRLU, so only whole thresholds agree.
            let last = run(
                &Problem::new(&board.turned(), Goal::Last).unwrap(),
                &settings,
            );
            let ran = [first.0.stats.engine, last.0.stats.engine];
            assert_eq!(ran, [Some(engine); 2]);
            assert_eq!(cost(&first.0), cost(&last.0));
            let complete = first.1.len() - 1;
            assert_eq!(first.1[..complete], last.1[..complete]);
        }
    }
}

/// The path, and each threshold up to the solution, are the same whatever the engine.
#[test]
fn engines_agree_to_the_last_node() {
    if !has_batches() {
        return;
    }
    for board in MILLIONS {
        let problem = Problem::new(&parse_board(board, None).unwrap(), Goal::First).unwrap();
        let of = |engine| run(&problem, &with(Estimate::Taxicab, engine));
        let (scalar, batched) = (of(EngineChoice::Scalar), of(EngineChoice::Batched));
        let ran = [scalar.0.stats.engine, batched.0.stats.engine];
        let named = [EngineChoice::Scalar, EngineChoice::Batched];
        assert_eq!(ran, named.map(Some));
        assert_eq!(scalar.0.result, batched.0.result);
        assert_eq!(scalar.1, batched.1);
    }
}

/// The engine of the last threshold of a search.
fn ran(board: &str, settings: &Settings<'_>) -> Option<EngineChoice> {
    let problem = Problem::new(&parse_board(board, None).unwrap(), Goal::First).unwrap();
    run(&problem, settings).0.stats.engine
}

/// `auto` takes batches for thresholds that are worth them, and only there.
#[test]
fn auto_takes_the_engine_by_the_size_of_a_threshold() {
    let auto = with(Estimate::Taxicab, EngineChoice::Auto);
    let near = "1 5 2 3 4 9 6 7 8 13 10 11 12 0 14 15";
    assert_eq!(ran(near, &auto), Some(EngineChoice::Scalar));
    if has_batches() {
        assert_eq!(ran(MILLIONS[0], &auto), Some(EngineChoice::Batched));
        let named = with(Estimate::Taxicab, EngineChoice::Batched);
        assert_eq!(ran(near, &named), Some(EngineChoice::Batched));
    }
}

/// Where there are no batches, whatever is asked for, the outcome says that none ran.
#[test]
fn other_searches_say_that_they_are_scalar() {
    let batched = with(Estimate::Taxicab, EngineChoice::Batched);
    let near = "1 5 2 3 4 9 6 7 8 13 10 11 12 0 14 15";
    let wide = "1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24";
    let conflict = with(Estimate::LinearConflict, EngineChoice::Batched);
    assert_eq!(ran(near, &conflict), Some(EngineChoice::Scalar));
    assert_eq!(ran(wide, &batched), Some(EngineChoice::Scalar));
    let pruned = Settings {
        prune: Prune::new(6),
        ..batched
    };
    assert_eq!(ran(near, &pruned), Some(EngineChoice::Scalar));
    let own_order = Settings {
        order: Some("UDLR".parse().unwrap()),
        ..batched
    };
    assert_eq!(ran(near, &own_order), Some(EngineChoice::Scalar));
    let solved = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15";
    assert_eq!(ran(solved, &batched), None);
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
