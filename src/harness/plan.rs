//! The plan: every instance with every configuration, so many times, in order or shuffled.

use std::collections::HashMap;

use super::configuration::Configuration;
use super::random::Random;
use super::row::RunKey;
use super::suite::{Instance, Suite};
use crate::heuristic::Unsupported;
use crate::puzzle::Size;
use crate::search::Settings;

/// What is to run.
#[derive(Clone, Debug)]
pub struct Plan {
    pub suites: Vec<Suite>,
    pub configurations: Vec<Configuration>,
    /// The search of each configuration for each size that occurs.
    settings: HashMap<(usize, Size), Settings>,
    /// The runs in their order.
    pub runs: Vec<Planned>,
}

/// One run, by its places in the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Planned {
    pub suite: usize,
    pub instance: usize,
    pub configuration: usize,
    pub repeat: u32,
}

impl Plan {
    /// Plans `repeat` runs of each instance with each configuration: all first runs, then all
    /// second ones, so that what slows the machine down for a while does not meet one instance
    /// alone. A seed shuffles them.
    pub fn new(
        suites: Vec<Suite>,
        configurations: Vec<Configuration>,
        repeat: u32,
        seed: Option<u64>,
    ) -> Result<Plan, Unsupported> {
        let settings = all_settings(&suites, &configurations)?;
        let mut runs = Vec::new();
        for repeat in 1..=repeat {
            for (suite, boards) in suites.iter().enumerate() {
                for instance in 0..boards.instances.len() {
                    runs.extend((0..configurations.len()).map(|configuration| Planned {
                        suite,
                        instance,
                        configuration,
                        repeat,
                    }));
                }
            }
        }
        if let Some(seed) = seed {
            Random::new(seed).shuffle(&mut runs);
        }
        Ok(Plan {
            suites,
            configurations,
            settings,
            runs,
        })
    }

    pub fn suite(&self, run: &Planned) -> &Suite {
        &self.suites[run.suite]
    }

    pub fn instance(&self, run: &Planned) -> &Instance {
        &self.suites[run.suite].instances[run.instance]
    }

    pub fn settings(&self, run: &Planned) -> &Settings {
        let size = self.instance(run).board.size();
        &self.settings[&(run.configuration, size)]
    }

    /// What the run's row will say about it.
    pub fn key(&self, run: &Planned) -> RunKey {
        RunKey::new(
            &self.suite(run).name,
            &self.instance(run).name,
            self.settings(run),
            run.repeat,
        )
    }
}

fn all_settings(
    suites: &[Suite],
    configurations: &[Configuration],
) -> Result<HashMap<(usize, Size), Settings>, Unsupported> {
    let mut settings = HashMap::new();
    for instance in suites.iter().flat_map(|suite| &suite.instances) {
        let size = instance.board.size();
        for (index, configuration) in configurations.iter().enumerate() {
            if let std::collections::hash_map::Entry::Vacant(vacant) = settings.entry((index, size))
            {
                vacant.insert(configuration.settings(size)?);
            }
        }
    }
    Ok(settings)
}
