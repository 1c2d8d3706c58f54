//! Tables of the way to any board, and A*+IDA* that goes on from the goal with them.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use proptest::prelude::*;
use slidebench::heuristic::{Estimate, Heuristic, Patterns};
use slidebench::lookup::{BuildControl, Collection, Unbuilt};
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

/// Tables that lead elsewhere already lead on to any board, and to no other than such.
#[test]
fn tables_lead_on_from_anywhere() {
    let control = BuildControl::default();
    for (size, collection, mirror) in [("3x3", "4-4", true), ("2x3", ".AB/BAA", false)] {
        let patterns = patterns(size, collection, mirror);
        for (via, gap) in [(4, 5), (5, 1), (3, 4), (1, 0)] {
            let there = patterns.toward(&target(size, via), &control).unwrap();
            let on = there.toward(&target(size, gap), &control).unwrap();
            let at = |board: &Board| {
                let state = Packed::<u64>::new(board);
                Heuristic::<u64>::value(&on, Heuristic::<u64>::start(&on, state))
            };
            let end = target(size, gap);
            assert_eq!(at(&end), 0, "{size}: {via}, {gap}");
            for mv in slidebench::puzzle::Move::ALL {
                if let Some(next) = end.replay(&[mv]) {
                    assert_eq!(at(&next), 1, "{size}: {via}, {gap}");
                }
            }
        }
        for other in [target("4x4", 3), target("6x6", 30)] {
            let refused = patterns.toward(&other, &control);
            assert_eq!(refused.unwrap_err(), Unbuilt::Target);
        }
        let swapped: Board = match size {
            "3x3" => "0 2 1 3 4 5 6 7 8".parse().unwrap(),
            _ => "0 2 1 / 3 4 5".parse().unwrap(),
        };
        let refused = patterns.toward(&swapped, &control);
        assert_eq!(refused.unwrap_err(), Unbuilt::Target);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn searches_from_the_goal_cost_the_same(
        (board, goal) in walks(&["2x3", "3x3", "4x4"], 60),
        depth in 2u32..13,
        open in 1usize..500,
        other_end_after in 64u64..4000,
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        let tables = PATTERNS.iter().find(|it| it.size() == board.size()).unwrap();
        let shortest = cost(&problem, &Settings::idastar(Estimate::Patterns(tables)));
        let settings = Settings {
            other_end_after: Some(other_end_after),
            ..with(Estimate::Patterns(tables), open, Prune::new(depth))
        };
        prop_assert_eq!(cost(&problem, &settings), shortest);
        let toward_board = tables.toward(problem.reversed().target(), &BuildControl::default()).unwrap();
        for algorithm in [Algorithm::ReverseAStar, Algorithm::ReverseIdaStar] {
            let reverse = Settings::with(algorithm, Estimate::Patterns(&toward_board));
            prop_assert_eq!(cost(&problem, &reverse), shortest);
        }
    }
}

/// With 5-5-5, and from the goal as soon as that is the smaller tree of the two.
fn from_either_end(threads: usize) -> Settings<'static> {
    Settings {
        other_end_after: Some(2000),
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
        other_end_after: Some(u64::MAX),
        ..from_either_end(1)
    };
    let mut from_goal = 0;
    for board in KORF {
        let problem = Problem::new(&parse_board(board, None).unwrap(), Goal::First).unwrap();
        let alone = same_when_resumed(&problem, &from_either_end(1));
        let (outcome, iterations) = with_iterations(&problem, &from_either_end(3), None);
        assert!(outcome.result.unwrap().verified);
        assert_eq!(complete(&iterations), alone);
        let (_, forward) = with_iterations(&problem, &never, None);
        from_goal += usize::from(complete(&forward) != alone);
    }
    assert!((1..KORF.len()).contains(&from_goal), "{from_goal}");
}

