//! The metric in which a row of tiles is one move: what suites, rows and people see of it. Its searches are
//! tested in `crates/core/tests`.

use std::fs;

use slidebench::harness::suite::{Asked, parse_suite};
use slidebench::puzzle::{Costs, Goal, Metric, Rules};

use crate::command::{rows, run};

/// A suite of the one metric is another one in the other: what is known is not known of it.
#[test]
fn a_suite_says_its_metric() {
    let text = "# goal: last\n# metric: multi\ninstance,board,optimal\none,1 2 3 4 5 6 0 7 8,1\n";
    let suite = parse_suite("s", text.as_bytes(), Asked::default()).unwrap();
    let rules = Rules {
        goal: Goal::Last,
        metric: Metric::Multi,
        costs: Costs::Unit,
    };
    assert_eq!(suite.rules(), rules);
    assert_eq!(suite.instances[0].optimal, Some(1));
    let asked = Asked {
        metric: Some(Metric::Single),
        ..Asked::default()
    };
    let suite = parse_suite("s", text.as_bytes(), asked).unwrap();
    assert_eq!(suite.instances[0].optimal, None);
}

#[test]
fn rows_have_the_metric() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("b.txt"),
        "1 2 3 4 5 6 0 7 8\n8 6 7 2 5 4 3 0 1\n",
    )
    .unwrap();
    let command = "run b.txt --goal last --metric multi -a bfs,bibfs,astar,idastar -o o.csv";
    let done = run(folder.path(), command);
    assert!(done.status.success(), "{done:?}");
    let found = rows(&folder.path().join("o.csv"));
    assert_eq!(found.len(), 8);
    for row in &found {
        assert_eq!((&row.metric[..], row.verified), ("multi", Some(true)));
        let (cost, moves) = (row.cost.unwrap().whole().unwrap(), row.moves.unwrap());
        assert_eq!(row.solution.as_ref().map(String::len), Some(moves));
        assert!(cost < moves, "{row:?}");
        let has_md = ["astar", "idastar"].contains(&&row.algorithm[..]);
        assert_eq!(row.heuristic, if has_md { "md" } else { "" });
    }
    assert_eq!(
        (found[0].cost, found[0].moves),
        (Some(1u32.into()), Some(2))
    );
    let costs: Vec<_> = found[4..].iter().map(|row| row.cost).collect();
    assert_eq!(costs, [costs[0]; 4]);
    // The same file is no file of the other metric.
    let other = run(
        folder.path(),
        "run b.txt --goal last -a bfs -o o.csv --resume",
    );
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("metric 'multi'"));
    let again = run(folder.path(), &format!("{command} --resume"));
    assert!(again.status.success());
    assert_eq!(rows(&folder.path().join("o.csv")).len(), 8);
    for (flags, said) in [
        (
            "-a dfs",
            "--metric multi goes with bfs, bibfs, astar, idastar and beam only",
        ),
        ("-H lc", "use -H md or -H zero"),
        ("--threads 2", "--threads does not go with --metric multi"),
    ] {
        let refused = run(
            folder.path(),
            &format!("run b.txt --metric multi {flags} -o p.csv"),
        );
        assert_eq!(refused.status.code(), Some(2), "{flags}");
        let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(stderr.contains(said), "{stderr}");
    }
    assert!(
        run(folder.path(), "report o.csv -o o.html")
            .status
            .success()
    );
}

/// What people see of it.
#[test]
fn what_solve_prints() {
    trycmd::TestCases::new().case("tests/cmd/metric/*.trycmd");
}
