//! Comparing two files of runs.

use std::fs;

use slidebench::harness::analysis::statistics::{Block, Pair, mean_ratio};
use slidebench::harness::analysis::{
    Caveat, Choice, CompareError, Comparison, Contrast, Measure, NameError, Summary, Verdict,
    both_configurations, find_name,
};
use slidebench::harness::humanize;
use slidebench::harness::record::{Row, RowFormat, Status, parse_rows};
use slidebench::harness::suite::Random;

use crate::{command, rows};

#[test]
fn what_it_prints() {
    trycmd::TestCases::new().case("tests/cmd/compare/*.trycmd");
}

/// A solved run with a time.
fn row(instance: usize, heuristic: &str, repeat: u32, time_ns: u64) -> Row {
    Row {
        suite: "s".to_owned(),
        instance: instance.to_string(),
        algorithm: "idastar".to_owned(),
        heuristic: heuristic.to_owned(),
        threads: Some(1),
        jobs: Some(1),
        repeat,
        status: Status::Solved,
        cost: Some(50u32.into()),
        verified: Some(true),
        generated: Some(1000 * instance as u64),
        time_ns,
        ..Row::default()
    }
}

/// Instances of very different times, each so much slower or faster and a little noisy.
fn file(factor: f64, noise: f64, repeats: u32, seed: u64) -> Vec<Row> {
    let mut random = Random::new(seed);
    let mut rows = Vec::new();
    for instance in 1..=40 {
        for repeat in 1..=repeats {
            let wobble = 1.0 + noise * (random.below(2001) as f64 / 1000.0 - 1.0);
            let time = 1e4 * 1.3f64.powi(instance) * factor * wobble;
            rows.push(row(instance as usize, "md", repeat, time as u64));
        }
    }
    rows
}

/// The only one.
fn contrast(before: &[Row], after: &[Row]) -> Contrast {
    let comparison = Comparison::new(before, after).unwrap();
    assert_eq!(comparison.contrasts.len(), 1);
    comparison.contrasts[0].clone()
}

#[test]
fn the_verdict_is_that_of_the_interval() {
    for (factor, verdict) in [
        (0.9, Verdict::Faster),
        (1.1, Verdict::Slower),
        (1.0, Verdict::WithinNoise),
    ] {
        let comparison = Comparison::new(&file(1.0, 0.1, 3, 1), &file(factor, 0.1, 3, 2)).unwrap();
        let one = &comparison.contrasts[0];
        let time = one.time.unwrap();
        assert_eq!(one.verdict(), verdict, "{factor}: {time:?}");
        let p = one.test.unwrap().p;
        assert_eq!(p < 0.05, verdict != Verdict::WithinNoise, "{factor}: {p}");
        assert!(
            time.low < factor && factor < time.high,
            "{factor}: {time:?}"
        );
        assert_eq!((one.pairs, one.runs), (40, 240));
        assert!(one.node_differences.is_empty());
        assert!(comparison.caveats.is_empty());
        assert_eq!(comparison.is_slower_than(0.05), factor > 1.05);
        assert!(!comparison.is_slower_than(0.5));
    }
}

/// Of a hundred comparisons of the same thing with itself about 95 find no difference.
#[test]
fn the_interval_covers_what_it_says() {
    let quiet = (0..100).filter(|&seed| {
        let (a, b) = (file(1.0, 0.2, 1, seed), file(1.0, 0.2, 1, seed + 1000));
        contrast(&a, &b).verdict() == Verdict::WithinNoise
    });
    let quiet = quiet.count();
    assert!((86..=100).contains(&quiet), "{quiet}");
}

#[test]
fn one_pair_has_no_verdict_and_equal_ones_are_one() {
    let one = [row(1, "md", 1, 100)];
    let comparison = Comparison::new(&one, &[row(1, "md", 1, 200)]).unwrap();
    assert_eq!(comparison.contrasts[0].verdict(), Verdict::NoVerdict);
    assert_eq!(comparison.caveats, [Caveat::FewPairs(1)]);
    let same = Pair {
        before: vec![2.0, 2.0],
        after: vec![2.0],
    };
    let ratio = mean_ratio(&[Block { pairs: vec![same] }]).unwrap();
    assert_eq!((ratio.mean, ratio.low, ratio.high), (1.0, 1.0, 1.0));
    assert_eq!(mean_ratio(&[]), None);
}