/// 5x5, where a root remembers the moves behind it, which the fsm reads, from the goal too.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn boards_of_5x5_cost_the_same_from_the_goal() {
    let tables = &PATTERNS[3];
    let mut from_goal = 0;
    let mut random = 1u64;
    for moves in [90, 100, 110, 120, 130, 140] {
        let mut board = Board::solved(tables.size(), Goal::First);
        let mut last = None;
        for _ in 0..moves {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
            let mv = slidebench::puzzle::Move::ALL[(random >> 62) as usize];
            if last != Some(mv.opposite())
                && let Some(next) = board.replay(&[mv])
            {
                (board, last) = (next, Some(mv));
            }
        }
        let problem = Problem::new(&board, Goal::First).unwrap();
        let shortest = cost(&problem, &Settings::idastar(Estimate::Patterns(tables)));
        let thresholds = |after: u64| {
            let settings = Settings {
                other_end_after: Some(after),
                ..with(Estimate::Patterns(tables), 20, Prune::new(12))
            };
            let (outcome, iterations) = with_iterations(&problem, &settings, None);
            assert_eq!(outcome.result.unwrap().moves.len(), shortest, "{board}");
            complete(&iterations)
        };
        from_goal += usize::from(thresholds(2000) != thresholds(u64::MAX));
    }
    assert!(from_goal > 0);
}

/// The thresholds that a search completes before it is stopped, and what it says of itself then.
fn until(control: &Control<'_>) -> (Vec<u32>, slidebench::search::Outcome) {
    let done = std::sync::Mutex::new(Vec::new());
    let listener = |event: Event| {
        if let Event::Iteration(iteration) = &event
            && iteration.complete
        {
            done.lock().unwrap().push(iteration.threshold);
        }
        if let Some(listener) = control.listener {
            listener(event);
        }
    };
    let control = Control {
        listener: Some(&listener),
        ..*control
    };
    let outcome = solve(&hard(), &from_either_end(1), &control);
    (done.into_inner().unwrap(), outcome)
}

/// Limits hold while an end is chosen and while the search begins again from there. What is done
/// then is not counted, and no threshold is forgotten.
#[test]
fn limits_hold_while_an_end_is_chosen() {
    let limited = |limits: Limits| Control {
        limits,
        ..Control::default()
    };
    let short = limited(Limits {
        time: Some(Duration::from_millis(1)),
        ..Limits::default()
    });
    assert_eq!(until(&short).1.result.unwrap_err(), Stop::Time);
    for nodes in [2500, 4000, 6000, 10_000, 20_000, 40_000] {
        let few = limited(Limits {
            nodes: Some(nodes),
            ..Limits::default()
        });
        let (done, outcome) = until(&few);
        if let Err(stop) = outcome.result {
            assert_eq!(stop, Stop::Nodes);
            assert!(outcome.stats.generated <= nodes + 2000, "{nodes}");
            assert!(outcome.stats.iterations as usize >= done.len(), "{nodes}");
        }
    }
    // No memory for tables: the search stays at its end.
    let narrow = limited(Limits {
        memory: Some(1 << 20),
        ..Limits::default()
    });
    let (thresholds, outcome) = until(&narrow);
    assert_eq!(outcome.result.unwrap().moves.len(), 57);
    assert_eq!(thresholds.last(), Some(&55));
    // Cancelled behind each of the thresholds, one of which is that after which it asks.
    for number in 1..=thresholds.len() {
        let cancel = AtomicBool::new(false);
        let left = std::sync::atomic::AtomicUsize::new(number);
        let listener = |event: Event| {
            if let Event::Iteration(_) = event
                && left.fetch_sub(1, Relaxed) == 1
            {
                cancel.store(true, Relaxed);
            }
        };
        let cancelled = Control {
            cancel: Some(&cancel),
            listener: Some(&listener),
            ..Control::default()
        };
        let (done, outcome) = until(&cancelled);
        assert_eq!(outcome.result.unwrap_err(), Stop::Cancelled);
        assert_eq!(done.len(), number);
    }
}
