//! Units: a threshold in parts counts what it counts as a whole, node for node.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use proptest::prelude::*;
use slidebench::harness::record::{RowFormat, Status, ThresholdRow};
use slidebench::heuristic::{Estimate, HeuristicName, Prepared, Tables};
use slidebench::lookup::{BuildControl, Directory};
use slidebench::puzzle::{Goal, Problem, parse_board};
use slidebench::search::{
    Algorithm, Control, EngineChoice, Event, NodeCounts, Prune, Settings, SplitError, Stop, Unit,
    search_unit, solve, split,
};

use crate::command::{rows, run, timeless};
use crate::walks::walks;

/// A threshold of one search: its number, its nodes, and whether it was exhausted.
type Whole = (u32, NodeCounts, bool);

/// The thresholds of one search.
fn thresholds(problem: &Problem, settings: &Settings<'_>) -> Vec<Whole> {
    let thresholds = Mutex::new(Vec::new());
    let listener = |event: Event| {
        if let Event::Iteration(it) = event {
            let nodes = NodeCounts {
                expanded: it.expanded,
                generated: it.generated,
            };
            thresholds
                .lock()
                .unwrap()
                .push((it.threshold, nodes, it.complete));
        }
    };
    let control = Control {
        listener: Some(&listener),
        ..Control::default()
    };
    solve(problem, settings, &control).result.unwrap();
    thresholds.into_inner().unwrap()
}

fn units(problem: &Problem, threshold: u32, wanted: usize, settings: &Settings<'_>) -> Vec<Unit> {
    split(
        problem,
        Some(threshold),
        wanted,
        settings,
        &Control::default(),
    )
    .unwrap()
}

/// Runs units until one has a solution: what they counted, and whether none has.
fn run_units(problem: &Problem, units: &[Unit], settings: &Settings<'_>) -> (NodeCounts, bool) {
    let mut nodes = NodeCounts::default();
    for unit in units {
        let outcome = search_unit(problem, unit, settings, &Control::default());
        nodes.expanded += outcome.stats.expanded;
        nodes.generated += outcome.stats.generated;
        match outcome.result {
            Ok(solution) => {
                assert!(solution.verified);
                assert_eq!(solution.moves.len(), unit.threshold as usize);
                assert_eq!(solution.moves[..unit.moves.len()], unit.moves);
                return (nodes, false);
            }
            Err(stop) => assert_eq!(stop, Stop::Exhausted),
        }
    }
    (nodes, true)
}

/// Every threshold in parts against the whole, the last one up to its solution.
fn compare(problem: &Problem, settings: &Settings<'_>, wanted: usize) {
    for (threshold, nodes, complete) in thresholds(problem, settings) {
        let units = units(problem, threshold, wanted, settings);
        assert!(!units.is_empty());
        assert_eq!(
            run_units(problem, &units, settings),
            (nodes, complete),
            "{threshold}"
        );
    }
}

fn with<'a>(heuristic: Estimate<'a>, engine: EngineChoice, prune: Option<Prune>) -> Settings<'a> {
    Settings {
        heuristic,
        engine,
        prune,
        ..Settings::new(Algorithm::IdaStar)
    }
}

fn patterns(name: &str, size: &str) -> Prepared {
    let folder = tempfile::tempdir().unwrap();
    let name: HeuristicName = name.parse().unwrap();
    let control = BuildControl {
        cancel: None,
        listener: None,
    };
    let tables = Tables::new(Directory::new(folder.path()));
    tables
        .prepare(&name, size.parse().unwrap(), &control)
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn parts_count_what_the_whole_counts(
        (board, goal) in walks(&["2x3", "3x3", "3x4", "4x4", "5x5"], 90),
        wanted in 1..300usize, prune in prop::option::of(3..9u32)
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        let prune = prune.and_then(Prune::new);
        for heuristic in [Estimate::Taxicab, Estimate::LinearConflict] {
            for engine in [EngineChoice::Scalar, EngineChoice::Batched] {
                compare(&problem, &with(heuristic, engine, prune), wanted);
            }
        }
    }
}