#[test]
fn what_differs_is_listed() {
    let before = [
        row(1, "md", 1, 100),
        row(2, "md", 1, 100),
        row(3, "md", 1, 100),
    ];
    let mut after = before.clone();
    after[0].generated = Some(1001);
    after[0].cost = Some(52u32.into());
    after[1].status = Status::TimeLimit;
    after[2].instance = "4".to_owned();
    let comparison = contrast(&before, &after);
    assert_eq!(comparison.pairs, 1);
    assert_eq!(comparison.node_differences[0].after, 1001);
    assert_eq!(comparison.cost_differences[0].before, 50u32.into());
    assert_eq!(comparison.wrong_costs, 1);
    assert_eq!(comparison.only_before, ["s 2", "s 3"]);
    assert_eq!(comparison.only_after, ["s 4"]);
}

#[test]
fn two_configurations_are_compared_where_each_file_has_one() {
    let md = [row(1, "md", 1, 100), row(2, "md", 1, 100)];
    let lc = [row(1, "lc", 1, 50), row(2, "lc", 1, 60)];
    let comparison = contrast(&md, &lc);
    assert_eq!(comparison.pairs, 2);
    assert_eq!(comparison.names[1], "idastar with lc, 1 thread");
    let both = [md[0].clone(), lc[1].clone()];
    let wd = [row(1, "wd", 1, 50)];
    assert_eq!(
        Comparison::new(&both, &wd).unwrap_err(),
        CompareError::NothingInCommon
    );
}

/// Each configuration has its line, and all together count each instance once.
#[test]
fn configurations_are_compared_one_by_one_and_together() {
    let with = |heuristic: &str, factor: f64| -> Vec<Row> {
        let rows = file(factor, 0.02, 3, 5).into_iter();
        rows.map(|row| Row {
            heuristic: heuristic.to_owned(),
            ..row
        })
        .collect()
    };
    let before = [with("md", 1.0), with("lc", 1.0), with("wd", 1.0)].concat();
    let after = [with("md", 0.5), with("lc", 2.0), with("zero", 1.0)].concat();
    let comparison = Comparison::new(&before, &after).unwrap();
    let verdicts: Vec<_> = (comparison.contrasts.iter())
        .map(|it| (it.names[0].as_str(), it.verdict()))
        .collect();
    assert_eq!(
        verdicts,
        [
            ("idastar with lc, 1 thread", Verdict::Slower),
            ("idastar with md, 1 thread", Verdict::Faster),
        ]
    );
    let pooled = comparison.pooled.as_ref().unwrap();
    assert_eq!((pooled.pairs, pooled.instances), (80, 40));
    assert!((pooled.time.unwrap().mean - 1.0).abs() < 0.01);
    assert_eq!(comparison.unmatched[0], ["idastar with wd, 1 thread"]);
    assert_eq!(comparison.unmatched[1], ["idastar with zero, 1 thread"]);
}

