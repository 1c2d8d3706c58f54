//! Goals: the names, any arrangement, and what a search makes of them.

use std::fs;

use proptest::prelude::*;
use slidebench::harness::suite::generate::{Kind, Ladder};
use slidebench::harness::suite::{Asked, SuiteProblem, parse_suite};
use slidebench::heuristic::{Estimate, LinearConflict, Patterns, SteppedWalks, WalkingDistance};
use slidebench::lookup::endgame::{Builder, Until};
use slidebench::lookup::{AbstractBoards, BuildControl, Collection, Endgame};
use slidebench::puzzle::{
    Board, Goal, GoalError, Layout, Metric, Move, Problem, Size, Unsolvable, parse_board,
};
use slidebench::search::{Algorithm, Control, EngineChoice, Settings, Stop, solve};

use crate::command::{rows, run, slidebench};
use crate::distances::distances_from;

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn cost(problem: &Problem, settings: &Settings<'_>) -> Result<usize, Stop> {
    let solution = solve(problem, settings, &Control::default()).result?;
    assert!(solution.verified);
    Ok(solution.moves.len())
}

fn with(algorithm: Algorithm, heuristic: Estimate<'_>) -> Settings<'_> {
    Settings {
        heuristic,
        ..Settings::new(algorithm)
    }
}

#[test]
fn names_stand_for_boards_of_every_size() {
    for (goal, boards) in [
        (Goal::First, ["0 1 2 / 3 4 5 / 6 7 8", "0 1 2 3 / 4 5 6 7"]),
        (Goal::Last, ["1 2 3 / 4 5 6 / 7 8 0", "1 2 3 4 / 5 6 7 0"]),
        (Goal::Spiral, ["1 2 3 / 8 0 4 / 7 6 5", "1 2 3 4 / 0 7 6 5"]),
        (Goal::Snake, ["1 2 3 / 6 5 4 / 7 8 0", "1 2 3 4 / 0 7 6 5"]),
        (
            Goal::Columns,
            ["1 4 7 / 2 5 8 / 3 6 0", "1 3 5 7 / 2 4 6 0"],
        ),
    ] {
        for board in boards {
            let board: Board = board.parse().unwrap();
            assert_eq!(Board::solved(board.size(), goal), board, "{goal}");
            assert_eq!(goal.to_string().parse(), Ok(goal));
            // A board is its goal, whatever its name.
            let same: Goal = board.to_string().parse().unwrap();
            assert_eq!(same.of_size(board.size()), goal.of_size(board.size()));
            assert_eq!(
                same.has_gap_in_corner(board.size()),
                board.size().is_corner(board.gap())
            );
        }
    }
    let spiral = "1 2 3 4 / 12 13 14 5 / 11 0 15 6 / 10 9 8 7";
    assert_eq!(
        Board::solved(size("4x4"), Goal::Spiral),
        spiral.parse().unwrap()
    );
    let flat = Goal::parse("1 2 3 4 0 7 6 5", Some(size("2x4"))).unwrap();
    assert_eq!(flat, Goal::Spiral.of_size(size("2x4")));
    assert!(matches!(
        "spral".parse::<Goal>(),
        Err(GoalError::Unknown(_))
    ));
    assert!(matches!(
        "1 2 3 3".parse::<Goal>(),
        Err(GoalError::Board(_))
    ));
}

/// A board and a goal of its size with the gap anywhere, some moves away from each other.
fn puzzles(sizes: &'static [&'static str], most: usize) -> impl Strategy<Value = (Board, Board)> {
    let size = prop::sample::select(sizes).prop_map(size);
    let goal = size.prop_flat_map(|size| {
        let tiles: Vec<u32> = (0..size.cells() as u32).collect();
        let tiles = Just(tiles).prop_shuffle();
        tiles.prop_map(move |tiles| Board::new(size, &tiles).unwrap())
    });
    let moves = prop::collection::vec(prop::sample::select(&Move::ALL), 0..=most);
    (goal, moves).prop_map(|(goal, moves)| {
        let walk = moves.iter();
        let board = walk.fold(goal, |board, &mv| board.after(mv).unwrap_or(board));
        (board, goal)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// A problem that is turned, mirrored and renumbered costs what the given one does, which a
    /// plain breadth-first search over plain boards tells.
    #[test]
    fn a_renumbered_problem_costs_what_the_given_one_does(
        (board, goal) in puzzles(&["2x2", "2x3", "3x2", "3x3", "2x4", "3x4", "4x4", "5x5"], 9)
    ) {
        let problem = Problem::new(&board, Goal::Board(goal)).unwrap();
        let known = distances_from(goal, 9)[&board] as usize;
        let solved = Board::solved(board.size(), Goal::First);
        prop_assert_eq!(problem.target() == &solved, board.size().is_corner(goal.gap()));
        for algorithm in Algorithm::ALL.into_iter().filter(|it| it.is_optimal()) {
            for heuristic in Estimate::COMPUTED {
                let found = cost(&problem, &with(algorithm, heuristic));
                prop_assert_eq!(found, Ok(known), "{} {}", algorithm, heuristic);
            }
        }
    }

    /// Longer ways, by two searches that have nothing in common.
    #[test]
    fn searches_agree_on_every_goal((board, goal) in puzzles(&["3x3", "2x5", "4x3"], 200)) {
        let problem = Problem::new(&board, Goal::Board(goal)).unwrap();
        let known = cost(&problem, &Settings::new(Algorithm::BiBfs)).unwrap();
        for algorithm in [Algorithm::AStar, Algorithm::IdaStar, Algorithm::ReverseAStar, Algorithm::Bae] {
            let found = cost(&problem, &with(algorithm, Estimate::LinearConflict));
            prop_assert_eq!(found, Ok(known), "{}", algorithm);
        }
    }

    #[test]
    fn a_layout_goes_there_and_back((board, goal) in puzzles(&["2x3", "3x3", "4x4"], 60)) {
        let layout = Layout::of_target(&goal);
        let searched = layout.as_searched(&board);
        prop_assert_eq!(layout.as_given(&searched), board);
        let problem = Problem::new(&board, Goal::Board(goal)).unwrap();
        prop_assert_eq!(problem.start(), &searched);
    }

    /// Half of all boards can become a goal; of two that differ in two tiles one can.
    #[test]
    fn parity_tells_for_every_goal((board, goal) in puzzles(&["2x2", "2x3", "3x3", "4x4", "5x5"], 60)) {
        let goal = Goal::Board(goal);
        prop_assert!(board.is_solvable(goal));
        let gap = board.gap();
        let cells: Vec<u8> = (0..4).filter(|&cell| cell != gap).collect();
        let other = board.swapped(cells[0], cells[1]);
        prop_assert_eq!(Problem::new(&other, goal).unwrap_err(), Unsolvable::Parity(goal));
    }
}

/// Tables know every goal with its gap in a corner, and say that they do not know the others.
#[test]
fn tables_serve_goals_with_the_gap_in_a_corner() {
    let size = size("3x3");
    let collection = Collection::parse("4-4", size).unwrap();
    let patterns = Patterns::build(collection, true, &BuildControl::default()).unwrap();
    let walks = AbstractBoards::new(size).unwrap();
    let walking = WalkingDistance::Stepped(SteppedWalks::new(walks));
    let endgame = Builder {
        size,
        until: Until::Depth(10),
        memory: None,
        control: BuildControl::default(),
    };
    let endgame = Endgame::from(endgame.build().unwrap());
    let estimates = [
        Estimate::Patterns(&patterns),
        Estimate::WalkingDistance(&walking),
    ];
    let boards = ["8 6 7 / 2 5 4 / 3 0 1", "6 4 7 / 8 5 0 / 3 2 1"];
    for goal in ["8 7 0 / 4 5 6 / 1 2 3", "4 2 3 / 8 7 6 / 0 1 5", "columns"] {
        let goal: Goal = goal.parse().unwrap();
        let boards = boards.map(|board| board.parse::<Board>().unwrap());
        for board in boards.iter().filter(|board| board.is_solvable(goal)) {
            let problem = Problem::new(board, goal).unwrap();
            let known = cost(&problem, &Settings::new(Algorithm::Bfs)).unwrap();
            for algorithm in [
                Algorithm::AStar,
                Algorithm::IdaStar,
                Algorithm::AStarIdaStar,
            ] {
                for estimate in estimates {
                    let found = cost(&problem, &with(algorithm, estimate));
                    assert_eq!(found, Ok(known), "{algorithm} {estimate}");
                }
            }
            let settings = Settings {
                endgame: Some(&endgame),
                ..Settings::new(Algorithm::IdaStar)
            };
            assert_eq!(cost(&problem, &settings), Ok(known));
        }
    }
    let board: Board = "1 2 3 / 8 6 4 / 7 0 5".parse().unwrap();
    let problem = Problem::new(&board, Goal::Spiral).unwrap();
    for estimate in estimates {
        let refused = cost(&problem, &with(Algorithm::IdaStar, estimate));
        assert_eq!(refused, Err(Stop::OtherTarget), "{estimate}");
    }
    let settings = Settings {
        endgame: Some(&endgame),
        ..Settings::new(Algorithm::AStar)
    };
    assert_eq!(cost(&problem, &settings), Err(Stop::OtherTarget));
    // A search from the goal goes to the board, whose gap may be in a corner.
    let corner: Board = "0 2 3 / 1 8 4 / 7 6 5".parse().unwrap();
    let problem = Problem::new(&corner, Goal::Spiral).unwrap();
    let reverse = with(Algorithm::ReverseIdaStar, estimates[0]);
    assert_eq!(cost(&problem, &reverse), Ok(2));
}

/// Goals that are turned into the one inside take the nodes that this one takes.
#[test]
fn a_goal_in_a_corner_is_searched_with_the_tuned_engines() {
    let board: Board = "BECDAFOGI.JHMNLK".parse().unwrap();
    let problem = Problem::new(&board, Goal::Last).unwrap();
    let layout = Layout::of_target(&Board::solved(board.size(), Goal::Columns));
    let same = layout.as_given(problem.start());
    let same = Problem::new(&same, Goal::Columns).unwrap();
    assert_eq!(same.start(), problem.start());
    let settings = Settings {
        engine: EngineChoice::Batched,
        order: Some("UDLR".parse().unwrap()),
        ..Settings::new(Algorithm::IdaStar)
    };
    let [one, two] = [problem, same].map(|it| solve(&it, &settings, &Control::default()));
    assert_eq!(one.stats.generated, two.stats.generated);
    assert_eq!(one.stats.engine, two.stats.engine);
}

#[test]
fn a_ladder_climbs_to_a_goal_in_the_middle() {
    let kind = Kind {
        size: size("3x3"),
        goal: Goal::Spiral,
        metric: Metric::Single,
    };
    let mut ladder = Ladder::new(kind, 1, 1);
    let settings = with(Algorithm::AStar, Estimate::LinearConflict);
    for length in [0, 1, 17, 30] {
        let board = ladder.rung(length, &settings, &Control::default());
        let problem = Problem::new(&board.unwrap().unwrap(), kind.goal).unwrap();
        assert_eq!(cost(&problem, &settings), Ok(length));
    }
    // With the gap in the middle no board of 3x3 needs 31 moves.
    let farther = ladder.rung(31, &settings, &Control::default());
    assert_eq!(farther, Ok(None));
}

#[test]
fn a_suite_says_its_goal() {
    let text = "# goal: 1 2 3 / 8 . 4 / 7 6 5\ninstance,board,optimal\none,1 2 3 8 6 4 7 0 5,1\n";
    let suite = parse_suite("s", text.as_bytes(), Asked::default()).unwrap();
    assert_eq!(
        suite.goal,
        Goal::Board(Board::solved(size("3x3"), Goal::Spiral))
    );
    // The same goal by its name changes nothing, and another one what is known.
    for (goal, optimal) in [(Goal::Spiral, Some(1)), (Goal::Last, None)] {
        let asked = Asked {
            goal: Some(goal),
            ..Asked::default()
        };
        let suite = parse_suite("s", text.as_bytes(), asked).unwrap();
        assert_eq!(suite.instances[0].optimal, optimal, "{goal}");
    }
    // In one row it has the size of the boards.
    let flat = "# goal: 1 2 3 4 0 7 6 5\n1 2 3 4 / 7 0 6 5\n";
    let suite = parse_suite("s", flat.as_bytes(), Asked::default()).unwrap();
    assert_eq!(suite.goal, Goal::Spiral.of_size(size("2x4")));
    let mixed = "# goal: 1 2 / 3 0\nA.CB\n1 2 3 / 4 5 .\n";
    let refused = parse_suite("s", mixed.as_bytes(), Asked::default()).unwrap_err();
    assert!(matches!(
        refused.problem,
        SuiteProblem::Goal(GoalError::OtherSize { .. })
    ));
}

/// The row has the goal row by row, however it was named; the same goal by another name resumes.
#[test]
fn rows_name_the_goal_in_one_way() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("b.txt"),
        "1 2 3 8 6 4 7 0 5\n2 8 3 1 6 4 7 0 5\n",
    )
    .unwrap();
    let file = folder.path().join("o.csv");
    let first = run(
        folder.path(),
        "run b.txt --goal spiral -a idastar,bfs -o o.csv",
    );
    assert!(first.status.success(), "{first:?}");
    let found = rows(&file);
    assert_eq!(found.len(), 4);
    for row in &found {
        assert_eq!(row.goal, "1 2 3 8 0 4 7 6 5");
        assert_eq!(row.verified, Some(true));
        let is_lc = row.algorithm == "bfs" || row.heuristic == "lc";
        assert!(is_lc, "auto takes what knows the goal: {row:?}");
    }
    assert_eq!(found[0].cost, Some(1u32.into()));
    assert_eq!(found[2].cost, Some(5u32.into()));
    let same = "run b.txt --goal 1,2,3,8,0,4,7,6,5 -a idastar,bfs -o o.csv --resume";
    assert!(run(folder.path(), same).status.success());
    assert_eq!(rows(&file).len(), 4);
    let other = run(
        folder.path(),
        "run b.txt --goal 1,2,3,8,6,4,7,0,5 -a idastar -o o.csv --resume",
    );
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("goal '1 2 3 8 0 4 7 6 5'"));
    let tables = run(folder.path(), "run b.txt --goal spiral -H wd -o p.csv");
    assert_eq!(tables.status.code(), Some(2));
    let said = String::from_utf8_lossy(&tables.stderr).into_owned();
    assert!(said.contains("gap is in a corner"), "{said}");
    let page = run(folder.path(), "report o.csv -o o.html");
    assert!(page.status.success(), "{page:?}");
}

