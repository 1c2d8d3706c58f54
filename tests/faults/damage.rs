//! Bytes that changed: in rows, thresholds, sidecars and tables. Whatever they say now, a command
//! ends in order; and a table that is not what was built answers nothing.

use std::fs;
use std::path::{Path, PathBuf};

use slidebench::harness::record::{Row, Status};
use slidebench::harness::suite::Random;
use slidebench::lookup::Header;

use crate::command::rows;
use crate::steps::{damage, orderly, repeat, succeed};

/// The files of a folder, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn copy(from: &Path, to: &Path) {
    for path in files(from) {
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

/// Every command that reads rows, thresholds or sidecars.
const READERS: [&str; 7] = [
    "report o.csv --iterations t.csv",
    "report o.jsonl s.shard-1-of-1.csv",
    "compare o.csv o.jsonl",
    "merge s.shard-1-of-1.csv -o m.csv",
    "run smoke -H md --filter 1-9 -o o.csv --iterations t.csv --resume",
    "run smoke -H md --filter 1-9 -o o.jsonl --format jsonl --resume",
    "run smoke -H md --filter 1-9 --shard 1/1 -o s.csv",
];

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn damage_of_rows() {
    let whole = tempfile::tempdir().unwrap();
    for command in &READERS[4..] {
        succeed(whole.path(), command);
    }
    repeat("damage_of_rows", |random| {
        let folder = tempfile::tempdir().unwrap();
        copy(whole.path(), folder.path());
        let paths = files(folder.path());
        for _ in 0..1 + random.below(3) {
            let path: &PathBuf = random.choose(&paths);
            damage(path, 0, random);
        }
        for command in READERS {
            orderly(folder.path(), command);
        }
    });
}

/// Tables of each kind, with searches that read them.
const TABLES: [(&str, &str); 3] = [
    ("4x4:5-5-5", "korf100 --filter optimal:41-45 -H pdb:5-5-5"),
    (
        "endgame:4x4:12",
        "ladder4x4 --filter optimal:10-40 -H md -a idastar,astar --endgame 12",
    ),
    ("wd:4x5", "boards.txt -H wd --goal last"),
];

/// Boards of 4x5 whose walking distances come from a file.
const BOARDS: &str = "1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 0 / 16 17 18 19 15\n\
                      1 2 3 4 5 / 6 7 8 0 10 / 11 12 14 9 15 / 16 17 13 18 19\n";

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn damage_of_tables() {
    let whole = tempfile::tempdir().unwrap();
    let wholes: Vec<(PathBuf, &str, Vec<Row>)> = TABLES
        .iter()
        .enumerate()
        .map(|(number, (table, search))| {
            let folder = whole.path().join(number.to_string());
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("boards.txt"), BOARDS).unwrap();
            succeed(&folder, &format!("pdb build {table} --pdb-dir ."));
            succeed(&folder, &format!("run {search} --pdb-dir . -o o.csv"));
            (folder.clone(), *search, rows(&folder.join("o.csv")))
        })
        .collect();
    repeat("damage_of_tables", |random| {
        let (whole, search, expected) = random.choose(&wholes);
        let folder = tempfile::tempdir().unwrap();
        copy(whole, folder.path());
        fs::remove_file(folder.path().join("o.csv")).unwrap();
        fs::remove_file(folder.path().join("o.meta.json")).unwrap();
        let mut paths = files(folder.path());
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "pdb"));
        let table = random.choose(&paths);
        let before = fs::read(table).unwrap();
        change(table, random);
        let is_changed = fs::read(table).unwrap() != before;
        let ended = orderly(folder.path(), &format!("run {search} --pdb-dir . -o o.csv"));
        assert_eq!(
            ended.status.code() != Some(0),
            is_changed,
            "{}",
            table.display()
        );
        assert_answers(&folder.path().join("o.csv"), expected);
        for command in ["pdb list --pdb-dir .", "pdb verify --pdb-dir ."] {
            orderly(folder.path(), command);
        }
        // Who asks for it gets the table unseen: every way to end in order is a way. Estimates that
        // are too high may hide all solutions for hours.
        let unseen = "--pdb-dir . -o u.csv --trust-tables --node-limit 200000";
        let unseen = orderly(folder.path(), &format!("run {search} {unseen}"));
        assert!(matches!(unseen.status.code(), Some(0 | 1 | 3)));
    });
}

/// A table is cut off, longer, or has other bytes.
fn change(table: &Path, random: &mut Random) {
    let length = fs::metadata(table).unwrap().len() as usize;
    let set_length = |length: usize| {
        let file = fs::OpenOptions::new().write(true).open(table).unwrap();
        file.set_len(length as u64).unwrap();
    };
    match random.below(4) {
        0 => set_length(random.below(length)),
        1 => set_length(length + 1 + random.below(10_000)),
        2 => damage(table, 0, random),
        _ => damage(table, Header::LEN, random),
    }
}

/// No row says that a board is solved with another cost.
fn assert_answers(file: &Path, expected: &[Row]) {
    if !file.exists() {
        return;
    }
    for row in rows(file).iter().filter(|row| row.status == Status::Solved) {
        let right = expected.iter().find(|right| right.key() == row.key());
        assert_eq!(
            row.cost,
            right.unwrap().cost,
            "{} {}",
            row.suite,
            row.instance
        );
    }
}
