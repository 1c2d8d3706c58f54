//! One way to search: as the user names it, and as a search takes it.

use std::fmt;
use std::sync::Arc;

use crate::harness::record::{ConfigurationKey, SOLVER, algorithm_name};
use crate::harness::solver::Solver;
use crate::heuristic::{Estimate, HeuristicName, Prepared, Usable};
use crate::lookup::Endgame;
use crate::search::{Algorithm, EngineChoice, Pruning, Settings};

/// A search with its estimate, for boards of any size.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Configuration {
    /// The search.
    pub algorithm: Algorithm,
    /// Read by the informed searches.
    pub heuristic: HeuristicName,
    /// Threads inside it.
    pub threads: usize,
    /// How IDA* walks.
    pub engine: EngineChoice,
    /// What IDA* prunes.
    pub prune: Pruning,
    /// How many states the open list of A*+IDA* has, where that was asked for.
    pub open: Option<usize>,
}

impl Configuration {
    /// The heuristic that has to be prepared for it: a search that reads none needs no table, and
    /// `auto` chooses for a search to any board what is computed. `usable` says what holds at all.
    pub fn needed(&self, usable: Usable) -> HeuristicName {
        match (self.algorithm.is_informed(), &self.heuristic) {
            (false, _) => HeuristicName::Computed(Estimate::Zero),
            (true, HeuristicName::Auto)
                if usable != Usable::All
                    || self.algorithm.is_reverse()
                    || self.algorithm.is_bidirectional() =>
            {
                usable.strongest_computed()
            }
            (true, named) => named.clone(),
        }
    }

    /// The search, once [`Configuration::needed`] is prepared: the one place where what a user
    /// names becomes what a search takes. An endgame is for searches that end there.
    pub fn settings<'a>(
        &self,
        prepared: &'a Prepared,
        endgame: Option<&'a Endgame>,
    ) -> Settings<'a> {
        let estimate = prepared.estimate();
        let prune = self.prune.with(&estimate);
        Settings {
            algorithm: self.algorithm,
            heuristic: estimate,
            endgame: endgame.filter(|_| self.algorithm.has_endgame()),
            order: None,
            threads: self.threads,
            engine: self.engine,
            prune: prune.filter(|_| self.algorithm.has_thresholds()),
            other_end_after: None,
            alone_until: None,
            open: self.open,
        }
    }
}

impl Configuration {
    /// The same as it was asked for, by names.
    pub fn key(&self) -> ConfigurationKey {
        let has_thresholds = self.algorithm.has_thresholds();
        let engine = Some(self.engine).filter(|&it| has_thresholds && it != EngineChoice::Auto);
        let prune = match self.prune {
            Pruning::By(prune) => Some(prune).filter(|_| has_thresholds),
            Pruning::Auto | Pruning::Off => None,
        };
        ConfigurationKey {
            solver: SOLVER.to_owned(),
            algorithm: algorithm_name(self.algorithm, self.open),
            heuristic: match self.algorithm.is_informed() {
                true => self.heuristic.to_string(),
                false => String::new(),
            },
            endgame: String::new(),
            engine: engine.map(|it| it.to_string()).unwrap_or_default(),
            prune: prune.map(|it| it.to_string()).unwrap_or_default(),
            threads: Some(self.threads),
        }
    }
}

/// As it was asked for: `idastar with auto, scalar, 2 threads`
impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key().fmt(f)
    }
}

/// Lists of what a user asks for, one for each part of a configuration.
#[derive(Clone, Debug)]
pub struct Choices {
    /// Searches.
    pub algorithms: Vec<Algorithm>,
    /// Heuristics, for the searches that read one.
    pub heuristics: Vec<HeuristicName>,
    /// Threads inside a search, where it can use several.
    pub threads: Vec<usize>,
    /// `auto` alone: rows name the engine that ran, and it may be any of the others.
    pub engines: Vec<EngineChoice>,
    /// What IDA* prunes.
    pub prunes: Vec<Pruning>,
    /// How many states the open list of A*+IDA* has, where that was asked for.
    pub open: Option<usize>,
    /// Programs of others, which run beside the searches.
    pub solvers: Vec<Arc<Solver>>,
}

/// IDA* with the strongest heuristic at hand, on one thread.
impl Default for Choices {
    fn default() -> Choices {
        Choices {
            algorithms: vec![Algorithm::IdaStar],
            heuristics: vec![HeuristicName::Auto],
            threads: vec![1],
            engines: vec![EngineChoice::Auto],
            prunes: vec![Pruning::Auto],
            open: None,
            solvers: Vec::new(),
        }
    }
}

impl Choices {
    /// Every combination once. A search that reads no estimate, runs on one thread, or has one
    /// engine has fewer.
    pub fn configurations(&self) -> Vec<Configuration> {
        let mut configurations = Vec::new();
        for &algorithm in &self.algorithms {
            let has_thresholds = algorithm.has_thresholds();
            let heuristics = match algorithm.is_informed() {
                true => &self.heuristics[..],
                false => &[HeuristicName::default()],
            };
            let threads = match algorithm.has_threads() {
                true => &self.threads[..],
                false => &[1],
            };
            let engines = match has_thresholds {
                true => &self.engines[..],
                false => &[EngineChoice::Auto],
            };
            let prunes = if has_thresholds {
                &self.prunes[..]
            } else {
                &[Pruning::Off]
            };
            for heuristic in heuristics {
                for (&engine, &prune, &threads) in product(engines, prunes, threads) {
                    let configuration = Configuration {
                        algorithm,
                        heuristic: heuristic.clone(),
                        threads,
                        engine,
                        prune,
                        open: (self.open).filter(|_| algorithm == Algorithm::AStarIdaStar),
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

/// All triples, the last part changing fastest.
fn product<'a, A, B, C>(
    firsts: &'a [A],
    seconds: &'a [B],
    thirds: &'a [C],
) -> impl Iterator<Item = (&'a A, &'a B, &'a C)> {
    firsts.iter().flat_map(move |first| {
        let pairs = seconds
            .iter()
            .flat_map(|second| thirds.iter().map(move |third| (second, third)));
        pairs.map(move |(second, third)| (first, second, third))
    })
}
