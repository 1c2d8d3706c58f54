//! The second file of a run: a row for each threshold of an iterative search.

use serde::{Deserialize, Serialize};

use super::row::{ConfigurationKey, Row, RunFacts, RunKey, nanoseconds};
use crate::search::Iteration;

/// One threshold; the fields are the columns, in their order. The first ones are those of the
/// run's own row, `started_at` included: it tells two attempts at one run apart.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IterationRow {
    pub suite: String,
    pub instance: String,
    pub board: String,
    pub goal: String,
    pub algorithm: String,
    pub heuristic: String,
    pub endgame: String,
    pub prune: String,
    pub threads: usize,
    pub jobs: usize,
    pub repeat: u32,
    pub started_at: String,
    pub threshold: u32,
    /// Whether the threshold was exhausted; the last one ends at a solution.
    pub complete: bool,
    pub expanded: u64,
    pub generated: u64,
    pub time_ns: u64,
}

impl IterationRow {
    /// A threshold of a run, whose row is not complete yet.
    pub fn new(run: &RunFacts<'_>, row: &Row, iteration: &Iteration) -> IterationRow {
        let RunKey {
            suite,
            instance,
            configuration,
            repeat,
        } = row.key();
        IterationRow {
            suite,
            instance,
            board: run.board.to_string(),
            goal: row.goal.clone(),
            algorithm: configuration.algorithm,
            heuristic: configuration.heuristic,
            endgame: configuration.endgame,
            prune: prune_of(run),
            threads: configuration.threads,
            jobs: row.jobs,
            repeat,
            started_at: row.started_at.clone(),
            threshold: iteration.threshold,
            complete: iteration.complete,
            expanded: iteration.expanded,
            generated: iteration.generated,
            time_ns: nanoseconds(iteration.time),
        }
    }

    /// The run that this threshold belongs to.
    pub fn key(&self) -> RunKey {
        RunKey {
            suite: self.suite.clone(),
            instance: self.instance.clone(),
            configuration: ConfigurationKey {
                algorithm: self.algorithm.clone(),
                heuristic: self.heuristic.clone(),
                endgame: self.endgame.clone(),
                threads: self.threads,
            },
            repeat: self.repeat,
        }
    }

    /// The search that it is a part of.
    pub fn search(&self) -> SearchKey {
        SearchKey {
            run: self.key(),
            board: self.board.clone(),
            goal: self.goal.clone(),
            prune: self.prune.clone(),
        }
    }

    /// Whether `row` is of the run that this threshold belongs to.
    pub fn belongs_to(&self, row: &Row) -> bool {
        self.started_at == row.started_at && self.key() == row.key()
    }
}

/// A search whose thresholds another one can go on from: a run of the same board.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SearchKey {
    run: RunKey,
    board: String,
    goal: String,
    prune: String,
}

impl SearchKey {
    pub fn new(run: &RunFacts<'_>, row: &Row) -> SearchKey {
        SearchKey {
            run: row.key(),
            board: run.board.to_string(),
            goal: row.goal.clone(),
            prune: prune_of(run),
        }
    }
}

fn prune_of(run: &RunFacts<'_>) -> String {
    let prune = run.settings.prune;
    prune.map_or(String::new(), |prune| prune.to_string())
}
