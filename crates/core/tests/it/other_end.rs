//! Tables of the way to any board, and A*+IDA* that goes on from the goal with them.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use proptest::prelude::*;
use slidebench::heuristic::{Estimate, Heuristic, Patterns};
use slidebench::lookup::{BuildControl, Collection};
use slidebench::puzzle::{Board, Goal, Packed, Problem, parse_board};
use slidebench::search::{Algorithm, Control, Event, Limits, Prune, Settings, Stop, solve};

use crate::astar_idastar::hard;
use crate::open_lists::{PATTERNS, cost, with};
use crate::resumed::{complete, same_when_resumed, with_iterations};
use crate::walks::walks;

/// Of korf100: 1, 2, 3, 5, 8 and 12.
const KORF: [&str; 6] = [
    "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3",
    "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6",
    "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15",
    "4 7 14 13 10 3 9 12 11 5 6 15 1 2 8 0",
    "12 11 15 3 8 0 4 2 6 13 9 5 14 1 10 7",
    "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15",
];

fn patterns(size: &str, collection: &str, mirror: bool) -> Patterns {
    let collection = Collection::parse(collection, size.parse().unwrap()).unwrap();
    Patterns::build(collection, mirror, &BuildControl::default()).unwrap()
}

/// A board whose tiles are all at home but for one that makes room for the gap, as a reversed problem
/// has it for its target.
fn target(size: &str, gap: usize) -> Board {
    let size: slidebench::puzzle::Size = size.parse().unwrap();
    let mut tiles: Vec<u32> = (0..size.cells() as u32).collect();
    tiles.swap(0, gap);
    Board::new(size, &tiles).unwrap()
}

/// With the gap at home in any cell: never above the distance, by breadth-first search from there; as odd
/// as that; nothing at the target itself.
#[test]
fn tables_to_any_board_are_admissible() {
    for (size, collection, mirror) in [
        ("3x3", "4-4", true),
        ("3x3", ".AB/BAB/ABA", false),
        ("2x4", ".AAB/BBBA", false),
    ] {
        let patterns = patterns(size, collection, mirror);
        for gap in 0..patterns.size().cells() {
            let target = target(size, gap);
            let toward = patterns.toward(&target, &BuildControl::default()).unwrap();
            let start = Packed::<u64>::new(&target);
            let mut seen = std::collections::HashMap::from([(start.cells, 0u32)]);
            let mut layer = vec![start];
            let (mut sum, mut taxicab) = (0u64, 0u64);
            while let Some(&state) = layer.first() {
                let depth = seen[&state.cells];
                let mut next = Vec::new();
                for state in layer {
                    let h = Heuristic::<u64>::value(&toward, toward.start(state));
                    assert!(h <= depth, "{size}, gap {gap}: {h} of {depth}");
                    assert_eq!(h % 2, depth % 2);
                    sum += u64::from(h);
                    let plain = slidebench::heuristic::Taxicab::toward(&target);
                    taxicab += u64::from(Heuristic::<u64>::value(
                        &plain,
                        Heuristic::<u64>::start(&plain, state),
                    ));
                    for mv in slidebench::puzzle::Move::ALL {
                        let Some(to) = patterns.size().neighbour(state.gap, mv) else {
                            continue;
                        };
                        let child = state.slide(to).0;
                        if let std::collections::hash_map::Entry::Vacant(new) =
                            seen.entry(child.cells)
                        {
                            new.insert(depth + 1);
                            next.push(child);
                        }
                    }
                }
                layer = next;
            }
            assert!(sum >= taxicab, "{size}, gap {gap}: no worse than taxicab");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn searches_from_the_goal_cost_the_same(
        (board, goal) in walks(&["3x3", "4x4"], 60),
        depth in 2u32..13,
        open in 1usize..500,
        turn_after in 64u64..4000,
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        let tables = PATTERNS.iter().find(|it| it.size() == board.size()).unwrap();
        let shortest = cost(&problem, &Settings::idastar(Estimate::Patterns(tables)));
        let settings = Settings {
            turn_after: Some(turn_after),
            ..with(Estimate::Patterns(tables), open, Prune::new(depth))
        };
        prop_assert_eq!(cost(&problem, &settings), shortest);
        let turned = tables.toward(problem.reversed().target(), &BuildControl::default()).unwrap();
        for algorithm in [Algorithm::ReverseAStar, Algorithm::ReverseIdaStar] {
            let reverse = Settings::with(algorithm, Estimate::Patterns(&turned));
            prop_assert_eq!(cost(&problem, &reverse), shortest);
        }
    }
}

/// With 5-5-5, and from the goal as soon as that is the smaller tree of the two.
fn turning(threads: usize) -> Settings<'static> {
    Settings {
        turn_after: Some(2000),
        threads,
        ..with(Estimate::Patterns(&PATTERNS[2]), 50, Prune::new(8))
    }
}

/// Boards of korf100, of which some are searched from the goal: their thresholds are then others than those
/// from the start, but the same on any number of threads and however often the search was stopped.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn thresholds_from_the_goal_are_the_same_in_every_run() {
    let never = Settings {
        turn_after: Some(u64::MAX),
        ..turning(1)
    };
    let mut turned = 0;
    for board in KORF {
        let problem = Problem::new(&parse_board(board, None).unwrap(), Goal::First).unwrap();
        let alone = same_when_resumed(&problem, &turning(1));
        let (outcome, iterations) = with_iterations(&problem, &turning(3), None);
        assert!(outcome.result.unwrap().verified);
        assert_eq!(complete(&iterations), alone);
        let (_, forward) = with_iterations(&problem, &never, None);
        turned += usize::from(complete(&forward) != alone);
    }
    assert!((1..KORF.len()).contains(&turned), "{turned}");
}

/// What is done to choose an end ends with the search: when its time is up, when it may have no memory for
/// tables (which are then not built), when nobody wants it any more.
#[test]
fn limits_hold_while_an_end_is_chosen() {
    let turn = |control: &Control<'_>| solve(&hard(), &turning(1), control);
    let limited = |limits: Limits| Control {
        limits,
        ..Control::default()
    };
    let short = limited(Limits {
        time: Some(Duration::from_millis(1)),
        ..Limits::default()
    });
    assert_eq!(turn(&short).result.unwrap_err(), Stop::Time);
    let narrow = limited(Limits {
        memory: Some(1 << 20),
        ..Limits::default()
    });
    assert_eq!(turn(&narrow).result.unwrap().moves.len(), 57);
    let cancel = AtomicBool::new(false);
    let listener = |event: Event| {
        if let Event::Iteration(_) = event {
            cancel.store(true, Relaxed);
        }
    };
    let cancelled = Control {
        cancel: Some(&cancel),
        listener: Some(&listener),
        ..Control::default()
    };
    assert_eq!(turn(&cancelled).result.unwrap_err(), Stop::Cancelled);
}
