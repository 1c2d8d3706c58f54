//! Between the plan and its runs: every table is found or built before the first clock starts.

use std::collections::HashMap;
use std::time::Duration;

use super::plan::{Plan, Planned};
use crate::harness::record;
use crate::harness::record::{ConfigurationKey, RunKey};
use crate::heuristic::{Estimate, HeuristicName, Prepared, Tables, TablesError};
use crate::lookup::{BuildControl, Endgame};
use crate::puzzle::Size;
use crate::search::{Algorithm, Settings};

/// The estimates of a plan with their tables: each heuristic for each size that it meets.
#[derive(Debug)]
pub struct Estimates(HashMap<(HeuristicName, Size), Prepared>);

impl Estimates {
    pub fn prepare(
        plan: &Plan,
        tables: &Tables,
        control: &BuildControl<'_>,
    ) -> Result<Estimates, TablesError> {
        let mut estimates = HashMap::new();
        for run in &plan.runs {
            let size = plan.instance(run).board.size();
            let name = plan.configuration(run).needed();
            if !estimates.contains_key(&(name.clone(), size)) {
                let mut prepared = tables.prepare(&name, size, control)?;
                prepared.read_in();
                estimates.insert((name, size), prepared);
            }
        }
        Ok(Estimates(estimates))
    }

    /// All of them, with their names and sizes.
    pub fn all(&self) -> impl Iterator<Item = (&HeuristicName, Size, &Prepared)> {
        let all = self.0.iter();
        all.map(|((name, size), prepared)| (name, *size, prepared))
    }

    /// The estimate of that name for boards of a size, if the plan needs it.
    pub fn get(&self, name: &HeuristicName, size: Size) -> Option<Estimate<'_>> {
        let prepared = self.0.get(&(name.clone(), size))?;
        Some(prepared.estimate())
    }

    /// How long it took to open and build tables.
    pub fn time(&self) -> Duration {
        self.0.values().map(Prepared::time).sum()
    }

    /// The tables, for the sidecar.
    pub fn tables(&self) -> Vec<record::TableRecord> {
        let mut tables: Vec<record::TableRecord> = Vec::new();
        for prepared in self.0.values() {
            match prepared.estimate() {
                Estimate::WalkingDistance(walking) => {
                    tables.extend(walking.table().map(record::TableRecord::from));
                }
                Estimate::Patterns(patterns) => {
                    tables.extend(patterns.tables().iter().map(record::TableRecord::from));
                }
                Estimate::Zero | Estimate::Taxicab | Estimate::LinearConflict => {}
            }
        }
        tables.sort_by(|a, b| a.name.cmp(&b.name));
        tables.dedup();
        tables
    }
}

/// A plan that is ready to run.
#[derive(Debug)]
pub struct Ready<'a> {
    pub plan: &'a Plan,
    /// The search of each configuration for each size.
    settings: HashMap<(usize, Size), Settings<'a>>,
}

impl<'a> Ready<'a> {
    /// `estimates` are those of the same plan; an endgame serves the boards of its size.
    pub fn new(plan: &'a Plan, estimates: &'a Estimates, endgames: &'a [Endgame]) -> Ready<'a> {
        let mut settings = HashMap::new();
        for run in &plan.runs {
            let size = plan.instance(run).board.size();
            settings
                .entry((run.configuration, size))
                .or_insert_with(|| {
                    let configuration = plan.configuration(run);
                    let prepared = &estimates.0[&(configuration.needed(), size)];
                    let endgame = endgames.iter().find(|endgame| endgame.size() == size);
                    let settings = configuration.settings(prepared, endgame);
                    Settings {
                        engine: settings.engine_on(size),
                        ..settings
                    }
                });
        }
        Ready { plan, settings }
    }

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
    pub fn names_of(&self, configuration: usize) -> Vec<ConfigurationKey> {
        let own = self
            .settings
            .iter()
            .filter(|((it, _), _)| *it == configuration);
        let mut keys: Vec<ConfigurationKey> = own.map(|(_, settings)| settings.into()).collect();
        keys.sort();
        keys.dedup();
        keys
    }

    /// The searches as rows name them, each once.
    pub fn configurations(&self) -> Vec<ConfigurationKey> {
        let mut keys: Vec<ConfigurationKey> = self.settings.values().map(Into::into).collect();
        keys.sort();
        keys.dedup();
        keys
    }
}

/// Refuses to run units with another search than they were cut for.
pub fn refuse_other_search(ready: &Ready<'_>) -> Result<(), String> {
    for run in &ready.plan.runs {
        let suite = ready.plan.suite(run);
        let (Some(cut_for), settings) = (&suite.cut_for, ready.settings(run)) else {
            continue;
        };
        let is_same = settings.algorithm == Algorithm::IdaStar
            && settings.heuristic.to_string() == cut_for.heuristic
            && settings.prune == cut_for.prune
            && settings.endgame.is_none();
        if !is_same {
            let prune = cut_for
                .prune
                .map_or(String::new(), |prune| format!(" --prune {prune}"));
            return Err(format!(
                "the units of {} were cut for -a idastar -H {}{prune}; run them with that, and \
                 without --endgame",
                suite.name, cut_for.heuristic
            ));
        }
    }
    Ok(())
}
