//! The CSV of runs: its one schema, which docs/csv.md describes.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::format::RowFormat;
use super::key::{ConfigurationKey, Entrant, RunKey, SOLVER};
use super::lines::{Record, RowsError};
use super::puzzle_key::{COSTS, METRIC, PuzzleKey, goal_text, numbers, size_of};
use super::status::Status;
use super::texts::{named_columns, wrong_text};
use crate::harness::solver::Call;
use crate::lookup::Endgame;
use crate::puzzle::{Board, Cost, Goal, Metric, Move, Notation, Rules, Size, parse_board};
use crate::search::{Algorithm, Limits, Outcome, Settings, Stop, Weight};
use crate::sys::machine;

/// One run; the fields are the columns, in their order. Units are in the names, numbers are
/// never rounded, and what is not known is empty.
#[doc = ""]
#[doc = include_str!("../../../docs/csv.md")]
#[expect(
    missing_docs,
    reason = "the page above describes every column, and a test compares it"
)]
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Row {
    pub suite: String,
    pub instance: String,
    pub rows: Option<usize>,
    pub cols: Option<usize>,
    pub board: String,
    pub goal: String,
    pub metric: String,
    pub costs: String,
    pub solver: String,
    pub version: String,
    pub algorithm: String,
    pub heuristic: String,
    pub endgame: String,
    pub engine: String,
    pub prune: String,
    pub threads: Option<usize>,
    pub jobs: Option<usize>,
    pub repeat: u32,
    pub status: Status,
    pub cost: Option<Cost>,
    pub moves: Option<usize>,
    pub known_optimal: Option<u32>,
    #[serde(serialize_with = "shortest", deserialize_with = "finite")]
    pub bound: Option<f64>,
    pub verified: Option<bool>,
    pub h0: Option<Cost>,
    pub expanded: Option<u64>,
    pub generated: Option<u64>,
    pub reopened: Option<u64>,
    pub stored: Option<u64>,
    pub iterations: Option<u32>,
    pub time_ns: u64,
    pub cpu_time_ns: Option<u64>,
    #[serde(deserialize_with = "finite")]
    pub nodes_per_s: Option<f64>,
    pub peak_mem_bytes: Option<u64>,
    pub table_bytes: Option<u64>,
    pub solution: Option<String>,
    pub time_limit_ns: Option<u64>,
    pub mem_limit_bytes: Option<u64>,
    pub node_limit: Option<u64>,
    pub cpu: String,
    pub started_at: String,
}

/// A whole number without a point: a bound of 1 is `1`.
fn shortest<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(whole) if f64::from(*whole as u32).to_bits() == whole.to_bits() => {
            serializer.serialize_some(&(*whole as u32))
        }
        value => value.serialize(serializer),
    }
}

/// The factor of a cost above one that no solution is below; `None` where nothing is proven.
pub(super) fn factor(cost: Cost, least: Option<Cost>) -> Option<f64> {
    let none = Cost::default();
    match least {
        _ if cost == none => Some(1.0),
        Some(least) if least > none => Some(cost.as_f64() / least.as_f64()),
        _ => None,
    }
}

/// A number that can be written again: JSON has neither `inf` nor `NaN`.
fn finite<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let value: Option<f64> = Option::deserialize(deserializer)?;
    match value.filter(|value| !value.is_finite()) {
        None => Ok(value),
        Some(value) => Err(serde::de::Error::custom(format!(
            "'{value}' is not a number"
        ))),
    }
}

impl Record for Row {
    const REQUIRED: &'static [&'static str] = &["suite", "instance", "status", "cost", "time_ns"];

    fn wrong_text(&self) -> Option<(&'static str, String)> {
        let columns = named_columns!(self, board goal metric costs solver engine prune);
        wrong_text([self.rows, self.cols], columns)
    }

    /// Schema 1 is of this program, which knew one metric and one cost of a move. Files of others
    /// may not number their repeats: then they count in the order of the file.
    fn complete(rows: &mut [Row], columns: &[&str]) {
        if !columns.contains(&"solver") && columns.contains(&"version") {
            for row in &mut *rows {
                row.solver = SOLVER.to_owned();
                if row.metric.is_empty() && row.costs.is_empty() {
                    row.metric = METRIC.to_owned();
                    row.costs = COSTS.to_owned();
                    row.moves = row.cost.and_then(Cost::whole);
                }
            }
        }
        if !columns.contains(&"repeat") {
            let mut repeats: HashMap<RunKey, u32> = HashMap::new();
            for row in rows {
                let repeat = repeats.entry(row.key()).or_default();
                *repeat += 1;
                row.repeat = *repeat;
            }
        }
    }
}