#[test]
fn configurations_of_one_file_are_compared() {
    let rows: Vec<Row> = (1..=8)
        .flat_map(|instance| {
            let time = 1000 * instance as u64;
            let of = |(heuristic, part): (&str, u64)| row(instance, heuristic, 1, time / part);
            [("md", 1), ("lc", 2), ("wd", 4)].map(of)
        })
        .collect();
    let between = Choice::Between("idastar md", "lc");
    let comparison = Comparison::of(&rows, &rows, between, None).unwrap();
    let one = comparison.overall().unwrap();
    assert_eq!((one.pairs, one.verdict()), (8, Verdict::Faster));
    assert!((one.time.unwrap().mean - 0.5).abs() < 1e-9);
    let all = Comparison::of(&rows, &rows, Choice::Baseline("wd"), None).unwrap();
    let means: Vec<u64> = (all.contrasts.iter())
        .map(|it| it.time.unwrap().mean.round() as u64)
        .collect();
    assert_eq!(means, [2, 4]);
    assert!(all.overall().is_none() && all.is_slower_than(0.5));
    let by_cpu = Comparison::of(&rows, &rows, between, Some(Measure::Cpu));
    assert_eq!(by_cpu.unwrap_err(), CompareError::NotMeasured(Measure::Cpu));
    assert!(matches!(
        both_configurations(&rows).unwrap_err(),
        CompareError::NotChosen(names) if names.len() == 3
    ));
    let alone = &rows[..1];
    assert!(matches!(
        both_configurations(alone).unwrap_err(),
        CompareError::Alone(_)
    ));
    assert!(matches!(
        Comparison::of(alone, alone, Choice::Baseline("md"), None).unwrap_err(),
        CompareError::Alone(_)
    ));
}

/// On a busy machine wall times say little; what the thread worked says it all.
#[test]
fn cpu_time_decides_where_all_have_it() {
    let busy = |factor: f64, seed: u64| -> Vec<Row> {
        let quiet = file(factor, 0.02, 5, seed);
        let mut random = Random::new(seed + 7);
        let rows = quiet.into_iter().map(|row| Row {
            cpu_time_ns: Some(row.time_ns),
            time_ns: row.time_ns * (1 + random.below(400) as u64),
            ..row
        });
        rows.filter(|row| row.instance.len() == 1).collect()
    };
    let (scalar, mut batched) = (busy(3.5, 1), busy(1.0, 2));
    let by_time = Comparison::of(&scalar, &batched, Choice::Same, Some(Measure::Time)).unwrap();
    let time = by_time.contrasts[0].time.unwrap();
    assert!(time.high / time.low > 1.5, "{time:?}");
    let comparison = Comparison::new(&scalar, &batched).unwrap();
    assert_eq!(comparison.by, Measure::Cpu);
    let cpu = comparison.contrasts[0].cpu.unwrap();
    assert!((1.0 / cpu.mean - 3.5).abs() < 0.1, "{cpu:?}");
    assert!(cpu.high / cpu.low < 1.05, "{cpu:?}");
    assert_eq!(comparison.contrasts[0].verdict(), Verdict::Faster);
    // What two threads work is not what one waits for.
    batched.iter_mut().for_each(|row| row.threads = Some(2));
    assert_eq!(
        Comparison::new(&scalar, &batched).unwrap().by,
        Measure::Time
    );
}

#[test]
fn names_are_found_by_their_words() {
    let names = [
        "astar with md, 1 thread",
        "idastar with md, 1 thread",
        "idastar with md, 2 threads",
        "idastar with md, endgame 10, 1 thread",
        "astar+idastar:4096 with pdb:7-8,nomirror, 1 thread",
        "idastar with lc, 1 thread (before)",
        "idastar with lc, 1 thread (after)",
    ]
    .map(str::to_owned);
    for (asked, number) in [
        ("astar with md", 0),
        ("astar", 0),
        ("Astar MD", 0),
        ("idastar md", 1),
        ("idastar with md, 1 thread", 1),
        ("idastar md 2", 2),
        ("md, endgame", 3),
        ("pdb", 4),
        ("astar+", 4),
        ("lc after", 6),
    ] {
        assert_eq!(find_name(asked, &names), Ok(number), "{asked}");
    }
    let error = find_name("lc", &names).unwrap_err();
    assert_eq!(
        error.to_string(),
        "'lc' is short for 2 configurations, 'idastar with lc, 1 thread (before)', 'idastar with lc, \
         1 thread (after)'; write more of one name"
    );
    for asked in ["wd", "", "with", "dastar md"] {
        let error = find_name(asked, &names).unwrap_err();
        assert!(
            matches!(error, NameError::Unknown { .. }),
            "{asked}: {error}"
        );
    }
}

