//! `slidebench merge`: shards into what one process would have written, or a reason why not.

use std::fs;
use std::path::Path;

use slidebench::harness::record::{RowFormat, ThresholdRow};

use crate::command::{rows, run, timeless};

const PLAN: &str = "run smoke -a idastar,astar -H md,lc --repeat 2 --seed 3 --max-memory 1GiB";
const MERGE: &str =
    "merge all.shard-1-of-3.csv all.shard-2-of-3.csv all.shard-3-of-3.csv -o merged.csv";

#[test]
fn what_they_print() {
    trycmd::TestCases::new().case("tests/cmd/cluster/*.trycmd");
}

/// Three shards of a plan, in a folder of their own.
fn shards() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for index in 1..=3 {
        shard(folder.path(), PLAN, index, 3);
    }
    folder
}

fn shard(folder: &Path, plan: &str, index: usize, count: usize) {
    let output = run(
        folder,
        &format!("{plan} --shard {index}/{count} -o all.csv"),
    );
    assert!(output.status.success(), "{output:?}");
}

/// Refused as the user's mistake, with this in the one line.
fn refused(folder: &Path, command: &str, parts: &[&str]) {
    let output = run(folder, command);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    for part in parts {
        assert!(told.contains(part), "{told}");
    }
    assert!(!folder.join("merged.csv").exists());
}

/// Changes the sidecar of the second shard.
fn change(folder: &Path, from: &str, to: &str) {
    let path = folder.join("all.shard-2-of-3.meta.json");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(&path, text.replacen(from, to, 1)).unwrap();
}

/// Where there are no batches, `batched` and `scalar` are one search: whichever shards they fall to,
/// what is merged is what one process would have written.
#[test]
fn two_names_of_one_search_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let plan = "run smoke -H lc,pdb:4-4 --engine scalar,batched --filter 5-7 --max-memory 1GiB";
    let whole = run(folder.path(), &format!("{plan} -o whole.csv"));
    assert!(whole.status.success());
    for count in [1, 2, 5] {
        let mut files = String::new();
        for index in 1..=count {
            shard(folder.path(), plan, index, count);
            files += &format!("all.shard-{index}-of-{count}.csv ");
        }
        let missing = run(folder.path(), &format!("merge {files}--missing"));
        assert_eq!(String::from_utf8(missing.stdout).unwrap(), "\n");
        let merged = run(
            folder.path(),
            &format!("merge {files}-o merged-{count}.csv"),
        );
        assert!(merged.status.success(), "{merged:?}");
        let of = |name: &str| timeless(rows(&folder.path().join(name)));
        assert_eq!(of(&format!("merged-{count}.csv")), of("whole.csv"));
    }
}

#[test]
fn merged_shards_are_the_rows_of_one_process() {
    let folder = shards();
    let whole = run(folder.path(), &format!("{PLAN} -o whole.csv"));
    assert!(whole.status.success());
    let merged = run(folder.path(), MERGE);
    assert!(merged.status.success(), "{merged:?}");
    let told = String::from_utf8(merged.stdout).unwrap();
    assert!(
        told.contains("rows: merged.csv, 120 runs from 3 files"),
        "{told}"
    );
    let file = |name| timeless(rows(&folder.path().join(name)));
    assert_eq!(file("merged.csv"), file("whole.csv"));
    let meta = fs::read_to_string(folder.path().join("merged.meta.json")).unwrap();
    assert_eq!(meta.matches("\"fingerprint\"").count(), 3);
    // Not over another file, and as JSON on stdout.
    let again = run(folder.path(), MERGE);
    assert_eq!(again.status.code(), Some(2));
    let told = b"slidebench: merged.csv exists; write to another file (-o)\n";
    assert_eq!(again.stderr, told);
    let stdout = MERGE.replace("merged.csv", "- --format jsonl");
    let text = String::from_utf8(run(folder.path(), &stdout).stdout).unwrap();
    fs::write(folder.path().join("stdout.jsonl"), text).unwrap();
    assert_eq!(file("stdout.jsonl"), file("whole.csv"));
}

