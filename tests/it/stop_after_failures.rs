//! `run --stop-after-failures`: a configuration ends at its N-th failure, whatever else happens.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use slidebench::harness::record::{Row, Status};

use crate::command::{rows, run, timeless};

/// Limits of nodes fail the same runs on every machine.
const PLAN: &str = "run ladder4x4 --filter optimal:0-24 -a bfs,bibfs,idastar -H md --repeat 2 \
                    --node-limit 2000 --max-memory 1GiB --progress never";

/// What a run prints, after it has ended well.
fn ran(folder: &Path, more: &str) -> String {
    let output = run(folder, &format!("{PLAN} {more}"));
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    String::from_utf8(output.stdout).unwrap()
}

/// The rows up to the N-th failure of each configuration.
fn until_failures(rows: Vec<Row>, most: usize) -> Vec<Row> {
    let mut failures: HashMap<String, usize> = HashMap::new();
    let mut kept = Vec::new();
    for row in rows {
        let failures = failures.entry(row.algorithm.clone()).or_default();
        if *failures < most {
            *failures += usize::from(row.status == Status::NodeLimit);
            kept.push(row);
        }
    }
    kept
}

#[test]
fn a_configuration_ends_with_its_last_failure() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let text = ran(folder.path(), "-o all.csv");
    assert!(!text.contains("longest"), "{text}");
    let all = rows(&file("all.csv"));
    for most in [1, 3] {
        let name = format!("{most}.csv");
        let flags = format!("--stop-after-failures {most} -o {name}");
        let text = ran(folder.path(), &flags);
        let wanted = timeless(until_failures(all.clone(), most));
        assert!(wanted.len() < all.len());
        assert_eq!(timeless(rows(&file(&name))), wanted);
        for algorithm in ["bfs", "bibfs"] {
            let own = wanted.iter().filter(|row| row.algorithm == algorithm);
            let solved = own.clone().filter(|row| row.status == Status::Solved);
            let longest = solved.filter_map(|row| row.known_optimal).max().unwrap();
            let block = text
                .split(&format!("ladder4x4, {algorithm}, 1 thread\n"))
                .nth(1);
            let line = format!("\n  longest     {longest} moves, instance {longest}, solved in ");
            assert!(block.unwrap().contains(&line), "{text}");
            let left_out = 50 - own.count();
            let line =
                format!("{algorithm}, 1 thread: {left_out} runs left out after {most} failure");
            assert!(text.contains(&line), "{text}");
        }
        assert!(!text.contains("--resume"), "{text}");
    }
}

/// Cut at any row and gone on with, the file is that of one process.
#[test]
fn rows_that_are_there_count() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("o.csv");
    let stop = "--stop-after-failures 2 -o o.csv";
    ran(folder.path(), stop);
    let whole = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let wanted = timeless(rows(&file));
    for rows_kept in [0, 1, lines.len() / 2, lines.len() - 3, lines.len() - 1] {
        fs::write(&file, lines[..=rows_kept.min(lines.len() - 1)].concat()).unwrap();
        let text = ran(folder.path(), &format!("{stop} --resume"));
        assert_eq!(timeless(rows(&file)), wanted, "{rows_kept}");
        assert!(text.contains("left out after 2 failures\n"), "{text}");
    }
    // A higher limit does the failed runs again: they count as what they are then.
    let plan = PLAN.replace("2000", "100000");
    let output = run(folder.path(), &format!("{plan} {stop} --resume"));
    assert_eq!(output.status.code(), Some(0));
    let failed = |row: &&Row| row.status == Status::NodeLimit && row.algorithm == "bfs";
    let again = rows(&file);
    let late = again
        .iter()
        .filter(failed)
        .filter(|row| row.node_limit == Some(100_000));
    assert_eq!(late.count(), 2);
    // Without the flag, everything that was left out.
    let output = run(folder.path(), &format!("{plan} -o o.csv --resume"));
    assert_eq!(output.status.code(), Some(0));
    let key = |row: &Row| (row.instance.clone(), row.algorithm.clone(), row.repeat);
    let mut keys: Vec<_> = rows(&file).iter().map(key).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 25 * 3 * 2);
}

/// Runs that have begun are not given up, so there can be one failure more for each other job.
#[test]
fn runs_side_by_side_end_too() {
    let folder = tempfile::tempdir().unwrap();
    ran(
        folder.path(),
        "--stop-after-failures 2 --jobs 3 --seed 4 -o o.csv",
    );
    let rows = rows(&folder.path().join("o.csv"));
    for algorithm in ["bfs", "bibfs"] {
        let own = rows.iter().filter(|row| row.algorithm == algorithm);
        let failed = own.filter(|row| row.status == Status::NodeLimit).count();
        assert!((2..=4).contains(&failed), "{algorithm}: {failed}");
    }
}

#[test]
fn a_shard_does_not_know_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let flags = "--stop-after-failures 1 --shard 1/2 -o o.csv";
    let output = run(folder.path(), &format!("{PLAN} {flags}"));
    assert_eq!(output.status.code(), Some(2));
}
