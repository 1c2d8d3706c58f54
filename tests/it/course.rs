//! The classroom interfaces: what they print is compared byte for byte, times elided.

use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use slidebench::course::lines::Codes;
use slidebench::course::trace::{Popped, trace};
use slidebench::course::{lines, puz};
use slidebench::heuristic::Taxicab;
use slidebench::puzzle::{Board, Goal, Move, Problem, parse_board, parse_bytes};
use slidebench::search::Control;

#[test]
fn commands_print_what_the_assignments_ask() {
    trycmd::TestCases::new().case("tests/cmd/course/*.trycmd");
}

#[test]
fn the_puz_sample_has_its_known_values() {
    let board = parse_bytes(include_bytes!("../data/course/31moves.puz"), None).unwrap();
    assert_eq!(Taxicab::of(&board, puz::GOAL), 19);
    assert_eq!(inversions(&board), 28);
}

/// Pairs of tiles that stand in the wrong order in reading order, the gap left out.
fn inversions(board: &Board) -> usize {
    let tiles: Vec<u8> = board
        .tiles()
        .iter()
        .copied()
        .filter(|&it| it != 0)
        .collect();
    let after = |(cell, tile)| {
        tiles[cell + 1..]
            .iter()
            .filter(|&other| other < tile)
            .count()
    };
    tiles.iter().enumerate().map(after).sum()
}

/// Broken files, each with the place and the first words of what is said about it.
const BROKEN_LINES: [(&str, &str); 14] = [
    ("", "1:1: there is no board in the file"),
    (" \n\n", "1:1: there is no board in the file"),
    ("2 A.CB X\n", "1:8: 'X' is not a code"),
    ("2 A.CB", "1:7: a code is missing"),
    ("\n1 . A\n", "2:1: 1x1 is too small"),
    ("9 ABC. A\n", "1:1: 9x9 is too large"),
    ("3 A.CB A\n", "1:3: 4 cells cannot fill a board of 3x3"),
    ("2 A.CB A\n  2  A.CC !\n", "2:9: tile 3 appears twice"),
    ("A.CB\nA.C?\n", "2:4: '?' is not a tile"),
    (
        "A.C\n",
        "1:1: a board of 3 cells is no square; write its size",
    ),
    ("3 8764 X\n", "1:8: 'X' is not a code"),
    ("A.CB !\n", "1:1: a size is missing"),
    ("A.CB\n87643.152 A\n", "2:1: a size is missing"),
    ("1 2 2 0\n", "1:5: tile 2 appears twice"),
];

#[test]
fn a_broken_line_is_told_with_its_place() {
    for (text, told) in BROKEN_LINES {
        let error = lines::parse(text.as_bytes(), &Codes::default()).unwrap_err();
        let error = format!("{}: {error}", error.place);
        assert!(error.starts_with(told), "{text:?}: {error}");
    }
    let error = lines::parse(b"2 A.CB A\n2 A\xff.CB A\n", &Codes::default()).unwrap_err();
    assert_eq!(error.place.to_string(), "2:4");
}

/// Lines in every notation: the number, the board as it is echoed, and as it is read.
const NOTATIONS: [(&str, &str, &str); 8] = [
    ("2 A.CB !", "A.CB", "1 0 3 2"),
    ("A.CB\r", "A.CB", "1 0 3 2"),
    ("\u{feff}1 . 3 2", "1 . 3 2", "1 0 3 2"),
    ("3 1 2 0", "3 1 2 0", "3 1 2 0"),
    ("2 3,1,2,0 B", "3,1,2,0", "3 1 2 0"),
    ("2 [3, 1, 2, 0] I", "[3, 1, 2, 0]", "3 1 2 0"),
    ("2x3 ABCDE. A", "ABCDE.", "1 2 3 / 4 5 0"),
    ("1 2 3 / 4 5 _", "1 2 3 / 4 5 _", "1 2 3 / 4 5 0"),
];

#[test]
fn lines_are_read_in_every_notation() {
    for (text, echoed, board) in NOTATIONS {
        let lines = lines::parse(text.as_bytes(), &Codes::default()).unwrap();
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].text, echoed);
        assert_eq!(lines[0].board.to_string(), board);
    }
}

/// A trace is a list of states, found without moves to replay: each is one move from the last.
#[test]
fn a_trace_leads_to_the_goal_move_by_move() {
    let mut traced = 0;
    for goal in [Goal::First, Goal::Last] {
        for text in [
            "438516720",
            "12345678.",
            "1 2 / 3 4 / . 5",
            "BECDAFOGI.JHMNLK",
        ] {
            let board = parse_board(text, None).unwrap();
            let Ok(problem) = Problem::new(&board, goal) else {
                continue;
            };
            traced += 1;
            let trace = trace(&problem, Popped::Closed, &Control::default()).unwrap();
            let path: Vec<Board> = trace.path.iter().map(|step| step.state.0).collect();
            assert_eq!(path[0], board);
            assert_eq!(path[path.len() - 1], Board::solved(board.size(), goal));
            for step in path.windows(2) {
                let is_after = |mv: Move| step[0].after(mv) == Some(step[1]);
                assert!(Move::ALL.into_iter().any(is_after), "{text}: {step:?}");
            }
        }
    }
    // The board of 4x4 has one of the goals, the others have both.
    assert_eq!(traced, 7);
}

#[test]
fn an_interrupted_driver_leaves_no_stale_answer() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("output.txt");
    std::fs::write(&file, "path_to_goal: ['Up']\n").unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_slidebench"))
        .args(["course", "driver", "ast", HARD, "--goal", "last"])
        .current_dir(&dir)
        .spawn()
        .unwrap();
    assert_eq!(interrupted(child).status.code(), Some(130));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "");
}

/// Waits until a process catches SIGINT.
fn wait_until_caught(id: &str) {
    const SIGINT: u64 = 1 << 1;
    let catches = || {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let caught = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))?;
        Some(u64::from_str_radix(caught.trim(), 16).ok()? & SIGINT != 0)
    };
    for _ in 0..1000 {
        if catches() == Some(true) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("the process does not catch Ctrl-C");
}

/// Lets a search start, which would take minutes, then sends what Ctrl-C sends.
fn interrupted(child: Child) -> Output {
    let id = child.id().to_string();
    wait_until_caught(&id);
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.unwrap().success());
    child.wait_with_output().unwrap()
}

/// A 4x4 board of 80 moves for the goal `last`: no search here ends by itself in a test's time.
const HARD: &str = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1";

#[test]
fn ctrl_c_ends_every_search_with_130() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("hard.txt");
    std::fs::write(&file, HARD).unwrap();
    let file = file.to_str().unwrap();
    // The driver's goal is `first`; turned by 180° the board is as hard for that.
    let turned = parse_bytes(HARD.as_bytes(), None).unwrap().turned();
    let commands: [&[&str]; 4] = [
        &["driver", "ast", &turned.to_string(), "-o", "-"],
        &["lines", file],
        &["puz", "-n", file],
        &["trace", HARD],
    ];
    for arguments in commands {
        let child = Command::new(env!("CARGO_BIN_EXE_slidebench"))
            .arg("course")
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = interrupted(child);
        assert_eq!(output.status.code(), Some(130), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}