/// Boards with millions of nodes, so that every engine works in earnest.
#[test]
fn large_thresholds_add_up() {
    let board = "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6";
    let problem = Problem::new(&parse_board(board, None).unwrap(), Goal::First).unwrap();
    for (heuristic, prune) in [
        (Estimate::Taxicab, None),
        (Estimate::Taxicab, Prune::new(8)),
        (Estimate::LinearConflict, None),
    ] {
        compare(&problem, &with(heuristic, EngineChoice::Auto, prune), 50);
    }
    let threads = Settings {
        threads: 2,
        ..with(Estimate::Taxicab, EngineChoice::Auto, None)
    };
    for &(threshold, nodes, complete) in thresholds(&problem, &threads).iter().rev().skip(1) {
        let units = units(&problem, threshold, 7, &threads);
        assert_eq!(run_units(&problem, &units, &threads), (nodes, complete));
    }
}

/// Pattern databases, which have an engine of their own.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn parts_with_pattern_databases_add_up() {
    let four = patterns("pdb:5-5-5", "4x4");
    let five = patterns("pdb:5-5-5-5-4", "5x5");
    let boards = [
        ("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", &four),
        ("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", &four),
        (
            "5 3 9 8 24 10 2 18 13 23 6 12 0 4 14 15 21 1 22 19 11 16 20 17 7",
            &five,
        ),
    ];
    for (board, prepared) in boards {
        let problem = Problem::new(&parse_board(board, None).unwrap(), Goal::First).unwrap();
        for prune in [None, Prune::new(6)] {
            for engine in [EngineChoice::Scalar, EngineChoice::Batched] {
                compare(&problem, &with(prepared.estimate(), engine, prune), 100);
            }
        }
    }
}

