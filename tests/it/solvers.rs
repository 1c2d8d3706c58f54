//! Programs of others: right, slow, hanging, forking, greedy, crashing, talkative.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use slidebench::harness::record::{Row, Status};
use slidebench::harness::solver::{Solver, SolverProblem};
use slidebench::puzzle::UnknownName;

use crate::command::{rows, slidebench};

const PLAIN: &str = concat!(
    "python3 ",
    env!("CARGO_MANIFEST_DIR"),
    "/scripts/solvers/plain.py {goal} {cols} {board}"
);

/// Runs the first boards of the suite `smoke` with programs.
pub fn run_with(folder: &Path, solvers: &[&str], more: &str) -> (Output, Vec<Row>) {
    let mut command = slidebench(folder, "run smoke -o o.csv --progress never");
    for solver in solvers {
        command.args(["--solver", solver]);
    }
    command.args(more.split_whitespace());
    let output = command.output().unwrap();
    let rows = match folder.join("o.csv").exists() {
        true => rows(&folder.join("o.csv")),
        false => Vec::new(),
    };
    (output, rows)
}

pub fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A shell script as a solver: its TOML file, and what it does.
pub fn script(folder: &Path, name: &str, text: &str, more: &str) -> String {
    fs::write(folder.join(format!("{name}.sh")), text).unwrap();
    let file = format!("{name}.toml");
    let more = match more.contains("command") {
        true => more.to_owned(),
        false => format!("command = [\"sh\", \"{name}.sh\", \"{{board}}\"]\n{more}"),
    };
    fs::write(folder.join(&file), more).unwrap();
    file
}

/// Processes whose command line has this word, but for this test's own.
fn living(word: &str) -> Vec<String> {
    let mut living = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(word) && !line.contains("slidebench run") {
            living.push(line);
        }
    }
    living
}

fn assert_gone(word: &str) {
    let since = Instant::now();
    while !living(word).is_empty() && since.elapsed() < Duration::from_secs(10) {
        sleep(Duration::from_millis(10));
    }
    assert_eq!(living(word), [""; 0]);
}

#[test]
fn slidebench_itself_answers_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_slidebench");
    let toml = format!(
        "name = \"self\"\ncommand = [\"{program}\", \"solve\", \"-a\", \"idastar\", \"--stdin\", \"--format\", \"json\", \
         \"--goal\", \"{{goal}}\", \"-H\", \"md\"]\nmode = \"lines\"\nnotation = \"rows\"\nversion = \
         [\"{program}\", \"--version\"]\n"
    );
    fs::write(folder.path().join("self.toml"), toml).unwrap();
    let (output, rows) = run_with(folder.path(), &["self.toml"], "-a idastar -H md");
    assert!(output.status.success(), "{}", told(&output));
    let (own, other): (Vec<Row>, Vec<Row>) =
        rows.into_iter().partition(|row| row.solver == "slidebench");
    assert_eq!(own.len(), other.len());
    for (own, other) in own.iter().zip(&other) {
        assert_eq!((own.cost, &own.solution), (other.cost, &other.solution));
        assert_eq!(own.generated, other.generated);
        assert_eq!(
            (other.verified, other.solver.as_str()),
            (Some(true), "self")
        );
        assert!(
            other.version.starts_with("slidebench "),
            "{}",
            other.version
        );
        assert!(other.cpu_time_ns.is_some() && other.peak_mem_bytes.unwrap() > 1 << 20);
    }
}

