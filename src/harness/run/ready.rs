//! A plan with its tables: which search each run is, and which runs are left to do.

use std::collections::{HashMap, HashSet};

use super::plan::{Plan, Planned};
use super::prepare::PlanTables;
use crate::harness::record::{
    ConfigurationKey, Row, RunKey, Session, SizedKey, TableRecord, is_final, mark, tables_read,
};
use crate::harness::suite::SplitFor;
use crate::puzzle::Size;
use crate::search::{Algorithm, Limits, Settings};

/// A plan that is ready to run.
#[derive(Debug)]
pub struct Ready<'a> {
    /// What is to run.
    pub plan: &'a Plan,
    /// The search of each configuration for each size.
    settings: HashMap<(usize, Size), Settings<'a>>,
    /// What each of them reads.
    tables: HashMap<(usize, Size), TablesRead>,
}

/// The tables of a search, and the same in one field.
#[derive(Debug)]
struct TablesRead {
    tables: Vec<TableRecord>,
    mark: String,
}

/// Units are to be run with another search than they were cut for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the units of {suite} were cut for {split_for}, and for no other search")]
pub struct OtherSearch {
    /// The suite of units.
    pub suite: String,
    /// What they were split for.
    pub split_for: SplitFor,
}

impl<'a> Ready<'a> {
    /// `tables` are those of the same plan. Units are refused with another search than they were
    /// cut for.
    pub fn new(plan: &'a Plan, tables: &'a PlanTables) -> Result<Ready<'a>, OtherSearch> {
        let mut settings = HashMap::new();
        for run in &plan.runs {
            let size = plan.instance(run).board.size();
            let settings = settings
                .entry((run.configuration, size))
                .or_insert_with(|| {
                    let settings = tables.settings(plan.configuration(run), size);
                    Settings {
                        engine: settings.engine_on(size),
                        ..settings
                    }
                });
            let suite = plan.suite(run);
            match &suite.split_for {
                Some(split_for) if !is_search_of(split_for, settings) => {
                    return Err(OtherSearch {
                        suite: suite.name.clone(),
                        split_for: split_for.clone(),
                    });
                }
                _ => {}
            }
        }
        let read = settings.iter().map(|(&search, settings)| {
            let tables = tables_read(settings, tables.are_verified());
            let mark = mark(&tables);
            (search, TablesRead { tables, mark })
        });
        Ok(Ready {
            plan,
            tables: read.collect(),
            settings,
        })
    }

    /// The checksums of the tables that a run reads, in one field.
    pub fn mark(&self, run: &Planned) -> &str {
        let size = self.plan.instance(run).board.size();
        &self.tables[&(run.configuration, size)].mark
    }

    /// All tables, by their names.
    pub fn tables(&self) -> Vec<TableRecord> {
        let all = self.tables.values().flat_map(|read| read.tables.clone());
        let mut all: Vec<TableRecord> = all.collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.dedup();
        all
    }

    /// How a run is searched.
    pub fn settings(&self, run: &Planned) -> &Settings<'a> {
        let size = self.plan.instance(run).board.size();
        &self.settings[&(run.configuration, size)]
    }

    /// What the run's row will say about it.
    pub fn key(&self, run: &Planned) -> RunKey {
        RunKey::new(
            &self.plan.suite(run).name,
            &self.plan.instance(run).name,
            self.settings(run),
            run.repeat,
        )
    }

    /// How rows name a configuration of the plan, for each size that it meets.
    pub fn names_of(&self, configuration: usize) -> Vec<SizedKey> {
        let own = self
            .settings
            .iter()
            .filter(|((it, _), _)| *it == configuration);
        let keys = own.map(|((_, size), settings)| SizedKey {
            rows: size.rows(),
            cols: size.cols(),
            configuration: settings.into(),
        });
        let mut keys: Vec<SizedKey> = keys.collect();
        keys.sort();
        keys
    }

    /// The searches as rows name them, each once.
    pub fn configurations(&self) -> Vec<ConfigurationKey> {
        let mut keys: Vec<ConfigurationKey> = self.settings.values().map(Into::into).collect();
        keys.sort();
        keys.dedup();
        keys
    }

    /// The runs that are still to do, in their order.
    ///
    /// A run that was interrupted is done again, and so is one that stopped at a limit lower than
    /// the one now asked for, or that read [other tables](Ready::has_other_tables); its new row
    /// follows the old one.
    pub fn remaining(&self, rows: &[Row], sessions: &[Session], asked: &Limits) -> Vec<Planned> {
        let mut done: HashSet<RunKey> = HashSet::new();
        let counts = |row: &&Row| is_final(row, asked) && !self.has_other_tables(row, sessions);
        for row in rows.iter().filter(counts) {
            done.insert(row.key());
            // A plan that left the engine open is done with any.
            done.insert(row.key().without_engine());
        }
        // Two configurations may come to the same search: `batched` is `scalar` where there are
        // no batches.
        let is_left = |run: &&Planned| done.insert(self.key(run));
        self.plan.runs.iter().filter(is_left).copied().collect()
    }

    /// Whether a row was made with tables that were not verified as those of this plan are, or
    /// that are others by now. Nothing is held against a row of which no session tells.
    pub fn has_other_tables(&self, row: &Row, sessions: &[Session]) -> bool {
        let is_before = |session: &&Session| session.started_at <= row.started_at;
        let Some(session) = sessions.iter().rev().find(is_before) else {
            return false;
        };
        let is_other = |now: &TableRecord| {
            let mut then = session.tables.iter().filter(|then| then.name == now.name);
            then.any(|then| !then.stands_beside(now))
        };
        let searches = self.settings.iter().filter(|((_, size), settings)| {
            let key = ConfigurationKey::from(*settings);
            (row.rows, row.cols) == (Some(size.rows()), Some(size.cols()))
                && (row.heuristic == key.heuristic && row.endgame == key.endgame)
        });
        let mut read = searches.flat_map(|(search, _)| &self.tables[search].tables);
        read.any(is_other)
    }
}

/// Whether units are in the tree of this search.
fn is_search_of(split_for: &SplitFor, settings: &Settings<'_>) -> bool {
    settings.algorithm == Algorithm::IdaStar
        && settings.heuristic.to_string() == split_for.heuristic
        && settings.prune == split_for.prune
        && settings.endgame.is_none()
}