/// What is known of a run before it starts.
#[derive(Clone, Copy, Debug)]
pub struct RunFacts<'a> {
    /// The suite's name.
    pub suite: &'a str,
    /// The instance's name.
    pub instance: &'a str,
    /// The start.
    pub board: &'a Board,
    /// What it is to become, and by which moves.
    pub rules: Rules,
    /// Who solves it.
    pub entrant: Entrant<'a>,
    /// As they were asked for: less may be left of the time for all runs, and where no limit of memory
    /// is asked for, the machine has one.
    pub limits: &'a Limits,
    /// The length of a shortest solution, if it is known.
    pub known_optimal: Option<u32>,
    /// Instances side by side.
    pub jobs: usize,
    /// Which time, from 1.
    pub repeat: u32,
    /// When the search began.
    pub started_at: SystemTime,
    /// The checksums of the tables that it reads, in one field.
    pub tables: &'a str,
}

impl RunFacts<'_> {
    /// What tells it from other runs.
    pub fn key(&self) -> RunKey {
        RunKey {
            suite: self.suite.to_owned(),
            instance: self.instance.to_owned(),
            configuration: self.entrant.key(),
            repeat: self.repeat,
        }
    }

    /// The moment at which it starts, as files write it.
    pub(crate) fn timestamp(&self) -> String {
        humantime::format_rfc3339_millis(self.started_at).to_string()
    }
}

impl Row {
    /// The row of what a program of others made of a board. Its path is replayed; a cost alone
    /// cannot be, and a cost that is not that of the path is as wrong as a path that leads astray.
    pub fn of_call(run: &RunFacts<'_>, call: &Call) -> Row {
        let answer = call.answer.as_ref().ok();
        let moves = answer.and_then(|answer| answer.moves.as_deref());
        let length = moves.map(<[Move]>::len);
        let said = answer
            .and_then(|answer| answer.cost)
            .map(|cost| Cost::from(cost as usize));
        let solved = run.rules.solved(run.board.size());
        let is_right = |moves| run.board.replay(moves) == Some(solved);
        let cost = moves.map(|moves| run.rules.cost(run.board, moves));
        Row {
            status: match &call.answer {
                Ok(_) => Status::Solved,
                Err(failure) => failure.into(),
            },
            cost: cost.or(said),
            moves: length,
            verified: moves.map(|moves| is_right(moves) && said.is_none_or(|it| Some(it) == cost)),
            expanded: answer.and_then(|answer| answer.expanded),
            generated: answer.and_then(|answer| answer.generated),
            time_ns: nanoseconds(call.time),
            cpu_time_ns: Some(nanoseconds(call.cpu_time)),
            peak_mem_bytes: call.peak_memory,
            solution: moves.map(|moves| Notation::Gap.letters(moves)),
            ..Row::before(run)
        }
    }

