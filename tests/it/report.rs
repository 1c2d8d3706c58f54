//! Pages about runs: what is on them, from good rows and from strange ones.

use slidebench::harness::analysis::Summary;
use slidebench::harness::record::{Row, RowFormat, Status};
use slidebench::report::{Records, Report, ReportError, Source};

use crate::rows::{row, rows};

fn stopped(row: Row) -> Row {
    Row {
        status: Status::TimeLimit,
        cost: None,
        verified: None,
        solution: None,
        time_limit_ns: Some(1_000_000),
        ..row
    }
}

fn source(name: &str, rows: Vec<Row>) -> Source {
    Source {
        name: name.to_owned(),
        rows,
        ..Source::default()
    }
}

fn page(sources: &[Source]) -> String {
    Report::new(sources, &[]).unwrap().html()
}

/// The plot with this name.
fn plot<'a>(page: &'a str, id: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("<figure id=\"{id}\">")).unwrap();
    rest.split_once("</figure>").unwrap().0
}

fn marks(page: &str, id: &str) -> usize {
    plot(page, id).matches("data-r=\"").count()
}

/// Every number in the plots is one.
fn assert_is_drawn(page: &str) {
    let (_, plots) = page.split_once("<section id=\"plots\">").unwrap();
    let (plots, _) = plots.split_once("</section>").unwrap();
    assert!(!plots.contains("NaN") && !plots.contains("inf"), "{plots}");
}

/// The box that comes first.
fn problems(page: &str) -> &str {
    let (_, rest) = page.split_once("<section id=\"problems\"").unwrap();
    rest.split_once("</section>").unwrap().0
}

#[test]
fn a_page_needs_nothing_else() {
    let page = page(&[source("a.csv", rows("s", 3, &["md", "lc"]))]);
    let bare = page.replace("http://www.w3.org/2000/svg", "");
    for address in ["http:", "https:", "//www", "src=", "@import", "url("] {
        assert!(!bare.contains(address), "{address}");
    }
    assert_eq!(
        bare.matches("<link").count(),
        1,
        "an empty icon, or browsers ask for one"
    );
    for plot in ["cactus", "speed", "cost"] {
        assert_eq!(marks(&page, plot), 6, "{plot}");
    }
    assert_eq!(marks(&page, "scatter"), 3);
    assert!(problems(&page).contains("No problems"));
}

/// The means of the page are those that `run` prints.
#[test]
fn the_summary_is_that_of_the_run() {
    let mut rows = rows("s", 9, &["md", "lc"]);
    rows[3] = stopped(rows[3].clone());
    for (index, row) in rows.iter_mut().enumerate() {
        row.time_ns += 777 * index as u64;
    }
    let common = Summary::new(&rows, &[]).common.unwrap();
    assert_eq!(common.instances, 8);
    let page = page(&[source("a.csv", rows)]);
    let (_, summary) = page.split_once("<section id=\"summary\">").unwrap();
    assert!(summary.contains("geometric means over the 8 instances that all solved"));
    assert!(summary.contains("<td>8 / 9</td>") && summary.contains("<td>9 / 9</td>"));
    for (_, time, nodes) in &common.means {
        let time = slidebench::harness::humanize::duration(*time);
        let nodes = slidebench::harness::humanize::count(nodes.unwrap().round() as u64);
        assert!(summary.contains(&format!("<td>{time}</td>")), "{time}");
        assert!(summary.contains(&format!("<td>{nodes}</td>")), "{nodes}");
    }
}

