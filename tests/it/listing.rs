//! `run --list` against the rows of the same run.

use std::fs;

use slidebench::harness::record::Row;

use crate::command::{rows, run};
use crate::trust::told;

/// The fields of each run that a list has.
fn listed(list: &[u8]) -> Vec<Vec<String>> {
    let records = csv::Reader::from_reader(list).into_records();
    let fields = records.map(|it| it.unwrap().iter().map(str::to_owned).collect());
    fields.collect()
}

/// The same of a row.
fn made(row: &Row) -> Vec<String> {
    let key = row.configuration();
    let prune = match (&key.prune[..], &key.engine[..]) {
        ("", "") => "",
        ("", _) => "none",
        (prune, _) => prune,
    };
    let (threads, repeat) = (key.threads.unwrap().to_string(), row.repeat.to_string());
    let fields = [
        &row.suite,
        &row.instance,
        &key.solver,
        &key.algorithm,
        &key.heuristic,
        &key.engine,
        prune,
        &threads,
        &repeat,
    ];
    fields.map(str::to_owned).to_vec()
}

/// Configurations that come to the same search run once, and are listed once, by the same names.
#[test]
fn a_list_has_what_will_run_each_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("flat.csv"), "instance,board\n1,1 2 3 / 4 . 5\n").unwrap();
    let engines = "--engine scalar,batched --prune none,fsm:6 --node-limit 1000";
    let cases = [
        // No batches but with taxicab on 4x4, and no engines of other searches.
        "smoke --filter 1-2 -a bfs,astar,idastar -H md,wd --repeat 2",
        "korf100 --filter 1 -H md,lc,wd",
        "korf100 --filter 1 -a idastar,astar+idastar -H md --threads 1,2",
        // None where paths end in a table, from the goal, and to other goals.
        "korf100 --filter 1 -H md --endgame 5",
        "korf100 --filter 1 -a reverse-idastar -H md,lc",
        "korf100 --filter 1 -H md,auto,lc --goal spiral",
        // Pattern databases have batches; a mirror image only on squares, and a name if they have one.
        "smoke --filter 7 -H pdb:4-4,pdb:4-4,nomirror,pdb:.AA/AAB/BBB",
        "flat.csv -a idastar,bae -H auto,wd,lc",
    ];
    for case in cases {
        let list = run(folder, &format!("run {case} {engines} --list"));
        let ran = run(folder, &format!("run {case} {engines} -o rows.csv"));
        assert_eq!(ran.status.code(), Some(0), "{case}: {}", told(&ran));
        let made: Vec<_> = rows(&folder.join("rows.csv")).iter().map(made).collect();
        assert_eq!(listed(&list.stdout), made, "{case}: {}", told(&list));
        fs::remove_file(folder.join("rows.csv")).unwrap();
    }
}

/// A list needs no table, and says `auto` where the tables at hand decide.
#[test]
fn a_list_opens_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let list = run(
        folder.path(),
        "run korf100 --filter 1 -H auto,pdb:7-8 --list",
    );
    let heuristics: Vec<String> = listed(&list.stdout)
        .iter()
        .map(|it| it[4].clone())
        .collect();
    assert_eq!(heuristics, ["auto", "pdb:7-8"]);
}
