//! `slidebench course check`: programs that are right, and that are wrong in every way we know.
//!
//! The right ones are in Python, written from the assignments, so they check the answers of this
//! program too.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use slidebench::course::check::{Assignment, Interface};
use slidebench::search::Control;

use crate::command::slidebench;

const STUDENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/course/students");

/// Whether there is Python here; the tests that want it say so where there is none.
fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: there is no python3 here");
    }
    found
}

/// Checks a command, given as one text, with flags before it.
fn check(folder: &Path, flags: &str, command: &str) -> (Option<i32>, String) {
    let output = checked(folder, flags, command);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text + &told)
}

fn checked(folder: &Path, flags: &str, command: &str) -> Output {
    let mut check = slidebench(folder, &format!("course check {flags} --"));
    // Where the folders of the calls are made.
    check.env("TMPDIR", folder);
    check.args(command.split(' ')).output().unwrap()
}

/// A program of a student, with some of its text replaced.
fn student(folder: &Path, name: &str, from: &str, to: &str) -> String {
    let text = fs::read_to_string(format!("{STUDENTS}/{name}.py")).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(folder.join("mine.py"), text.replace(from, to)).unwrap();
    "python3 mine.py".to_owned()
}

/// A shell script.
fn script(folder: &Path, text: &str) -> String {
    fs::write(folder.join("mine.sh"), text).unwrap();
    "sh mine.sh".to_owned()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn programs_written_from_the_assignments_are_right() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // Small boards; the depth-first searches of the built-in ones take Python seconds.
    let boards = "bfs 1,2,5,3,4,0,6,7,8\nast 8,6,4,2,1,3,5,7,0\nast 6,1,8,4,0,2,7,3,5\n\
                  dfs 3,1,2,0,4,5,6,7,8\ndfs 8,6,4,2,1,3,5,7,0\n";
    fs::write(folder.path().join("boards.txt"), boards).unwrap();
    let programs = [
        (
            "driver --boards boards.txt",
            "driver.py",
            "5 runs, 35 lines",
        ),
        ("lines", "lines.py", "1 run, 12 lines"),
        ("succ", "trace.py succ", "3 runs, 9 lines"),
        ("trace", "trace.py", "3 runs, 29 lines"),
    ];
    for (flags, program, counts) in programs {
        let command = format!("python3 {STUDENTS}/{program}");
        let (code, text) = check(folder.path(), flags, &command);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.ends_with(&format!("all right: {counts}\n")), "{text}");
    }
}

/// Our own commands are the reference, so they are right.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn our_own_commands_pass() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_slidebench");
    for (interface, counts) in [
        ("driver", "12 runs, 84 lines"),
        ("lines", "1 run, 12 lines"),
        ("puz -n", "6 runs, 6 lines"),
        ("succ", "3 runs, 9 lines"),
        ("trace", "3 runs, 29 lines"),
    ] {
        let own = interface.split(' ').next().unwrap();
        let command = format!("{program} course {own}");
        let (code, text) = check(folder.path(), interface, &command);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.ends_with(&format!("all right: {counts}\n")), "{text}");
    }
    let (code, text) = check(
        folder.path(),
        "trace --revisit",
        &format!("{program} course trace --revisit {{board}}"),
    );
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = check(
        folder.path(),
        "trace --revisit",
        &format!("{program} course trace"),
    );
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("Max queue length: "), "{text}");
}

