//! Searches from both ends: costs against plain breadth-first searches, bounds that meet.

use std::collections::HashMap;
use std::sync::Mutex;

use proptest::prelude::*;
use rayon::prelude::*;
use slidebench::heuristic::{Estimate, Patterns};
use slidebench::lookup::{BuildControl, Collection};
use slidebench::puzzle::{Board, Goal, Problem};
use slidebench::search::{
    Algorithm, Control, Event, Guide, Iteration, Limits, Outcome, Settings, Stop, solve,
};

use crate::distances::distances_from;
use crate::estimates::estimates;
use crate::own_heuristics::own;
use crate::walks::walks;

const BIDIRECTIONAL: [Algorithm; 3] = [Algorithm::Bae, Algorithm::Nbs, Algorithm::Mm];

fn cost<H: Guide>(problem: &Problem, settings: &Settings<'_, H>) -> usize {
    cost_within(Limits::default(), problem, settings)
}

fn cost_within<H: Guide>(limits: Limits, problem: &Problem, settings: &Settings<'_, H>) -> usize {
    let control = Control {
        limits,
        ..Control::default()
    };
    let outcome = solve(problem, settings, &control);
    let solution = outcome.result.expect("no limit is met");
    assert!(solution.verified);
    solution.moves.len()
}

fn settings(algorithm: Algorithm, heuristic: Estimate<'_>) -> Settings<'_> {
    Settings {
        heuristic,
        ..Settings::new(algorithm)
    }
}

/// Every board of 3x3 with its distance to a goal, by a plain breadth-first search.
fn all_boards(goal: Goal) -> Vec<(Board, u32)> {
    let solved = Board::solved("3x3".parse().unwrap(), goal);
    let all: HashMap<Board, u32> = distances_from(solved, 31);
    assert_eq!(all.len(), 181_440);
    let mut all: Vec<(Board, u32)> = all.into_iter().collect();
    all.sort_unstable_by(|(a, near), (b, far)| (near, a.tiles()).cmp(&(far, b.tiles())));
    all
}

/// One board in so many of those of 3x3, by their distances.
fn all_costs_are_right(goal: Goal, one_in: usize) {
    // Far more than such a search takes. Lists that may become large lie far apart, and the system's
    // work for that is a third of all time.
    let limits = Limits {
        memory: Some(16 << 20),
        ..Limits::default()
    };
    let boards: Vec<(Board, u32)> = all_boards(goal).into_iter().step_by(one_in).collect();
    let numbered = boards.par_iter().enumerate();
    numbered.for_each(|(number, (board, distance))| {
        let problem = Problem::new(board, goal).unwrap();
        for (place, algorithm) in BIDIRECTIONAL.into_iter().enumerate() {
            let heuristic = Estimate::COMPUTED[(number + place) % 3];
            let found = cost_within(limits, &problem, &settings(algorithm, heuristic));
            assert_eq!(
                found, *distance as usize,
                "{algorithm} {heuristic} {goal} {board}"
            );
        }
    });
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn costs_of_3x3_are_those_of_a_breadth_first_search() {
    all_costs_are_right(Goal::First, 607);
    all_costs_are_right(Goal::Last, 607);
}

#[test]
#[ignore = "minutes: run cargo test --release --test it bidirectional -- --ignored"]
fn costs_of_all_3x3_with_the_gap_first_are_those_of_a_breadth_first_search() {
    all_costs_are_right(Goal::First, 1);
}

#[test]
#[ignore = "minutes: run cargo test --release --test it bidirectional -- --ignored"]
fn costs_of_all_3x3_with_the_gap_last_are_those_of_a_breadth_first_search() {
    all_costs_are_right(Goal::Last, 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// Far boards of 3x4 and others, with every estimate, beside breadth-first from both ends.
    #[test]
    fn costs_are_those_of_a_breadth_first_search(
        (board, goal) in walks(&["2x2", "2x3", "3x2", "2x5", "3x4", "4x3"], 120)
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        let expected = cost(&problem, &Settings::new(Algorithm::BiBfs));
        for algorithm in BIDIRECTIONAL {
            for heuristic in estimates(board.size()) {
                let found = cost(&problem, &settings(algorithm, heuristic));
                prop_assert_eq!(found, expected, "{} {}", algorithm, heuristic);
            }
        }
    }

    /// Tables forward, taxicab on the way back; and a heuristic of one's own, in steps of one.
    #[test]
    fn tables_serve_in_one_direction((board, goal) in walks(&["3x3", "4x4"], 60)) {
        let name = if board.size().cells() == 9 { "4-4" } else { "5-5-5" };
        let collection = Collection::parse(name, board.size()).unwrap();
        let patterns = Patterns::build(collection, true, &BuildControl::default()).unwrap();
        let problem = Problem::new(&board, goal).unwrap();
        let expected = cost(&problem, &Settings::new(Algorithm::IdaStar));
        let misplaced = own(|tiles| {
            let away = |&(home, &tile): &(usize, &u8)| tile != 0 && usize::from(tile) != home;
            tiles.iter().enumerate().filter(away).count() as u32
        });
        for algorithm in BIDIRECTIONAL {
            let tables = settings(algorithm, Estimate::Patterns(&patterns));
            prop_assert_eq!(cost(&problem, &tables), expected, "{}", algorithm);
            if board.size().cells() == 9 {
                let own = Settings { algorithm, ..Settings::astar(&misplaced) };
                prop_assert_eq!(cost(&problem, &own), expected, "{}", algorithm);
            }
        }
    }
}

fn heard(algorithm: Algorithm, board: &str) -> (Outcome, Vec<Iteration>) {
    let problem = Problem::new(&board.parse().unwrap(), Goal::First).unwrap();
    let heard = Mutex::new(Vec::new());
    let listener = |event: Event| {
        if let Event::Iteration(iteration) = event {
            heard.lock().unwrap().push(iteration);
        }
    };
    let control = Control {
        listener: Some(&listener),
        ..Control::default()
    };
    let outcome = solve(&problem, &Settings::new(algorithm), &control);
    (outcome, heard.into_inner().unwrap())
}

/// Instances 12 and 71 of korf100: the lower bound rises, the best solution falls, and they meet.
/// Beside it what HOG2's searches expand, as recorded in 2026 by the public repository
/// omerpresler/BiHS-Bloom.
#[test]
fn bounds_meet_at_the_cost() {
    let published = [
        (
            "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15",
            45,
            [29_065, 53_266, 52_892],
        ),
        (
            "5 7 0 11 12 1 9 10 15 6 2 3 8 4 13 14",
            44,
            [224_756, 309_928, 430_736],
        ),
    ];
    for (board, length, expanded) in published {
        for (algorithm, expanded) in BIDIRECTIONAL.into_iter().zip(expanded) {
            let (outcome, iterations) = heard(algorithm, board);
            let stats = outcome.stats;
            assert_eq!(outcome.result.unwrap().moves.len(), length as usize);
            // Ties are broken in other ways, and bounds have the parity of the solution.
            assert!(stats.expanded <= 2 * expanded, "{algorithm}: {stats:?}");
            assert!(
                iterations.is_sorted_by_key(|it| it.threshold),
                "{algorithm}"
            );
            let bests = iterations.iter().map(|it| it.best.unwrap_or(u32::MAX));
            assert!(bests.rev().is_sorted(), "{algorithm}");
            let last = iterations.last().unwrap();
            assert_eq!((last.threshold, last.best), (length, Some(length)));
            let generated: u64 = iterations.iter().map(|it| it.generated).sum();
            assert_eq!(generated + 2, stats.generated, "{algorithm}");
        }
    }
}

/// A heuristic that falls by more than one with a move is found out, or does no harm.
#[test]
fn an_inconsistent_heuristic_is_refused() {
    let board: Board = "8 6 7 / 2 5 4 / 3 . 1".parse().unwrap();
    let problem = Problem::new(&board, Goal::Last).unwrap();
    let jumps = own(|tiles| 6 * u32::from(tiles[0] % 2));
    for algorithm in BIDIRECTIONAL {
        let settings = Settings {
            algorithm,
            ..Settings::astar(&jumps)
        };
        let outcome = solve(&problem, &settings, &Control::default());
        assert_eq!(outcome.result, Err(Stop::Inconsistent), "{algorithm}");
    }
}
