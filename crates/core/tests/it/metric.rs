//! The metric in which a row of tiles is one move: every board of small sizes against published
//! counts, and the searches against each other.

use std::collections::HashMap;
use std::str::FromStr;

use proptest::prelude::*;
use slidebench::harness::suite::Random;
use slidebench::harness::suite::generate::{Kind, Ladder, radius, walks};
use slidebench::heuristic::Estimate;
use slidebench::puzzle::{Board, Costs, Goal, Metric, Move, Notation, Problem, Rules, Size};
use slidebench::search::{Algorithm, Control, Outcome, Settings, Stop, solve};

const SEARCHES: [Algorithm; 4] = [
    Algorithm::Bfs,
    Algorithm::BiBfs,
    Algorithm::AStar,
    Algorithm::IdaStar,
];

fn multi(goal: Goal) -> Rules {
    Rules {
        goal,
        metric: Metric::Multi,
        costs: Costs::Unit,
    }
}

fn kind(size: &str, goal: Goal) -> Kind {
    Kind {
        size: size.parse().unwrap(),
        goal,
        metric: Metric::Multi,
    }
}

fn with(algorithm: Algorithm, heuristic: Estimate<'_>) -> Settings<'_> {
    Settings {
        heuristic,
        ..Settings::new(algorithm)
    }
}

fn outcome(board: &Board, rules: Rules, settings: &Settings<'_>) -> Outcome {
    let problem = Problem::new(board, rules).unwrap();
    solve(&problem, settings, &Control::default())
}

fn cost(board: &Board, rules: Rules, settings: &Settings<'_>) -> usize {
    let solution = outcome(board, rules, settings).result.unwrap();
    assert!(solution.verified, "{board}");
    // Each move of a shortest path turns the corner.
    assert_eq!(
        Notation::Gap
            .runs(&solution.moves)
            .split_whitespace()
            .count(),
        solution.cost.whole().unwrap()
    );
    solution.cost.whole().unwrap()
}

/// Every board that one move leads to: a plain definition of its own.
fn after_one_move(board: &Board) -> impl Iterator<Item = Board> {
    let board = *board;
    Move::ALL.into_iter().flat_map(move |mv| {
        let on = move |board: &Board| board.after(mv);
        std::iter::successors(board.after(mv), on)
    })
}

/// The distances of all boards from one, by a plain breadth-first search.
fn distances_from(goal: Board) -> HashMap<Board, u32> {
    let mut distances = HashMap::from([(goal, 0)]);
    let mut layer = vec![goal];
    for distance in 1.. {
        let mut next = Vec::new();
        for child in layer.iter().flat_map(after_one_move) {
            distances.entry(child).or_insert_with(|| {
                next.push(child);
                distance
            });
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    distances
}

fn published() -> HashMap<&'static str, Vec<usize>> {
    let mut counts: HashMap<&str, Vec<usize>> = HashMap::new();
    let lines = include_str!("../../../../tests/data/space_counts.csv").lines();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        if fields.get(1) != Some(&"multi") {
            continue;
        }
        let layer = counts.entry(fields[0]).or_default();
        assert_eq!(fields[2].parse(), Ok(layer.len()));
        layer.push(fields[3].parse().unwrap());
    }
    counts
}

/// Every board of 2x2, 2x3 and 3x3: as many at each distance as published, by breadth-first search,
/// and for the smaller ones by each search.
#[test]
fn small_spaces_have_the_published_counts() {
    let published = published();
    for (size, searches) in [("2x2", &SEARCHES[..]), ("2x3", &SEARCHES), ("3x3", &[])] {
        let goal = Board::solved(size.parse().unwrap(), Goal::First);
        let distances = distances_from(goal);
        let mut counts = vec![0; published[size].len()];
        distances.values().for_each(|&it| counts[it as usize] += 1);
        assert_eq!(counts, published[size], "{size}");
        assert_eq!(radius(kind(size, Goal::Last)), Some(counts.len() - 1));
        for (board, &distance) in &distances {
            for &algorithm in searches {
                let found = cost(board, multi(Goal::First), &Settings::new(algorithm));
                assert_eq!(found, distance as usize, "{algorithm} {board}");
            }
        }
    }
}

/// The radii that ladders know are the published ones.
#[test]
fn radii_are_the_published_ones() {
    for (size, counts) in published() {
        assert_eq!(
            radius(kind(size, Goal::First)),
            Some(counts.len() - 1),
            "{size}"
        );
    }
    assert_eq!(radius(kind("4x4", Goal::First)), None);
}

/// On all of 3x3 and for a goal in the middle: never too high, and no move changes it by more than
/// one.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn the_estimate_is_admissible_and_consistent() {
    for goal in [Goal::First, Goal::Spiral] {
        let distances = distances_from(Board::solved("3x3".parse().unwrap(), goal));
        assert_eq!(distances.len(), 181_440);
        let stopped = Control {
            limits: slidebench::search::Limits {
                nodes: Some(1),
                ..Default::default()
            },
            ..Control::default()
        };
        let settings = Settings::new(Algorithm::IdaStar);
        let estimate = |board: &Board| {
            let problem = Problem::new(board, multi(goal)).unwrap();
            solve(&problem, &settings, &stopped).stats.h0
        };
        let mut largest = 0;
        for (board, &distance) in distances.iter().filter(|(board, _)| board.tiles()[4] == 1) {
            let h = estimate(board);
            assert!(h <= distance && (h == 0) == (distance == 0), "{board}");
            largest = largest.max(h);
            for child in after_one_move(board) {
                assert!(estimate(&child).abs_diff(h) <= 1, "{board} to {child}");
            }
        }
        assert!(largest >= 12, "{largest}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// Larger boards and any goal: the searches agree, with and without an estimate.
    #[test]
    fn searches_agree(
        size in prop::sample::select(&["2x4", "3x3", "4x2", "3x4", "4x4", "5x5"]),
        goal in prop::sample::select(&Goal::NAMED),
        seed in any::<u64>(),
        length in 0usize..8,
    ) {
        let kind = kind(size, goal);
        let board = walks(kind, length, 1, &mut Random::new(seed))[0].board;
        let known = cost(&board, kind.rules(), &Settings::new(Algorithm::BiBfs));
        prop_assert!(known <= length);
        for algorithm in [Algorithm::AStar, Algorithm::IdaStar] {
            for heuristic in [Estimate::Zero, Estimate::Taxicab] {
                let found = cost(&board, kind.rules(), &with(algorithm, heuristic));
                prop_assert_eq!(found, known, "{} {}", algorithm, heuristic);
            }
        }
    }

    /// The estimate leaves nodes out, and a path is counted by its corners.
    #[test]
    fn runs_are_counted(moves in prop::collection::vec(prop::sample::select(&Move::ALL), 0..30)) {
        let runs = Notation::Gap.runs(&moves);
        let board = Board::solved("3x3".parse().unwrap(), Goal::First);
        let cost = multi(Goal::First).cost(&board, &moves);
        prop_assert_eq!(Some(runs.split_whitespace().count()), cost.whole());
        let written: String = runs
            .split_whitespace()
            .flat_map(|run| {
                let (letter, cells) = run.split_at(1);
                std::iter::repeat_n(letter, cells.parse().unwrap_or(1))
            })
            .collect();
        prop_assert_eq!(written, Notation::Gap.letters(&moves));
    }
}

/// What counts moves of one tile is refused.
#[test]
fn other_searches_and_estimates_are_refused() {
    let board: Board = "1 2 3 / 4 5 6 / 0 7 8".parse().unwrap();
    let rules = multi(Goal::Last);
    for algorithm in Algorithm::ALL {
        let result = outcome(&board, rules, &Settings::new(algorithm)).result;
        match algorithm.has_metric_multi() {
            true => assert_eq!(result.unwrap().moves.len(), 2, "{algorithm}"),
            false => assert_eq!(result.unwrap_err(), Stop::OtherMetric, "{algorithm}"),
        }
    }
    let refused = outcome(
        &board,
        rules,
        &with(Algorithm::AStar, Estimate::LinearConflict),
    );
    assert_eq!(refused.result.unwrap_err(), Stop::OtherMetric);
}

/// Every board of 2x3, and some of 3x3: never fewer moves than needed, with a beam that holds all of them
/// as few, and no bound that is not proven.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn beams_follow_rows_of_tiles() {
    let narrow = Algorithm::from_str("beam:4").unwrap();
    let wide = Algorithm::from_str("beam:1000").unwrap();
    for (size, every) in [("2x3", 1), ("3x3", 1_000)] {
        let rules = multi(Goal::First);
        let goal = Board::solved(size.parse().unwrap(), Goal::First);
        let mut boards: Vec<_> = distances_from(goal).into_iter().collect();
        boards.sort_by_key(|(board, distance)| (*distance, board.to_string()));
        for (board, distance) in boards.into_iter().step_by(every) {
            let settings = with(narrow, Estimate::Taxicab);
            let found = outcome(&board, rules, &settings);
            let solution = found.result.unwrap();
            assert!(solution.verified, "{board}");
            let cost = solution.cost.whole().unwrap() as u32;
            assert!(cost >= distance, "{board}");
            if let Some(least) = found.stats.lower_bound {
                assert_eq!((cost, cost), (least, distance), "{board}");
            }
            if size == "2x3" {
                let settings = with(wide, Estimate::Taxicab);
                let cost = outcome(&board, rules, &settings).result.unwrap().cost;
                assert_eq!(cost, distance.into(), "{board}");
            }
        }
    }
}

#[test]
fn ladders_climb_in_moves_of_rows() {
    let kind = kind("3x3", Goal::Last);
    let mut ladder = Ladder::new(kind, 1, 100);
    let settings = Settings::new(Algorithm::AStar);
    for length in [0, 1, 5, 12] {
        let board = ladder.rung(length, &settings, &Control::default());
        let board = board.unwrap().unwrap();
        assert_eq!(cost(&board, kind.rules(), &settings), length);
    }
}

/// The slow tests search for every board of 2x4; here are some of a size that is no square.
#[test]
fn a_size_that_is_no_square_is_counted_too() {
    let size: Size = "2x4".parse().unwrap();
    let distances = distances_from(Board::solved(size, Goal::First));
    let mut counts = vec![0; published()["2x4"].len()];
    distances.values().for_each(|&it| counts[it as usize] += 1);
    assert_eq!(counts, published()["2x4"]);
    let some = distances
        .iter()
        .filter(|(board, _)| board.tiles()[..3] == [1, 0, 2]);
    for (board, &distance) in some {
        let found = cost(board, multi(Goal::First), &Settings::new(Algorithm::AStar));
        assert_eq!(found, distance as usize);
    }
}
