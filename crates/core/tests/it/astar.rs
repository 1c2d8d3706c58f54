//! A* in all its ways: the same counts however an estimate travels and on any number of threads.

use std::collections::HashMap;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proptest::prelude::*;
use slidebench::heuristic::{
    Estimate, Heuristic, LinearConflict, Patterns, Taxicab, WalkingDistance,
};
use slidebench::lookup::endgame::{Builder, Until};
use slidebench::lookup::{AbstractBoards, BuildControl, Collection, Endgame};
use slidebench::puzzle::{Board, Goal, Move, Packed, Problem, Size, Word, parse_board};
use slidebench::search::{Algorithm, Control, Guide, Limits, Outcome, Settings, Stop, solve};

use crate::distances::distances_from;
use crate::estimates::estimates;
use crate::walks::walks;

const THREADS: [usize; 4] = [1, 2, 3, 5];

fn run<H: Guide>(problem: &Problem, settings: &Settings<'_, H>) -> Outcome {
    solve(problem, settings, &Control::default())
}

/// The same search on so many threads from its first state on, however small it is.
fn together<'a, H>(settings: Settings<'a, H>, threads: usize) -> Settings<'a, H> {
    Settings {
        threads,
        alone_until: Some(0),
        ..settings
    }
}

fn cost(outcome: &Outcome) -> usize {
    let solution = outcome.result.as_ref().unwrap();
    assert!(solution.verified);
    solution.moves.len()
}

/// What A* counts on any number of threads.
fn counts(outcome: &Outcome) -> [u64; 7] {
    let stats = &outcome.stats;
    [
        cost(outcome) as u64,
        stats.h0.into(),
        stats.expanded,
        stats.generated,
        stats.stored,
        stats.iterations.into(),
        stats.max_depth.into(),
    ]
}

