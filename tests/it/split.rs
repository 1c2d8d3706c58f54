//! The way of the commands with units: split, run in shards, merge. That a threshold in parts counts what it
//! counts as a whole is tested in `crates/core/tests`.

use std::fs;
use std::path::Path;

use slidebench::harness::record::{RowFormat, Status, ThresholdRow};

use crate::command::{rows, run, timeless};

/// The complete thresholds of one run, from its file of thresholds.
fn iterations(file: &Path) -> Vec<ThresholdRow> {
    let text = fs::read_to_string(file).unwrap();
    RowFormat::Csv.records(&text).unwrap()
}

/// Against one run of the board.
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
        assert_eq!(timeless(whole), timeless(units));
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
