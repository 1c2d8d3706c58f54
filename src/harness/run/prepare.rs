//! Between the names of a search and its run: every table is found or built before the first
//! clock starts.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::configuration::Configuration;
use super::plan::{Plan, Planned};
use crate::heuristic::{
    Estimate, HeuristicName, Prepared, PreparedEndgame, Tables, TablesError, Usable,
};
use crate::lookup::BuildControl;
use crate::lookup::endgame::EndgameName;
use crate::puzzle::Size;
use crate::search::{Prune, Settings};

/// What one search of boards of one size reads.
#[derive(Debug)]
pub struct SearchTables {
    /// The heuristic with its tables.
    pub estimate: Prepared,
    /// The endgame table, if one is asked for.
    pub endgame: Option<PreparedEndgame>,
    /// The fsm, if one prunes it.
    pub fsm: Option<PreparedFsm>,
    /// Bytes of those that were built in memory.
    pub built_bytes: u64,
}

/// The fsm of a search.
#[derive(Clone, Copy, Debug)]
pub struct PreparedFsm {
    /// Which one.
    pub prune: Prune,
    /// Bytes of its transitions.
    pub bytes: u64,
    /// How long it took to build.
    pub time: Duration,
}

impl PreparedFsm {
    /// Builds the fsm of a search, if one prunes it and there is memory for it: without, or if the
    /// caller does not wait, the search will end with the reason.
    fn prepare(
        settings: &Settings<'_>,
        size: Size,
        memory: Option<u64>,
        control: &BuildControl<'_>,
    ) -> Option<PreparedFsm> {
        let begun = Instant::now();
        let prune = settings.prune?;
        let is_cancelled = || control.cancel.is_some_and(|cancel| cancel.load(Relaxed));
        let bytes = prune.prepare(settings.algorithm, size, memory, &is_cancelled);
        let bytes = bytes.ok()?;
        let time = begun.elapsed();
        Some(PreparedFsm { prune, bytes, time })
    }
}

impl SearchTables {
    /// Finds or builds the tables of a search for boards of a size, of what holds under the rules.
    pub fn prepare(
        search: &Configuration,
        endgame: Option<&EndgameName>,
        (size, usable): (Size, Usable),
        tables: &Tables,
        control: &BuildControl<'_>,
    ) -> Result<SearchTables, TablesError> {
        let estimate = tables.prepare(&search.needed(usable), size, control)?;
        let endgame = endgame.map(|name| tables.prepare_endgame(name, size, control));
        let endgame = endgame.transpose()?;
        let settings = search.settings(&estimate, None);
        let fsm = PreparedFsm::prepare(&settings, size, tables.memory_left(), control);
        let fsm_bytes = fsm.map_or(0, |fsm| fsm.bytes);
        Ok(SearchTables {
            estimate,
            endgame,
            fsm,
            built_bytes: tables.built_bytes() + fsm_bytes,
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
    fsms: HashMap<(Prune, Size), PreparedFsm>,
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
            fsms: HashMap::new(),
            verified: !tables.trust(),
            built_bytes: 0,
        };
        for run in &plan.runs {
            let size = plan.instance(run).board.size();
            let Some(search) = plan.configuration(run).search() else {
                continue;
            };
            let name = search.needed(plan.usable(run));
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
        prepared.prepare_fsms(plan, tables, control);
        let fsm_bytes: u64 = prepared.fsms.values().map(|fsm| fsm.bytes).sum();
        prepared.built_bytes = tables.built_bytes() + fsm_bytes;
        Ok(prepared)
    }

    /// Builds the machines that prune searches of the plan.
    fn prepare_fsms(&mut self, plan: &Plan, tables: &Tables, control: &BuildControl<'_>) {
        for run in &plan.runs {
            let size = plan.instance(run).board.size();
            let Some(search) = plan.configuration(run).search() else {
                continue;
            };
            let settings = self.settings(search, size, plan.usable(run));
            let is_known = |prune| self.fsms.contains_key(&(prune, size));
            if settings.prune.is_none_or(is_known) {
                continue;
            }
            if let Some(fsm) = PreparedFsm::prepare(&settings, size, tables.memory_left(), control)
            {
                self.fsms.insert((fsm.prune, size), fsm);
            }
        }
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

    /// The search of a configuration of the plan for boards of a size that it meets, of what holds
    /// under the rules.
    pub fn settings(&self, search: &Configuration, size: Size, usable: Usable) -> Settings<'_> {
        let endgame = self.endgames.get(&size).map(|endgame| &endgame.table);
        search.settings(&self.estimates[&(search.needed(usable), size)], endgame)
    }

    /// How long it took to open and build tables and machines that prune.
    pub fn time(&self) -> Duration {
        let estimates: Duration = self.estimates.values().map(Prepared::time).sum();
        let endgames: Duration = self.endgames.values().map(|endgame| endgame.time).sum();
        let fsms: Duration = self.fsms.values().map(|fsm| fsm.time).sum();
        estimates + endgames + fsms
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
