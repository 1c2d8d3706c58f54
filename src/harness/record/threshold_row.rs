//! The second file of a run: a row for each threshold of an iterative search.

use serde::{Deserialize, Serialize};

use super::key::{ConfigurationKey, RunKey, SOLVER};
use super::lines::Record;
use super::puzzle_key::{COSTS, METRIC, PuzzleKey, goal_text, numbers, size_of};
use super::row::{Row, RunFacts, nanoseconds};
use super::texts::{named_columns, wrong_text};
use crate::search::Iteration;

/// One threshold; the fields are the columns, in their order. The first ones are those of the
/// run's own row, `started_at` included: it tells two attempts at one run apart. The engine is
/// the one asked for by its name: the search may choose another one for each threshold.
#[expect(
    missing_docs,
    reason = "`docs/csv.md` describes every column, see [`Row`]"
)]
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ThresholdRow {
    pub suite: String,
    pub instance: String,
    pub rows: Option<usize>,
    pub cols: Option<usize>,
    pub board: String,
    pub goal: String,
    pub metric: String,
    pub costs: String,
    pub solver: String,
    pub algorithm: String,
    pub heuristic: String,
    pub endgame: String,
    pub engine: String,
    pub prune: String,
    pub threads: Option<usize>,
    pub jobs: Option<usize>,
    pub repeat: u32,
    pub started_at: String,
    pub tables: String,
    pub threshold: u32,
    /// Whether the threshold was exhausted; the last one ends at a solution.
    pub complete: bool,
    pub expanded: u64,
    pub generated: u64,
    pub time_ns: u64,
    pub cpu_time_ns: Option<u64>,
    pub best: Option<u32>,
}

impl Record for ThresholdRow {
    const REQUIRED: &'static [&'static str] = &[
        "suite",
        "instance",
        "threshold",
        "complete",
        "expanded",
        "generated",
        "time_ns",
    ];

    fn wrong_text(&self) -> Option<(&'static str, String)> {
        let columns = named_columns!(self, board goal metric costs solver engine prune);
        wrong_text([self.rows, self.cols], columns)
    }

    fn complete(thresholds: &mut [ThresholdRow], columns: &[&str]) {
        if !columns.contains(&"solver") {
            for threshold in thresholds {
                threshold.solver = SOLVER.to_owned();
                if threshold.metric.is_empty() && threshold.costs.is_empty() {
                    threshold.metric = METRIC.to_owned();
                    threshold.costs = COSTS.to_owned();
                }
            }
        }
    }
}

impl ThresholdRow {
    /// What all thresholds of a run have in common. It is made before the search, whose clock runs while
    /// rows are made of it.
    pub fn of_run(run: &RunFacts<'_>) -> ThresholdRow {
        let RunKey {
            suite,
            instance,
            configuration,
            repeat,
        } = run.key();
        ThresholdRow {
            suite,
            instance,
            rows: Some(run.board.size().rows()),
            cols: Some(run.board.size().cols()),
            board: numbers(run.board),
            goal: goal_text(run.rules.goal, run.board.size()),
            metric: run.rules.metric.to_string(),
            costs: run.rules.costs.to_string(),
            solver: configuration.solver,
            algorithm: configuration.algorithm,
            heuristic: configuration.heuristic,
            endgame: configuration.endgame,
            engine: configuration.engine,
            prune: configuration.prune,
            threads: configuration.threads,
            jobs: Some(run.jobs),
            repeat,
            started_at: run.timestamp(),
            tables: run.tables.to_owned(),
            ..ThresholdRow::default()
        }
    }

    /// The row of a threshold of that run.
    pub fn with(&self, iteration: &Iteration) -> ThresholdRow {
        ThresholdRow {
            threshold: iteration.threshold,
            complete: iteration.complete,
            expanded: iteration.expanded,
            generated: iteration.generated,
            time_ns: nanoseconds(iteration.time),
            cpu_time_ns: iteration.cpu_time.map(nanoseconds),
            best: iteration.best,
            ..self.clone()
        }
    }

    /// The run that this threshold belongs to, as it was asked for.
    pub fn key(&self) -> RunKey {
        RunKey {
            suite: self.suite.clone(),
            instance: self.instance.clone(),
            configuration: ConfigurationKey {
                solver: self.solver.clone(),
                algorithm: self.algorithm.clone(),
                heuristic: self.heuristic.clone(),
                endgame: self.endgame.clone(),
                engine: self.engine.clone(),
                prune: self.prune.clone(),
                threads: self.threads,
            },
            repeat: self.repeat,
        }
    }

    /// The search that it is a part of.
    pub fn search(&self) -> SearchKey {
        SearchKey {
            run: self.key(),
            puzzle: PuzzleKey {
                size: size_of(self.rows, self.cols),
                board: self.board.clone(),
                goal: self.goal.clone(),
                metric: self.metric.clone(),
                costs: self.costs.clone(),
            },
            tables: self.tables.clone(),
        }
    }

    /// Whether `row` is of the run that this threshold belongs to.
    pub fn belongs_to(&self, row: &Row) -> bool {
        self.started_at == row.started_at
            && (&self.suite, &self.instance, self.repeat) == (&row.suite, &row.instance, row.repeat)
            && self.key().configuration.is_done_by(&row.configuration())
    }
}

/// A search whose thresholds another one can go on from: a run of the same problem, asked for in
/// the same way, with the same tables: a threshold that a damaged one exhausted may hold a solution.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SearchKey {
    run: RunKey,
    puzzle: PuzzleKey,
    tables: String,
}
