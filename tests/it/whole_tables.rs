//! Tables that are damaged, cut off or repaired: no answer comes of them that is believed.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

use slidebench::harness::record::{Status, ThresholdRow};
use slidebench::heuristic::{Patterns, Tables};
use slidebench::lookup::{BuildControl, Collection, Directory, Endgame, PatternTable, TableFile};
use slidebench::puzzle::{Board, Goal, Problem};
use slidebench::search::{Algorithm, Control, Settings, Stop, solve};

use crate::command::{rows, run, slidebench};

/// Where the payload of a table begins.
const PAYLOAD: usize = 4096;

/// A folder with the tables of `pdb:4-4` on 3x3, and a suite of hard boards.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let built = run(folder.path(), "pdb build 3x3:4-4");
    assert!(built.status.success(), "{built:?}");
    fs::write(folder.path().join("hard.txt"), HARD).unwrap();
    folder
}

/// Thirty-one moves from the goal `last` each.
const HARD: &str = "8 6 7 2 5 4 3 0 1\n6 4 7 8 5 0 3 2 1\n";

fn tables(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder.join("pdb")).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// Turns the bits of some bytes of a table.
fn damage(table: &Path) {
    let mut bytes = fs::read(table).unwrap();
    for byte in bytes[PAYLOAD..].iter_mut().step_by(3) {
        *byte = !*byte;
    }
    fs::write(table, bytes).unwrap();
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_damaged_table_is_refused_unless_it_is_trusted() {
    let folder = folder();
    let folder = folder.path();
    damage(&tables(folder)[0]);
    for command in [
        "run hard.txt --goal last -H pdb:4-4 -o rows.csv",
        "run hard.txt --goal last -H auto -o rows.csv",
        "solve 867/254/3.1 -H pdb:4-4",
        "estimate 867/254/3.1 -H pdb:4-4",
    ] {
        let output = run(folder, command);
        assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
        assert!(
            told(&output).contains("its content is damaged"),
            "{command}"
        );
        assert!(told(&output).contains("slidebench pdb build"), "{command}");
    }
    assert!(!folder.join("rows.csv").exists());
    let trusted = run(
        folder,
        "run hard.txt --goal last -H pdb:4-4 --trust-tables --node-limit 1000 -o rows.csv",
    );
    assert!(!told(&trusted).contains("damaged"), "{trusted:?}");
    let sidecar = fs::read_to_string(folder.join("rows.meta.json")).unwrap();
    assert!(sidecar.contains("\"verified\": false"), "{sidecar}");
    // What the message says helps.
    let again = run(folder, "pdb build 3x3:4-4");
    assert!(told(&again).contains("it is built again"), "{again:?}");
    let whole = run(folder, "run hard.txt --goal last -H pdb:4-4 -o whole.csv");
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    let costs = rows(&folder.join("whole.csv"));
    assert!(
        costs.iter().all(|row| row.cost == Some(31u32.into())),
        "{costs:?}"
    );
    let sidecar = fs::read_to_string(folder.join("whole.meta.json")).unwrap();
    assert!(sidecar.contains("\"verified\": true"), "{sidecar}");
    assert!(!sidecar.contains("\"verified\": false"), "{sidecar}");
}

#[test]
fn a_damaged_endgame_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, "pdb build endgame:3x3:12");
    let table = tables(folder).remove(0);
    damage(&table);
    for endgame in ["12", "pdb/endgame-3x3-12.pdb"] {
        let command = format!("solve 867/254/3.1 --endgame {endgame}");
        let output = run(folder, &command);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(
            told(&output).contains("its content is damaged"),
            "{output:?}"
        );
    }
    let again = run(folder, "pdb build endgame:3x3:12");
    assert!(told(&again).contains("it is built again"), "{again:?}");
    let output = run(folder, "solve 867/254/3.1 --endgame 12");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// The library opens a table by its header alone, and verifies it where that is asked for.
#[test]
fn opening_reads_the_header_only() {
    let folder = folder();
    let folder = folder.path();
    let table = tables(folder).remove(0);
    damage(&table);
    let file = TableFile::open(&table).unwrap();
    assert!(file.verify().is_err());
    let directory = Directory::new(folder.join("pdb"));
    let size = "3x3".parse().unwrap();
    let name = "pdb:4-4".parse().unwrap();
    let control = BuildControl::default();
    let tables = Tables::new(directory);
    assert!(tables.prepare(&name, size, &control).is_err());
    let trusting = tables.trusting(true);
    assert!(trusting.prepare(&name, size, &control).is_ok());
}

