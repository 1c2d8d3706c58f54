//! What rows and people see of tiles with costs of their own.

use std::fs;

use slidebench::puzzle::{Cost, Costs, Goal, Metric, Move, Rules};

use crate::command::{rows, run};

/// Costs are written as they are read, as numbers.
#[test]
fn costs_are_read_as_they_are_written() {
    for (millionths, text) in [
        (0, "0"),
        (1, "0.000001"),
        (1_500_000, "1.5"),
        (27_000_000, "27"),
    ] {
        let cost = Cost::from_millionths(millionths);
        assert_eq!(cost.to_string(), text);
        let json = serde_json::to_string(&cost).unwrap();
        assert_eq!(serde_json::from_str::<Cost>(&json).unwrap(), cost, "{json}");
    }
    for wrong in ["-1", "1e300", "\"x\""] {
        assert!(serde_json::from_str::<Cost>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn rows_have_costs_as_decimal_numbers() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("b.txt"),
        "1 2 3 4 5 6 7 0 8\n8 6 7 2 5 4 3 0 1\n",
    )
    .unwrap();
    let command = "run b.txt --goal last --costs sqrt -a bfs,astar,idastar -o o.csv";
    let done = run(folder.path(), command);
    assert!(done.status.success(), "{done:?}");
    let found = rows(&folder.path().join("o.csv"));
    assert_eq!(found.len(), 6);
    let rules = Rules {
        goal: Goal::Last,
        metric: Metric::Single,
        costs: Costs::Sqrt,
    };
    for row in &found {
        assert_eq!((&row.costs[..], row.verified), ("sqrt", Some(true)));
        let (board, _) = row.start().unwrap();
        let moves = row.solution.as_ref().unwrap().chars();
        let moves: Vec<Move> = moves.filter_map(Move::from_letter).collect();
        let replayed = rules.cost(&board, &moves);
        assert_eq!(row.cost, Some(replayed));
    }
    assert_eq!(found[0].cost, Some(Cost::from_millionths(2_828_427)));
    assert_eq!(
        (found[3].cost, found[4].cost),
        (found[5].cost, found[5].cost)
    );
    let text = fs::read_to_string(folder.path().join("o.csv")).unwrap();
    assert!(text.contains(",solved,2.828427,1,"), "{text}");
    let again = run(folder.path(), &format!("{command} --resume"));
    assert!(again.status.success());
    assert_eq!(rows(&folder.path().join("o.csv")).len(), 6);
    assert!(
        run(folder.path(), "report o.csv -o o.html")
            .status
            .success()
    );
    for (flags, said) in [
        (
            "-a bibfs",
            "--costs heavy goes with bfs, astar, idastar, wastar, greedy",
        ),
        ("-H lc", "use -H md or -H zero"),
        ("--metric multi", "--costs does not go with --metric multi"),
    ] {
        let refused = run(
            folder.path(),
            &format!("run b.txt --costs heavy {flags} -o p.csv"),
        );
        assert_eq!(refused.status.code(), Some(2), "{flags}");
        let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(stderr.contains(said), "{stderr}");
    }
}
