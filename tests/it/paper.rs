//! Files for a paper, suites from measured difficulty, and boards for planners.

use std::fs;
use std::path::Path;

use slidebench::harness::analysis::{Measure, RankError, SuiteResults, rank};
use slidebench::harness::record::{Row, RowFormat, Status};
use slidebench::harness::suite::{Asked, parse_suite};
use slidebench::report::{Report, Source};

use crate::command::run;
use crate::rows::{row, rows};

fn timed(instance: usize, heuristic: &str, repeat: u32, time_ns: u64) -> Row {
    Row {
        repeat,
        time_ns,
        started_at: format!("{heuristic} {instance} {repeat}"),
        ..row("s", instance, heuristic)
    }
}

fn stopped(row: Row, limit: u64) -> Row {
    Row {
        status: Status::TimeLimit,
        cost: None,
        verified: None,
        solution: None,
        time_limit_ns: Some(limit),
        ..row
    }
}

fn results(rows: &[Row]) -> SuiteResults<'_> {
    let number = |row: &Row| {
        ["md", "lc", "wd"]
            .iter()
            .position(|it| *it == row.heuristic)
    };
    SuiteResults::new("s", 3, rows.iter().map(|row| (number(row).unwrap(), row)))
}

/// Seconds in nanoseconds.
const S: u64 = 1_000_000_000;

/// Two instances and a limit of 10 s, by hand.
#[test]
fn penalized_means_are_those_of_the_books() {
    let rows = [
        timed(1, "md", 1, 4 * S),
        stopped(timed(2, "md", 1, 10 * S), 10 * S),
        timed(1, "lc", 1, 2 * S),
        timed(2, "lc", 1, 8 * S),
        stopped(timed(1, "wd", 1, 10 * S), 10 * S),
        timed(2, "wd", 1, S),
    ];
    let results = results(&rows);
    let md = results.standing(0);
    assert_eq!((md.solved, md.instances), (1, 2));
    assert_eq!(md.par2, Some(12.0 * S as f64));
    assert_eq!(md.par10, Some(52.0 * S as f64));
    let shifted = md.shifted_mean.unwrap() / S as f64;
    assert!((shifted - (55f64.sqrt() - 1.0)).abs() < 1e-9, "{shifted}");
    let best = results.virtual_best();
    assert_eq!((best.solved, best.par2), (2, Some(1.5 * S as f64)));
    assert!(results.standing(1).only.is_empty());
    let ranking = results.ranking().unwrap();
    assert_eq!(ranking.entrants[0], 1);
    assert_eq!(ranking.test.mean_ranks, [1.5, 2.0, 2.5]);
}

/// An unsolved run without a limit of time has no penalty that one could know.
#[test]
fn there_is_no_penalty_without_a_limit() {
    let mut unsolved = timed(1, "md", 1, S);
    unsolved.status = Status::MemLimit;
    let rows = [unsolved, timed(2, "md", 1, S)];
    let standing = results(&rows).standing(0);
    assert_eq!((standing.par2, standing.shifted_mean), (None, None));
    let solved = [timed(2, "md", 1, 3 * S)];
    assert_eq!(results(&solved).standing(0).par10, Some(3.0 * S as f64));
}

#[test]
fn repeats_count_once() {
    let mut rows: Vec<Row> = (1..=5)
        .map(|repeat| timed(1, "md", repeat, u64::from(repeat) * S))
        .collect();
    rows.extend((1..=5).map(|repeat| stopped(timed(2, "md", repeat, S), S)));
    // Three of five are solved: the one in the middle is.
    rows.extend((1..=3).map(|repeat| timed(3, "md", repeat, u64::from(repeat))));
    rows.extend((4..=5).map(|repeat| stopped(timed(3, "md", repeat, S), S)));
    let results = results(&rows);
    let standing = results.standing(0);
    assert_eq!((standing.solved, standing.instances), (2, 3));
    assert_eq!(results.of(0)[0].median(Measure::Time), Some(3 * S));
    assert_eq!(results.of(0)[2].median(Measure::Time), Some(3));
    let spread = standing.spread.unwrap();
    assert_eq!(spread.instance, "1");
    assert!((spread.largest - 4.0 / 3.0).abs() < 1e-12);
    let sources = [Source {
        rows,
        ..Source::default()
    }];
    let page = Report::new(&sources, &[]).unwrap().html();
    let (_, cactus) = page.split_once("<figure id=\"cactus\">").unwrap();
    let (cactus, _) = cactus.split_once("</figure>").unwrap();
    assert_eq!(cactus.matches("data-r=\"").count(), 3);
    assert!(page.contains("<td>2 / 3</td>"));
}

fn write(file: &Path, rows: &[Row]) {
    let mut text = RowFormat::Csv.header::<Row>();
    rows.iter()
        .for_each(|row| text += &RowFormat::Csv.line(row));
    fs::write(file, text).unwrap();
}

