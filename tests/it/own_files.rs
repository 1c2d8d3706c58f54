//! Files in each other's place, by whatever name: what is there stays, or is told of before anything
//! is written.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use slidebench::harness::record::{Row, RowFormat, Status};

use crate::command::{rows, run, slidebench};
use crate::trust::{NEAR, assert_refused, told};

fn succeed(folder: &Path, arguments: &str) {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", told(&output));
}

/// `c` and `c.csv` would have one sidecar, `d` and `d.jsonl` one file of thresholds.
#[test]
fn no_two_files_of_rows_share_what_stands_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let command = |flags: &str| format!("run smoke -H md --filter 1 {flags}");
    for (there, new, shared) in [
        ("-o c.csv", "-o c", "c.meta.json"),
        ("-o e", "-o e.csv", "e.meta.json"),
        (
            "-o c.jsonl --format jsonl",
            "-o c.jsonl.csv",
            "c.jsonl.meta.json",
        ),
        (
            "-o d.jsonl --format jsonl",
            "-o d --format jsonl",
            "d.thresholds.jsonl",
        ),
    ] {
        succeed(folder, &command(there));
        let refused = run(folder, &command(new));
        let other = there.split(' ').nth(1).unwrap();
        let words = format!("{shared} would belong to {other} too");
        assert_refused(&refused, &[&words, "(-o)"]);
        let name = new.split(' ').nth(1).unwrap();
        assert!(!folder.join(name).exists(), "{name}");
        // The one that is there is gone on with.
        succeed(folder, &format!("{} --resume", command(there)));
    }
    succeed(folder, "run smoke -H md --filter 1 --shard 1/1 -o s.csv");
    let merged = run(folder, "merge s.shard-1-of-1.csv -o c");
    assert_refused(&merged, &["c.meta.json would belong to c.csv too"]);
    // A file that holds no rows has no sidecar.
    fs::write(folder.join("boards"), NEAR).unwrap();
    succeed(folder, "run boards -H md -o boards.csv");
}

#[test]
fn the_page_and_the_text_of_a_board_are_two_files() {
    let folder = tempfile::tempdir().unwrap();
    for page in ["x.html", "./x.html", "../{}/x.html"] {
        let name = folder.path().file_name().unwrap().to_str().unwrap();
        let page = page.replace("{}", name);
        let command = format!("solve 1.2345678 -o x.html --html {page}");
        let refused = run(folder.path(), &command);
        assert_refused(&refused, &["--html and -o write to the same place"]);
        assert!(!folder.path().join("x.html").exists());
    }
}

/// Why programs of others failed is written beside the rows, and nowhere else.
#[test]
fn failures_of_programs_have_a_file_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("s.csv"), NEAR).unwrap();
    let command = "run s.csv --solver false";
    let same = run(
        folder,
        &format!("{command} -o a.csv --histogram a.errors.txt"),
    );
    assert_refused(&same, &["--histogram and the failures beside -o are both"]);
    fs::write(folder.join("b.errors.txt"), "precious").unwrap();
    let foreign = run(folder, &format!("{command} -o b.csv"));
    assert_refused(&foreign, &["b.errors.txt is left from another run"]);
    let kept = fs::read_to_string(folder.join("b.errors.txt")).unwrap();
    assert_eq!(kept, "precious");
    let failed = run(folder, &format!("{command} -o c.csv"));
    assert_eq!(failed.status.code(), Some(1));
    assert!(told(&failed).contains("1 run ended in an error"));
    assert_eq!(rows(&folder.join("c.csv"))[0].status, Status::Error);
    assert!(folder.join("c.errors.txt").exists());
}