/// What is changed in a driver that is right, and what is said about it then.
const WRONG_DRIVERS: [(&str, &str, &str); 14] = [
    // A wrong path: the first move is left out, and the search is right.
    (
        "path.reverse()",
        "path.reverse(); path.pop(0)",
        "  WRONG      path_to_goal: ['Left', 'Left']\n  \
               should be  path_to_goal: ['Up', 'Left', 'Left']\n             \
               the path does not end at the goal\n",
    ),
    (
        "path.reverse()",
        "path.reverse(); path += ['Right', 'Left']",
        "the path leads to the goal in 5 moves; the search of the assignment takes 3\n",
    ),
    (
        "path.reverse()",
        "path.reverse(); path = ['Right'] + path",
        "^ move 1, 'Right', leads off the board\n",
    ),
    // A wrong count: the goal is counted too.
    (
        "% expanded",
        "% (expanded + 1)",
        "  WRONG      nodes_expanded: 11\n  should be  nodes_expanded: 10\n             \
                             \u{20}                ^ wrong from column 18 on\n",
    ),
    // A wrong form.
    (
        "cost_of_path: %d\\n",
        "cost_of_path:%d\\n",
        "  WRONG      cost_of_path:3\n  should be  cost_of_path: 3\n             \
                             \u{20}            ^ right but for its form, from column 14 on\n",
    ),
    (
        "search_depth: %d\\n\" % len",
        "search_depth: %d \\n\" % len",
        "^ right but for the white space at its end, in column 16\n",
    ),
    (
        "running_time: %.8f\\n\" % (time.time() - began)",
        "running_time: soon\\n\"",
        "there is no number in it\n",
    ),
    (
        "max_ram_usage: %.8f\\n",
        "max_ram_usage: %.8f",
        "right but for the newline that is missing at its end\n",
    ),
    (
        "        output.write(\"cost_of_path: %d\\n\" % len(path))\n",
        "",
        "  MISSING    cost_of_path: 3\n  right      nodes_expanded: 10\n",
    ),
    (
        "        output.write(\"cost_of_path",
        "        output.write(\"done\\n\")\n        output.write(\"cost_of_path",
        "  WRONG      done\n             the assignment has no such line\n  right      cost",
    ),
    (
        "output.txt",
        "out.txt",
        "  WRONG      it wrote no output.txt\n",
    ),
    (
        "open(\"output.txt\", \"w\")",
        "sys.stdout",
        "it wrote no output.txt; what it printed is judged instead\n",
    ),
    // A crash, before and behind the answer.
    (
        "    began =",
        "    sys.exit(1 // 0)\n    began =",
        "it ended with exit code 1\n  stderr     ",
    ),
    (
        "\n\nmain()",
        "\n\nmain()\nsys.exit(7)",
        "it ended with exit code 7\n",
    ),
];

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn a_wrong_line_is_told_with_the_right_one() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.txt"), "bfs 1,2,5,3,4,0,6,7,8\n").unwrap();
    for (from, to, said) in WRONG_DRIVERS {
        let command = student(folder.path(), "driver", from, to);
        let (code, text) = check(folder.path(), "driver --boards one.txt", &command);
        assert_eq!(code, Some(1), "{to}: {text}");
        assert!(text.contains(said), "{to}: {text}");
        assert!(text.contains("WRONG: 1 of 1 run, "), "{to}: {text}");
    }
}

/// Another path of the same length is right; of a trace, state by state.
#[test]
fn any_shortest_path_is_right() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.txt"), "bfs 8,6,4,2,1,3,5,7,0\n").unwrap();
    let moves = "moves = list(children(state))";
    let backwards = student(folder.path(), "driver", moves, &format!("{moves}[::-1]"));
    let (code, text) = check(folder.path(), "driver --boards one.txt", &backwards);
    // The count differs, since the order of the moves does; the path is as short.
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("  right      path_to_goal"), "{text}");
    assert!(text.contains("  WRONG      nodes_expanded"), "{text}");
    let puz = format!("python3 {STUDENTS}/puz.py");
    fs::write(
        folder.path().join("puz.txt"),
        "1 2 3 / . 4 5\n1 2 3 / 5 4 .\n4 1 2 / 5 3 .\n",
    )
    .unwrap();
    let (code, text) = check(folder.path(), "puz -n --boards puz.txt", &puz);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn a_wrong_step_of_a_trace_is_told() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.txt"), "1,2,3,4,0,5,7,8,6\n").unwrap();
    let wrong = [
        ("reversed(path)", "path[-1:] + path[:1]", "the one before\n"),
        (
            "reversed(path)",
            "path[:0:-1] + path[-1:]",
            "the path does not end at the goal\n",
        ),
        (
            "(state, taxicab(state), moves)",
            "(state, moves, moves)",
            "h=0 moves: 0\n",
        ),
        (
            "% longest",
            "% len(path)",
            "WRONG      Max queue length: 3\n",
        ),
        (
            "print(\"%s h=%d moves",
            "print(\"%sh=%d moves",
            "right but for its form",
        ),
        (
            "state == GOAL",
            "len(popped) == 2",
            "MISSING    [1, 2, 3, 4, 5, 6, 7, 8, 0] h=0",
        ),
    ];
    for (from, to, said) in wrong {
        let command = student(folder.path(), "trace", from, to);
        let (code, text) = check(folder.path(), "trace --boards one.txt", &command);
        assert_eq!(code, Some(1), "{to}: {text}");
        assert!(text.contains(said), "{to}: {text}");
    }
}

