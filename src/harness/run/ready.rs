//! A plan with its tables: which search each run is, and which runs are left to do.

use std::collections::{HashMap, HashSet};

use super::contender::Contender;
use super::plan::{Plan, Planned};
use super::prepare::PlanTables;
use crate::harness::record::{
    ConfigurationKey, Entrant, Row, RunKey, Session, SizedKey, TableRecord, is_final, mark,
    tables_read,
};
use crate::harness::suite::{SplitFor, Suite};
use crate::heuristic::Usable;
use crate::puzzle::{MAX_OPTIMAL_CELLS, Problem, Rules, Size};
use crate::search::{Limits, Settings, Stop};

/// A plan that is ready to run.
#[derive(Debug)]
pub struct Ready<'a> {
    /// What is to run.
    pub plan: &'a Plan,
    /// The search of each configuration for each size and what holds there.
    settings: HashMap<Met, Settings<'a>>,
    /// What each of them reads.
    tables: HashMap<Met, TablesRead>,
}

/// What of a run its search depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Met {
    configuration: usize,
    size: Size,
    usable: Usable,
}

impl Met {
    fn by(run: &Planned, plan: &Plan) -> Met {
        Met {
            configuration: run.configuration,
            size: plan.instance(run).board.size(),
            usable: plan.usable(run),
        }
    }
}

/// The tables of a search, and the same in one field.
#[derive(Debug)]
struct TablesRead {
    tables: Vec<TableRecord>,
    mark: String,
}

/// Why a plan cannot be run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotReady {
    /// Units are to be run with another search than they were cut for.
    #[error("the units of {suite} were cut for {split_for}, and for no other search")]
    OtherSearch {
        /// The suite of units.
        suite: String,
        /// What they were split for.
        split_for: SplitFor,
    },
    /// A search is for smaller boards.
    #[error(
        "{search} is for boards of up to {MAX_OPTIMAL_CELLS} cells, and instance {instance} of \
         {suite} is {size}"
    )]
    WideBoard {
        /// The search.
        search: Box<ConfigurationKey>,
        /// The suite.
        suite: String,
        /// The first such instance of it.
        instance: String,
        /// The size of that.
        size: Size,
    },
    /// A search has tables that do not lead to the board that it goes to, or does not know the metric.
    #[error("{search} cannot solve instance {instance} of {suite}: {why}")]
    OtherTarget {
        /// The search.
        search: Box<ConfigurationKey>,
        /// The suite.
        suite: String,
        /// The first such instance of it.
        instance: String,
        /// The rules of that.
        rules: Box<Rules>,
        /// What the search would say.
        why: Stop,
    },
}

impl<'a> Ready<'a> {
    /// `tables` are those of the same plan. Units are refused with another search than they were
    /// cut for, a search with boards that are too large for it, or with tables that do not lead to
    /// its target.
    pub fn new(plan: &'a Plan, tables: &'a PlanTables) -> Result<Ready<'a>, NotReady> {
        let mut settings = HashMap::new();
        for run in &plan.runs {
            let suite = plan.suite(run);
            let search = match (plan.configuration(run), &suite.split_for) {
                (Contender::Search(search), _) => search,
                (Contender::Program(_), None) => continue,
                (Contender::Program(_), Some(split_for)) => {
                    return Err(other_search(suite, split_for));
                }
            };
            let met = Met::by(run, plan);
            if !search.algorithm.supports(met.size) {
                return Err(NotReady::WideBoard {
                    search: Box::new(search.key()),
                    suite: suite.name.clone(),
                    instance: plan.instance(run).name.clone(),
                    size: met.size,
                });
            }
            let settings = settings.entry(met).or_insert_with(|| {
                let settings = tables.settings(search, met.size, met.usable);
                Settings {
                    engine: settings.engine_on(met.size, met.usable),
                    ..settings
                }
            });
            match &suite.split_for {
                Some(split_for) if !is_search_of(split_for, settings) => {
                    return Err(other_search(suite, split_for));
                }
                _ => {}
            }
            let instance = plan.instance(run);
            let problem = Problem::new(&instance.board, suite.rules()).ok();
            let checked = problem.map_or(Ok(()), |problem| settings.check(&problem));
            if let Err(why @ (Stop::OtherTarget | Stop::OtherMetric)) = checked {
                return Err(NotReady::OtherTarget {
                    search: Box::new((&*settings).into()),
                    suite: suite.name.clone(),
                    instance: instance.name.clone(),
                    rules: Box::new(suite.rules()),
                    why,
                });
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

    /// The checksums of the tables that a run reads, in one field; a program of others reads none of
    /// ours.
    pub fn mark(&self, run: &Planned) -> &str {
        let read = self.tables.get(&Met::by(run, self.plan));
        read.map_or("", |read| &read.mark)
    }

    /// All tables, by their names.
    pub fn tables(&self) -> Vec<TableRecord> {
        let all = self.tables.values().flat_map(|read| read.tables.clone());
        let mut all: Vec<TableRecord> = all.collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.dedup();
        all
    }

    /// Who runs.
    pub fn entrant(&self, run: &Planned) -> Entrant<'_> {
        match self.plan.configuration(run) {
            Contender::Program(solver) => Entrant::Program(solver),
            Contender::Search(_) => Entrant::Search(&self.settings[&Met::by(run, self.plan)]),
        }
    }

    /// What the run's row will say about it.
    pub fn key(&self, run: &Planned) -> RunKey {
        RunKey {
            suite: self.plan.suite(run).name.clone(),
            instance: self.plan.instance(run).name.clone(),
            configuration: self.entrant(run).key(),
            repeat: run.repeat,
        }
    }

    /// How rows name a configuration of the plan, for each size that it meets.
    pub fn names_of(&self, configuration: usize) -> Vec<SizedKey> {
        let own = |run: &&Planned| run.configuration == configuration;
        let keys = self.plan.runs.iter().filter(own).map(|run| {
            let size = self.plan.instance(run).board.size();
            SizedKey {
                rows: size.rows(),
                cols: size.cols(),
                configuration: self.entrant(run).key(),
            }
        });
        let mut keys: Vec<SizedKey> = keys.collect();
        keys.sort();
        keys.dedup();
        keys
    }

    /// The searches and programs as rows name them, each once.
    pub fn configurations(&self) -> Vec<ConfigurationKey> {
        let runs = self.plan.runs.iter();
        let mut keys: Vec<ConfigurationKey> = runs.map(|run| self.entrant(run).key()).collect();
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
        let searches = self.settings.iter().filter(|(Met { size, .. }, settings)| {
            let key = ConfigurationKey::from(*settings);
            (row.rows, row.cols) == (Some(size.rows()), Some(size.cols()))
                && (row.heuristic == key.heuristic && row.endgame == key.endgame)
        });
        let mut read = searches.flat_map(|(search, _)| &self.tables[search].tables);
        read.any(is_other)
    }
}

fn other_search(suite: &Suite, split_for: &SplitFor) -> NotReady {
    NotReady::OtherSearch {
        suite: suite.name.clone(),
        split_for: split_for.clone(),
    }
}

/// Whether units are in the tree of this search.
fn is_search_of(split_for: &SplitFor, settings: &Settings<'_>) -> bool {
    settings.algorithm == split_for.algorithm
        && settings.heuristic.to_string() == split_for.heuristic
        && settings.prune == split_for.prune
        && settings.endgame.is_none()
}