#[test]
fn what_is_wrong_comes_first() {
    let mut rows = rows("s", 4, &["md", "lc"]);
    rows[0].cost = Some(6u32.into());
    rows[1].verified = Some(false);
    rows[2].known_optimal = None;
    rows[3].known_optimal = None;
    rows[3].cost = Some(8u32.into());
    rows[4].status = Status::Error;
    rows[5].status = Status::Interrupted;
    rows.remove(7);
    let sources = [source("a.csv", rows)];
    let report = Report::new(&sources, &[]).unwrap();
    assert_eq!(report.wrong(), 3);
    let page = report.html();
    let told = problems(&page);
    for line in [
        "3 wrong answers",
        "s 1 (6 moves, known optimum 4), idastar with md, 1 thread",
        "s 1 (4 moves that do not replay), idastar with lc, 1 thread",
        "s 2 (8 moves, another run has 4), idastar with lc, 1 thread",
        "1 error",
        "s 3, idastar with md, 1 thread",
        "1 missing pair",
        "s, idastar with lc, 1 thread: 4",
        "1 interrupted run",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    let place = |part: &str| page.find(part).unwrap();
    assert!(place("<section id=\"problems\"") < place("<section id=\"summary\""));
}

#[test]
fn only_unsolved_rows_make_a_page() {
    let rows: Vec<Row> = rows("s", 5, &["md", "lc"])
        .into_iter()
        .map(stopped)
        .collect();
    let page = page(&[source("a.csv", rows)]);
    for plot in ["cactus", "speed", "cost"] {
        assert_eq!(marks(&page, plot), 10, "{plot}");
    }
    assert_eq!(marks(&page, "scatter"), 5);
    assert!(page.contains("no instance was solved by all"));
    assert!(page.contains("limit 1.00 ms"));
    assert_is_drawn(&page);
}

#[test]
fn suites_have_tables_of_their_own() {
    let mut all = rows("one", 3, &["md"]);
    all.extend(rows("two", 2, &["md", "lc"]));
    let page = page(&[source("a.csv", all)]);
    assert!(page.contains("one: geometric means over the 3 instances"));
    assert!(page.contains("two: geometric means over the 2 instances"));
    assert!(page.contains("id=\"filter-suite\""));
    // The file has lc, and the first suite; their pairs are missing.
    assert!(problems(&page).contains("3 missing pairs"));
}

/// A run is in the page once, however often its row was given.
#[test]
fn a_file_given_twice_counts_once() {
    let rows = rows("s", 3, &["md"]);
    let page = page(&[source("a.csv", rows.clone()), source("b/a.csv", rows)]);
    assert_eq!(marks(&page, "cactus"), 3);
    assert!(page.contains("3 rows: given twice, counted once."));
}

#[test]
fn the_same_runs_of_two_files_are_two_series() {
    let before = rows("s", 3, &["md"]);
    let mut after = before.clone();
    after
        .iter_mut()
        .for_each(|row| row.started_at = "later".to_owned());
    let page = page(&[source("x/before.csv", before), source("x/after.csv", after)]);
    assert_eq!(marks(&page, "scatter"), 3);
    assert!(page.contains("idastar with md, 1 thread (before)"));
    assert!(page.contains("idastar with md, 1 thread (after)"));
}

#[test]
fn the_same_runs_of_two_engines_are_two_series() {
    let mut all = rows("s", 3, &["md"]);
    let mut others = all.clone();
    others
        .iter_mut()
        .for_each(|row| row.engine = "batched".to_owned());
    all.iter_mut()
        .for_each(|row| row.engine = "scalar".to_owned());
    all.extend(others);
    let page = page(&[source("a.csv", all)]);
    assert_eq!(marks(&page, "cactus"), 6);
    assert!(page.contains("idastar with md, scalar, 1 thread<"));
    assert!(page.contains("idastar with md, batched, 1 thread<"));
}

#[test]
fn a_run_that_was_stopped_and_done_again_is_one() {
    let again = row("s", 1, "md");
    let first = stopped(Row {
        started_at: "earlier".to_owned(),
        ..again.clone()
    });
    let page = page(&[source("a.csv", vec![first, again])]);
    assert_eq!(marks(&page, "cactus"), 1);
    assert!(page.contains("1 row: stopped and done again later"));
}

#[test]
fn names_are_escaped() {
    let evil = "<script>alert('x')</script>";
    let mut rows = rows(evil, 2, &["md", evil]);
    rows.iter_mut().for_each(|row| row.cpu = evil.to_owned());
    let page = page(&[source(evil, rows)]);
    assert!(!page.contains("<script>alert"));
    assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"));
}

/// Rows of other programs may have sizes, goals and solutions that mean nothing here.
#[test]
fn strange_rows_make_a_page() {
    let strange = [
        Row::default(),
        Row {
            rows: Some(1),
            cols: Some(99),
            ..row("s", 1, "md")
        },
        Row {
            goal: "elsewhere".to_owned(),
            solution: Some("UXU".to_owned()),
            ..row("s", 2, "md")
        },
        Row {
            solution: Some("DDDDD".to_owned()),
            time_ns: 0,
            generated: Some(0),
            ..row("s", 3, "md")
        },
        Row {
            time_ns: u64::MAX,
            generated: Some(u64::MAX),
            time_limit_ns: Some(u64::MAX),
            ..row("s", 4, "md")
        },
    ];
    for row in &strange {
        let page = page(&[source("a.csv", vec![row.clone()])]);
        assert_eq!(marks(&page, "cactus"), 1, "{row:?}");
        assert_is_drawn(&page);
    }
    assert_eq!(
        marks(&page(&[source("a.csv", strange.to_vec())]), "cost"),
        strange.len()
    );
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn ten_thousand_rows_stay_under_five_megabytes() {
    let heuristics = ["md", "lc", "wd", "pdb:6-6-3"];
    let walk = "RDDLURDLURDLURDLURDLURDLURDLURDLURDLURDLURDLURDLURDLURDLURDLURDLURDLUULL";
    let mut all = rows("some-suite-with-a-name", 2500, &heuristics);
    for (index, row) in all.iter_mut().enumerate() {
        // No two solutions and no two numbers are the same, as in a file of many suites.
        row.solution = Some(format!("{}{walk}", "UDLR".repeat(index % 7)).replace("DL", "LD"));
        let generated = 123_456_789 * (index as u64 + 1);
        row.generated = Some(generated);
        row.expanded = Some(generated / 2);
        row.time_ns = 987_654_321 + 31 * index as u64;
        row.nodes_per_s = Some(generated as f64 / 7.0);
        row.started_at = format!("2026-01-01T00:00:{:06}Z", index);
        row.solution
            .as_mut()
            .unwrap()
            .push_str(&"U".repeat(index % 11));
    }
    let page = page(&[source("large.csv", all)]);
    assert!(page.len() < 5_000_000, "{}", page.len());
    assert_eq!(marks(&page, "cactus"), 10_000);
}

#[test]
fn a_choice_has_to_be_one() {
    let sources = [source("a.csv", rows("s", 2, &["md", "lc", "wd"]))];
    let mut report = Report::new(&sources, &[]).unwrap();
    report.choose("with wd", "md").unwrap();
    let page = report.html();
    let name = |class: &str| {
        let (_, rest) = plot(&page, "scatter").split_once(class).unwrap();
        let (_, rest) = rest.split_once('>').unwrap();
        rest.split_once('<').unwrap().0.to_owned()
    };
    assert_eq!(name("\"name x\""), "idastar with wd, 1 thread");
    assert_eq!(name("\"name y\""), "idastar with md, 1 thread");
    for (asked, message) in [
        (
            "idastar",
            "'idastar' is short for 3 configurations, 'idastar with ",
        ),
        (
            "bfs",
            "no configuration is named 'bfs'; there are 'idastar with ",
        ),
    ] {
        let error = report.choose("wd", asked).unwrap_err();
        assert!(matches!(error, ReportError::Choice(_)), "{error}");
        assert!(error.to_string().starts_with(message), "{error}");
    }
}

#[test]
fn a_half_written_last_line_is_left_out() {
    let whole = RowFormat::Csv.header::<Row>() + &RowFormat::Csv.line(&row("s", 1, "md"));
    let cut = whole.clone() + "s,2,2,3,fir";
    let (records, is_cut) = Records::parse(&cut).unwrap();
    assert!(is_cut);
    assert_eq!((records, false), Records::parse(&whole).unwrap());
    // In the middle it is a mistake.
    assert!(Records::parse(&(cut + "\n" + "more\n")).is_err());
}
