//! `slidebench report` and `solve --html` as a user sees them: the files they read and write.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use slidebench::harness::record::{Row, RowFormat};

use crate::rows::rows;

#[test]
fn what_it_prints() {
    trycmd::TestCases::new().case("tests/cmd/report/*.trycmd");
}

fn slidebench(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slidebench"));
    let command = command.args(arguments).current_dir(folder);
    command.output().unwrap()
}

fn write(file: &Path, format: RowFormat, rows: &[Row]) {
    let mut text = format.header::<Row>();
    rows.iter().for_each(|row| text += &format.line(row));
    fs::write(file, text).unwrap();
}

#[test]
fn files_of_all_kinds_make_the_same_page() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows("s", 3, &["md", "lc"]);
    let mut pages = Vec::new();
    for format in [RowFormat::Csv, RowFormat::Jsonl] {
        write(&folder.path().join("runs"), format, &rows);
        let output = slidebench(folder.path(), &["report", "runs", "-o", "-"]);
        assert!(output.status.success(), "{output:?}");
        assert!(output.stderr.is_empty());
        pages.push(output.stdout);
    }
    assert_eq!(pages[0], pages[1]);
}

/// The layers of spaces are drawn beside runs, and alone.
#[test]
fn whole_spaces_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for metric in ["single", "multi"] {
        let done = slidebench(
            folder,
            &["space", "2x3", "--metric", metric, "--format", "csv"],
        );
        fs::write(folder.join(format!("{metric}.csv")), done.stdout).unwrap();
    }
    write(
        &folder.join("runs.csv"),
        RowFormat::Csv,
        &rows("s", 3, &["md", "lc"]),
    );
    for files in [
        &["single.csv", "multi.csv"][..],
        &["single.csv", "runs.csv", "multi.csv"],
    ] {
        let mut arguments = vec!["report", "-o", "page.html", "--paper", "paper"];
        arguments.extend(files);
        let done = slidebench(folder, &arguments);
        assert!(done.status.success(), "{done:?}");
        let page = fs::read_to_string(folder.join("page.html")).unwrap();
        let (_, figure) = page.split_once("<figure id=\"spaces\">").unwrap();
        let (figure, _) = figure.split_once("</figure>").unwrap();
        // 360 states at 22 distances, and at 11 where a row is one move.
        assert_eq!(figure.matches("<title>2x3: ").count(), 22);
        let multi = "<title>2x3 (multi): ";
        assert!(figure.matches(multi).count() > 5, "{figure}");
        assert!(figure.contains("<title>2x3: 1 state at distance 21</title>"));
        let row = "<tr><th scope=\"row\">2x3</th><td>360</td><td>21</td><td>1</td>";
        assert!(page.contains(row), "{page}");
        let drawing = fs::read_to_string(folder.join("paper/spaces.svg")).unwrap();
        assert!(drawing.starts_with("<svg"));
    }
    fs::write(
        folder.join("bad.csv"),
        "size,metric,depth,count\n2x3,single,1,x\n",
    )
    .unwrap();
    let refused = slidebench(folder, &["report", "bad.csv", "-o", "bad.html"]);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        refused.stderr,
        b"slidebench: bad.csv:2: 'x' is not a number\n"
    );
}

#[test]
fn a_page_shows_how_the_bounds_of_both_ends_meet() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        "run korf100 --filter 12 -a bae,nbs,mm,astar -H md --iterations bounds.csv -o runs.csv";
    let output = slidebench(folder.path(), &run.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{output:?}");
    for flags in [&["bounds.csv"][..], &["--iterations", "bounds.csv"]] {
        let output = slidebench(
            folder.path(),
            &[&["report", "runs.csv", "-o", "-"], flags].concat(),
        );
        let page = String::from_utf8(output.stdout).unwrap();
        let (_, plot) = page.split_once("<figure id=\"bounds\">").unwrap();
        let (plot, _) = plot.split_once("</figure>").unwrap();
        // A* has one side.
        assert_eq!(plot.matches("45 moves proven, ").count(), 3, "{plot}");
        assert_eq!(plot.matches("<path class=\"line\"").count(), 6, "{plot}");
    }
}

