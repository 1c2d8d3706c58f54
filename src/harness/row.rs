//! The CSV of runs: its one schema.

use std::fmt;
use std::time::{Duration, SystemTime};

use serde::Serialize;

use super::machine;
use crate::puzzle::{Board, Goal, Notation};
use crate::search::{Engine, Limits, Outcome, Prune, Settings, Stop};

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Solved,
    Unsolvable,
    TimeLimit,
    MemLimit,
    NodeLimit,
    Interrupted,
    Error,
}

impl From<Stop> for Status {
    fn from(stop: Stop) -> Status {
        match stop {
            Stop::Time => Status::TimeLimit,
            Stop::Nodes => Status::NodeLimit,
            Stop::Memory => Status::MemLimit,
            Stop::Cancelled => Status::Interrupted,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// One run; the fields are the columns, in their order. Units are in the names, numbers are
/// never rounded, and what is not known is empty.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    pub suite: String,
    pub instance: String,
    pub rows: usize,
    pub cols: usize,
    pub goal: String,
    pub algorithm: String,
    pub heuristic: String,
    pub endgame: String,
    pub threads: usize,
    pub jobs: usize,
    pub repeat: u32,
    pub status: Status,
    pub cost: Option<usize>,
    pub known_optimal: Option<u32>,
    pub verified: Option<bool>,
    pub h0: Option<u32>,
    pub expanded: u64,
    pub generated: u64,
    pub stored: u64,
    pub iterations: u32,
    pub time_ns: u64,
    pub nodes_per_s: Option<f64>,
    pub peak_mem_bytes: u64,
    pub table_bytes: u64,
    /// Moves of the gap as a string of `UDLR`.
    pub solution: Option<String>,
    pub time_limit_ns: Option<u64>,
    pub mem_limit_bytes: Option<u64>,
    pub node_limit: Option<u64>,
    /// The program's version; for IDA* with the engine that ran, as in `0.1.0+batched`, and the
    /// machine that pruned, as in `0.1.0+scalar.fsm:8`.
    pub version: String,
    pub cpu: String,
    pub started_at: String,
}

/// What is known of a run before it starts.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    pub suite: &'a str,
    pub instance: &'a str,
    pub board: &'a Board,
    pub goal: Goal,
    pub settings: &'a Settings<'a>,
    pub limits: &'a Limits,
    pub known_optimal: Option<u32>,
    pub started_at: SystemTime,
}

impl Row {
    /// The row of a run that ended, or of a board that parity shows to have no solution.
    pub fn new(run: &Run<'_>, outcome: Option<&Outcome>) -> Row {
        let stats = outcome.map(|outcome| outcome.stats).unwrap_or_default();
        let solution = outcome.and_then(|outcome| outcome.result.as_ref().ok());
        let seconds = stats.time.as_secs_f64();
        let informed = run.settings.algorithm.is_informed();
        Row {
            suite: run.suite.to_owned(),
            instance: run.instance.to_owned(),
            rows: run.board.size().rows(),
            cols: run.board.size().cols(),
            goal: run.goal.to_string(),
            algorithm: run.settings.algorithm.to_string(),
            heuristic: match informed {
                true => run.settings.heuristic.to_string(),
                false => String::new(),
            },
            endgame: String::new(),
            threads: run.settings.threads,
            jobs: 1,
            repeat: 1,
            status: match outcome.map(|outcome| &outcome.result) {
                None => Status::Unsolvable,
                Some(Ok(_)) => Status::Solved,
                Some(Err(stop)) => (*stop).into(),
            },
            cost: solution.map(|solution| solution.moves.len()),
            known_optimal: run.known_optimal,
            verified: solution.map(|solution| solution.verified),
            h0: outcome.filter(|_| informed).map(|_| stats.h0),
            expanded: stats.expanded,
            generated: stats.generated,
            stored: stats.stored,
            iterations: stats.iterations,
            time_ns: nanoseconds(stats.time),
            nodes_per_s: (seconds > 0.0).then(|| stats.generated as f64 / seconds),
            peak_mem_bytes: stats.peak_memory,
            table_bytes: match informed {
                true => run.settings.heuristic.table_bytes(),
                false => 0,
            },
            solution: solution.map(|solution| Notation::Gap.letters(&solution.moves)),
            time_limit_ns: run.limits.time.map(nanoseconds),
            mem_limit_bytes: run.limits.memory,
            node_limit: run.limits.nodes,
            version: version(stats.engine, run.settings.prune),
            cpu: machine::cpu_model(),
            started_at: humantime::format_rfc3339_millis(run.started_at).to_string(),
        }
    }
}

/// Longer than 584 years is as good as 584 years.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn version(engine: Option<Engine>, prune: Option<Prune>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match engine {
        Some(engine) => match prune {
            Some(prune) => format!("{version}+{engine}.{prune}"),
            None => format!("{version}+{engine}"),
        },
        None => version.to_owned(),
    }
}