/// A program gets the goal as it gets its boards.
#[test]
fn programs_get_the_goal_in_their_notation() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("b.txt"), "1 2 3 8 6 4 7 0 5\n").unwrap();
    fs::write(folder.path().join("s.sh"), "echo \"$1\" > seen\necho U\n").unwrap();
    let mut command = slidebench(folder.path(), "run b.txt --goal spiral -o o.csv --solver");
    let called = command.arg("sh s.sh {goal}").output().unwrap();
    assert!(called.status.success(), "{called:?}");
    let seen = fs::read_to_string(folder.path().join("seen")).unwrap();
    assert_eq!(seen.trim(), "1 2 3 8 0 4 7 6 5");
    let row = &rows(&folder.path().join("o.csv"))[0];
    assert_eq!((row.cost, row.verified), (Some(1u32.into()), Some(true)));
}

/// Estimates to a goal are those of the heuristic toward it.
#[test]
fn linear_conflicts_count_toward_the_goal() {
    let goal = Board::solved(size("3x3"), Goal::Spiral);
    let board = parse_board("2 1 3 8 0 4 7 6 5", None).unwrap();
    let packed = slidebench::puzzle::Packed::<u64>::new(&board);
    let linear_conflict = LinearConflict::toward(&goal);
    use slidebench::heuristic::Heuristic;
    let value = Heuristic::<u64>::value(&linear_conflict, linear_conflict.start(packed));
    assert_eq!(value, 4);
}

#[test]
fn what_the_command_board_prints() {
    trycmd::TestCases::new().case("tests/cmd/board/*.trycmd");
}