fn moves(outcome: &Outcome) -> &[Move] {
    &outcome.result.as_ref().unwrap().moves
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
            prop_assert_eq!(named.stats.max_frontier, own.stats.max_frontier);
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
        prop_assert_eq!(named.stats.max_frontier, own.stats.max_frontier);
    }

    /// The same counts and the same solution, with every estimate, with an endgame table and without.
    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
    fn any_number_of_threads_counts_the_same((board, goal) in walks(&SIZES, 50)) {
        let problem = Problem::new(&board, goal).unwrap();
        let patterns = PATTERNS.iter().find(|it| it.size() == board.size()).unwrap();
        let endgame = endgame(board.size());
        let small = board.size().cells() < 10;
        let estimates = estimates(board.size()).into_iter();
        let estimates = estimates.filter(|&it| small || it != Estimate::Zero);
        for heuristic in estimates.chain([Estimate::Patterns(patterns)]) {
            let alone = Settings::astar(heuristic);
            let with_table = Settings { endgame: Some(&endgame), ..alone };
            let [costs, costs_with_table] = [alone, with_table].map(|one| {
                let of_one = run(&problem, &one);
                for threads in THREADS {
                    let of_several = run(&problem, &together(one, threads));
                    assert_eq!(counts(&of_several), counts(&of_one), "{heuristic} {threads}");
                    assert_eq!(moves(&of_several), moves(&of_one), "{heuristic} {threads}");
                }
                cost(&of_one)
            });
            prop_assert_eq!(costs, costs_with_table);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// By the definition of A*, from exact distances: it expands every state whose f is below the cost, and no
    /// state whose f is above it. (Without an estimate f is g, and the goal is seen a move before it.)
    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
    fn it_expands_what_it_has_to((board, _) in walks(&["3x3"], 200)) {
        let problem = Problem::new(&board, Goal::First).unwrap();
        let from_start = distances_from(board, 31);
        let lowest = |states: &[u32], most| states.iter().filter(|&&f| f <= most).count() as u64;
        let taxicab = values(&Taxicab::new(board.size()), &from_start);
        let conflicts = values(&LinearConflict::new(board.size()), &from_start);
        let without = from_start.values().copied().collect();
        let f = [
            (Estimate::Zero, without),
            (Estimate::Taxicab, taxicab),
            (Estimate::LinearConflict, conflicts),
        ];
        for (estimate, f) in f {
            for threads in THREADS {
                let outcome = run(&problem, &together(Settings::astar(estimate), threads));
                let (expanded, cost) = (outcome.stats.expanded, cost(&outcome) as u32);
                prop_assert!(cost < 2 || expanded >= lowest(&f, cost - 2));
                prop_assert!(expanded < lowest(&f, cost));
            }
        }
    }
}

/// The f of each board at its distance from the start.
fn values(heuristic: &impl Heuristic<u64>, from_start: &HashMap<Board, u32>) -> Vec<u32> {
    let f = |(board, g): (&Board, &u32)| g + heuristic.value(heuristic.start(Packed::new(board)));
    from_start.iter().map(f).collect()
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

/// Instance 71 of korf100: half a million states, in parts of a few thousand.
#[test]
fn threads_count_on_a_longer_search_what_one_does() {
    let problem = korf("5 7 0 11 12 1 9 10 15 6 2 3 8 4 13 14");
    let of_several = THREADS.map(|threads| {
        let outcome = run(
            &problem,
            &together(Settings::new(Algorithm::AStar), threads),
        );
        assert_eq!(cost(&outcome), 44);
        let stats = outcome.stats;
        assert!(stats.stored > stats.expanded, "{stats:?}");
        assert!(stats.max_frontier >= stats.stored - stats.expanded - 1);
        (counts(&outcome), moves(&outcome).to_vec())
    });
    assert!(of_several.iter().all(|of_one| *of_one == of_several[0]));
}

/// Every state that can be reached is expanded where no estimate says what is nearer.
#[test]
fn the_farthest_board_counts_the_same_on_any_number_of_threads() {
    let board: Board = "8 6 7 / 2 5 4 / 3 . 1".parse().unwrap();
    let problem = Problem::new(&board, Goal::Last).unwrap();
    let one = run(&problem, &Settings::astar(Estimate::Zero));
    assert_eq!(cost(&one), 31);
    // All but the two states of the last layer, and some of the one before it.
    assert!((181_440 - 223..181_440 - 1).contains(&one.stats.expanded));
    for threads in THREADS {
        let settings = together(Settings::astar(Estimate::Zero), threads);
        assert_eq!(counts(&run(&problem, &settings)), counts(&one));
    }
}

/// An estimate that knows the parity of the distance and nothing else.
struct Parity(Size);

impl<W: Word> Heuristic<W> for Parity {
    type Carried = u32;
    const STEP: u32 = 2;

    fn start(&self, state: Packed<W>) -> u32 {
        let (gap, cols) = (u32::from(state.gap), self.0.cols() as u32);
        (gap / cols + gap % cols) % 2
    }

    fn value(&self, parity: u32) -> u32 {
        parity
    }
}

/// On the way to the farthest board of 2x4 f grows by more than the 16 layers of a narrow word: the search
/// begins again in a wider one, and what it counted before counts too.
#[test]
fn a_search_that_lacks_room_counts_the_same_on_any_number_of_threads() {
    let size: Size = "2x4".parse().unwrap();
    let distances = distances_from(Board::solved(size, Goal::First), 40);
    let (board, &distance) = distances
        .iter()
        .max_by_key(|(_, distance)| **distance)
        .unwrap();
    assert_eq!(distance, 36);
    let problem = Problem::new(board, Goal::First).unwrap();
    let parity = Parity(size);
    let one = run(&problem, &Settings::astar(&parity));
    assert_eq!(cost(&one), 36);
    assert!(one.stats.expanded > 20_160, "{:?}", one.stats);
    for threads in THREADS {
        // Together from the start; or where one is given up, in the narrow word or in both.
        for alone_until in [0, 100, 10_000, 25_000] {
            let settings = Settings {
                alone_until: Some(alone_until),
                ..together(Settings::astar(&parity), threads)
            };
            let several = run(&problem, &settings);
            assert_eq!(counts(&several), counts(&one));
            assert_eq!(moves(&several), moves(&one));
        }
    }
}

/// Instance 71 of korf100 again: a small search takes no more memory on two threads than on one; what becomes too large
/// for one is begun anew, and nothing is counted twice, nodes and memory.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn a_search_that_is_begun_anew_counts_the_same() {
    let problem = korf("5 7 0 11 12 1 9 10 15 6 2 3 8 4 13 14");
    let on = |threads, alone_until| {
        let settings = Settings {
            threads,
            alone_until,
            ..Settings::new(Algorithm::AStar)
        };
        run(&problem, &settings)
    };
    let one = on(1, Some(100_000));
    let [small, together, anew] = [None, Some(0), Some(100_000)].map(|it| on(2, it));
    for several in [&small, &together, &anew] {
        assert_eq!(counts(several), counts(&one));
        assert_eq!(moves(several), moves(&one));
    }
    let memory = |outcome: &Outcome| outcome.stats.peak_memory;
    assert_eq!(memory(&small), memory(&one));
    assert!(memory(&together) > memory(&one));
    // Half a megabyte of what threads send to each other varies.
    assert!(memory(&anew).abs_diff(memory(&together)) < 1 << 20);
}

#[test]
fn limits_stop_all_threads() {
    let problem = korf("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3");
    // From the first state on, and after a search that was given up.
    for (threads, alone_until) in THREADS.into_iter().flat_map(|it| [(it, 0), (it, 20_000)]) {
        let settings = Settings {
            alone_until: Some(alone_until),
            ..together(Settings::new(Algorithm::AStar), threads)
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
