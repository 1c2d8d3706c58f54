//! A* in all its ways: the same counts however an estimate travels, the same costs on any number
//! of threads.

use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proptest::prelude::*;
use slidebench::heuristic::{Estimate, Patterns, WalkingDistance};
use slidebench::lookup::endgame::{Builder, Until};
use slidebench::lookup::{AbstractBoards, BuildControl, Collection, Endgame};
use slidebench::puzzle::{Board, Goal, Problem, Size, parse_board};
use slidebench::search::{Algorithm, Control, Guide, Limits, Outcome, Settings, Stop, solve};

use crate::walks::walks;

const THREADS: [usize; 4] = [1, 2, 3, 5];

fn run<H: Guide>(problem: &Problem, settings: &Settings<'_, H>) -> Outcome {
    solve(problem, settings, &Control::default())
}

fn cost(outcome: &Outcome) -> usize {
    let solution = outcome.result.as_ref().unwrap();
    assert!(solution.verified);
    solution.moves.len()
}

/// What A* counts, but for the bytes.
fn counts(outcome: &Outcome) -> [u64; 7] {
    let stats = &outcome.stats;
    [
        cost(outcome) as u64,
        stats.h0.into(),
        stats.expanded,
        stats.generated,
        stats.stored,
        stats.max_frontier,
        stats.max_depth.into(),
    ]
}

fn patterns(size: &str, collection: &str, mirror: bool) -> Patterns {
    let size: Size = size.parse().unwrap();
    let collection = Collection::parse(collection, size).unwrap();
    Patterns::build(collection, mirror, &BuildControl::default()).unwrap()
}

/// Patterns of one to six tiles, one partition to three, with a mirror image and without.
static PATTERNS: LazyLock<Vec<Patterns>> = LazyLock::new(|| {
    vec![
        patterns("2x2", ".AAA", true),
        patterns("2x4", ".AAB/BABA", true),
        patterns("3x3", "4-4", true),
        patterns("3x3", ".AB/CDE/FGH", true),
        patterns("3x3", "4-4+.AB/BAB/ABA+.AA/BBB/BAA", true),
        patterns("3x4", ".AAA/ABBB/BCCC", true),
        patterns("4x4", "5-5-5", true),
        patterns("4x4", "5-5-5", false),
        patterns("5x5", "5-5-5-5-4", true),
    ]
});

const SIZES: [&str; 6] = ["2x2", "2x4", "3x3", "3x4", "4x4", "5x5"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(25))]

    /// A heuristic of one's own is found anew for every state, on a walk home: what travels
    /// through the open list leads to the same counts.
    #[test]
    fn pattern_values_travel((board, goal) in walks(&SIZES, 45)) {
        let problem = Problem::new(&board, goal).unwrap();
        for patterns in PATTERNS.iter().filter(|it| it.size() == board.size()) {
            let named = run(&problem, &Settings::astar(Estimate::Patterns(patterns)));
            let own = run(&problem, &Settings::astar(patterns));
            prop_assert_eq!(counts(&named), counts(&own), "{}", patterns);
        }
    }

    #[test]
    fn walking_distances_travel((board, goal) in walks(&["2x3", "3x3", "3x4", "4x4"], 60)) {
        let problem = Problem::new(&board, goal).unwrap();
        let boards = AbstractBoards::new(board.size()).unwrap();
        let walking = WalkingDistance::build(boards, &BuildControl::default()).unwrap();
        let WalkingDistance::Stepped(walks) = &walking else {
            panic!("few enough to list");
        };
        let named = run(&problem, &Settings::astar(Estimate::WalkingDistance(&walking)));
        let own = run(&problem, &Settings::astar(walks));
        prop_assert_eq!(counts(&named), counts(&own));
    }

    /// With every estimate, with an endgame table and without.
    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
    fn threads_find_the_same_costs((board, goal) in walks(&SIZES, 50)) {
        let problem = Problem::new(&board, goal).unwrap();
        let patterns = PATTERNS.iter().find(|it| it.size() == board.size()).unwrap();
        let endgame = endgame(board.size());
        let small = board.size().cells() < 10;
        let computed = Estimate::COMPUTED.into_iter().filter(|&it| small || it != Estimate::Zero);
        for heuristic in computed.chain([Estimate::Patterns(patterns)]) {
            let one = Settings::astar(heuristic);
            let of_one = run(&problem, &one);
            for threads in THREADS {
                let several = Settings { threads, ..one };
                let of_several = run(&problem, &several);
                prop_assert_eq!(cost(&of_several), cost(&of_one), "{} {}", heuristic, threads);
                let with_table = Settings { endgame: Some(&endgame), ..several };
                prop_assert_eq!(cost(&run(&problem, &with_table)), cost(&of_one));
            }
        }
    }
}

