//! Memory: what is asked for holds for all that a process does, and what the system refuses ends a
//! run and not the process.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use bytesize::ByteSize;
use slidebench::harness::record::{Row, RowFormat, Sidecar, Status};

use crate::command::{rows, run, slidebench};

/// Runs a command that gets so many kibibytes of address space and no more.
#[cfg(target_os = "linux")]
fn run_within(folder: &Path, kibibytes: u64, arguments: &str) -> Output {
    let binary = env!("CARGO_BIN_EXE_slidebench");
    let script = format!("ulimit -v {kibibytes}; exec {binary} {arguments}");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder);
    command.output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The most memory that a command had at one time, as the system tells while it runs.
#[cfg(target_os = "linux")]
fn peak(folder: &Path, arguments: &str) -> u64 {
    let mut command = slidebench(folder, arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(1024 * kibibytes.unwrap_or(0));
        sleep(Duration::from_millis(1));
    }
    assert!(child.wait().unwrap().success(), "{arguments}");
    peak
}

const MIB: u64 = 1 << 20;

/// Within a tenth, and a few MiB for what machines differ in: threads, libraries, huge pages. What the
/// program itself takes depends on how it was compiled and on where its file lies in memory, so it is
/// measured with a table of a few states, and counts by itself.
#[cfg(target_os = "linux")]
#[test]
fn plans_tell_what_builds_take() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let planned = |table: &str| {
        let plan = run(folder, &format!("pdb plan {table}"));
        let plan = String::from_utf8_lossy(&plan.stdout).into_owned();
        let memory = plan.lines().find_map(|line| line.strip_prefix("memory"));
        let memory: ByteSize = memory.unwrap().replace("about", "").trim().parse().unwrap();
        memory.as_u64()
    };
    let used = |table: &str| peak(folder, &format!("pdb build {table}"));
    let program = (planned("3x3:4-4"), used("3x3:4-4"));
    if !cfg!(debug_assertions) {
        let difference = program.0.abs_diff(program.1);
        assert!(difference <= 4 * MIB, "the program: {program:?}");
    }
    for table in [
        "wd:4x5",
        "endgame:3x3:20",
        "endgame:4x4:20",
        "4x4:5-5-5",
        "4x4:6-6-3",
    ] {
        let (planned, used) = (planned(table), used(table));
        let difference = (planned + program.1).abs_diff(used + program.0);
        assert!(
            difference <= used / 10 + 3 * MIB,
            "{table}: planned {planned}, used {used}, the program {program:?}"
        );
    }
}

/// Beside the program itself there is little that the limit does not cover.
#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn the_whole_process_stays_near_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    for (limit, command) in [
        // The fsm is made before the search, which keeps nothing: how long it goes on changes no peak.
        (
            16,
            "run korf100 --filter 1-3 -H md --prune fsm:14 --node-limit 10000000 -o 1.csv",
        ),
        (64, "run korf100 --filter 1 -a bfs -o 2.csv"),
        (64, "run korf100 --filter 1-4 -a bfs --jobs 4 -o 3.csv"),
        (64, "run korf100 --filter 1-2 -a bibfs,dfs -o 4.csv"),
    ] {
        let command = format!("{command} --max-memory {limit}MiB");
        let peak = peak(folder.path(), &command);
        assert!(peak <= (limit + 32) * MIB, "{command}: {peak}");
    }
}

/// The limit is far above what the system gives: its refusal is what ends the searches.
#[cfg(target_os = "linux")]
#[test]
fn searches_that_the_system_refuses_memory_end_as_mem_limit() {
    let folder = tempfile::tempdir().unwrap();
    let command = "run korf100 --filter 1 -a bfs,bibfs,dfs --max-memory 64GiB -o rows.csv";
    let output = run_within(folder.path(), 200_000, command);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let rows = rows(&folder.path().join("rows.csv"));
    let statuses: Vec<Status> = rows.iter().map(|row| row.status).collect();
    assert_eq!(statuses, [Status::MemLimit; 3]);
}

/// Wider beams are refused sets of states at once, narrower ones a layer.
#[cfg(target_os = "linux")]
#[test]
fn beams_that_the_system_refuses_memory_end_as_mem_limit() {
    let folder = tempfile::tempdir().unwrap();
    let beams = "beam:1000000,beam:100000000";
    let command =
        format!("run korf100 --filter 88 -a {beams} -H md --max-memory 64GiB -o rows.csv");
    let output = run_within(folder.path(), 200_000, &command);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let rows = rows(&folder.path().join("rows.csv"));
    let statuses: Vec<Status> = rows.iter().map(|row| row.status).collect();
    assert_eq!(statuses, [Status::MemLimit; 2]);
}