#[test]
fn a_page_of_python_is_measured_beside_us() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (output, rows) = run_with(folder.path(), &[PLAIN], "--filter 1-6");
    assert!(output.status.success(), "{}", told(&output));
    assert_eq!(rows.len(), 6);
    assert!(
        rows.iter()
            .all(|row| row.verified == Some(true) && row.cost == row.known_optimal.map(Into::into))
    );
    assert!(
        rows.iter()
            .all(|row| row.solver.starts_with("python3 ") && !row.solver.contains('{'))
    );
    let again = run_with(folder.path(), &[PLAIN], "--filter 1-6 --resume");
    assert_eq!(again.1.len(), 6);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn every_failure_is_a_row_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let new = |name: &str, text: &str| script(folder.path(), name, text, "");
    let cases = [
        (
            new("code", "echo first >&2; echo last words >&2; exit 7"),
            Status::Error,
            "exit code 7",
        ),
        (new("signal", "kill -SEGV $$"), Status::Error, "signal 11"),
        (
            new("rubbish", "echo hello there"),
            Status::Error,
            "'hello there', which is no answer",
        ),
        (new("silent", "true"), Status::Error, "it printed nothing"),
        (new("endless", "yes"), Status::Error, "more than 16 MiB"),
        (new("hangs", "sleep 61.25"), Status::TimeLimit, ""),
        (
            new("greedy", "head -c 900000000 /dev/zero | tail"),
            Status::MemLimit,
            "",
        ),
        (
            "no-such-program".to_owned(),
            Status::Error,
            "does not start: No such file",
        ),
    ];
    let solvers: Vec<&str> = cases.iter().map(|(solver, ..)| solver.as_str()).collect();
    let (output, rows) = run_with(
        folder.path(),
        &solvers,
        "--filter 1 --time-limit 2s --max-memory 200MB",
    );
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(told(&output).contains("o.errors.txt says why"));
    let reasons = fs::read_to_string(folder.path().join("o.errors.txt")).unwrap();
    assert_eq!(rows.len(), cases.len());
    for ((solver, status, reason), row) in cases.iter().zip(&rows) {
        assert_eq!(row.status, *status, "{solver}: {row:?}");
        let name = solver.trim_end_matches(".toml");
        let line = reasons
            .lines()
            .find(|line| line.contains(&format!(", {name}, ")));
        assert!(
            reason.is_empty() || line.is_some_and(|line| line.contains(reason)),
            "{solver}: {reasons}"
        );
    }
    assert!(reasons.contains("    first\n    last words\n"), "{reasons}");
    assert_gone("sleep 61.25");
}

/// A short limit will do, because none of them does anything before it.
#[test]
fn who_does_not_want_to_end_is_ended_at_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let new = |name: &str, text: &str| script(folder.path(), name, text, "");
    let solvers = [
        new("deaf", "trap '' TERM; while :; do sleep 61.75; done"),
        new("forks", "sleep 61.75 & sleep 61.75 & wait"),
    ];
    let solvers: Vec<&str> = solvers.iter().map(String::as_str).collect();
    let limits = "--filter 1 --time-limit 500ms --max-memory 200MB";
    let (output, rows) = run_with(folder.path(), &solvers, limits);
    let statuses: Vec<Status> = rows.iter().map(|row| row.status).collect();
    assert_eq!(statuses, [Status::TimeLimit; 2], "{}", told(&output));
    assert_gone("sleep 61.75");
}

#[test]
fn answers_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let new = |name: &str, text: &str, more: &str| script(folder.path(), name, text, more);
    // The first board of the suite is one move from its goal.
    let solvers = [
        new("astray", "echo UUUU", ""),
        new("low", "echo 0", "answer = \"cost\"\n"),
        new("cost", "echo 1", "answer = \"cost\"\n"),
        new(
            "says",
            "echo 'cost 1, 1,234 nodes'",
            "regex = 'cost (?P<cost>\\d+), (?P<expanded>[\\d,]+) nodes'\n",
        ),
    ];
    let solvers: Vec<&str> = solvers.iter().map(String::as_str).collect();
    let (output, rows) = run_with(folder.path(), &solvers, "--filter 1");
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("1 not verified (no moves)"), "{said}");
    assert_eq!(said.matches("WRONG").count(), 2, "{said}");
    let verified: Vec<Option<bool>> = rows.iter().map(|row| row.verified).collect();
    assert_eq!(verified, [Some(false), None, None, None]);
    assert_eq!(
        (rows[3].cost, rows[3].expanded),
        (Some(1u32.into()), Some(1234))
    );
}

