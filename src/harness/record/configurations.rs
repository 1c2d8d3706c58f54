//! Which configurations the rows of files have.

use std::collections::{HashMap, HashSet};

use super::key::{ConfigurationKey, RunKey};
use super::row::Row;
use super::status::Status;

/// How rows tell their configurations apart.
///
/// A row names the engine that ran, and `auto` may have taken another one for the next board. So
/// an engine is part of what a configuration is called only where a file has the same run with
/// several engines.
#[derive(Clone, Debug, Default)]
pub struct Configurations {
    /// Those with several engines, without their engines.
    by_engine: HashSet<ConfigurationKey>,
}

impl Configurations {
    /// Those of one file.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Configurations {
        let mut configurations = Configurations::default();
        configurations.add_file(rows);
        configurations
    }

    /// Takes in the rows of another file.
    pub fn add_file<'a>(&mut self, rows: impl IntoIterator<Item = &'a Row>) {
        // A run that was stopped and done again with a higher limit is one run.
        let mut engines: HashMap<(RunKey, Option<u64>, Option<u64>), &str> = HashMap::new();
        for row in rows {
            if row.engine.is_empty() || row.status == Status::Interrupted {
                continue;
            }
            let run = row.key().without_engine();
            let configuration = run.configuration.clone();
            let first = engines
                .entry((run, row.time_limit_ns, row.node_limit))
                .or_insert(&row.engine);
            if *first != row.engine {
                self.by_engine.insert(configuration);
            }
        }
    }

    /// The configuration of a row.
    pub fn configuration(&self, row: &Row) -> ConfigurationKey {
        let key = row.configuration();
        let without = key.clone().without_engine();
        match self.by_engine.contains(&without) {
            true => key,
            false => without,
        }
    }

    /// The run of a row.
    pub fn run(&self, row: &Row) -> RunKey {
        RunKey {
            configuration: self.configuration(row),
            ..row.key()
        }
    }
}