    /// The row of a search that ended, or of a board that parity shows to have no solution.
    pub fn new(run: &RunFacts<'_>, outcome: Option<&Outcome>) -> Row {
        let stats = outcome.map(|outcome| outcome.stats).unwrap_or_default();
        let solution = outcome.and_then(|outcome| outcome.result.as_ref().ok());
        let cost = solution.map(|solution| solution.cost);
        let algorithm = match run.entrant {
            Entrant::Search(settings) => Some(settings.algorithm),
            Entrant::Program(_) => None,
        };
        let is_optimal = algorithm.is_some_and(Algorithm::is_optimal);
        let is_informed = algorithm.is_some_and(Algorithm::is_informed);
        let seconds = stats.time.as_secs_f64();
        let before = Row::before(run);
        Row {
            engine: match stats.engine {
                Some(ran) => ran.to_string(),
                None => before.engine,
            },
            status: match outcome.map(|outcome| &outcome.result) {
                None => Status::Unsolvable,
                // A limit ends an anytime search with what it has; the user breaks it off.
                Some(Ok(_)) if stats.stopped_by == Some(Stop::Cancelled) => Status::Interrupted,
                Some(Ok(_)) => Status::Solved,
                Some(Err(stop)) => (*stop).into(),
            },
            cost,
            moves: solution.map(|solution| solution.moves.len()),
            bound: solution.and_then(|solution| match is_optimal {
                true => Some(1.0),
                false => factor(solution.cost, stats.least_cost()),
            }),
            verified: solution.map(|solution| solution.verified),
            h0: outcome
                .filter(|_| is_informed)
                .map(|_| stats.h0_cost.unwrap_or(stats.h0.into())),
            expanded: Some(stats.expanded),
            generated: Some(stats.generated),
            reopened: Some(stats.reopened),
            stored: Some(stats.stored),
            iterations: Some(stats.iterations),
            time_ns: nanoseconds(stats.time),
            cpu_time_ns: stats.cpu_time.map(nanoseconds),
            nodes_per_s: (seconds > 0.0).then(|| stats.generated as f64 / seconds),
            peak_mem_bytes: Some(stats.peak_memory),
            solution: solution.map(|solution| Notation::Gap.letters(&solution.moves)),
            ..before
        }
    }

    /// What a row says that is known before the search.
    fn before(run: &RunFacts<'_>) -> Row {
        let key = run.key();
        let (version, table_bytes) = match run.entrant {
            Entrant::Search(settings) => (env!("CARGO_PKG_VERSION"), Some(table_bytes(settings))),
            Entrant::Program(solver) => (&solver.version[..], None),
        };
        Row {
            suite: key.suite,
            instance: key.instance,
            rows: Some(run.board.size().rows()),
            cols: Some(run.board.size().cols()),
            board: numbers(run.board),
            goal: goal_text(run.rules.goal, run.board.size()),
            metric: run.rules.metric.to_string(),
            costs: run.rules.costs.to_string(),
            solver: key.configuration.solver,
            version: version.to_owned(),
            algorithm: key.configuration.algorithm,
            heuristic: key.configuration.heuristic,
            endgame: key.configuration.endgame,
            engine: key.configuration.engine,
            prune: key.configuration.prune,
            threads: key.configuration.threads,
            jobs: Some(run.jobs),
            repeat: key.repeat,
            known_optimal: run.known_optimal,
            table_bytes,
            time_limit_ns: run.limits.time.map(nanoseconds),
            mem_limit_bytes: run.limits.memory,
            node_limit: run.limits.nodes,
            cpu: machine::cpu_model().to_owned(),
            started_at: run.timestamp(),
            ..Row::default()
        }
    }
}

/// What the tables of a search take.
fn table_bytes(settings: &Settings<'_>) -> u64 {
    match settings.algorithm.is_informed() {
        true => settings.heuristic.table_bytes() + settings.endgame.map_or(0, Endgame::bytes),
        false => 0,
    }
}

/// A run as short as that tells nothing of how busy the machine was.
const LONG: Duration = Duration::from_millis(50);

impl Row {
    /// The way to search.
    pub fn configuration(&self) -> ConfigurationKey {
        ConfigurationKey {
            solver: self.solver.clone(),
            algorithm: self.algorithm.clone(),
            heuristic: self.heuristic.clone(),
            endgame: self.endgame.clone(),
            engine: self.engine.clone(),
            prune: self.prune.clone(),
            threads: self.threads,
        }
    }

    /// What tells it from other runs.
    pub fn key(&self) -> RunKey {
        RunKey {
            suite: self.suite.clone(),
            instance: self.instance.clone(),
            configuration: self.configuration(),
            repeat: self.repeat,
        }
    }

    /// Which problem it is about.
    pub fn puzzle_key(&self) -> PuzzleKey {
        PuzzleKey {
            size: size_of(self.rows, self.cols),
            board: self.board.clone(),
            goal: self.goal.clone(),
            metric: self.metric.clone(),
            costs: self.costs.clone(),
        }
    }