#[test]
fn only_pages_are_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("runs.csv");
    write(&file, RowFormat::Csv, &rows("s", 3, &["md", "lc"]));
    let before = fs::read(&file).unwrap();
    let output = slidebench(folder.path(), &["report", "runs.csv", "-o", "runs.csv"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(&file).unwrap(), before);
    for _ in 0..2 {
        assert!(
            slidebench(folder.path(), &["report", "runs.csv"])
                .status
                .success()
        );
    }
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.ends_with("</html>\n"));
    // What fails leaves the page that was there, and nothing beside it.
    let output = slidebench(folder.path(), &["report", "runs.csv", "none.csv"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        fs::read_to_string(folder.path().join("report.html")).unwrap(),
        page
    );
    let output = slidebench(
        folder.path(),
        &["report", "runs.csv", "-o", "none/report.html"],
    );
    assert_eq!(output.status.code(), Some(1));
    let output = slidebench(folder.path(), &["report", "runs.csv", "-o", "/dev/full"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_wrong_answer_has_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = rows("s", 3, &["md"]);
    rows[0].known_optimal = Some(2);
    write(&folder.path().join("runs.csv"), RowFormat::Csv, &rows);
    let output = slidebench(folder.path(), &["report", "runs.csv"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(folder.path().join("report.html").exists());
}

/// The sidecar's command, machine and limits are in the head.
#[test]
fn the_head_tells_what_made_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        "run smoke -H md --filter 1-3 --time-limit 90s -o runs.csv --iterations thresholds.csv";
    let arguments: Vec<&str> = run.split(' ').collect();
    assert!(slidebench(folder.path(), &arguments).status.success());
    let report = [
        "report",
        "runs.csv",
        "--iterations",
        "thresholds.csv",
        "-o",
        "page.html",
    ];
    assert!(slidebench(folder.path(), &report).status.success());
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    let (head, _) = page.split_once("</header>").unwrap();
    for part in [run, "rustc ", "core", "90.0 s", " to 2"] {
        assert!(head.contains(part), "{part}: {head}");
    }
    let thresholds = fs::read_to_string(folder.path().join("thresholds.csv")).unwrap();
    let rows = thresholds.lines().count() - 1;
    let titles = page.matches(": threshold ").count();
    assert_eq!(titles, rows, "a mark for each threshold");
}

#[test]
fn a_solved_board_has_a_page_and_so_has_one_without_a_solution() {
    let folder = tempfile::tempdir().unwrap();
    let page = || fs::read_to_string(folder.path().join("board.html")).unwrap();
    let solve = |board: &str, more: &[&str]| {
        let mut arguments = vec!["solve", board, "--html", "board.html"];
        arguments.extend(more);
        slidebench(folder.path(), &arguments)
    };
    let output = solve("1 2 3 / 4 0 5", &[]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("status     solved"));
    assert!(page().contains("\"moves\":\"R\""));
    assert!(page().contains("<title>2x3 board, 1 move "));
    for (board, more) in [
        ("1 2 3 / 5 4 0", &[][..]),
        ("8 6 7 2 5 4 3 0 1", &["--node-limit", "10"]),
    ] {
        assert!(solve(board, more).status.success());
        assert!(page().contains("\"moves\":null"), "{board}");
        assert!(page().contains("<svg class=\"tiles\""));
    }
    let output = solve("1 2 3 / 4 0 5", &["--format", "json"]);
    assert!(serde_json::from_slice::<Row>(&output.stdout).is_ok());
    assert_eq!(
        solve("1 2 3 / 4 0 5", &["-o", "board.html"]).status.code(),
        Some(2)
    );
}
