//! Rows for tests that need no search.

use slidebench::harness::record::{Row, Status};

/// From here `DLUL` leads to the goal.
const START: &str = "1 4 0 3 5 2";

/// A solved run of a 2x3 board.
pub fn row(suite: &str, instance: usize, heuristic: &str) -> Row {
    Row {
        suite: suite.to_owned(),
        instance: instance.to_string(),
        rows: Some(2),
        cols: Some(3),
        board: START.to_owned(),
        goal: "first".to_owned(),
        algorithm: "idastar".to_owned(),
        heuristic: heuristic.to_owned(),
        threads: Some(1),
        jobs: Some(1),
        repeat: 1,
        status: Status::Solved,
        cost: Some(4u32.into()),
        known_optimal: Some(4),
        verified: Some(true),
        h0: Some(4u32.into()),
        generated: Some(1000 * instance as u64),
        time_ns: 5000 * instance as u64,
        nodes_per_s: Some(2e8),
        solution: Some("DLUL".to_owned()),
        version: "1.0".to_owned(),
        cpu: "cpu".to_owned(),
        started_at: format!("2026-01-01T00:00:00.{instance:03}Z"),
        ..Row::default()
    }
}

pub fn rows(suite: &str, instances: usize, heuristics: &[&str]) -> Vec<Row> {
    let all = (1..=instances).flat_map(|instance| {
        let heuristics = heuristics.iter();
        heuristics.map(move |heuristic| row(suite, instance, heuristic))
    });
    all.collect()
}
