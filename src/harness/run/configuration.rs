//! One way to search: as the user names it, and as a search takes it.

use std::fmt;

use crate::heuristic::{Estimate, HeuristicName, Prepared};
use crate::lookup::Endgame;
use crate::search::{Algorithm, EngineChoice, Prune, Settings};

/// A search with its estimate, for boards of any size.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Configuration {
    pub algorithm: Algorithm,
    /// Read by the informed searches.
    pub heuristic: HeuristicName,
    pub threads: usize,
    pub engine: EngineChoice,
    pub prune: Option<Prune>,
}

impl Configuration {
    /// The heuristic that has to be prepared for it: a search that reads none needs no table.
    pub fn needed(&self) -> HeuristicName {
        match self.algorithm.is_informed() {
            true => self.heuristic.clone(),
            false => HeuristicName::Computed(Estimate::Zero),
        }
    }

    /// The search, once [`Configuration::needed`] is prepared: the one place where what a user
    /// names becomes what a search takes. An endgame is for searches with an estimate.
    pub fn settings<'a>(
        &self,
        prepared: &'a Prepared,
        endgame: Option<&'a Endgame>,
    ) -> Settings<'a> {
        Settings {
            algorithm: self.algorithm,
            heuristic: prepared.estimate(),
            endgame: endgame.filter(|_| self.algorithm.is_informed()),
            order: None,
            threads: self.threads,
            engine: self.engine,
            prune: self.prune,
        }
    }
}

/// As it was asked for: `idastar with auto, 2 threads`
impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.algorithm.fmt(f)?;
        if self.algorithm.is_informed() {
            write!(f, " with {}", self.heuristic)?;
        }
        let plural = if self.threads == 1 { "" } else { "s" };
        write!(f, ", {} thread{plural}", self.threads)
    }
}

/// Lists of what a user asks for, one for each part of a configuration.
#[derive(Clone, Debug)]
pub struct Choices {
    pub algorithms: Vec<Algorithm>,
    pub heuristics: Vec<HeuristicName>,
    pub threads: Vec<usize>,
    pub engine: EngineChoice,
    pub prune: Option<Prune>,
}

impl Choices {
    /// Every combination once. A search that reads no estimate or runs on one thread has fewer.
    pub fn configurations(&self) -> Vec<Configuration> {
        let mut configurations = Vec::new();
        for &algorithm in &self.algorithms {
            let is_ida = algorithm == Algorithm::IdaStar;
            let heuristics = match algorithm.is_informed() {
                true => &self.heuristics[..],
                false => &[HeuristicName::default()],
            };
            let threads = if is_ida { &self.threads[..] } else { &[1] };
            for heuristic in heuristics {
                for &threads in threads {
                    let configuration = Configuration {
                        algorithm,
                        heuristic: heuristic.clone(),
                        threads,
                        engine: if is_ida {
                            self.engine
                        } else {
                            EngineChoice::Auto
                        },
                        prune: self.prune.filter(|_| is_ida),
                    };
                    if !configurations.contains(&configuration) {
                        configurations.push(configuration);
                    }
                }
            }
        }
        configurations
    }
}