/// A run that was done again counts with its last row.
#[test]
fn the_last_row_of_a_run_counts() {
    let mut first = row(1, "md", 1, 100);
    first.status = Status::Interrupted;
    let rows = [first, row(1, "md", 1, 300)];
    let summary = Summary::new(&rows, &[]);
    assert_eq!(summary.groups[0].runs, 1);
    assert_eq!(summary.groups[0].solved, 1);
    assert_eq!(summary.groups[0].time.as_nanos(), 300);
}

/// What is written is read back as it was, in both formats.
#[test]
fn rows_survive_their_files() {
    let mut odd = row(1, "pdb:7-8,nomirror", 1, 100);
    odd.suite = "#a \"suite\", with all".to_owned();
    odd.nodes_per_s = Some(1.0 / 3.0);
    let rows = [odd, row(2, "md", 2, u64::MAX)];
    for format in [RowFormat::Csv, RowFormat::Jsonl] {
        let mut text = format.header::<Row>();
        rows.iter().for_each(|row| text += &format.line(row));
        assert_eq!(parse_rows(&text).unwrap(), rows);
    }
}

/// What is the matter with two rows of one name.
fn refused(one: &Row, other: &Row) -> Option<String> {
    let [one, other] = [one, other].map(|row| [row.clone()]);
    let refused = Comparison::new(&one, &other).err()?;
    assert!(matches!(refused, CompareError::Puzzles(_)), "{refused}");
    Some(refused.to_string())
}

#[test]
fn rows_of_different_puzzles_are_not_paired() {
    let single = rows::row("s", 1, "md");
    let with = |change: fn(&mut Row)| {
        let mut row = single.clone();
        row.metric = "single".to_owned();
        row.costs = "unit".to_owned();
        change(&mut row);
        row
    };
    let plain = with(|_| {});
    for (other, told) in [
        (
            with(|row| row.metric = "multi".to_owned()),
            "the metric 'single' in some rows and 'multi'",
        ),
        (
            with(|row| row.costs = "heavy".to_owned()),
            "the costs 'unit' in some rows and 'heavy'",
        ),
        (
            with(|row| row.goal = "last".to_owned()),
            "the goal 'first' in some rows and 'last'",
        ),
        (
            with(|row| row.board = "1 0 4 3 5 2".to_owned()),
            "the board '1 4 0 3 5 2' in some",
        ),
        (
            with(|row| (row.rows, row.cols) = (Some(3), Some(2))),
            "the size '2x3' in some rows",
        ),
    ] {
        let refused = refused(&plain, &other).unwrap();
        let expected = format!("the rows are of different puzzles: s 1 has {told}");
        assert!(refused.starts_with(&expected), "{refused}");
    }
}

/// Files of others say less, or the same in other words.
#[test]
fn rows_that_do_not_contradict_each_other_are_paired() {
    let own = Row {
        metric: "multi".to_owned(),
        ..rows::row("s", 1, "md")
    };
    let others = [
        Row {
            rows: None,
            cols: None,
            board: String::new(),
            goal: String::new(),
            metric: String::new(),
            ..own.clone()
        },
        Row {
            rows: None,
            cols: None,
            goal: "0,1,2,3,4,5".to_owned(),
            ..own.clone()
        },
        Row {
            board: "1 4 . / 3 5 2".to_owned(),
            goal: "0,1,2,3,4,5".to_owned(),
            ..own.clone()
        },
    ];
    for other in others {
        assert_eq!(refused(&own, &other), None);
    }
}

#[test]
fn two_metrics_are_refused_by_compare_and_told_by_a_report() {
    let folder = tempfile::tempdir().unwrap();
    for flags in ["-o one.csv", "--metric multi -o two.csv"] {
        let plan = format!("run smoke -a astar -H md --filter 10 {flags}");
        assert!(command::run(folder.path(), &plan).status.success());
    }
    let refused = command::run(folder.path(), "compare one.csv two.csv");
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(refused.stderr).unwrap(),
        "slidebench: the rows are of different puzzles: smoke 10 has the metric 'single' in some \
         rows and 'multi' in others; runs are compared where board, goal, metric and costs are \
         the same\n"
    );
    let report = command::run(folder.path(), "report one.csv two.csv -o page.html");
    assert!(report.status.success(), "{report:?}");
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("1 instance of different puzzles, whose runs do not compare"));
    let report = command::run(folder.path(), "report one.csv -o page.html");
    assert!(report.status.success(), "{report:?}");
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(!page.contains("of different puzzles"));
}

