//! Bounds of what is read, drawn and written, and odd names: refused in one line, or as good as any.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use slidebench::harness::record::{Row, RowFormat, parse_rows};

use crate::command::{rows, run};
use crate::rows::row;
use crate::trust::{NEAR, assert_refused, told};

#[test]
fn inputs_have_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let large = fs::File::create(folder.path().join("large.csv")).unwrap();
    large.set_len(1 << 30).unwrap();
    for arguments in [
        "run large.csv",
        "compare large.csv large.csv",
        "report large.csv",
    ] {
        assert_refused(
            &run(folder.path(), arguments),
            &["large.csv has more than 256"],
        );
    }
    for arguments in [
        "run smoke -H md -o large.csv --resume",
        "run smoke -H md -o o.csv --resume --iterations large.csv",
    ] {
        assert_refused(
            &run(folder.path(), arguments),
            &["large.csv has more than 256"],
        );
    }
    fs::rename(
        folder.path().join("large.csv"),
        folder.path().join("l.toml"),
    )
    .unwrap();
    for (arguments, word) in [
        ("run smoke --solver l.toml", "more than 1 MiB"),
        ("run smoke -H pdb:l --partition-file l.toml", "64.0 KiB"),
        ("solve l.toml", "64.0 KiB"),
    ] {
        assert_refused(&run(folder.path(), arguments), &["l.toml", word]);
    }
    let cell = format!(
        "suite,instance,status,cost,time_ns\n{},1,solved,1,1\n",
        "x".repeat(2 << 20)
    );
    fs::write(folder.path().join("cell.csv"), cell).unwrap();
    let output = run(folder.path(), "compare cell.csv cell.csv");
    assert_refused(&output, &["cell.csv:2", "'suite'", "2097152 bytes"]);
    // A name of a suite goes into each of its rows, which have to be read again.
    let long = "x".repeat(2 << 20);
    for (suite, place) in [
        (format!("instance,board\n1,1203\n{long},1203\n"), "long:3"),
        (format!("1203\n1203{}\n", " ".repeat(2 << 20)), "long:2"),
    ] {
        fs::write(folder.path().join("long"), suite).unwrap();
        let output = run(folder.path(), "run long -H md -o o.csv");
        assert_refused(&output, &[place, "bytes; expected at most 1048576"]);
    }
}

/// A file that is far too long is told by its length, and not held.
#[test]
fn a_long_sidecar_is_not_held() {
    let folder = tempfile::tempdir().unwrap();
    let sidecar = fs::File::create(folder.path().join("o.meta.json")).unwrap();
    sidecar.set_len(1 << 40).unwrap();
    let output = run(folder.path(), "run smoke -H md -o o.csv --resume");
    assert_refused(&output, &["o.meta.json", "more than 256"]);
}

/// A line on stdin that has no end is not held.
#[test]
fn a_line_of_boards_has_a_bound() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("long"), vec![b'1'; 1 << 20]).unwrap();
    let program = env!("CARGO_BIN_EXE_slidebench");
    let mut command = Command::new(program);
    command.args(["solve", "--stdin"]);
    let long = fs::File::open(folder.path().join("long")).unwrap();
    let output = command.stdin(long).output().unwrap();
    assert_refused(&output, &["stdin:1", "more than 64.0 KiB"]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn a_page_has_a_bound() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |count: usize| {
        let rows = (0..count).map(|instance| format!("s,{instance},solved,1,1\n"));
        let rows: String = rows.collect();
        fs::write(
            folder.path().join("many.csv"),
            format!("suite,instance,status,cost,time_ns\n{rows}"),
        )
        .unwrap();
    };
    rows(100_001);
    let refused = run(folder.path(), "report many.csv");
    assert_refused(&refused, &["100001 runs", "at most 100000", "fewer files"]);
    assert!(!folder.path().join("report.html").exists());
    rows(1_000);
    let drawn = run(folder.path(), "report many.csv");
    assert!(drawn.status.success(), "{}", told(&drawn));
}

