//! The runs of a plan, each once, as far as names alone tell which of them are one.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::configuration::Configuration;
use super::contender::Contender;
use super::plan::{Plan, Planned};
use crate::harness::record::ConfigurationKey;
use crate::heuristic::{Estimate, HeuristicName, Tables, Usable};
use crate::lookup::PartitionError;
use crate::puzzle::Size;
use crate::search::{EngineChoice, Settings};

/// A run, and what its row will say of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outlined {
    /// The run.
    pub run: Planned,
    /// By names: `auto` stays where the tables at hand decide, and the engine is empty where the search
    /// chooses it.
    pub search: ConfigurationKey,
}

impl Plan {
    /// The runs in their order, each once, as [`Ready::remaining`](super::Ready::remaining) has them
    /// for a file without rows; but no table is opened for it.
    pub fn outline(
        &self,
        tables: &Tables,
        has_endgame: bool,
    ) -> Result<Vec<Outlined>, PartitionError> {
        let mut known = HashMap::new();
        let mut search = |run: &Planned| -> Result<ConfigurationKey, PartitionError> {
            let (size, usable) = (self.instance(run).board.size(), self.usable(run));
            let key = match known.entry((run.configuration, size, usable)) {
                Entry::Occupied(key) => key.into_mut(),
                Entry::Vacant(key) => key.insert(match self.configuration(run) {
                    Contender::Search(search) => {
                        key_of(search, tables, has_endgame, (size, usable))?
                    }
                    program => program.key(),
                }),
            };
            Ok(key.clone())
        };
        let mut seen = HashSet::new();
        let mut outline = Vec::new();
        for run in &self.runs {
            let search = search(run)?;
            if seen.insert((run.suite, run.instance, run.repeat, search.clone())) {
                outline.push(Outlined { run: *run, search });
            }
        }
        Ok(outline)
    }
}

/// What rows will say of a search on boards of a size, where some estimates hold.
fn key_of(
    search: &Configuration,
    tables: &Tables,
    has_endgame: bool,
    (size, usable): (Size, Usable),
) -> Result<ConfigurationKey, PartitionError> {
    let asked = search.key();
    let needed = match search.needed(usable) {
        HeuristicName::Auto => Tables::auto_on(size).unwrap_or(HeuristicName::Auto),
        needed => needed,
    };
    Ok(ConfigurationKey {
        heuristic: match (&needed, &asked.heuristic[..]) {
            (_, "") => String::new(),
            (HeuristicName::Patterns { partition, mirror }, _) => {
                let partition = tables.collection(partition, size)?.to_string();
                // Boards that are no squares have no mirror image.
                let mirror = *mirror || !size.is_square();
                HeuristicName::Patterns { partition, mirror }.to_string()
            }
            (needed, _) => needed.to_string(),
        },
        engine: match &asked.engine[..] {
            "" => String::new(),
            _ => engine(search, &needed, has_endgame, (size, usable)).to_string(),
        },
        ..asked
    })
}

/// The engine that a search will have which asks for one by its name.
fn engine(
    search: &Configuration,
    needed: &HeuristicName,
    has_endgame: bool,
    (size, usable): (Size, Usable),
) -> EngineChoice {
    let has_endgame = has_endgame && search.algorithm.has_endgame();
    if !search.algorithm.can_have_batches(usable, has_endgame) {
        return EngineChoice::Scalar;
    }
    let estimate = match needed {
        HeuristicName::Computed(estimate) => *estimate,
        // As for all that no engine is tuned for.
        HeuristicName::WalkingDistance => Estimate::Zero,
        HeuristicName::Patterns { .. } | HeuristicName::Auto => return search.engine,
    };
    let settings = Settings {
        engine: search.engine,
        prune: search.prune.with(&estimate),
        ..Settings::with(search.algorithm, estimate)
    };
    settings.engine_on(size, usable)
}