#[test]
fn more_shards_than_runs_are_fine() {
    let folder = tempfile::tempdir().unwrap();
    let plan = "run smoke -H md --filter 1-2";
    (1..=3).for_each(|index| shard(folder.path(), plan, index, 3));
    assert!(run(folder.path(), MERGE).status.success());
    assert_eq!(rows(&folder.path().join("merged.csv")).len(), 2);
    // The third has nothing to run, so it need not.
    let missing = "merge all.shard-1-of-3.csv --missing";
    assert_eq!(run(folder.path(), missing).stdout, b"2\n");
}

#[test]
fn what_is_missing_is_named() {
    let folder = shards();
    let third = rows(&folder.path().join("all.shard-3-of-3.csv"));
    let second = folder.path().join("all.shard-2-of-3.csv");
    let text = fs::read_to_string(&second).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let lost = rows(&second).pop().unwrap();
    fs::write(&second, lines[..lines.len() - 1].join("\n") + "\n").unwrap();
    let named = format!("smoke {} (", lost.instance);
    let without_third = MERGE.replace(" all.shard-3-of-3.csv", "");
    let missing = format!("{} runs missing", third.len() + 1);
    let parts = [
        &missing[..],
        "no file: shard 3/3",
        "not finished: shard 2/3",
        "--partial",
    ];
    refused(folder.path(), &without_third, &parts);
    refused(
        folder.path(),
        MERGE,
        &["1 run missing", &named, "not finished: shard 2/3"],
    );
    let list = without_third.replace("-o merged.csv", "--missing");
    assert_eq!(run(folder.path(), &list).stdout, b"2,3\n");
    let partial = run(folder.path(), &format!("{without_third} --partial"));
    assert!(partial.status.success());
    let told = String::from_utf8(partial.stderr).unwrap();
    assert!(told.contains(&missing), "{told}");
    let merged = rows(&folder.path().join("merged.csv"));
    assert_eq!(merged.len(), 120 - third.len() - 1);
}

/// What a kill leaves of a row is no row.
#[test]
fn half_a_row_is_missing() {
    let folder = shards();
    let second = folder.path().join("all.shard-2-of-3.csv");
    let whole = fs::read(&second).unwrap();
    for (length, missing) in [
        (whole.len() - 9, "1 run missing"),
        (9, "runs missing"),
        (0, "runs missing"),
    ] {
        fs::write(&second, &whole[..length]).unwrap();
        refused(folder.path(), MERGE, &[missing, "not finished: shard 2/3"]);
    }
}

/// A run that was interrupted is not there yet.
#[test]
fn an_interrupted_run_is_missing() {
    let folder = shards();
    let second = folder.path().join("all.shard-2-of-3.csv");
    let text = fs::read_to_string(&second).unwrap();
    fs::write(&second, text.replacen(",solved,", ",interrupted,", 1)).unwrap();
    refused(folder.path(), MERGE, &["1 run missing"]);
    shard(folder.path(), PLAN, 2, 3);
    assert!(run(folder.path(), MERGE).status.success());
}

