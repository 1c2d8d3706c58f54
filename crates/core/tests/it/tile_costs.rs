//! Tiles with costs of their own: every search against a plain Dijkstra.

use proptest::prelude::*;
use slidebench::puzzle::{Board, Cost, Costs, Goal, Metric, Move, Notation, Problem, Rules, Size};
use slidebench::search::{Algorithm, Control, Limits, Settings, Stop, solve};

use crate::costed::{REAL, SEARCHES, cost, rules};
use crate::dijkstra::dijkstra;

#[test]
fn tiles_cost_what_is_said() {
    let size: Size = "4x4".parse().unwrap();
    let of = |costs: Costs, tile| costs.of(tile, size).to_string();
    assert_eq!(of(Costs::Unit, 7), "1");
    assert_eq!(of(Costs::Heavy, 7), "7");
    assert_eq!(of(Costs::Sqrt, 4), "2");
    assert_eq!(of(Costs::Sqrt, 2), "1.414214");
    assert_eq!(of(Costs::Sqrt, 15), "3.872983");
    assert_eq!(of(Costs::Inverse, 8), "0.125");
    assert_eq!(of(Costs::Inverse, 3), "0.333333");
    assert_eq!(of(Costs::Inverse, 6), "0.166667");
    assert_eq!(
        (of(Costs::Reverse, 1), of(Costs::Reverse, 15)),
        ("15".into(), "1".into())
    );
}

/// Those whose solutions may cost more, against the least cost: what is promised, and what is proven.
#[test]
fn bounds_hold_beside_dijkstra() {
    let solved = Board::solved("3x3".parse().unwrap(), Goal::Last);
    let names = [
        "wastar:1",
        "wastar:1.5",
        "wastar:3",
        "wastar:1.5:reopen",
        "greedy",
        "widastar:1.5",
        "widastar:1",
        "beam:1",
        "beam:20",
        "ees:1",
        "ees:1.5",
        "ees:3",
        "arastar:3",
        "rbfs",
    ];
    for costs in REAL {
        let all = dijkstra(solved, costs, Cost::from(u32::MAX));
        let some = all
            .iter()
            .filter(|(board, _)| board.tiles()[..6] == [3, 8, 0, 1, 6, 2]);
        for (board, &least) in some {
            let problem = Problem::new(board, rules(Goal::Last, costs)).unwrap();
            for name in names {
                let algorithm: Algorithm = name.parse().unwrap();
                let settings = Settings::new(algorithm);
                let outcome = solve(&problem, &settings, &Control::default());
                let solution = outcome.result.unwrap();
                assert!(
                    solution.verified && solution.cost >= least,
                    "{name} {costs}"
                );
                let proven = outcome.stats.least_cost();
                assert!(
                    proven.is_none_or(|proven| proven <= least),
                    "{name} {costs}"
                );
                if algorithm.is_anytime() {
                    assert_eq!(
                        (solution.cost, proven),
                        (least, Some(least)),
                        "{name} {costs}"
                    );
                }
                if let Some(weight) = algorithm.promise() {
                    let (numerator, denominator) = weight.ratio();
                    let parts =
                        |cost: Cost, by: u32| u128::from(cost.millionths()) * u128::from(by);
                    assert!(
                        parts(solution.cost, denominator) <= parts(least, numerator),
                        "{name} {costs}: {} of {least}",
                        solution.cost
                    );
                }
            }
        }
    }
}

/// Boards of more than 25 cells have costs too.
#[test]
fn large_boards_have_costs() {
    let mut board = Board::solved("6x6".parse().unwrap(), Goal::First);
    for mv in "DRDLURRDDLURDRUL".chars() {
        let mv = Move::ALL
            .into_iter()
            .find(|it| Notation::Gap.letters(&[*it]) == mv.to_string());
        board = board.after(mv.unwrap()).unwrap_or(board);
    }
    for name in [
        "wastar:2",
        "greedy",
        "beam:100",
        "widastar:1.2",
        "ees:2",
        "arastar:2",
    ] {
        let settings = Settings::new(name.parse().unwrap());
        let found = cost(&board, rules(Goal::First, Costs::Sqrt), &settings);
        assert!(found > Cost::default(), "{name}");
    }
}