#[test]
fn a_paper_has_every_figure_and_table() {
    let folder = tempfile::tempdir().unwrap();
    let mut all = rows("a & b_c", 6, &["md", "lc", "wd"]);
    all[3] = stopped(all[3].clone(), S);
    write(&folder.path().join("runs.csv"), &all);
    let paper = "report runs.csv --paper paper -o page.html";
    for _ in 0..2 {
        let output = run(folder.path(), paper);
        assert!(output.status.success(), "{output:?}");
    }
    let read = |name: &str| fs::read_to_string(folder.path().join("paper").join(name)).unwrap();
    for figure in ["cactus", "ranks", "scatter", "speed", "percentiles", "cost"] {
        let svg = read(&format!("{figure}.svg"));
        assert!(
            svg.contains(&format!("<desc>made by: slidebench {paper}</desc>")),
            "{svg}"
        );
        for page_only in ["var(", "data-r", "--c", "NaN", "currentcolor"] {
            assert!(!svg.contains(page_only), "{figure}: {page_only}");
        }
        assert!(svg.starts_with("<svg ") && svg.contains(" width=\"528\" height=\""));
    }
    for table in ["coverage", "work", "ranks", "pairs"] {
        let csv = read(&format!("a---b-c-{table}.csv"));
        assert!(
            csv.starts_with(&format!("# made by: slidebench {paper}\nsuite,")),
            "{csv}"
        );
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_reader(csv.as_bytes());
        assert!(reader.records().all(|record| record.is_ok()) && csv.lines().count() >= 5);
        let tex = read(&format!("a---b-c-{table}.tex"));
        assert!(tex.starts_with(&format!("% made by: slidebench {paper}\n")));
        let rules = ["\\toprule", "\\midrule", "\\bottomrule", "\\end{tabular}"];
        assert!(rules.iter().all(|rule| tex.contains(rule)), "{tex}");
        let (_, body) = tex.split_once("\\toprule").unwrap();
        assert!(!body.contains('µ') && !body.contains('–'), "{body}");
    }
    assert!(read("a---b-c-coverage.csv").contains("\na & b_c,\"idastar with md, 1 thread\",5,6,"));
    // What another program made stays.
    fs::write(folder.path().join("paper/ranks.svg"), "mine").unwrap();
    let output = run(folder.path(), paper);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(read("ranks.svg"), "mine");
}

#[test]
fn instances_are_ranked_by_what_they_took() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("runs.csv");
    let output = run(
        folder.path(),
        "run smoke --filter 3-11 -H wd,lc --node-limit 300000 -o runs.csv",
    );
    assert!(output.status.success(), "{output:?}");
    let rank_of = |flags: &str| run(folder.path(), &format!("suite rank runs.csv {flags}"));
    let output = rank_of("--by generated");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("choose one of them (--configuration NAME)")
    );
    let flags = "--by generated --configuration wd --easiest 2 -o easy.csv";
    assert!(rank_of(flags).status.success());
    let text = fs::read(folder.path().join("easy.csv")).unwrap();
    let suite = parse_suite("easy", &text, Asked::default()).unwrap();
    let mut rows: Vec<Row> = crate::command::rows(&file);
    rows.retain(|row| row.heuristic == "wd" && row.status == Status::Solved);
    rows.sort_by_key(|row| row.generated);
    let names =
        |rows: &[Row]| -> Vec<String> { rows.iter().map(|row| row.instance.clone()).collect() };
    let found: Vec<String> = suite.instances.iter().map(|it| it.name.clone()).collect();
    assert_eq!(found, names(&rows[..2]));
    assert_eq!(suite.goal.to_string(), "first");
    assert_eq!(suite.instances[0].optimal, rows[0].known_optimal);
    // It runs.
    let output = run(folder.path(), "run easy.csv -H wd -o again.csv");
    assert!(output.status.success(), "{output:?}");
    let error = rank(&rows, Some("md"), Measure::Nodes).unwrap_err();
    assert!(matches!(error, RankError::Name(_)), "{error}");
}

#[test]
fn shown_suites_can_do_without_comments() {
    let output = run(Path::new("."), "suite show smoke --format csv");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("instance,board,optimal"), "{text}");
    assert!(!text.contains('#') && text.lines().count() > 10);
    // Of files too, and boards without columns get theirs.
    let folder = tempfile::tempdir().unwrap();
    let written = "# mine\ninstance,board,optimal\none,1 0 2 3,1\n";
    fs::write(folder.path().join("mine.csv"), written).unwrap();
    fs::write(folder.path().join("bare.txt"), "# mine\n1 0 2 3\n").unwrap();
    let show = |arguments: &str| {
        let output = run(folder.path(), &format!("suite show {arguments}"));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(show("mine.csv"), written);
    assert_eq!(show("mine.csv --format csv"), &written[7..]);
    let columns = "instance,board,optimal\n1,1 0 2 3,\n";
    assert_eq!(show("bare.txt --format csv"), columns);
}
