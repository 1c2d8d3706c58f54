//! Searches from the goal to the board: the same costs, and paths that lead forward.

use std::collections::HashMap;

use proptest::prelude::*;
use slidebench::heuristic::{Estimate, LinearConflict, Patterns, Taxicab};
use slidebench::lookup::endgame::{Builder, Until};
use slidebench::lookup::{BuildControl, Collection, Endgame};
use slidebench::puzzle::{Board, Goal, Grid, Move, MoveOrder, Packed, Problem, Size};
use slidebench::search::{Algorithm, Control, Outcome, Settings, Stop, solve};

use crate::consistency::checked_estimate;
use crate::distances::distances_from;
use crate::walks::walks;

fn run(problem: &Problem, settings: &Settings<'_>) -> Outcome {
    solve(problem, settings, &Control::default())
}

fn cost(outcome: &Outcome) -> usize {
    let solution = outcome.result.as_ref().unwrap();
    assert!(solution.verified);
    solution.moves.len()
}

fn settings(algorithm: Algorithm, heuristic: Estimate<'_>) -> Settings<'_> {
    Settings {
        heuristic,
        ..Settings::new(algorithm)
    }
}

const REVERSE: [Algorithm; 2] = [Algorithm::ReverseAStar, Algorithm::ReverseIdaStar];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn both_directions_find_the_same_cost(
        (board, goal) in walks(&["2x2", "2x3", "3x2", "2x5", "3x3", "4x3", "4x4", "5x5"], 60)
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        let estimates = [Estimate::Taxicab, Estimate::LinearConflict];
        for (heuristic, threads) in estimates.into_iter().zip([1, 3]) {
            let forward = cost(&run(&problem, &settings(Algorithm::AStar, heuristic)));
            for algorithm in REVERSE {
                let reverse = Settings { threads, ..settings(algorithm, heuristic) };
                prop_assert_eq!(cost(&run(&problem, &reverse)), forward, "{}", algorithm);
            }
        }
    }

    /// The searched board is the given one in another place and with other numbers, which moves
    /// lead through in the same way.
    #[test]
    fn a_problem_is_translated_there_and_back((board, goal) in walks(&["2x3", "3x3", "4x4"], 80)) {
        let forward = Problem::new(&board, goal).unwrap();
        let solved = Board::solved(board.size(), Goal::First);
        prop_assert_eq!(forward.target(), &solved);
        let expected = if goal == Goal::First { board } else { board.turned() };
        prop_assert_eq!(forward.start(), &expected);
        let reversed = forward.reversed();
        prop_assert_eq!(*reversed.reversed().start(), *forward.start());
        let moves = run(&forward, &settings(Algorithm::AStar, Estimate::Taxicab)).result.unwrap().moves;
        // As a search from the goal finds them: backwards, and on the board as it is searched.
        let backwards: Vec<Move> = moves.iter().rev().map(|mv| mv.opposite()).collect();
        let searched: Vec<Move> = backwards.iter().map(|&mv| reversed.move_as_given(mv)).collect();
        prop_assert_eq!(reversed.start().replay(&searched), Some(*reversed.target()));
        prop_assert_eq!(reversed.moves_as_given(searched), moves);
    }
}

/// Every estimate to a board with its gap in each cell, against exact distances.
#[test]
fn estimates_to_any_board_are_admissible_and_consistent() {
    for (size, depth) in [("3x3", 14), ("2x4", 12), ("4x4", 7)] {
        let size: Size = size.parse().unwrap();
        let grid = Grid::new(size, MoveOrder::UDLR);
        let mut target = Board::solved(size, Goal::Last);
        // A walk through cells that are corners, borders and inner ones.
        for mv in [Move::Up, Move::Left, Move::Down, Move::Left, Move::Up] {
            target = target.after(mv).unwrap();
            let distances: HashMap<Board, u32> = distances_from(target, depth);
            let (md, lc) = (Taxicab::toward(&target), LinearConflict::toward(&target));
            for (board, distance) in distances {
                let state = Packed::<u64>::new(&board);
                let md = checked_estimate(&md, state, &grid);
                let lc = checked_estimate(&lc, state, &grid);
                assert!(md <= lc && lc <= distance, "{board} {target}");
                assert_eq!(md == 0, board == target);
            }
        }
    }
}

/// Tables lead to the solved board, and so to every board whose gap is in a corner: tiles can be
/// renumbered. To others they are refused.
#[test]
fn tables_lead_to_corners() {
    let size: Size = "3x3".parse().unwrap();
    let collection = Collection::parse("4-4", size).unwrap();
    let patterns = Patterns::build(collection, true, &BuildControl::default()).unwrap();
    let endgame = Endgame::from(
        Builder {
            size,
            until: Until::Depth(8),
            memory: None,
            control: BuildControl::default(),
        }
        .build()
        .unwrap(),
    );
    let mut board: Board = "8 6 7 / 2 5 4 / 3 . 1".parse().unwrap();
    // Around the border, corners and sides in turn, and at last into the middle.
    for letter in "LUURRDDLU".chars() {
        board = board.after(Move::from_letter(letter).unwrap()).unwrap();
        let problem = Problem::new(&board, Goal::Last).unwrap();
        let expected = cost(&run(&problem, &Settings::new(Algorithm::IdaStar)));
        for algorithm in REVERSE {
            let with_tables = settings(algorithm, Estimate::Patterns(&patterns));
            let with_endgame = Settings {
                endgame: Some(&endgame),
                ..Settings::new(algorithm)
            };
            for settings in [with_tables, with_endgame] {
                let outcome = run(&problem, &settings);
                match [0, 2, 6, 8].contains(&board.gap()) {
                    true => assert_eq!(cost(&outcome), expected, "{board}"),
                    false => assert_eq!(outcome.result, Err(Stop::OtherTarget), "{board}"),
                }
            }
        }
    }
}

/// Instances 12 and 71 of korf100: what HOG2's reverse A* expands on them, as recorded in 2026 by
/// the public repository omerpresler/BiHS-Bloom. In the last layer ties are broken in other ways.
#[test]
fn reverse_searches_expand_about_what_is_published() {
    let published = [
        ("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", 45, 34_350),
        ("5 7 0 11 12 1 9 10 15 6 2 3 8 4 13 14", 44, 177_335),
    ];
    for (board, length, expanded) in published {
        let problem = Problem::new(&board.parse().unwrap(), Goal::First).unwrap();
        let outcome = run(&problem, &Settings::new(Algorithm::ReverseAStar));
        assert_eq!(cost(&outcome), length);
        let difference = outcome.stats.expanded.abs_diff(expanded);
        assert!(20 * difference <= expanded, "{:?}", outcome.stats);
    }
}