/// A*+IDA* with an open list of as many states as units are wanted, and the units: exhausted
/// thresholds count the same, and the last one has the solution.
fn compare_roots(problem: &Problem, settings: &Settings<'_>, wanted: usize) {
    let settings = &Settings {
        algorithm: Algorithm::AStarIdaStar,
        open: Some(wanted),
        ..*settings
    };
    let first = split(problem, None, wanted, settings, &Control::default());
    if let Err(SplitError::SolvedByAStar { cost }) = first {
        let solution = solve(problem, settings, &Control::default()).result;
        assert_eq!(solution.unwrap().moves.len(), cost);
        return;
    }
    let whole = thresholds(problem, settings);
    assert_eq!(whole[0].0, first.unwrap()[0].threshold);
    for (threshold, nodes, complete) in whole {
        let units = units(problem, threshold, wanted, settings);
        let (counted, exhausted) = run_units(problem, &units, settings);
        assert_eq!(exhausted, complete, "{threshold}");
        if complete {
            assert_eq!(counted, nodes, "{threshold}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn open_lists_count_what_the_whole_counts(
        (board, goal) in walks(&["2x3", "3x3", "3x4", "4x4", "5x5"], 90),
        wanted in 1..300usize, prune in prop::option::of(3..9u32)
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        prop_assume!(!problem.is_solved_by(&[]));
        let prune = prune.and_then(Prune::new);
        for heuristic in [Estimate::Taxicab, Estimate::LinearConflict] {
            compare_roots(&problem, &with(heuristic, EngineChoice::Scalar, prune), wanted);
        }
    }
}

#[test]
fn thresholds_below_an_open_list_have_no_units() {
    let board = parse_board("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", None).unwrap();
    let problem = Problem::new(&board, Goal::First).unwrap();
    let settings = Settings::new(Algorithm::AStarIdaStar);
    let split = |threshold| split(&problem, threshold, 1000, &settings, &Control::default());
    let first = split(None).unwrap()[0].threshold;
    assert!(first > 41, "A* has closed the first layer");
    for wrong in [first - 2, first + 1] {
        let expected = SplitError::NoThreshold {
            threshold: wrong,
            h: first,
            step: 2,
        };
        assert_eq!(split(Some(wrong)), Err(expected));
    }
}

#[test]
fn units_of_another_search_are_refused() {
    let board = parse_board("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", None).unwrap();
    let problem = Problem::new(&board, Goal::First).unwrap();
    let md = with(Estimate::Taxicab, EngineChoice::Auto, None);
    let lc = with(Estimate::LinearConflict, EngineChoice::Auto, None);
    let units = units(&problem, 45, 100, &md);
    let outcomes = units
        .iter()
        .map(|unit| search_unit(&problem, unit, &lc, &Control::default()));
    assert!(
        outcomes
            .into_iter()
            .any(|it| it.result == Err(Stop::OtherTree))
    );
    let split = |threshold| split(&problem, Some(threshold), 10, &md, &Control::default());
    for wrong in [39, 42] {
        let told = SplitError::NoThreshold {
            threshold: wrong,
            h: 41,
            step: 2,
        };
        assert_eq!(split(wrong), Err(told));
    }
}

/// The complete thresholds of one run, from its file of thresholds.
fn iterations(file: &Path) -> Vec<ThresholdRow> {
    let text = fs::read_to_string(file).unwrap();
    RowFormat::Csv.records(&text).unwrap()
}

/// The way of the commands: split, run in shards, merge; against one run of the board.
#[test]
fn merged_units_tell_the_nodes_of_the_threshold() {
    let folder = tempfile::tempdir().unwrap();
    let told = |arguments: &str| {
        let output = run(folder.path(), arguments);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let board = "3,14,9,7,12,15,0,4,1,8,5,6,11,10,2,13";
    fs::write(
        folder.path().join("board.csv"),
        format!("{}\n", board.replace(',', " ")),
    )
    .unwrap();
    told("run board.csv --goal first -H lc --prune fsm:6 -o one.csv --iterations all.csv");
    let solution = rows(&folder.path().join("one.csv"))[0]
        .solution
        .clone()
        .unwrap();
    for it in iterations(&folder.path().join("all.csv")) {
        let suite = format!("t{}.csv", it.threshold);
        let split = format!("split {board} --goal first -H lc --prune fsm:6 --units 40");
        told(&format!("{split} --threshold {} -o {suite}", it.threshold));
        let mut shards = String::new();
        for shard in 1..=3 {
            told(&format!(
                "run {suite} -H lc --prune fsm:6 --shard {shard}/3 -o u-{suite}"
            ));
            shards += &format!("u-t{}.shard-{shard}-of-3.csv ", it.threshold);
        }
        let merged = told(&format!("merge {shards}-o m-{suite}"));
        let nodes = format!("{} expanded, {} generated", it.expanded, it.generated);
        let end = match it.complete {
            true => format!("threshold {}: exhausted, {nodes} (", it.threshold),
            false => format!("{nodes} up to it, {solution} ("),
        };
        assert!(merged.contains(&end), "{merged}{end}");
        let units = rows(&folder.path().join(format!("m-{suite}")));
        let solved = units.iter().any(|row| row.status == Status::Solved);
        assert_eq!(solved, !it.complete);
        // In one process: the same rows.
        told(&format!("run {suite} -H lc --prune fsm:6 -o whole-{suite}"));
        let whole = rows(&folder.path().join(format!("whole-{suite}")));
        let without_limit = |rows| {
            let mut rows = timeless(rows);
            rows.iter_mut().for_each(|row| row.mem_limit_bytes = None);
            rows
        };
        assert_eq!(without_limit(whole), without_limit(units));
    }
    told(&format!(
        "split {board} --goal first -a astar+idastar -H lc --prune fsm:6 --units 40 -o roots.csv"
    ));
    // The suite says which search it is for.
    told("run roots.csv -H lc --prune fsm:6 -o rows.csv");
    let units = rows(&folder.path().join("rows.csv"));
    // Those of the forty that the threshold does not cut off.
    assert!((5..=40).contains(&units.len()), "{}", units.len());
    assert!(units.iter().all(|row| row.status == Status::Exhausted));
    let other = run(
        folder.path(),
        "run t47.csv -H md --prune fsm:6 -o other.csv",
    );
    assert_eq!(other.status.code(), Some(2));
    let told = String::from_utf8(other.stderr).unwrap();
    assert!(
        told.contains("cut for -a idastar -H lc --prune fsm:6"),
        "{told}"
    );
}
