//! The third file of a run: a row for each better solution of an anytime search.

use serde::{Deserialize, Serialize};

use super::key::{ConfigurationKey, RunKey};
use super::lines::Record;
use super::puzzle_key::{goal_text, numbers};
use super::row::{Row, RunFacts, factor, nanoseconds};
use super::texts::{named_columns, wrong_text};
use crate::puzzle::Cost;
use crate::search::Incumbent;

/// One solution; the fields are the columns, in their order. Those up to `started_at` are the ones of
/// the run's own row.
#[expect(
    missing_docs,
    reason = "`docs/csv.md` describes every column, see [`Row`]"
)]
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct IncumbentRow {
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
    pub threads: Option<usize>,
    pub jobs: Option<usize>,
    pub repeat: u32,
    pub started_at: String,
    pub time_ns: u64,
    pub cost: Cost,
    pub bound: Option<f64>,
}

impl Record for IncumbentRow {
    const REQUIRED: &'static [&'static str] = &["suite", "instance", "time_ns", "cost", "bound"];

    fn wrong_text(&self) -> Option<(&'static str, String)> {
        let columns = named_columns!(self, board goal metric costs);
        wrong_text([self.rows, self.cols], columns)
    }
}

impl IncumbentRow {
    /// A solution of a run that goes on.
    pub fn new(run: &RunFacts<'_>, incumbent: &Incumbent) -> IncumbentRow {
        let RunKey {
            suite,
            instance,
            configuration,
            repeat,
        } = run.key();
        IncumbentRow {
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
            threads: configuration.threads,
            jobs: Some(run.jobs),
            repeat,
            started_at: run.timestamp(),
            time_ns: nanoseconds(incumbent.elapsed),
            cost: incumbent.cost,
            bound: factor(incumbent.cost, incumbent.lower_bound),
        }
    }

    /// The run that this solution is of.
    pub fn key(&self) -> RunKey {
        RunKey {
            suite: self.suite.clone(),
            instance: self.instance.clone(),
            configuration: ConfigurationKey {
                solver: self.solver.clone(),
                algorithm: self.algorithm.clone(),
                heuristic: self.heuristic.clone(),
                threads: self.threads,
                ..ConfigurationKey::default()
            },
            repeat: self.repeat,
        }
    }

    /// Whether `row` is of the run that this solution is of.
    pub fn belongs_to(&self, row: &Row) -> bool {
        self.started_at == row.started_at && self.key() == row.key()
    }
}