#[test]
fn what_is_doubled_is_named() {
    let folder = shards();
    let twice = MERGE.replace("3-of-3", "2-of-3");
    let file = "all.shard-2-of-3.csv";
    refused(
        folder.path(),
        &twice,
        &["smoke ", &format!("in {file} and in {file}"), "more"],
    );
    // A row of another shard.
    let first = fs::read_to_string(folder.path().join("all.shard-1-of-3.csv")).unwrap();
    let second = folder.path().join(file);
    let text = fs::read_to_string(&second).unwrap();
    let strange = first.lines().last().unwrap();
    fs::write(&second, format!("{text}{strange}\n")).unwrap();
    refused(
        folder.path(),
        MERGE,
        &["all.shard-1-of-3.csv and in all.shard-2-of-3.csv"],
    );
    // A row of no shard.
    let foreign = strange.replacen("smoke,", "smoky,", 1);
    fs::write(&second, format!("{text}{foreign}\n")).unwrap();
    refused(
        folder.path(),
        MERGE,
        &["has a row of smoky ", "not in its plan"],
    );
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn shards_of_other_versions_limits_or_tables_are_refused() {
    let folder = shards();
    let sidecar = folder.path().join("all.shard-2-of-3.meta.json");
    let whole = fs::read(&sidecar).unwrap();
    for (from, to, what) in [
        ("\"version\": \"", "\"version\": \"9.", "version"),
        ("\"revision\": \"", "\"revision\": \"0", "version"),
        (
            "\"time_limit_ns\": null",
            "\"time_limit_ns\": 5000000000",
            "--time-limit: none, 5s",
        ),
        (
            "\"node_limit\": null",
            "\"node_limit\": 17",
            "--node-limit: none, 17",
        ),
        (
            "        \"auto\"",
            "        \"scalar\"",
            "--engine: auto, scalar",
        ),
        (
            "\"fingerprint\": \"xxh3:",
            "\"fingerprint\": \"xxh3:1",
            "plan",
        ),
        (
            "\"asked_mem_limit_bytes\": 10",
            "\"asked_mem_limit_bytes\": 20",
            "--max-memory",
        ),
    ] {
        change(folder.path(), from, to);
        let files = "all.shard-1-of-3.csv and all.shard-2-of-3.csv differ in";
        refused(folder.path(), MERGE, &[files, what]);
        fs::write(&sidecar, &whole).unwrap();
    }
    // What is refused is the change, and nothing else of them.
    assert!(run(folder.path(), MERGE).status.success());
    let folder = tempfile::tempdir().unwrap();
    let plan = "run smoke -H md --filter 5-7 --endgame 6";
    (1..=3).for_each(|index| shard(folder.path(), plan, index, 3));
    change(
        folder.path(),
        "\"checksum\": \"xxh3:",
        "\"checksum\": \"xxh3:0",
    );
    refused(
        folder.path(),
        MERGE,
        &["differ in table endgame-3x3-6: xxh3:"],
    );
}

/// What plans differ in is said in words, with the flag where there is one.
#[test]
fn differences_of_plans_are_in_words() {
    for (first, second, what) in [
        ("smoke -H md", "smoke -H lc", "differ in -H: md, lc;"),
        (
            "smoke -H md -a astar",
            "smoke -H md -a bae",
            "differ in -a: astar, bae;",
        ),
        (
            "smoke -H md --filter 1-4,6",
            "smoke -H md --filter 1-5",
            "differ in instances of smoke: 1-4,6, 1-5;",
        ),
        (
            "smoke -H md --repeat 2",
            "smoke -H md",
            "differ in --repeat: 2, 1;",
        ),
        (
            "smoke -H md --seed 4",
            "smoke -H md",
            "differ in --seed: 4, none;",
        ),
        (
            "smoke -H md",
            "hardest3x3 -H md",
            "differ in suites: smoke, hardest3x3;",
        ),
        (
            "smoke -H md --threads 2",
            "smoke -H md",
            "differ in searches: idastar with md",
        ),
        (
            "smoke -H md --goal last",
            "smoke -H md",
            "differ in the boards of their plans, or what is known",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        for (index, plan) in [(1, first), (2, second)] {
            let plan = match plan.contains("--filter") {
                true => format!("run {plan}"),
                false => format!("run {plan} --filter 1-2"),
            };
            shard(folder.path(), &plan, index, 2);
        }
        let merge = "merge all.shard-1-of-2.csv all.shard-2-of-2.csv -o merged.csv";
        refused(folder.path(), merge, &[what]);
    }
}

/// Thresholds go with the rows, in their order.
#[test]
fn thresholds_are_merged_too() {
    let folder = tempfile::tempdir().unwrap();
    let plan = "run smoke -a idastar -H md,lc --filter 1-9 --seed 3";
    let whole = format!("{plan} -o whole.csv --iterations whole-it.csv");
    assert!(run(folder.path(), &whole).status.success());
    let mut files = String::new();
    for index in 1..=2 {
        let plan = format!("{plan} --iterations it.csv");
        shard(folder.path(), &plan, index, 2);
        files += &format!(" it.shard-{index}-of-2.csv all.shard-{index}-of-2.csv");
    }
    refused(
        folder.path(),
        &format!("merge{files} -o merged.csv"),
        &["has thresholds", "--iterations FILE"],
    );
    let rows_alone =
        "merge all.shard-1-of-2.csv all.shard-2-of-2.csv -o merged.csv --iterations i.csv";
    refused(
        folder.path(),
        rows_alone,
        &["no file of thresholds is given"],
    );
    let twice =
        format!("merge{files} it.shard-1-of-2.csv -o merged.csv --iterations merged-it.csv");
    refused(
        folder.path(),
        &twice,
        &["is in it.shard-1-of-2.csv and in it.shard-1-of-2.csv"],
    );
    let one_file = format!("merge{files} -o merged.csv --iterations ./merged.csv");
    refused(folder.path(), &one_file, &["--iterations and -o are both"]);
    let merge = format!("merge{files} -o merged.csv --iterations merged-it.csv");
    let done = run(folder.path(), &merge);
    assert!(done.status.success(), "{done:?}");
    let counts = |name: &str| {
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        let thresholds: Vec<ThresholdRow> = RowFormat::Csv.own_records(&text).unwrap();
        let counted = thresholds
            .into_iter()
            .map(|row| (row.instance, row.heuristic, row.threshold, row.generated));
        counted.collect::<Vec<_>>()
    };
    assert!(counts("whole-it.csv").len() > 20);
    assert_eq!(counts("merged-it.csv"), counts("whole-it.csv"));
    refused_over(
        folder.path(),
        &merge.replace("-o merged.csv", "-o other.csv"),
        "merged-it.csv exists",
    );
}

fn refused_over(folder: &Path, command: &str, part: &str) {
    let output = run(folder, command);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains(part), "{told}");
}

/// Units carry the search that they were cut for, and are parts of a whole however they were run.
#[test]
fn units_are_merged_without_shards() {
    let folder = tempfile::tempdir().unwrap();
    for flags in ["-H lc", "-H md --prune fsm:8", "-a astar+idastar -H md"] {
        let split = format!("split 87643.152 {flags} --threshold 23 --units 4 -o units.csv");
        assert!(run(folder.path(), &split).status.success());
        let whole = run(
            folder.path(),
            "run units.csv --max-memory 1GiB -o whole.csv",
        );
        assert!(whole.status.success(), "{whole:?}");
        let of_whole = run(folder.path(), "merge whole.csv -o merged.csv");
        let told = String::from_utf8(of_whole.stdout).unwrap();
        let threshold = told.lines().find(|line| line.starts_with("threshold 23: "));
        let threshold = threshold.unwrap().to_owned();
        for (filter, file) in [("1-2", "one.csv"), ("3-99", "two.csv")] {
            let command = format!("run units.csv --max-memory 1GiB --filter {filter} -o {file}");
            assert!(run(folder.path(), &command).status.success());
        }
        fs::remove_file(folder.path().join("merged.csv")).unwrap();
        fs::remove_file(folder.path().join("merged.meta.json")).unwrap();
        refused(
            folder.path(),
            "merge one.csv -o merged.csv",
            &["missing: units 3"],
        );
        let parts = run(folder.path(), "merge two.csv one.csv -o merged.csv");
        let told = String::from_utf8(parts.stdout).unwrap();
        assert!(told.contains(&threshold), "{threshold}\n{told}");
        let file = |name| timeless(rows(&folder.path().join(name)));
        assert_eq!(file("merged.csv"), file("whole.csv"));
        for file in fs::read_dir(folder.path()).unwrap() {
            fs::remove_file(file.unwrap().path()).unwrap();
        }
    }
}

#[test]
fn other_files_are_refused() {
    let folder = shards();
    assert!(
        run(folder.path(), "run smoke -H md -o plain.csv")
            .status
            .success()
    );
    refused(
        folder.path(),
        &format!("{MERGE} plain.csv"),
        &["plain.csv is no shard"],
    );
    fs::remove_file(folder.path().join("plain.meta.json")).unwrap();
    refused(
        folder.path(),
        &format!("{MERGE} plain.csv"),
        &["no plain.meta.json beside it"],
    );
    refused(
        folder.path(),
        &format!("{MERGE} absent.csv"),
        &["cannot read absent.csv"],
    );
    shard(folder.path(), PLAN, 1, 4);
    let other_count = MERGE.replace("3-of-3", "1-of-4");
    refused(
        folder.path(),
        &other_count,
        &["differ in number of shards: 3, 4"],
    );
}