    /// The size of the board and what it was to become, where the row says so.
    pub fn puzzle(&self) -> Option<(Size, Goal)> {
        let size = Size::new(self.rows?, self.cols?).ok()?;
        let goal = Goal::parse(&self.goal, Some(size)).ok()?;
        goal.check(size).ok()?;
        Some((size, goal.of_size(size)))
    }

    /// The board that the run began with, where the row has it.
    pub fn start(&self) -> Option<(Board, Goal)> {
        let (size, goal) = self.puzzle()?;
        let board = parse_board(&self.board, Some(size)).ok()?;
        Some((board, goal))
    }

    /// How many moves its solution has, in its metric; where tiles have costs of their own, its
    /// moves of one tile.
    pub fn counted_moves(&self) -> Option<usize> {
        match self.has_tile_costs() {
            false => self.cost.and_then(Cost::whole),
            true => self.moves,
        }
    }

    /// Whether tiles had costs of their own, so that a cost is no number of moves.
    pub fn has_tile_costs(&self) -> bool {
        !["", COSTS].contains(&&self.costs[..])
    }

    /// Whether the row promises a shortest solution.
    pub fn claims_optimal(&self) -> bool {
        self.promise() == Some(1.0)
    }

    /// The factor within which the row promises its cost to be of the least: what it says itself, and
    /// what its search does. One of another program may be anything, and promises nothing unless it
    /// says so.
    pub fn promise(&self) -> Option<f64> {
        let algorithm = Algorithm::of_row(&self.algorithm);
        let promise = algorithm.and_then(Algorithm::promise);
        let promises = [self.bound, promise.map(Weight::as_f64)];
        promises.into_iter().flatten().reduce(f64::min)
    }

    /// Whether the row promises a lower cost than its own where a solution of `least` is known.
    pub fn breaks_promise(&self, least: Cost) -> bool {
        // A quotient is rounded: its product may miss the cost by a last bit.
        const ROUNDING: f64 = 1.0 + 1e-12;
        let most = |promise: f64| promise * least.as_f64() * ROUNDING;
        let cost = self.cost.map(Cost::as_f64);
        cost.zip(self.promise())
            .is_some_and(|(cost, promise)| cost > most(promise))
    }

    /// Whether the machine was busy with something else: the run took more than a tenth longer
    /// than its threads worked. On a quiet machine these work at least as long as the run takes,
    /// however many they are; of a program of others nobody knows what it waits for.
    pub fn had_to_wait(&self) -> bool {
        let has_waited = |worked: u64| self.time_ns > worked.saturating_add(worked / 10);
        let is_long = self.time_ns > nanoseconds(LONG);
        let is_ours = matches!(&self.solver[..], "" | SOLVER);
        is_long && is_ours && self.cpu_time_ns.is_some_and(has_waited)
    }

    /// The largest threshold that was exhausted: no solution has as few moves as that.
    ///
    /// IDA* begins at h0 and raises the threshold by the same step each time.
    pub fn last_threshold_finished(&self) -> Option<u32> {
        let tells = !matches!(self.status, Status::Solved | Status::Error);
        let algorithm = Algorithm::of_row(&self.algorithm);
        let has_steps = algorithm.is_some_and(|it| {
            it.raises_f() && !(it.is_bidirectional() && self.heuristic == "zero")
        });
        if !has_steps || !tells || self.has_tile_costs() {
            return None;
        }
        let is_multi = self.metric == Metric::Multi.name();
        let step = if self.heuristic == "zero" || is_multi {
            1
        } else {
            2
        };
        let finished = self.iterations?.checked_sub(2)?;
        let h0 = u32::try_from(self.h0?.whole()?).ok()?;
        h0.checked_add(finished.checked_mul(step)?)
    }
}

/// The rows of a file in either format.
pub fn parse_rows(text: &str) -> Result<Vec<Row>, RowsError> {
    if text.trim().is_empty() {
        return Err(RowsError::Empty);
    }
    RowFormat::of(text).records(text)
}

/// The rows of a file that this version wrote, and can add to.
pub fn parse_own_rows(text: &str) -> Result<Vec<Row>, RowsError> {
    if text.trim().is_empty() {
        return Err(RowsError::Empty);
    }
    RowFormat::of(text).own_records(text)
}

/// Longer than 584 years is as good as 584 years.
pub(crate) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
