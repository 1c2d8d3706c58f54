//! `kill -9` at any moment, and files cut off at any byte, which is what a crash can leave.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use slidebench::harness::suite::Random;

use crate::command::{rows, slidebench};
use crate::steps::{Reference, orderly, repeat, succeed};

/// Starts a command and kills it after a while; whether it was still there.
fn kill_within(folder: &Path, arguments: &str, microseconds: usize, random: &mut Random) -> bool {
    let mut command = slidebench(folder, arguments);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    sleep(Duration::from_micros(random.below(microseconds) as u64));
    child.kill().unwrap();
    child.wait().unwrap().code().is_none()
}

/// However often a run is killed, in the end its rows are those of one that was not.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn kills_of_runs() {
    let references = Reference::all();
    let mut kills = 0;
    repeat("kills_of_runs", |random| {
        let reference = random.choose(&references);
        let folder = tempfile::tempdir().unwrap();
        let format = *random.choose(&["csv", "jsonl"]);
        let thresholds = *random.choose(&["", " --iterations t"]);
        let jobs = random.below(4) == 0;
        let jobs = if jobs { " --jobs 2" } else { "" };
        let out = folder.path().join("o");
        let arguments = reference.arguments;
        let arguments = format!("{arguments} -o o --format {format}{thresholds} --resume");
        for _ in 0..1 + random.below(8) {
            let microseconds = *random.choose(&[15_000, 60_000, 200_000]);
            let killed = kill_within(folder.path(), &arguments, microseconds, random);
            kills += usize::from(killed);
            let text = fs::read_to_string(&out).unwrap_or_default();
            let lines = text.lines().count();
            assert!(lines <= 1 + reference.rows.len(), "{lines} lines");
        }
        // What a killed run of several jobs leaves is gone on with by one job, and the reverse.
        let last = format!("{arguments}{jobs}");
        succeed(folder.path(), &last);
        match jobs {
            "" => reference.assert_rows(&out),
            _ => assert_eq!(rows(&out).len(), reference.rows.len()),
        }
        succeed(folder.path(), "report o -o page.html");
    });
    eprintln!("kills_of_runs: {kills} processes killed");
}

/// Commands that write one file leave a whole one or none, and nothing in the way of the next.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn kills_of_builders() {
    let shards = tempfile::tempdir().unwrap();
    succeed(
        shards.path(),
        "run smoke -H md --filter 1-9 --shard 1/1 -o s.csv",
    );
    let merged = shards.path().join("m.csv");
    let page = shards.path().join("page.html");
    let mut kills = 0;
    repeat("kills_of_builders", |random| {
        let tables = tempfile::tempdir().unwrap();
        for _ in 0..3 {
            let build = "pdb build 4x4:5-5-5 --pdb-dir .";
            kills += usize::from(kill_within(tables.path(), build, 100_000, random));
            succeed(tables.path(), "pdb verify --pdb-dir .");
        }
        succeed(tables.path(), "pdb build 4x4:5-5-5 --pdb-dir .");
        let files = fs::read_dir(tables.path()).unwrap();
        let names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names.len(), 3, "{names:?}");
        let _ = (fs::remove_file(&merged), fs::remove_file(&page));
        let merge = "merge s.shard-1-of-1.csv -o m.csv";
        kills += usize::from(kill_within(shards.path(), merge, 15_000, random));
        match merged.exists() {
            true => assert_eq!(rows(&merged).len(), 9),
            false => succeed(shards.path(), merge),
        }
        let report = "report s.shard-1-of-1.csv -o page.html";
        kills += usize::from(kill_within(shards.path(), report, 15_000, random));
        if let Ok(text) = fs::read_to_string(&page) {
            assert!(text.trim_end().ends_with("</html>"), "a page is cut off");
        }
        succeed(shards.path(), report);
    });
    eprintln!("kills_of_builders: {kills} processes killed");
}

/// A process or a machine that stops may leave any first part of a file. Rows and thresholds are
/// gone on with; whatever else is cut off is told.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn cuts_of_files() {
    let references = Reference::all();
    let whole = tempfile::tempdir().unwrap();
    for (number, reference) in references.iter().enumerate() {
        for format in ["csv", "jsonl"] {
            let arguments = reference.arguments;
            let files =
                format!("-o {number}.{format} --iterations t{number}.{format} --format {format}");
            succeed(whole.path(), &format!("{arguments} {files}"));
        }
    }
    repeat("cuts_of_files", |random| {
        let folder = tempfile::tempdir().unwrap();
        let number = random.below(references.len());
        let format = *random.choose(&["csv", "jsonl"]);
        let (name, thresholds) = (format!("{number}.{format}"), format!("t{number}.{format}"));
        let copy = |name: &str| {
            fs::copy(whole.path().join(name), folder.path().join(name)).unwrap();
        };
        copy(&name);
        copy(&thresholds);
        cut(&folder.path().join(&name), random);
        if random.below(2) == 0 {
            cut(&folder.path().join(&thresholds), random);
        }
        // Half a file of rows or thresholds is reported, or refused; nothing is done to it.
        orderly(
            folder.path(),
            &format!("report {name} --iterations {thresholds}"),
        );
        orderly(folder.path(), &format!("compare {name} {name}"));
        let arguments = references[number].arguments;
        let files = format!("-o {name} --iterations {thresholds} --format {format}");
        succeed(folder.path(), &format!("{arguments} {files} --resume"));
        references[number].assert_rows(&folder.path().join(&name));
    });
}

fn cut(file: &Path, random: &mut Random) {
    let length = fs::metadata(file).unwrap().len();
    let file = fs::OpenOptions::new().write(true).open(file).unwrap();
    file.set_len(random.below(length as usize + 1) as u64)
        .unwrap();
}
