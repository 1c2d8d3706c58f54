//! Boards as planning problems: what a public planner makes of them.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use slidebench::harness::suite::{Asked, Suite, parse_suite};
use slidebench::puzzle::Board;

use crate::command::run;

/// Names a Python that has the planner; then nothing is skipped.
const PLANNER: &str = "SLIDEBENCH_PLANNER";
const EXPORT: &str = "suite export smoke --pddl pddl --filter 1-6";
/// Boards of 2x2, 2x3 and 3x3 that a breadth-first search in Python solves in a moment.
const SMALL: [&str; 4] = ["1", "2", "3", "5"];

#[test]
fn an_export_is_written_again_and_spares_other_files() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let output = run(folder.path(), EXPORT);
        assert!(output.status.success(), "{output:?}");
    }
    let pddl = folder.path().join("pddl");
    assert_eq!(fs::read_dir(&pddl).unwrap().count(), 7);
    let problem = fs::read_to_string(pddl.join("p1.pddl")).unwrap();
    let brackets = |bracket: char| problem.matches(bracket).count();
    assert_eq!(brackets('('), brackets(')'));
    assert!(problem.contains("(define (problem smoke-p1)"), "{problem}");
    fs::write(pddl.join("domain.pddl"), "mine").unwrap();
    assert_eq!(run(folder.path(), EXPORT).status.code(), Some(2));
}

/// The plans of a planner are solutions, and as short as ours.
#[test]
fn a_planner_solves_the_boards() {
    let Some(python) = python_with_planner() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    assert!(run(folder.path(), EXPORT).status.success());
    let text = run(folder.path(), "suite show smoke").stdout;
    let suite = parse_suite("smoke", &text, Asked::default()).unwrap();
    let pddl = folder.path().join("pddl");
    for name in SMALL {
        let problem = format!("p{name}.pddl");
        let mut planner = Command::new(&python);
        planner.args(["-m", "pyperplan", "--search", "bfs"]);
        planner.args(["domain.pddl", &problem]).current_dir(&pddl);
        let output = planner.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        check_plan(&suite, name, &pddl.join(format!("{problem}.soln")));
    }
}

/// Plays a plan on the board, and compares its length with the shortest.
fn check_plan(suite: &Suite, name: &str, plan: &Path) {
    let instance = suite.instances.iter().find(|it| it.name == name).unwrap();
    let plan = fs::read_to_string(plan).unwrap();
    let size = instance.board.size();
    let tiles = instance.board.tiles().iter();
    let mut tiles: Vec<u32> = tiles.copied().map(u32::from).collect();
    for action in plan.lines() {
        let words: Vec<&str> = action.trim_matches(['(', ')']).split(' ').collect();
        let [from, to] = [words[2], words[3]].map(|cell| cell_of(size.cols(), cell));
        assert_eq!(
            (words[0], words[1]),
            ("move", &*format!("t{}", tiles[from]))
        );
        assert_eq!(tiles[to], 0, "{action}");
        tiles.swap(from, to);
    }
    let end = Board::new(size, &tiles).unwrap();
    assert_eq!(end, Board::solved(size, suite.goal), "{plan}");
    assert_eq!(
        Some(plan.lines().count() as u32),
        instance.optimal,
        "{name}"
    );
}

/// `r1c1` is the first cell.
fn cell_of(cols: usize, name: &str) -> usize {
    let (row, col) = name[1..].split_once('c').unwrap();
    let [row, col]: [usize; 2] = [row, col].map(|number| number.parse().unwrap());
    (row - 1) * cols + col - 1
}

fn python_with_planner() -> Option<OsString> {
    let named = std::env::var_os(PLANNER);
    let python = named.clone().unwrap_or_else(|| "python3".into());
    let import = Command::new(&python)
        .args(["-c", "import pyperplan"])
        .output();
    if import.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    let told = format!(
        "skipped: no planner to read PDDL with; in an environment of Python: pip install pyperplan, \
         and name its python ({PLANNER}=FILE)\n"
    );
    assert!(named.is_none(), "{told}");
    // Past the capture of tests that pass: a skipped test has to be seen.
    let _ = io::stderr().write_all(told.as_bytes());
    None
}
