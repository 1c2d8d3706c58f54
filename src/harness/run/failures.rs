//! When a configuration has failed often enough to be left alone.

use std::collections::HashMap;

use super::plan::Planned;
use super::ready::Ready;
use crate::harness::record::{Row, RunKey, Session, Status, is_final, latest};
use crate::search::Limits;

/// The runs that were left out of one configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// As it was asked for.
    pub configuration: String,
    /// How many.
    pub runs: usize,
}

/// How often each configuration of a plan has failed, and how often it may.
#[derive(Clone, Debug)]
pub(super) struct Failures {
    /// Without it, for ever.
    most: Option<u32>,
    /// What is asked for, for each run: one that had less did not fail.
    asked: Limits,
    /// By the places of the configurations.
    counts: Vec<u32>,
}

impl Failures {
    /// None so far.
    pub fn none(most: Option<u32>, asked: Limits, configurations: usize) -> Failures {
        Failures {
            most,
            asked,
            counts: vec![0; configurations],
        }
    }

    /// Those that rows tell of, the last row of each run, but for runs that are done again.
    pub fn of_rows(
        most: Option<u32>,
        asked: Limits,
        ready: &Ready<'_>,
        rows: &[Row],
        sessions: &[Session],
    ) -> Failures {
        let plan = ready.plan;
        let mut failures = Failures::none(most, asked, plan.configurations.len());
        if most.is_none() {
            return failures;
        }
        let mut places: HashMap<RunKey, usize> = HashMap::new();
        for run in &plan.runs {
            places.entry(ready.key(run)).or_insert(run.configuration);
        }
        for row in latest(rows) {
            // A plan that left the engine open has any.
            let place = places.get(&row.key());
            let place = place.or_else(|| places.get(&row.key().without_engine()));
            if let Some(&place) = place.filter(|_| !ready.has_other_tables(row, sessions)) {
                failures.add(place, row);
            }
        }
        failures
    }

    /// Counts a run, if it failed: a limit or an error ended it, and not the user or the time for
    /// all runs.
    pub fn add(&mut self, configuration: usize, row: &Row) {
        let has_failed = match row.status {
            Status::TimeLimit | Status::MemLimit | Status::NodeLimit | Status::Error => {
                is_final(row, &self.asked)
            }
            Status::Solved | Status::Unsolvable | Status::Exhausted | Status::Interrupted => false,
        };
        self.counts[configuration] += u32::from(has_failed);
    }

    /// Whether the configuration of a run has failed as often as it may.
    pub fn leave_out(&self, run: &Planned) -> bool {
        let count = self.counts[run.configuration];
        self.most.is_some_and(|most| count >= most)
    }

    /// What is left out of the runs that have no row.
    pub fn left_out(&self, ready: &Ready<'_>, remaining: &[Planned]) -> Vec<LeftOut> {
        let configurations = ready.plan.configurations.iter().enumerate();
        let left_out = configurations.map(|(place, configuration)| {
            let own = |run: &&Planned| run.configuration == place && self.leave_out(run);
            LeftOut {
                configuration: configuration.to_string(),
                runs: remaining.iter().filter(own).count(),
            }
        });
        left_out.filter(|left_out| left_out.runs > 0).collect()
    }
}