/// A table's name may be taken by something else.
#[test]
fn a_builder_leaves_what_is_no_table_unless_it_is_forced() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, "pdb build 3x3:4-4");
    let path = folder.join("pdb/pattern-3x3-1.2.3.4.pdb");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, "precious").unwrap();
    let refused = run(folder, "pdb build 3x3:4-4");
    assert_eq!(refused.status.code(), Some(1), "{}", told(&refused));
    assert!(told(&refused).contains("is no table; it is left as it is"));
    assert!(told(&refused).contains("replace it with --force"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    succeed(folder, "pdb build 3x3:4-4 --force");
    assert!(fs::read(&path).unwrap().len() == whole.len());
    // What a table became is built again, wherever it is damaged.
    let mut flipped = whole.clone();
    flipped[0] ^= 1;
    for damaged in [&flipped[..], &whole[..5], &[]] {
        fs::write(&path, damaged).unwrap();
        succeed(folder, "pdb build 3x3:4-4");
        let built = fs::read(&path).unwrap();
        assert_eq!(built[4096..], whole[4096..]);
    }
}

/// Two runs that both call their cost the smallest: one of them is wrong, path or no path.
#[test]
fn merge_and_report_tell_of_optimal_searches_that_disagree() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let command = "run smoke --filter 3 -a idastar,astar -H md --shard 1/1 -o s.csv";
    succeed(folder, command);
    let file = folder.join("s.shard-1-of-1.csv");
    let honest = rows(&file);
    let write = |rows: &[Row]| {
        let lines = rows.iter().map(|row| RowFormat::Csv.line(row));
        let text = RowFormat::Csv.header::<Row>() + &lines.collect::<String>();
        fs::write(&file, text).unwrap();
    };
    for (changed, has_path) in [(2, true), (-2, false)] {
        let mut rows = honest.clone();
        for row in &mut rows {
            row.known_optimal = None;
        }
        rows[1].cost = rows[1].cost.map(|it| {
            let moves = it.whole().unwrap();
            moves.saturating_add_signed(changed).into()
        });
        if !has_path {
            rows[1].verified = None;
            rows[1].solution = None;
        }
        write(&rows);
        let merged = format!("m{changed}.csv");
        let merge = run(folder, &format!("merge s.shard-1-of-1.csv -o {merged}"));
        let said = String::from_utf8_lossy(&merge.stdout).into_owned();
        assert_eq!(merge.status.code(), Some(3), "{said}");
        assert!(said.contains("WRONG"), "{said}");
        let report = run(folder, &format!("report {merged} -o m.html"));
        assert_eq!(report.status.code(), Some(3), "{}", told(&report));
    }
}

/// A link to rows is those rows, with all that stands beside them.
#[test]
fn rows_have_one_sidecar_by_every_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("results")).unwrap();
    std::os::unix::fs::symlink("results/night.csv", path("latest.csv")).unwrap();
    for (filter, sessions) in [("1", 1), ("1,2", 2)] {
        let flags = format!("run smoke -H md --filter {filter} -o latest.csv --resume");
        assert!(run(folder.path(), &flags).status.success());
        let text = fs::read_to_string(path("results/night.meta.json")).unwrap();
        assert_eq!(text.matches("\"started_at\"").count(), sessions);
    }
    assert!(!path("latest.meta.json").exists());
    assert_eq!(rows(&path("results/night.csv")).len(), 2);
}

/// A file for an answer is there when the answer is, whole, and nothing is left of a process that
/// was killed before.
#[test]
fn a_killed_search_leaves_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let names = || {
        let entries = fs::read_dir(folder.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect::<Vec<_>>()
    };
    let hard = "solve OMLJKNGIHECFDBA. --goal first -a idastar -H zero -o answer.txt";
    let mut child = slidebench(folder.path(), hard).spawn().unwrap();
    while names().is_empty() {
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!folder.path().join("answer.txt").exists());
    succeed(folder.path(), "solve 1203 -o answer.txt");
    assert_eq!(names(), ["answer.txt"]);
}

/// Tables may take long, or be missing: that a file is there is told before anybody looks for them.
#[test]
fn a_file_that_is_there_is_told_before_tables() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("there.csv"), "mine").unwrap();
    std::os::unix::fs::symlink("there.csv", folder.join("link.csv")).unwrap();
    let command = "run korf100 --filter 1 -H pdb:7-8";
    let advice = "go on with it (--resume), or write to another file (-o)";
    for (outputs, wanted) in [
        ("-o there.csv", format!("there.csv exists; {advice}")),
        ("-o link.csv", format!("there.csv exists; {advice}")),
        (
            "-o new.csv --iterations there.csv",
            "there.csv exists; name another file (--iterations), or go on with its run (--resume)"
                .to_owned(),
        ),
        ("-o new.csv", "pdb:7-8 needs pdb/".to_owned()),
    ] {
        let output = run(folder, &format!("{command} {outputs}"));
        let said = told(&output);
        assert_eq!(output.status.code(), Some(2), "{outputs}: {said}");
        assert!(said.contains(&wanted), "{outputs}: {said}");
        assert!(!folder.join("new.csv").exists());
    }
    assert_eq!(
        fs::read_to_string(folder.join("there.csv")).unwrap(),
        "mine"
    );
}
