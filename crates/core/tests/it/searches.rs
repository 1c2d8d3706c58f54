//! Every search against every other, its limits, its cancel flag and its listener.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use slidebench::heuristic::Estimate;
use slidebench::puzzle::{Board, Goal, Problem, Size, parse_board};
use slidebench::search::{
    Algorithm, Control, EngineChoice, Event, Limits, Outcome, Settings, Stop, solve,
};

use crate::optimal::{assert_one_cost, settings, solution};
use crate::walks::walks;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Slow tests have 5x5, whose table of walking distances takes long to build.
    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
    fn every_optimal_search_finds_the_same_cost(
        (board, goal) in walks(&["2x2", "2x3", "3x2", "2x4", "3x3", "2x5", "3x4", "4x3", "2x7", "4x4", "3x6"], 24)
    ) {
        assert_one_cost(&Problem::new(&board, goal).unwrap());
    }

    #[test]
    fn far_boards_too(
        (board, goal) in walks(&["2x2", "2x3", "2x4", "4x2", "3x3", "3x4", "4x4"], 150)
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        let cost = solution(&problem, &settings(Algorithm::IdaStar, Estimate::Taxicab)).moves.len();
        let others = [Algorithm::AStar, Algorithm::BiBfs];
        let size = board.size().cells();
        for algorithm in others.into_iter().take(if size > 12 { 1 } else { 2 }) {
            let other = solution(&problem, &settings(algorithm, Estimate::Taxicab));
            prop_assert_eq!(other.moves.len(), cost, "{}", algorithm);
        }
        if size <= 9 {
            let dfs = solution(&problem, &settings(Algorithm::Dfs, Estimate::Taxicab));
            prop_assert!(dfs.moves.len() >= cost && (dfs.moves.len() - cost).is_multiple_of(2));
        }
    }
}

/// Cost 57 with taxicab 41: seconds for the informed searches, out of reach for the others.
fn hard() -> Problem {
    let board = parse_board("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", None).unwrap();
    Problem::new(&board, Goal::First).unwrap()
}

/// All searches, the suboptimal ones with weights of one and a wide beam, so that each takes long;
/// greedy search never does.
fn slow_searches() -> impl Iterator<Item = Algorithm> {
    let slow = |algorithm: Algorithm| match algorithm {
        Algorithm::Beam(_) => "beam:300000".to_owned(),
        it if it.is_suboptimal() => format!("{}:1", it.name()),
        it => it.to_string(),
    };
    let algorithms = Algorithm::ALL.into_iter();
    algorithms
        // These are done before a limit is asked for.
        .filter(|it| !matches!(it, Algorithm::Greedy | Algorithm::Rows))
        .map(move |it| slow(it).parse().unwrap())
}

fn limited(algorithm: Algorithm, limits: Limits) -> Outcome {
    let control = Control {
        limits,
        ..Control::default()
    };
    solve(&hard(), &settings(algorithm, Estimate::Taxicab), &control)
}

#[test]
fn a_node_limit_stops_every_search() {
    for algorithm in slow_searches() {
        let nodes = Some(100_000);
        let outcome = limited(
            algorithm,
            Limits {
                nodes,
                ..Limits::default()
            },
        );
        assert_eq!(outcome.result, Err(Stop::Nodes), "{algorithm}");
        assert!(
            (100_000..110_000).contains(&outcome.stats.generated),
            "{algorithm}"
        );
    }
}

#[test]
fn a_time_limit_stops_every_search() {
    for algorithm in slow_searches() {
        let time = Some(Duration::from_millis(20));
        let outcome = limited(
            algorithm,
            Limits {
                time,
                ..Limits::default()
            },
        );
        assert_eq!(outcome.result, Err(Stop::Time), "{algorithm}");
        assert!(outcome.stats.time >= Duration::from_millis(20));
    }
}

#[test]
fn a_memory_limit_stops_searches_that_store_states() {
    let stores_none =
        |it: &Algorithm| it.has_thresholds() || ["iddfs", "widastar", "rbfs"].contains(&it.name());
    for algorithm in slow_searches().filter(|it| !stores_none(it)) {
        let memory = Some(4 << 20);
        let outcome = limited(
            algorithm,
            Limits {
                memory,
                ..Limits::default()
            },
        );
        assert_eq!(outcome.result, Err(Stop::Memory), "{algorithm}");
        assert!(outcome.stats.peak_memory <= 4 << 20, "{algorithm}");
        let stats = outcome.stats;
        // A beam knows at its start that it has no room for a layer.
        let is_beam = matches!(algorithm, Algorithm::Beam(_));
        assert!(is_beam || stats.stored > 30_000, "{algorithm}: {stats:?}");
        // What was known: the taxicab of the start is 41.
        if algorithm.raises_f() {
            let steps = 2 * (stats.iterations - 1);
            assert_eq!(stats.f_reached, 41 + steps, "{algorithm}: {stats:?}");
            assert!(
                (43..57).contains(&stats.f_reached),
                "{algorithm}: {stats:?}"
            );
        }
    }
}

/// Instance 71 of korf100: the tables have grown many times.
#[test]
fn a_star_takes_16_bytes_a_state_at_most() {
    let board = parse_board("5 7 0 11 12 1 9 10 15 6 2 3 8 4 13 14", None);
    let problem = Problem::new(&board.unwrap(), Goal::First).unwrap();
    let settings = settings(Algorithm::AStar, Estimate::Taxicab);
    let stats = solve(&problem, &settings, &Control::default()).stats;
    assert_eq!(stats.expanded, 561_379);
    assert_eq!(stats.generated, 1_131_026);
    assert_eq!(stats.stored, 1_040_603);
    assert!(stats.peak_memory <= 16 * stats.stored, "{stats:?}");
}