/// Without a limit of the user's, it is a share of what the process may have.
#[cfg(target_os = "linux")]
#[test]
fn the_limit_of_address_space_is_a_limit_of_memory() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_within(
        folder.path(),
        200_000,
        "run smoke --filter 1 -a bfs -o rows.csv",
    );
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    // The row tells what was asked for, and the sidecar what the run had.
    let asked = rows(&folder.path().join("rows.csv"))[0].mem_limit_bytes;
    assert_eq!(asked, None);
    let sidecar = Sidecar::read(&folder.path().join("rows.meta.json")).unwrap();
    let limit = sidecar.sessions[0].mem_limit_bytes;
    assert!(limit.unwrap() < 200_000 * 1024, "{limit:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn builders_that_the_system_refuses_memory_say_so() {
    let folder = tempfile::tempdir().unwrap();
    for table in ["4x4:7-8", "endgame:4x4:24", "wd:5x5"] {
        let output = run_within(folder.path(), 200_000, &format!("pdb build {table}"));
        assert_eq!(output.status.code(), Some(1), "{table}: {}", told(&output));
        assert!(
            told(&output).contains("memory"),
            "{table}: {}",
            told(&output)
        );
    }
}

#[test]
fn an_fsm_takes_no_more_than_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let command = "run korf100 --filter 1-3 -H md --prune fsm:14 --max-memory 2MiB -o rows.csv";
    let output = run(folder, command);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let statuses: Vec<Status> = rows(&folder.join("rows.csv"))
        .iter()
        .map(|it| it.status)
        .collect();
    assert_eq!(statuses, [Status::MemLimit; 3]);
    let small = run(folder, "solve 867/254/3.1 --prune fsm:8 --max-memory 16MiB");
    assert_eq!(small.status.code(), Some(0), "{}", told(&small));
    assert!(String::from_utf8_lossy(&small.stdout).contains("solved"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_fsm_that_the_system_refuses_memory_ends_as_mem_limit() {
    let folder = tempfile::tempdir().unwrap();
    let command = "run korf100 --filter 1 -H md --prune fsm:16 --max-memory 64GiB -o rows.csv";
    let output = run_within(folder.path(), 40_000, command);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let rows = rows(&folder.path().join("rows.csv"));
    assert_eq!(rows[0].status, Status::MemLimit);
}

/// Rows tell what was asked for; each run has its share. A limit that gives each run no more than
/// it had leaves nothing to do again, and one that gives it more does.
#[test]
fn runs_side_by_side_share_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let command = "run korf100 --filter 1-4 -a bfs -o rows.csv";
    run(folder, &format!("{command} --jobs 4 --max-memory 16MiB"));
    let file = folder.join("rows.csv");
    for row in rows(&file) {
        assert_eq!(row.status, Status::MemLimit);
        assert_eq!(row.mem_limit_bytes, Some(16 << 20));
        assert!(row.peak_mem_bytes.unwrap() <= 4 << 20, "{row:?}");
    }
    let resume = |limit: &str| {
        run(folder, &format!("{command} --resume {limit}"));
        rows(&file).len()
    };
    assert_eq!(resume("--jobs 2 --max-memory 8MiB"), 4);
    assert_eq!(resume("--max-memory 4MiB"), 4);
    assert_eq!(resume("--jobs 2 --max-memory 16MiB"), 8);
}

/// Rows of which no limit of memory was asked tell none, and older ones the machine's: with neither is
/// a run done again that would have no more than it had.
#[test]
fn runs_without_a_limit_of_memory_are_done_again_where_more_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let command = "run korf100 --filter 1 -a bfs -o rows.csv";
    run(folder, &format!("{command} --max-memory 8MiB"));
    let file = folder.join("rows.csv");
    let made = rows(&file).remove(0);
    assert_eq!(made.status, Status::MemLimit);
    for (limit, asked, runs) in [
        (None, "--node-limit 9", 1),
        (None, "--max-memory 1MiB", 1),
        (None, "--max-memory 16MiB", 2),
        (Some(8 << 20), "--node-limit 9", 1),
        (Some(8 << 20), "--max-memory 8MiB", 1),
        (Some(8 << 20), "--max-memory 16MiB", 2),
    ] {
        let row = Row {
            mem_limit_bytes: limit,
            ..made.clone()
        };
        let header = RowFormat::Csv.header::<Row>();
        fs::write(&file, header + &RowFormat::Csv.line(&row)).unwrap();
        let output = run(folder, &format!("{command} --resume {asked}"));
        assert!(output.status.success(), "{}", told(&output));
        assert_eq!(rows(&file).len(), runs, "{limit:?} {asked}");
    }
}

/// A table that is built in memory is refused with both figures, or its bytes are taken from what
/// searches may have.
#[test]
fn tables_in_memory_count() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for command in [
        "run korf100 --filter 1 -H pdb:6-6-3 --max-memory 4MiB -o rows.csv",
        "solve 867/254/3.1 --endgame 20 --max-memory 1MiB",
    ] {
        let output = run(folder, command);
        let told = told(&output);
        assert!(!output.status.success(), "{command}");
        assert!(
            told.contains("takes") && told.contains("bytes of memory, and"),
            "{told}"
        );
    }
    assert!(!folder.join("rows.csv").exists());
    // What is at hand in less is taken instead.
    let output = run(
        folder,
        "run korf100 --filter 1 --node-limit 1 --max-memory 16MiB -o rows.csv",
    );
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let left = "run smoke --filter 7 -a astar -H pdb:4-4 -o left.csv --max-memory";
    run(folder, &format!("{left} 40MiB"));
    let first = rows(&folder.join("left.csv"));
    assert_eq!(first[0].status, Status::Solved, "{first:?}");
}