/// Boards of 3x4 near the goal, as far as Dijkstra comes.
#[test]
fn searches_find_what_dijkstra_finds_near_the_goal_of_3x4() {
    for (costs, most) in [
        (Costs::Heavy, 70u32),
        (Costs::Sqrt, 24),
        (Costs::Inverse, 2),
        (Costs::Reverse, 50),
    ] {
        let goal = Board::solved("3x4".parse().unwrap(), Goal::First);
        let all = dijkstra(goal, costs, most.into());
        assert!(all.len() > 500, "{costs} {}", all.len());
        let mut boards: Vec<_> = all.into_iter().collect();
        boards.sort_by_key(|(board, cost)| (*cost, board.to_string()));
        for (board, least) in boards.into_iter().rev().step_by(97).take(40) {
            for algorithm in SEARCHES {
                let found = cost(&board, rules(Goal::First, costs), &Settings::new(algorithm));
                assert_eq!(found, least, "{algorithm} {costs} {board}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// On larger boards and for every goal the searches agree.
    #[test]
    fn searches_agree(
        size in prop::sample::select(&["2x4", "4x3", "4x4", "5x5"]),
        goal in prop::sample::select(&Goal::NAMED),
        costs in prop::sample::select(&REAL),
        moves in prop::collection::vec(prop::sample::select(&Move::ALL), 0..24),
    ) {
        let solved = Board::solved(size.parse().unwrap(), goal);
        let board = moves.iter().fold(solved, |board, &mv| board.after(mv).unwrap_or(board));
        let rules = rules(goal, costs);
        let known = cost(&board, rules, &Settings::new(Algorithm::AStar));
        prop_assert_eq!(cost(&board, rules, &Settings::new(Algorithm::IdaStar)), known);
        let path: Vec<Move> = moves.iter().rev().map(|mv| mv.opposite()).collect();
        prop_assert!(board.replay(&path) != Some(solved) || rules.cost(&board, &path) >= known);
    }
}

/// The estimate never falls short of itself by more than a move costs, and is never too high.
#[test]
fn the_estimate_is_admissible_and_consistent() {
    let goal = Goal::Last;
    let stopped = Control {
        limits: Limits {
            nodes: Some(1),
            ..Limits::default()
        },
        ..Control::default()
    };
    let estimate = |board: &Board, costs| {
        let problem = Problem::new(board, rules(goal, costs)).unwrap();
        let outcome = solve(&problem, &Settings::new(Algorithm::IdaStar), &stopped);
        outcome.stats.h0_cost.unwrap()
    };
    for costs in REAL {
        let solved = Board::solved("2x4".parse().unwrap(), goal);
        for (board, least) in dijkstra(solved, costs, Cost::from(u32::MAX)) {
            let h = estimate(&board, costs);
            assert!(h <= least, "{costs} {board}");
            for mv in Move::ALL {
                let Some(child) = board.after(mv) else {
                    continue;
                };
                let tile = child.tiles()[usize::from(board.gap())];
                let move_cost = costs.of(tile, board.size());
                assert!(h <= estimate(&child, costs) + move_cost, "{costs} {board}");
            }
        }
    }
}

#[test]
fn what_counts_moves_alike_is_refused() {
    let board: Board = "1 2 3 / 4 5 6 / 7 0 8".parse().unwrap();
    for algorithm in Algorithm::ALL {
        let problem = Problem::new(&board, rules(Goal::Last, Costs::Heavy)).unwrap();
        let result = solve(&problem, &Settings::new(algorithm), &Control::default()).result;
        match algorithm.has_tile_costs() {
            true => assert_eq!(result.unwrap().cost, Cost::from(8u32), "{algorithm}"),
            false => assert_eq!(result.unwrap_err(), Stop::OtherMetric, "{algorithm}"),
        }
    }
    let both = Rules {
        metric: Metric::Multi,
        ..rules(Goal::Last, Costs::Heavy)
    };
    let problem = Problem::new(&board, both).unwrap();
    let refused = solve(
        &problem,
        &Settings::new(Algorithm::AStar),
        &Control::default(),
    );
    assert_eq!(refused.result.unwrap_err(), Stop::OtherMetric);
}