/// A process stops at a limit, the table that it trusted is built again, and another one goes on:
/// it believes neither thresholds nor rows of the damaged table.
#[test]
fn what_a_damaged_table_made_is_not_gone_on_with() {
    let folder = folder();
    let folder = folder.path();
    let table = tables(folder).remove(0);
    let whole = fs::read(&table).unwrap();
    damage(&table);
    let command = "run hard.txt --goal last -H pdb:4-4 -o rows.csv --iterations thresholds.csv";
    let limited = format!("{command} --trust-tables --node-limit 3000");
    run(folder, &limited);
    let before = rows(&folder.join("rows.csv"));
    let thresholds = fs::read_to_string(folder.join("thresholds.csv")).unwrap();
    assert!(thresholds.contains("unverified:xxh3:"), "{thresholds}");
    fs::write(&table, whole).unwrap();
    let resumed = run(folder, &format!("{command} --resume"));
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    assert!(told(&resumed).contains("done again"), "{resumed:?}");
    let after = rows(&folder.join("rows.csv"));
    assert_eq!(after.len(), before.len() + 2);
    let fresh = run(
        folder,
        &command
            .replace("rows.csv", "fresh.csv")
            .replace("thresholds", "new"),
    );
    assert_eq!(fresh.status.code(), Some(0), "{fresh:?}");
    for (row, fresh) in after[before.len()..]
        .iter()
        .zip(rows(&folder.join("fresh.csv")))
    {
        assert_eq!((row.status, row.cost), (Status::Solved, Some(31u32.into())));
        assert_eq!(row.iterations, fresh.iterations);
        assert_eq!(row.generated, fresh.generated);
    }
    // And now nothing is left to do.
    let again = run(folder, &format!("{command} --resume"));
    assert!(!told(&again).contains("done again"), "{again:?}");
    assert_eq!(rows(&folder.join("rows.csv")).len(), after.len());
}

/// The same where no process verifies tables: the file that was repaired is another one, and one that
/// nobody touched is not.
#[test]
fn what_a_trusted_table_made_is_not_gone_on_with_after_its_repair() {
    let folder = folder();
    let folder = folder.path();
    let table = tables(folder).remove(0);
    let whole = fs::read(&table).unwrap();
    damage(&table);
    let command = "run hard.txt --goal last -H pdb:4-4 --trust-tables -o rows.csv --iterations thresholds.csv";
    run(folder, &format!("{command} --node-limit 3000"));
    let before = rows(&folder.join("rows.csv")).len();
    let same = run(folder, &format!("{command} --node-limit 3000 --resume"));
    assert!(!told(&same).contains("done again"), "{same:?}");
    assert_eq!(rows(&folder.join("rows.csv")).len(), before);
    fs::write(&table, whole).unwrap();
    let resumed = run(folder, &format!("{command} --resume"));
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    assert!(told(&resumed).contains("done again"), "{resumed:?}");
    let after = rows(&folder.join("rows.csv"));
    run(
        folder,
        "run hard.txt --goal last -H pdb:4-4 -o fresh.csv --iterations new.csv",
    );
    let fresh = rows(&folder.join("fresh.csv"));
    assert_eq!(after.len(), before + fresh.len());
    for (row, fresh) in after[before..].iter().zip(fresh) {
        assert_eq!((row.status, row.cost), (Status::Solved, Some(31u32.into())));
        assert_eq!(row.iterations, fresh.iterations);
        assert_eq!(row.generated, fresh.generated);
    }
    let again = run(folder, &format!("{command} --resume"));
    assert!(!told(&again).contains("done again"), "{again:?}");
    assert_eq!(rows(&folder.join("rows.csv")).len(), after.len());
}

#[test]
fn a_damaged_table_of_walking_distances_is_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let build = || run(folder, "pdb build wd:4x5");
    assert!(build().status.success());
    let table = tables(folder).remove(0);
    let whole = fs::read(&table).unwrap();
    damage(&table);
    let board = "1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 15 / 16 17 18 0 19\n";
    fs::write(folder.join("near.txt"), board).unwrap();
    let refused = run(folder, "run near.txt --goal last -H wd -o rows.csv");
    assert!(told(&refused).contains("damaged"), "{refused:?}");
    let again = build();
    assert_eq!(again.status.code(), Some(0), "{again:?}");
    assert!(fs::read(&table).unwrap() == whole);
    let there = build();
    assert!(String::from_utf8_lossy(&there.stdout).contains("is there"));
}