/// A program that answers line by line, in shell; the first board is not a recorded one.
fn lines(folder: &Path, name: &str, text: &str) -> String {
    let more = format!("command = [\"sh\", \"{name}.sh\"]\nmode = \"lines\"\nanswer = \"cost\"\n");
    script(folder, name, text, &more)
}

#[test]
fn a_lines_program_that_dies_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let text = "read -r s; echo 1; read -r a; echo 9; read -r b; exit 3";
    let dies = lines(folder.path(), "dies", text);
    let (_, rows) = run_with(folder.path(), &[&dies], "--filter 1-4");
    let statuses: Vec<Status> = rows.iter().map(|row| row.status).collect();
    assert_eq!(
        statuses,
        [Status::Solved, Status::Error, Status::Solved, Status::Error]
    );
}

/// What a start takes is not held against the limit: the first board is not timed.
#[test]
fn the_start_of_a_lines_program_is_not_timed() {
    let folder = tempfile::tempdir().unwrap();
    let slow = "sleep 1; while read -r board; do echo \"$board\" >> seen; echo 9; done";
    let slow = lines(folder.path(), "slow", slow);
    let (_, rows) = run_with(folder.path(), &[&slow], "--filter 1-3 --time-limit 900ms");
    assert!(rows.iter().all(|row| row.status == Status::Solved));
    let seen = fs::read_to_string(folder.path().join("seen")).unwrap();
    let boards: Vec<&str> = rows.iter().map(|row| row.board.as_str()).collect();
    assert_eq!(seen.lines().skip(1).collect::<Vec<_>>(), boards);
}

#[test]
fn a_lines_program_keeps_in_step_or_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let talks = "while read -r board; do printf 'hm\\n9\\n'; done";
    let talks = lines(folder.path(), "talks", talks);
    let gone = lines(folder.path(), "gone", "echo no table >&2; exit 4");
    let (_, rows) = run_with(folder.path(), &[&talks, &gone], "--filter 1-2");
    assert!(rows.iter().all(|row| row.status == Status::Error));
    let reasons = fs::read_to_string(folder.path().join("o.errors.txt")).unwrap();
    assert!(
        reasons.contains("talks") && reasons.contains("it printed '9' before"),
        "{reasons}"
    );
    let at_start = "at its start, with a board one move from the goal: it ended with exit code 4";
    assert!(
        reasons.contains(at_start) && reasons.contains("    no table\n"),
        "{reasons}"
    );
}

#[test]
fn boards_are_given_in_every_way() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, more) in [
        (
            "stdin",
            "cat > stdin.txt; echo 1",
            "command = [\"sh\", \"stdin.sh\"]\nnotation = \"rows\"",
        ),
        (
            "file",
            "cat \"$1\" > file.txt; echo 1",
            "command = [\"sh\", \"file.sh\", \"{file}\"]\nnotation = \"puz\"",
        ),
        (
            "words",
            "echo \"$*\" > words.txt; echo 1",
            "command = [\"sh\", \"words.sh\", \"{board}\", \"{size}\", \"{goal}\"]\nnotation = \"commas\"",
        ),
        (
            "letters",
            "echo \"$* $X\" > letters.txt; echo 1",
            "command = [\"sh\", \"letters.sh\", \"{board}\"]\nnotation = \"letters\"\nenvironment = { X = \"set\" }",
        ),
    ] {
        script(
            folder.path(),
            name,
            text,
            &format!("{more}\nanswer = \"cost\"\n"),
        );
    }
    let solvers = ["stdin.toml", "file.toml", "words.toml", "letters.toml"];
    let (output, _) = run_with(folder.path(), &solvers, "--filter 1");
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let board = &rows(&folder.path().join("o.csv"))[0].board;
    assert_eq!(board, "1 0 2 3", "{}", told(&output));
    assert_eq!(text("stdin.txt"), "1 0\n2 3\n");
    assert_eq!(text("file.txt"), "1 .\n2 3\n");
    assert!(text("words.txt").starts_with("1,0,2,3 2x2 "));
    assert_eq!(text("letters.txt"), "A.BC set\n");
}