/// One instance differs, several differ.
#[test]
fn the_test_counts_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    for (name, times) in [("a", [5, 5, 5]), ("one", [5, 5, 6]), ("two", [5, 7, 6])] {
        let mut text = RowFormat::Csv.header::<Row>();
        for (instance, time) in (1..).zip(times) {
            text += &RowFormat::Csv.line(&row(instance, "md", 1, time));
        }
        fs::write(folder.path().join(format!("{name}.csv")), text).unwrap();
    }
    for (other, told) in [
        ("one", ": 1 instance differs, "),
        ("two", ": 2 instances differ, "),
    ] {
        let output = command::run(folder.path(), &format!("compare a.csv {other}.csv"));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(told), "{text}");
    }
}

/// Files that are none, each with what is said about them.
#[test]
fn foreign_files_are_told() {
    let header = RowFormat::Csv.header::<Row>();
    let line = RowFormat::Csv.line(&row(1, "md", 1, 1));
    let broken = [
        (String::new(), "1: the file is empty"),
        (
            "a,b\n1,2\n".to_owned(),
            "1: column 'suite' is missing; expected at least suite,instance,status,cost,time_ns",
        ),
        (
            format!("# note\n{}", header.replace(",time_ns,", ",")),
            "2: column 'time_ns' is missing",
        ),
        (
            format!("{header}{line}1,2\n"),
            "3: the row has 2 fields where the header has 41",
        ),
        (
            format!("{header}{}", line.replace("solved", "sloved")),
            "2: column 'status': 'sloved' is not a status; expected one of solved, ",
        ),
        (
            "{\"suite\":\"s\"}\n".to_owned(),
            "1: column 'instance' is missing",
        ),
        (
            RowFormat::Jsonl
                .line(&row(1, "md", 1, 1))
                .replace("\"s\"", "1"),
            "1: column 'suite': the value cannot be read",
        ),
    ];
    for (text, told) in broken {
        let error = parse_rows(&text).unwrap_err().to_string();
        assert!(error.starts_with(told), "{told}: {error}");
    }
}

/// A ratio of almost nothing is still a number.
#[test]
fn small_ratios_have_three_digits() {
    let texts = [
        (12.3456, "12.346"),
        (1.0, "1.000"),
        (0.81249, "0.812"),
        (0.1, "0.100"),
        (0.012_34, "0.0123"),
        (0.000_1, "0.000100"),
        (0.000_123_4, "0.000123"),
        (0.000_000_123_4, "1.23e-7"),
        (0.0, "0.000"),
    ];
    for (ratio, text) in texts {
        assert_eq!(humanize::ratio(ratio), text);
    }
    let texts = [
        (1.5, "50.0 %"),
        (0.25, "75.0 %"),
        (0.000_1, "99.99 %"),
        (0.0, "100.0 %"),
    ];
    for (ratio, text) in texts {
        assert_eq!(humanize::change(ratio), text);
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, time) in [("a.csv", 1_000_000_000_u64), ("b.csv", 123_400)] {
        let lines = (1..=3).map(|it| format!("s,{it},solved,50,{}\n", time * it));
        let text = format!(
            "suite,instance,status,cost,time_ns\n{}",
            lines.collect::<String>()
        );
        fs::write(folder.path().join(name), text).unwrap();
    }
    let output = command::run(folder.path(), "compare a.csv b.csv");
    let told = String::from_utf8(output.stdout).unwrap();
    let wanted = "time B/A   0.000123 (95 % interval 0.000123 to 0.000123), in all";
    assert!(told.contains(wanted), "{told}");
    assert!(told.contains("it takes 99.99 % less time"), "{told}");
}