/// The same tables, verified in both processes: the second one goes on behind the thresholds.
#[test]
fn whole_tables_are_gone_on_with() {
    let folder = folder();
    let folder = folder.path();
    let command = "run hard.txt --goal last -H pdb:4-4 -o rows.csv --iterations thresholds.csv";
    run(folder, &format!("{command} --filter 1 --node-limit 120"));
    let text = fs::read_to_string(folder.join("thresholds.csv")).unwrap();
    let thresholds = || -> Vec<ThresholdRow> {
        let text = fs::read_to_string(folder.join("thresholds.csv")).unwrap();
        slidebench::harness::record::RowFormat::Csv
            .own_records(&text)
            .unwrap()
    };
    let before = thresholds();
    assert!(!before.is_empty(), "{text}");
    assert!(before.iter().all(|it| it.tables.starts_with("xxh3:")));
    run(folder, &format!("{command} --filter 1 --resume"));
    let all: Vec<u32> = thresholds().iter().map(|it| it.threshold).collect();
    let mut once = all.clone();
    once.dedup();
    assert_eq!(all, once, "no threshold is searched twice");
    assert!(all.len() > before.len());
}

/// Cuts a file off where it is.
fn cut(table: &Path) {
    let file = OpenOptions::new().write(true).open(table).unwrap();
    file.set_len(0).unwrap();
}

/// A file that another program cuts off while a search has it mapped.
#[cfg(unix)]
#[test]
fn a_pattern_table_that_is_cut_off_ends_the_search_with_an_error() {
    let folder = folder();
    let directory = Directory::new(folder.path().join("pdb"));
    let size = "3x3".parse().unwrap();
    let collection = Collection::parse("4-4", size).unwrap();
    let open = || {
        let patterns = collection.patterns().into_iter();
        let opened = patterns.map(|it| PatternTable::open(&directory, &it).unwrap().unwrap());
        Patterns::new(collection.clone(), opened.collect(), true)
    };
    let patterns = open();
    let board: Board = "8 6 7 / 2 5 4 / 3 . 1".parse().unwrap();
    let problem = Problem::new(&board, Goal::Last).unwrap();
    let search = |algorithm| {
        let settings = Settings {
            heuristic: slidebench::heuristic::Estimate::Patterns(&patterns),
            ..Settings::new(algorithm)
        };
        solve(&problem, &settings, &Control::default()).result
    };
    assert_eq!(search(Algorithm::IdaStar).unwrap().moves.len(), 31);
    for table in tables(folder.path()) {
        cut(&table);
    }
    assert_eq!(search(Algorithm::IdaStar).unwrap_err(), Stop::LostTable);
    assert_eq!(search(Algorithm::AStar).unwrap_err(), Stop::LostTable);
    // Searches that read no table do not mind.
    let taxicab = Settings::new(Algorithm::IdaStar);
    assert!(
        solve(&problem, &taxicab, &Control::default())
            .result
            .is_ok()
    );
    // Built again, it is another file.
    run(folder.path(), "pdb build 3x3:4-4");
    let patterns = open();
    let settings = Settings::idastar(&patterns);
    assert!(
        solve(&problem, &settings, &Control::default())
            .result
            .is_ok()
    );
}

#[cfg(unix)]
#[test]
fn an_endgame_that_is_cut_off_ends_the_search_with_an_error() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "pdb build endgame:3x3:20");
    let table = tables(folder.path()).remove(0);
    let endgame = Endgame::new(TableFile::open(&table).unwrap()).unwrap();
    cut(&table);
    let board: Board = "8 6 7 / 2 5 4 / 3 . 1".parse().unwrap();
    let problem = Problem::new(&board, Goal::Last).unwrap();
    for algorithm in [Algorithm::IdaStar, Algorithm::AStar] {
        let settings = Settings {
            endgame: Some(&endgame),
            ..Settings::new(algorithm)
        };
        let outcome = solve(&problem, &settings, &Control::default());
        assert_eq!(outcome.result.unwrap_err(), Stop::LostTable);
    }
}

/// The process goes on, with a row for what was lost.
#[cfg(unix)]
#[test]
fn a_run_whose_table_is_cut_off_has_rows() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, "pdb build 4x4:5-5-5");
    let command = "run hardest4x4 --filter 1-2 -H pdb:5-5-5 -o rows.csv --time-limit 60s";
    let mut child = slidebench(folder, command).spawn().unwrap();
    let begun = Instant::now();
    while !folder.join("rows.meta.json").exists() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    for table in tables(folder) {
        cut(&table);
    }
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(1), "an error, and no signal");
    let rows = rows(&folder.join("rows.csv"));
    let statuses: Vec<Status> = rows.iter().map(|row| row.status).collect();
    assert_eq!(statuses, [Status::Error, Status::Error]);
}