#[test]
fn a_wrong_definition_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (text, told_about) in [
        ("command = []", "command is empty"),
        (
            "command = [\"x\"]\nboard = \"argument\"",
            "needs {board} in command",
        ),
        (
            "command = [\"x\"]\nmode = \"twice\"",
            "mode is wrong: 'twice' is not",
        ),
        ("command = [\"x\"]\ncolour = 1", "unknown field `colour`"),
        ("command = [\"x\"]\nregex = \"(\"", "regex"),
        (
            "command = [\"x\"]\nregex = \"(?P<path>U*)\"",
            "expected a group named moves or cost",
        ),
        ("command = [\"x\"]\nversion = []", "version is empty"),
    ] {
        fs::write(folder.path().join("s.toml"), text).unwrap();
        let (output, _) = run_with(folder.path(), &["s.toml"], "");
        let said = told(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.starts_with("slidebench: s.toml: ") && said.contains(told_about),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

/// What a reader says is the source of the error, and its words are told once.
#[test]
fn a_wrong_definition_has_its_source() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.toml");
    let problem = |text: &str| {
        fs::write(&file, text).unwrap();
        Solver::of_file(&file).unwrap_err()
    };
    let error = problem("command = [\"x\"]\ncolour = 1");
    assert!(matches!(error.problem, SolverProblem::Toml(_)));
    assert!(error.source().unwrap().is::<toml::de::Error>());
    assert!(!error.to_string().contains("colour"));
    let error = problem("command = [\"x\"]\nmode = \"twice\"");
    assert!(error.source().unwrap().is::<UnknownName>());
    let error = problem("command = [\"x\"]\nregex = \"(\"");
    assert!(error.source().unwrap().is::<regex_lite::Error>());
    let error = Solver::of_file(&folder.path().join("none.toml")).unwrap_err();
    assert!(error.source().unwrap().is::<std::io::Error>());
    let (output, _) = run_with(folder.path(), &["none.toml"], "");
    let wanted = "slidebench: none.toml: the file cannot be read: No such file or directory";
    assert!(told(&output).starts_with(wanted), "{}", told(&output));
    assert!(Solver::of_command("mine '").unwrap_err().source().is_none());
}

#[test]
fn the_files_for_public_solvers_are_definitions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks/solvers");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let files: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|it| it == "toml"))
        .collect();
    assert_eq!(files.len(), 8);
    for file in files {
        Solver::of_file(&file).unwrap();
    }
}

/// The interfaces of the classroom, with our own commands in the place of a student's program.
#[test]
fn classroom_programs_are_solvers() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_slidebench");
    for name in ["lines", "puz"] {
        let text = format!("#!/bin/sh\nexec '{program}' course {name} \"$@\"\n");
        fs::write(folder.path().join(name), text).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(folder.path().join(name), mode).unwrap();
    }
    fs::write(folder.path().join("b.txt"), "1 2 3 4 0 5 7 8 6\n").unwrap();
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/benchmarks/solvers");
    let mut command = slidebench(folder.path(), "run b.txt --goal last -o o.csv");
    command.env("PEERS", folder.path());
    for name in ["lines", "puz"] {
        command.args(["--solver", &format!("{files}/{name}.toml")]);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    let rows = rows(&folder.path().join("o.csv"));
    let answers: Vec<_> = rows.iter().map(|row| (row.cost, row.verified)).collect();
    let two = Some(2u32.into());
    assert_eq!(answers, [(two, None), (two, Some(true))]);
}

/// Both ways to hold the processes of a program together. Control groups need a folder that may be
/// written; where there is none, both are the same.
const CONTAINMENTS: [&str; 2] = ["auto", "never"];

