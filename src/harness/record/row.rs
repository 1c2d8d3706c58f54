//! The CSV of runs: its one schema.

use std::fmt;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::lookup::Endgame;
use crate::puzzle::{Board, Goal, Notation};
use crate::search::{Algorithm, EngineChoice, Limits, Outcome, Prune, Settings, Stop};
use crate::sys::machine;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Solved,
    Unsolvable,
    TimeLimit,
    MemLimit,
    NodeLimit,
    Interrupted,
    /// A unit of a threshold has no solution within it.
    Exhausted,
    #[default]
    Error,
}

impl From<Stop> for Status {
    fn from(stop: Stop) -> Status {
        match stop {
            Stop::Time => Status::TimeLimit,
            Stop::Nodes => Status::NodeLimit,
            Stop::Memory => Status::MemLimit,
            Stop::Cancelled => Status::Interrupted,
            Stop::Exhausted => Status::Exhausted,
            Stop::DamagedTable | Stop::Inconsistent | Stop::OtherSize | Stop::OtherTree => {
                Status::Error
            }
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
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
pub struct RunFacts<'a> {
    pub suite: &'a str,
    pub instance: &'a str,
    pub board: &'a Board,
    pub goal: Goal,
    pub settings: &'a Settings<'a>,
    pub limits: &'a Limits,
    pub known_optimal: Option<u32>,
    /// Instances side by side.
    pub jobs: usize,
    pub repeat: u32,
    pub started_at: SystemTime,
}

impl Row {
    /// The row of a run that ended, or of a board that parity shows to have no solution.
    pub fn new(run: &RunFacts<'_>, outcome: Option<&Outcome>) -> Row {
        let stats = outcome.map(|outcome| outcome.stats).unwrap_or_default();
        let solution = outcome.and_then(|outcome| outcome.result.as_ref().ok());
        let seconds = stats.time.as_secs_f64();
        let informed = run.settings.algorithm.is_informed();
        let key = RunKey::new(run.suite, run.instance, run.settings, run.repeat);
        Row {
            suite: key.suite,
            instance: key.instance,
            rows: run.board.size().rows(),
            cols: run.board.size().cols(),
            goal: run.goal.to_string(),
            algorithm: key.configuration.algorithm,
            heuristic: key.configuration.heuristic,
            endgame: key.configuration.endgame,
            threads: key.configuration.threads,
            jobs: run.jobs,
            repeat: key.repeat,
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
                true => {
                    let endgame = run.settings.endgame.map_or(0, Endgame::bytes);
                    run.settings.heuristic.table_bytes() + endgame
                }
                false => 0,
            },
            solution: solution.map(|solution| Notation::Gap.letters(&solution.moves)),
            time_limit_ns: run.limits.time.map(nanoseconds),
            mem_limit_bytes: run.limits.memory,
            node_limit: run.limits.nodes,
            version: version(stats.engine, run.settings.prune),
            cpu: machine::cpu_model().to_owned(),
            started_at: humantime::format_rfc3339_millis(run.started_at).to_string(),
        }
    }
}

/// Which search a row is about, as its columns name it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ConfigurationKey {
    pub algorithm: String,
    /// Empty for a search that reads none.
    pub heuristic: String,
    pub endgame: String,
    pub threads: usize,
}

impl From<&Settings<'_>> for ConfigurationKey {
    fn from(settings: &Settings<'_>) -> ConfigurationKey {
        ConfigurationKey {
            algorithm: settings.algorithm.to_string(),
            heuristic: match settings.algorithm.is_informed() {
                true => settings.heuristic.to_string(),
                false => String::new(),
            },
            endgame: (settings.endgame)
                .map(|endgame| endgame.depth().to_string())
                .unwrap_or_default(),
            threads: settings.threads,
        }
    }
}

/// `idastar with md, 2 threads`
impl fmt::Display for ConfigurationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.algorithm)?;
        if !self.heuristic.is_empty() {
            write!(f, " with {}", self.heuristic)?;
        }
        if !self.endgame.is_empty() {
            write!(f, ", endgame {}", self.endgame)?;
        }
        let plural = if self.threads == 1 { "" } else { "s" };
        write!(f, ", {} thread{plural}", self.threads)
    }
}

/// What no two runs of a file have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RunKey {
    pub suite: String,
    pub instance: String,
    pub configuration: ConfigurationKey,
    pub repeat: u32,
}

impl RunKey {
    pub fn new(suite: &str, instance: &str, settings: &Settings<'_>, repeat: u32) -> RunKey {
        RunKey {
            suite: suite.to_owned(),
            instance: instance.to_owned(),
            configuration: settings.into(),
            repeat,
        }
    }
}

impl Row {
    pub fn configuration(&self) -> ConfigurationKey {
        ConfigurationKey {
            algorithm: self.algorithm.clone(),
            heuristic: self.heuristic.clone(),
            endgame: self.endgame.clone(),
            threads: self.threads,
        }
    }

    pub fn key(&self) -> RunKey {
        RunKey {
            suite: self.suite.clone(),
            instance: self.instance.clone(),
            configuration: self.configuration(),
            repeat: self.repeat,
        }
    }

    /// Whether the algorithm of this row promises a shortest solution. One of another program
    /// may be anything, and promises nothing.
    pub fn claims_optimal(&self) -> bool {
        let algorithm: Result<Algorithm, _> = self.algorithm.parse();
        algorithm.is_ok_and(Algorithm::is_optimal)
    }

    /// Whether the answer is false: a path that does not replay, or a cost that the known
    /// optimum rules out.
    pub fn is_wrong(&self) -> bool {
        let (Status::Solved, Some(cost)) = (self.status, self.cost) else {
            return self.status == Status::Unsolvable && self.known_optimal.is_some();
        };
        let disagrees = self.known_optimal.is_some_and(|known| {
            let known = known as usize;
            cost < known || cost > known && self.claims_optimal()
        });
        self.verified != Some(true) || disagrees
    }

    /// The largest threshold that was exhausted: no solution has as few moves as that.
    ///
    /// IDA* begins at h0 and raises the threshold by the same step each time.
    pub fn last_threshold_finished(&self) -> Option<u32> {
        if self.algorithm != Algorithm::IdaStar.name() || self.status == Status::Solved {
            return None;
        }
        let step = if self.heuristic == "zero" { 1 } else { 2 };
        let finished = self.iterations.checked_sub(2)?;
        Some(self.h0? + step * finished)
    }
}

/// Longer than 584 years is as good as 584 years.
pub(crate) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn version(engine: Option<EngineChoice>, prune: Option<Prune>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match engine {
        Some(engine) => match prune {
            Some(prune) => format!("{version}+{engine}.{prune}"),
            None => format!("{version}+{engine}"),
        },
        None => version.to_owned(),
    }
}