#[test]
fn a_cancel_flag_stops_every_search() {
    let cancel = AtomicBool::new(true);
    for algorithm in slow_searches() {
        let control = Control {
            cancel: Some(&cancel),
            ..Control::default()
        };
        let outcome = solve(&hard(), &settings(algorithm, Estimate::Taxicab), &control);
        assert_eq!(outcome.result, Err(Stop::Cancelled), "{algorithm}");
    }
}

#[test]
fn a_listener_hears_of_progress_and_of_every_threshold() {
    let events = Mutex::new(Vec::new());
    let cancel = AtomicBool::new(false);
    let listener = |event: Event| {
        if matches!(event, Event::Progress(_)) {
            cancel.store(true, Ordering::Relaxed);
        }
        events.lock().unwrap().push(event);
    };
    let control = Control {
        cancel: Some(&cancel),
        listener: Some(&listener),
        ..Control::default()
    };
    // Batches may be done before anything is told.
    let settings = Settings {
        engine: EngineChoice::Scalar,
        ..settings(Algorithm::IdaStar, Estimate::Taxicab)
    };
    let outcome = solve(&hard(), &settings, &control);
    assert_eq!(outcome.result, Err(Stop::Cancelled));
    let events = events.into_inner().unwrap();
    assert!(
        matches!(events.last(), Some(Event::Progress(_))),
        "{events:?}"
    );
    let thresholds: Vec<u32> = events
        .iter()
        .filter_map(|event| match event {
            Event::Iteration(iteration) => Some(iteration.threshold),
            Event::Progress(_) | Event::Incumbent(_) => None,
        })
        .collect();
    assert_eq!(thresholds[..2], [41, 43]);
    assert!(thresholds.is_sorted());
}

#[test]
fn iterations_add_up_to_the_whole() {
    let board = parse_board("87643.152", None).unwrap();
    let problem = Problem::new(&board, Goal::Last).unwrap();
    for algorithm in [
        Algorithm::IdaStar,
        Algorithm::AStarIdaStar,
        Algorithm::Iddfs,
    ] {
        let generated = Mutex::new(1);
        let listener = |event: Event| {
            if let Event::Iteration(iteration) = event {
                *generated.lock().unwrap() += iteration.generated;
            }
        };
        let control = Control {
            listener: Some(&listener),
            ..Control::default()
        };
        let outcome = solve(&problem, &settings(algorithm, Estimate::Taxicab), &control);
        assert_eq!(outcome.result.unwrap().moves.len(), 27);
        assert_eq!(generated.into_inner().unwrap(), outcome.stats.generated);
    }
}

#[test]
fn the_solved_board_takes_no_move() {
    for size in ["2x2", "3x4", "4x4", "5x5"] {
        let size: Size = size.parse().unwrap();
        for (algorithm, goal) in Algorithm::ALL
            .into_iter()
            .zip([Goal::First, Goal::Last].into_iter().cycle())
        {
            let problem = Problem::new(&Board::solved(size, goal), goal).unwrap();
            let solution = solution(&problem, &settings(algorithm, Estimate::Taxicab));
            assert_eq!(solution.moves, [], "{algorithm}");
        }
    }
}

/// More layers of f than 4 bits can count: the search goes on in wider words.
#[test]
fn a_star_without_an_estimate_finds_long_solutions() {
    let board = parse_board("87643.152", None).unwrap();
    let problem = Problem::new(&board, Goal::Last).unwrap();
    let solution = solution(&problem, &settings(Algorithm::AStar, Estimate::Zero));
    assert_eq!(solution.moves.len(), 27);
}

/// The limits around the end of an iteration, where counts above and below the frontier meet.
#[test]
fn a_node_limit_holds_at_the_end_of_an_iteration() {
    for engine in [EngineChoice::Scalar, EngineChoice::Batched] {
        for limit in (537_066..537_078).chain(3_294_888..3_294_896) {
            let settings = Settings {
                engine,
                ..Settings::new(Algorithm::IdaStar)
            };
            let nodes = Some(limit);
            let limits = Limits {
                nodes,
                ..Limits::default()
            };
            let control = Control {
                limits,
                ..Control::default()
            };
            let outcome = solve(&hard(), &settings, &control);
            assert_eq!(outcome.result, Err(Stop::Nodes));
            let generated = outcome.stats.generated;
            assert!(
                (limit..limit + 20_000).contains(&generated),
                "{engine} {limit}: {generated}"
            );
        }
    }
}

/// Work that the batched engine throws away is not held against the limit.
#[test]
fn a_node_limit_above_the_whole_search_stops_no_engine() {
    let board = parse_board("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", None).unwrap();
    let problem = Problem::new(&board, Goal::First).unwrap();
    for engine in [EngineChoice::Scalar, EngineChoice::Batched] {
        let settings = Settings {
            engine,
            ..Settings::new(Algorithm::IdaStar)
        };
        let control = Control {
            limits: Limits {
                nodes: Some(546_344 + 200_000),
                ..Limits::default()
            },
            ..Control::default()
        };
        let outcome = solve(&problem, &settings, &control);
        assert_eq!(
            outcome.result.map(|solution| solution.moves.len()),
            Ok(45),
            "{engine}"
        );
    }
}