/// Whoever leaves its parent, its group and its session is ended all the same.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn nobody_escapes() {
    for groups in CONTAINMENTS {
        let folder = tempfile::tempdir().unwrap();
        let new = |name: &str, text: &str| script(folder.path(), name, text, "answer = \"cost\"\n");
        let solvers = [
            new(
                "parts",
                "(setsid sleep 64.25 &); setsid sh -c 'sleep 64.25 & sleep 64.25 &' & echo 1",
            ),
            new(
                "stays",
                "(setsid sh -c 'trap \"\" TERM; sleep 64.25; sleep 64.25' &); trap '' TERM; sleep 64.25",
            ),
        ];
        let mut command = slidebench(
            folder.path(),
            "run smoke --filter 1-2 --jobs 2 --time-limit 1s",
        );
        command
            .env("SLIDEBENCH_CONTROL_GROUPS", groups)
            .args(["-o", "o.csv"]);
        for solver in &solvers {
            command.args(["--solver", solver]);
        }
        let output = command.output().unwrap();
        assert_gone("sleep 64.25");
        let rows = rows(&folder.path().join("o.csv"));
        let solved = rows.iter().filter(|row| row.status == Status::Solved);
        assert_eq!((rows.len(), solved.count()), (4, 2), "{}", told(&output));
        let sidecar = fs::read_to_string(folder.path().join("o.meta.json")).unwrap();
        assert!(sidecar.contains("\"containment\""), "{sidecar}");
        assert!(groups == "auto" || sidecar.contains("process group, memory sampled"));
    }
}

/// A program that was above its limit between two looks is above its limit.
#[test]
fn memory_is_limited_both_ways() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    for groups in CONTAINMENTS {
        let folder = tempfile::tempdir().unwrap();
        let burst = "python3 -c 'a = bytearray(b\"x\" * 300000000); del a; print(1)'";
        let burst = script(folder.path(), "burst", burst, "answer = \"cost\"\n");
        let mut command = slidebench(
            folder.path(),
            "run smoke --filter 1 --max-memory 200MB -o o.csv",
        );
        command
            .env("SLIDEBENCH_CONTROL_GROUPS", groups)
            .args(["--solver", &burst]);
        let output = command.output().unwrap();
        let rows = rows(&folder.path().join("o.csv"));
        assert_eq!(rows[0].status, Status::MemLimit, "{}", told(&output));
    }
}

#[test]
fn a_definition_says_where_and_with_what_a_program_runs() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("deep")).unwrap();
    let text = "pwd > where; echo \"$COLOUR\" > colour; echo 1";
    let more = "command = [\"sh\", \"../here.sh\"]\nanswer = \"cost\"\ndirectory = \"deep\"\n\
                environment = { COLOUR = \"blue\" }\nversion = [\"sh\", \"-c\", \"echo; echo 7.5 >&2\"]\n\
                name = \"said\"\n";
    let here = script(folder.path(), "here", text, more);
    let broken = "version = [\"no-such-program\"]\nanswer = \"cost\"\n";
    let broken = script(folder.path(), "broken", "echo 1", broken);
    let (output, rows) = run_with(folder.path(), &[&here, &broken], "--filter 1");
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(told(&output).contains("version: no-such-program does not start"));
    let names: Vec<_> = rows
        .iter()
        .map(|row| (row.solver.as_str(), row.version.as_str()))
        .collect();
    assert_eq!(names, [("said", "7.5"), ("broken", "")]);
    let text = |name: &str| fs::read_to_string(folder.path().join("deep").join(name)).unwrap();
    assert!(text("where").ends_with("/deep\n"));
    assert_eq!(text("colour"), "blue\n");
}

/// Whatever ends the harness, nothing that it started is left.
#[test]
fn a_killed_harness_leaves_no_process() {
    for (signal, wait) in [("-KILL", 30), ("-KILL", 200), ("-TERM", 200), ("-INT", 200)] {
        let folder = tempfile::tempdir().unwrap();
        let solver = script(
            folder.path(),
            "long",
            "sleep 62.75 & sleep 62.75 & wait",
            "",
        );
        let mut command = slidebench(folder.path(), "run smoke -o o.csv --jobs 2 --solver");
        let command = command
            .arg(solver)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        sleep(Duration::from_millis(wait));
        let kill = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        child.wait().unwrap();
        assert_gone("sleep 62.75");
    }
}