fn endgame(size: Size) -> Endgame {
    let builder = Builder {
        size,
        until: Until::Depth(6),
        memory: None,
        control: BuildControl::default(),
    };
    Endgame::from(builder.build().unwrap())
}

fn korf(board: &str) -> Problem {
    Problem::new(&parse_board(board, None).unwrap(), Goal::First).unwrap()
}

/// Instance 71 of korf100: where threads wait for a core, the others go on in the last layer.
#[test]
fn threads_expand_about_what_one_does() {
    let problem = korf("5 7 0 11 12 1 9 10 15 6 2 3 8 4 13 14");
    for threads in THREADS {
        let settings = Settings {
            threads,
            ..Settings::new(Algorithm::AStar)
        };
        let outcome = run(&problem, &settings);
        let stats = outcome.stats;
        assert_eq!(cost(&outcome), 44);
        // All states of the layers before the last, and some of that one.
        assert!((450_000..4_000_000).contains(&stats.expanded), "{stats:?}");
        assert!(stats.stored > stats.expanded, "{stats:?}");
        assert!(stats.max_frontier >= stats.stored - stats.expanded - 1);
    }
}

/// Every state that can be reached is expanded where no estimate says what is nearer, so all
/// layers but the last count the same on any number of threads.
#[test]
fn the_farthest_board_counts_the_same_on_any_number_of_threads() {
    let board: Board = "8 6 7 / 2 5 4 / 3 . 1".parse().unwrap();
    let problem = Problem::new(&board, Goal::Last).unwrap();
    let one = run(&problem, &Settings::astar(Estimate::Zero));
    for threads in THREADS {
        let settings = Settings {
            threads,
            ..Settings::astar(Estimate::Zero)
        };
        let several = run(&problem, &settings);
        assert_eq!(cost(&several), 31);
        // All but the two states of the last layer, and some of the one before it.
        assert!(several.stats.expanded.abs_diff(one.stats.expanded) <= 221);
        assert!(several.stats.stored <= 181_440);
    }
}

#[test]
fn limits_stop_all_threads() {
    let problem = korf("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3");
    for threads in THREADS {
        let settings = Settings {
            threads,
            ..Settings::new(Algorithm::AStar)
        };
        let limited = |limits: Limits| {
            let control = Control {
                limits,
                ..Control::default()
            };
            solve(&problem, &settings, &control)
        };
        let none = Limits::default();
        let memory = limited(Limits {
            memory: Some(8 << 20),
            ..none
        });
        assert_eq!(memory.result, Err(Stop::Memory));
        assert!(memory.stats.peak_memory <= 8 << 20);
        assert!(memory.stats.stored > 60_000, "{:?}", memory.stats);
        let time = limited(Limits {
            time: Some(Duration::from_millis(20)),
            ..none
        });
        assert_eq!(time.result, Err(Stop::Time));
        let nodes = limited(Limits {
            nodes: Some(200_000),
            ..none
        });
        assert_eq!(nodes.result, Err(Stop::Nodes));
        assert!((200_000..300_000).contains(&nodes.stats.generated));
        let cancel = AtomicBool::new(true);
        let control = Control {
            cancel: Some(&cancel),
            ..Control::default()
        };
        let cancelled = solve(&problem, &settings, &control);
        assert_eq!(cancelled.result, Err(Stop::Cancelled));
    }
}
