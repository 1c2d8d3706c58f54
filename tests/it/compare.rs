//! Comparing two files of runs.

use slidebench::harness::analysis::{
    Caveat, Comparison, NothingInCommon, Pair, Summary, Verdict, mean_ratio,
};
use slidebench::harness::record::{Row, RowFormat, Status, parse_rows};
use slidebench::harness::suite::Random;

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

#[test]
fn the_verdict_is_that_of_the_interval() {
    for (factor, verdict) in [
        (0.9, Verdict::Faster),
        (1.1, Verdict::Slower),
        (1.0, Verdict::WithinNoise),
    ] {
        let comparison = Comparison::new(&file(1.0, 0.1, 3, 1), &file(factor, 0.1, 3, 2)).unwrap();
        let time = comparison.time.unwrap();
        assert_eq!(comparison.verdict(), verdict, "{factor}: {time:?}");
        assert!(
            time.low < factor && factor < time.high,
            "{factor}: {time:?}"
        );
        assert_eq!(comparison.pairs, 40);
        assert!(comparison.node_differences.is_empty());
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
        let comparison = Comparison::new(&a, &b).unwrap();
        comparison.verdict() == Verdict::WithinNoise
    });
    let quiet = quiet.count();
    assert!((86..=100).contains(&quiet), "{quiet}");
}

#[test]
fn one_pair_has_no_verdict_and_equal_ones_are_one() {
    let one = [row(1, "md", 1, 100)];
    let comparison = Comparison::new(&one, &[row(1, "md", 1, 200)]).unwrap();
    assert_eq!(comparison.verdict(), Verdict::NoVerdict);
    assert_eq!(comparison.caveats, [Caveat::FewPairs(1)]);
    let same = Pair {
        before: vec![2.0, 2.0],
        after: vec![2.0],
    };
    let ratio = mean_ratio(&[same]).unwrap();
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
    let comparison = Comparison::new(&before, &after).unwrap();
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
    let comparison = Comparison::new(&md, &lc).unwrap();
    assert_eq!(comparison.pairs, 2);
    assert_eq!(comparison.across.unwrap().1.heuristic, "lc");
    let both = [md[0].clone(), lc[1].clone()];
    let wd = [row(1, "wd", 1, 50)];
    assert_eq!(Comparison::new(&both, &wd).unwrap_err(), NothingInCommon);
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
            "2: column 'status': unknown variant `sloved`",
        ),
        (
            "{\"suite\":\"s\"}\n".to_owned(),
            "1: column 'instance' is missing",
        ),
        (
            RowFormat::Jsonl
                .line(&row(1, "md", 1, 1))
                .replace("\"s\"", "1"),
            "1: column 'suite': invalid type: integer `1`",
        ),
    ];
    for (text, told) in broken {
        let error = parse_rows(&text).unwrap_err().to_string();
        assert!(error.starts_with(told), "{told}: {error}");
    }
}
