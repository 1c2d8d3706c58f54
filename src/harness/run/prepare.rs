//! Between the names of a search and its run: every table is found or built before the first
//! clock starts.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use super::configuration::Configuration;
use super::plan::{Plan, Planned};
use crate::heuristic::{Estimate, HeuristicName, Prepared, PreparedEndgame, Tables, TablesError};
use crate::lookup::BuildControl;
use crate::lookup::endgame::EndgameName;
use crate::puzzle::Size;
use crate::search::Settings;

/// What one search of boards of one size reads.
#[derive(Debug)]
pub struct SearchTables {
    /// The heuristic with its tables.
    pub estimate: Prepared,
    /// The endgame table, if one is asked for.
    pub endgame: Option<PreparedEndgame>,
    /// Bytes of those that were built in memory.
    pub built_bytes: u64,
}

impl SearchTables {
    /// Finds or builds the tables of a search.
    pub fn prepare(
        search: &Configuration,
        endgame: Option<&EndgameName>,
        size: Size,
        tables: &Tables,
        control: &BuildControl<'_>,
    ) -> Result<SearchTables, TablesError> {
        let estimate = tables.prepare(&search.needed(), size, control)?;
        let endgame = endgame.map(|name| tables.prepare_endgame(name, size, control));
        Ok(SearchTables {
            estimate,
            endgame: endgame.transpose()?,
            built_bytes: tables.built_bytes(),
        })
    }

    /// The search that these tables were prepared for.
    pub fn settings(&self, search: &Configuration) -> Settings<'_> {
        let endgame = self.endgame.as_ref().map(|endgame| &endgame.table);
        search.settings(&self.estimate, endgame)
    }
}

/// What all searches of a plan read: each heuristic for each size that it meets, and an endgame
/// for each size.
#[derive(Debug)]
pub struct PlanTables {
    estimates: HashMap<(HeuristicName, Size), Prepared>,
    endgames: HashMap<Size, PreparedEndgame>,
    /// Whether files were compared with their checksums.
    verified: bool,
    /// Bytes of those that were built in memory.
    built_bytes: u64,
}

impl PlanTables {
    /// Finds or builds the tables of a plan, and has all of them in memory.
    pub fn prepare(
        plan: &Plan,
        endgame: Option<&EndgameName>,
        tables: &Tables,
        control: &BuildControl<'_>,
    ) -> Result<PlanTables, TablesError> {
        let mut prepared = PlanTables {
            estimates: HashMap::new(),
            endgames: HashMap::new(),
            verified: !tables.trust(),
            built_bytes: 0,
        };
        for run in &plan.runs {
            let size = plan.instance(run).board.size();
            let Some(search) = plan.configuration(run).search() else {
                continue;
            };
            let name = search.needed();
            if let Entry::Vacant(entry) = prepared.estimates.entry((name, size)) {
                let mut estimate = tables.prepare(&entry.key().0, size, control)?;
                estimate.read_in();
                entry.insert(estimate);
            }
        }
        let searches = |run: &&Planned| plan.configuration(run).search().is_some();
        for run in plan.runs.iter().filter(searches) {
            let Some(endgame) = endgame else { break };
            let size = plan.instance(run).board.size();
            if let Entry::Vacant(entry) = prepared.endgames.entry(size) {
                entry.insert(tables.prepare_endgame(endgame, size, control)?);
            }
        }
        prepared.built_bytes = tables.built_bytes();
        Ok(prepared)
    }

    /// All estimates, with their names and sizes.
    pub fn estimates(&self) -> impl Iterator<Item = (&HeuristicName, Size, &Prepared)> {
        let all = self.estimates.iter();
        all.map(|((name, size), prepared)| (name, *size, prepared))
    }

    /// The estimate of that name for boards of a size, if the plan needs it.
    pub fn estimate(&self, name: &HeuristicName, size: Size) -> Option<Estimate<'_>> {
        let prepared = self.estimates.get(&(name.clone(), size))?;
        Some(prepared.estimate())
    }

    /// The search of a configuration of the plan for boards of a size that it meets.
    pub fn settings(&self, search: &Configuration, size: Size) -> Settings<'_> {
        let endgame = self.endgames.get(&size).map(|endgame| &endgame.table);
        search.settings(&self.estimates[&(search.needed(), size)], endgame)
    }

    /// How long it took to open and build tables.
    pub fn time(&self) -> Duration {
        let estimates: Duration = self.estimates.values().map(Prepared::time).sum();
        let endgames: Duration = self.endgames.values().map(|endgame| endgame.time).sum();
        estimates + endgames
    }

    /// Bytes of those that were built in memory.
    pub fn built_bytes(&self) -> u64 {
        self.built_bytes
    }

    /// Whether files were compared with their checksums.
    pub fn are_verified(&self) -> bool {
        self.verified
    }
}