#[test]
fn a_cell_is_one_line_and_a_number_is_finite() {
    let folder = tempfile::tempdir().unwrap();
    for (cells, words) in [
        ("\"a\nb\",1,solved,4,1", &["'suite'", "several lines"][..]),
        ("s,1,solved,4,1\r", &[]),
    ] {
        let text = format!("suite,instance,status,cost,time_ns\n{cells}\n");
        fs::write(folder.path().join("o.csv"), text).unwrap();
        let output = run(folder.path(), "compare o.csv o.csv");
        match words.is_empty() {
            // The end of a line, as some systems write it.
            true => assert!(output.status.success(), "{}", told(&output)),
            false => assert_refused(&output, words),
        }
    }
    for text in [
        "suite,instance,status,cost,time_ns,bound\ns,1,solved,4,1,inf\n",
        "suite,instance,status,cost,time_ns,nodes_per_s\ns,1,solved,4,1,NaN\n",
        "{\"suite\":\"a\\nb\",\"instance\":\"1\",\"status\":\"solved\",\"cost\":4,\"time_ns\":1}\n",
    ] {
        fs::write(folder.path().join("o.csv"), text).unwrap();
        let output = run(folder.path(), "compare o.csv o.csv");
        assert_refused(&output, &["o.csv:", "column '"]);
    }
}

/// A number of JSON is the number that was written, to the last bit.
#[test]
fn rows_of_json_are_not_rounded() {
    let written = Row {
        nodes_per_s: Some(456_829.626_025_582_43),
        ..row("s", 1, "md")
    };
    let line = RowFormat::Jsonl.line(&written);
    assert_eq!(
        parse_rows(&line).unwrap()[0].nodes_per_s,
        written.nodes_per_s
    );
}

/// A file that may not grow any more is a failure with a line, and no death by a signal.
#[test]
fn a_limit_of_file_sizes_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_slidebench");
    let script = format!("ulimit -f 4; exec {program} run smoke -H md,lc --filter 1-9 -o o.csv");
    let mut shell = Command::new("bash");
    let output = shell.args(["-c", &script]).current_dir(folder.path());
    let output = output.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{:?}", output.status);
    assert!(told(&output).contains("cannot write"), "{}", told(&output));
    let again = "run smoke -H md,lc --filter 1-9 -o o.csv --resume";
    assert!(run(folder.path(), again).status.success());
    assert_eq!(rows(&folder.path().join("o.csv")).len(), 18);
}

#[test]
fn a_changed_sidecar_is_an_error_and_no_panic() {
    let indent = " ".repeat(18);
    for (from, to) in [
        (
            format!("{indent}1,\n{indent}2\n"),
            format!("{indent}0,\n{indent}18446744073709551615\n"),
        ),
        (
            "\"repeat\": 1,\n          \"seed\"".to_owned(),
            "\"repeat\": 4294967295,\n          \"seed\"".to_owned(),
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let shard = run(
            folder.path(),
            "run smoke -H md --filter 1,2 --shard 1/1 -o s.csv",
        );
        assert!(shard.status.success(), "{}", told(&shard));
        let names = fs::read_dir(folder.path()).unwrap();
        let names: Vec<_> = names.map(|entry| entry.unwrap().path()).collect();
        let ends = |end: &str| {
            let path = names
                .iter()
                .find(|path| path.to_string_lossy().ends_with(end));
            path.unwrap().clone()
        };
        let (rows, sidecar) = (ends(".csv"), ends(".meta.json"));
        let text = fs::read_to_string(&sidecar).unwrap();
        assert!(text.contains(&from), "{text}");
        fs::write(&sidecar, text.replace(&from, &to)).unwrap();
        let rows = rows.file_name().unwrap().to_str().unwrap();
        let merged = run(folder.path(), &format!("merge {rows} -o m.csv"));
        assert_refused(&merged, &[]);
    }
}

#[test]
fn a_folder_whose_name_is_no_text_works() {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"odd-\xff"));
    fs::create_dir(&odd).unwrap();
    fs::write(odd.join("s.csv"), NEAR).unwrap();
    let program = env!("CARGO_BIN_EXE_slidebench");
    let output = Command::new(program)
        .arg("run")
        .arg(odd.join("s.csv"))
        .args(["-H", "md", "-o"])
        .arg(odd.join("o.csv"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", told(&output));
    assert_eq!(rows(&odd.join("o.csv"))[0].cost, Some(2u32.into()));
    let report = Command::new(program)
        .arg("report")
        .arg(odd.join("o.csv"))
        .arg("-o")
        .arg(odd.join("r.html"))
        .output()
        .unwrap();
    assert!(report.status.success(), "{}", told(&report));
}

#[test]
fn many_suites_have_a_short_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = "run".to_owned();
    for number in 0..30 {
        let name = format!("a-rather-long-name-of-a-suite-{number}.csv");
        fs::write(folder.path().join(&name), NEAR).unwrap();
        arguments += &format!(" {name}");
    }
    let output = run(folder.path(), &format!("{arguments} -H md"));
    assert!(output.status.success(), "{}", told(&output));
    let mut results = fs::read_dir(folder.path().join("results")).unwrap();
    let name = results.next().unwrap().unwrap().file_name();
    assert!(name.len() < 120, "{name:?}");
}