/// A program that hangs, dies or prints for ever is ended, and nothing of it is left.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn programs_that_misbehave_are_ended() {
    let folder = tempfile::tempdir().unwrap();
    let sleep = format!("sleep 1000.{}", std::process::id());
    let programs = [
        ("SLEEP & SLEEP", "it was ended at the limit of time\n"),
        (
            "trap '' TERM; while :; do SLEEP; done",
            "it was ended at the limit of time\n",
        ),
        (
            "echo '[1, 2]'; kill -SEGV $$",
            "it was ended by signal 11\n",
        ),
        ("yes", "it printed more than 16 MiB\n"),
        (
            "yes > output.txt; SLEEP",
            "more lines that the assignment does not have",
        ),
        ("head -c 3000 /dev/urandom", "WRONG"),
        (
            "mkfifo output.txt",
            "output.txt cannot be read: it is no plain file\n",
        ),
        (
            "exit 0",
            "it wrote no output.txt\n  MISSING    all 7 lines\n",
        ),
    ];
    fs::write(folder.path().join("one.txt"), "ast 1,2,5,3,4,0,6,7,8\n").unwrap();
    for (text, said) in programs {
        let command = script(folder.path(), &text.replace("SLEEP", &sleep));
        let since = Instant::now();
        let flags = "driver --boards one.txt --time-limit 400ms";
        let (code, told) = check(folder.path(), flags, &command);
        assert_eq!(code, Some(1), "{text}: {told}");
        assert!(told.contains(said), "{text}: {told}");
        assert!(since.elapsed() < Duration::from_secs(20), "{text}");
    }
    let left = Command::new("pgrep").args(["-f", &sleep]).output();
    if let Ok(left) = left {
        assert_eq!(String::from_utf8_lossy(&left.stdout), "");
    }
    let mut names = fs::read_dir(folder.path()).unwrap().flatten();
    assert!(!names.any(|it| it.file_name().to_string_lossy().contains("check")));
}

/// The lines that came before the limit are judged.
#[test]
fn what_was_printed_before_the_end_counts() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("two.txt"), "2 A.CB A\n2 AB.C A\n").unwrap();
    let command = script(
        folder.path(),
        "echo 'Line 0: A.CB, A* - 1 moves in 0.5 seconds'; exec sleep 1000.18",
    );
    let flags = "lines --boards two.txt --time-limit 200ms";
    let (code, text) = check(folder.path(), flags, &command);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("  right      Line 0: A.CB, A* - 1 moves in 0.5 seconds\n"),
        "{text}"
    );
    assert!(
        text.contains("  MISSING    Line 1: AB.C, A* - 1 moves in NUMBER seconds\n"),
        "{text}"
    );
    assert!(text.contains("WRONG: 1 of 1 run, 1 of 2 lines\n"), "{text}");
}

#[test]
fn ctrl_c_ends_a_check() {
    let folder = tempfile::tempdir().unwrap();
    let command = script(folder.path(), "touch ../started; exec sleep 1000.19");
    let child = slidebench(folder.path(), "course check succ --")
        .args(command.split(' '))
        .env("TMPDIR", folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let id = child.id();
    let sign = folder.path().join("started");
    let since = Instant::now();
    while !sign.exists() && since.elapsed() < Duration::from_secs(20) {
        sleep(Duration::from_millis(5));
    }
    let kill = Command::new("kill")
        .args(["-INT", &id.to_string()])
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
}

#[test]
fn a_csv_has_a_row_for_each_line() {
    let folder = tempfile::tempdir().unwrap();
    let command = script(folder.path(), "echo '[1, 0, 3, 2] h=2'; echo '=1+\"a, b\"'");
    fs::write(folder.path().join("one.txt"), "# a comment\n\n1,2,3,0\n").unwrap();
    let flags = "succ --boards one.txt --format csv --name ada";
    let output = checked(folder.path(), flags, &command);
    assert_eq!(output.status.code(), Some(1));
    let mut rows = csv::Reader::from_reader(&output.stdout[..]);
    let header = rows.headers().unwrap().clone();
    assert_eq!(header.iter().next_back(), Some("time_ns"));
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    let part = |row: &csv::StringRecord| row.iter().take(9).collect::<Vec<_>>().join("|");
    let rows: Vec<String> = rows.iter().map(part).collect();
    assert_eq!(
        rows,
        [
            "ada|succ|[1,2,3,0]|1|wrong|wrong from column 16 on|16|[1, 0, 3, 2] h=2|[1, 0, 3, 2] h=1",
            "ada|succ|[1,2,3,0]|2|wrong|wrong from column 1 on|1|'=1+\"a, b\"|[1, 2, 0, 3] h=1",
        ]
    );
}

/// The built-in boards can be answered, and none of them takes long.
#[test]
fn built_in_boards_have_answers() {
    for interface in Interface::ALL {
        let boards = interface.built_in_boards();
        let tasks = Assignment::new(interface).tasks(boards.as_bytes(), &Control::default());
        assert!(!tasks.unwrap().is_empty());
    }
}
