//! What tells runs and configurations apart.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::harness::solver::Solver;
use crate::search::{Algorithm, Settings};

/// This program, as the column `solver` names it.
pub const SOLVER: &str = "slidebench";

/// Which search a row is about, as its columns name it; what is not known is empty.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ConfigurationKey {
    /// The program.
    pub solver: String,
    /// The search.
    pub algorithm: String,
    /// Empty for a search that reads none.
    pub heuristic: String,
    /// The depth of the endgame table, or nothing.
    pub endgame: String,
    /// The one that ran. Of a search that is planned, the one asked for by its name: it is empty
    /// where the search chooses.
    pub engine: String,
    /// The pruning, or nothing.
    pub prune: String,
    /// Threads inside a search.
    pub threads: Option<usize>,
}

/// Who solves a board.
#[derive(Clone, Copy, Debug)]
pub enum Entrant<'a> {
    /// A search of this program.
    Search(&'a Settings<'a>),
    /// A program of others.
    Program(&'a Solver),
}

impl Entrant<'_> {
    /// What rows call it.
    pub fn key(self) -> ConfigurationKey {
        match self {
            Entrant::Search(settings) => settings.into(),
            Entrant::Program(solver) => ConfigurationKey {
                solver: solver.name.clone(),
                ..ConfigurationKey::default()
            },
        }
    }
}

impl From<&Settings<'_>> for ConfigurationKey {
    fn from(settings: &Settings<'_>) -> ConfigurationKey {
        let algorithm = settings.algorithm;
        let prune = settings.prune.filter(|_| algorithm.has_thresholds());
        ConfigurationKey {
            solver: SOLVER.to_owned(),
            algorithm: algorithm_name(algorithm, settings.open),
            heuristic: match algorithm.is_informed() {
                true => settings.heuristic.to_string(),
                false => String::new(),
            },
            endgame: (settings.endgame)
                .map(|endgame| endgame.depth().to_string())
                .unwrap_or_default(),
            engine: (settings.engine_by_name())
                .map(|engine| engine.to_string())
                .unwrap_or_default(),
            prune: prune.map(|prune| prune.to_string()).unwrap_or_default(),
            threads: Some(settings.threads),
        }
    }
}

/// An algorithm with its parameter: `astar+idastar:1000000` has an open list of so many states.
pub fn algorithm_name(algorithm: Algorithm, open: Option<usize>) -> String {
    match open.filter(|_| algorithm == Algorithm::AStarIdaStar) {
        Some(states) => format!("{algorithm}:{states}"),
        None => algorithm.to_string(),
    }
}

impl ConfigurationKey {
    /// The same search, whatever engine it ran with.
    pub fn without_engine(mut self) -> ConfigurationKey {
        self.engine.clear();
        self
    }

    /// Whether a search that ran is this one, which was planned: the engine may have been open.
    pub fn is_done_by(&self, ran: &ConfigurationKey) -> bool {
        self == ran || self.engine.is_empty() && *self == ran.clone().without_engine()
    }
}

/// `idastar with md, endgame 10, scalar, fsm:12, 2 threads`
impl fmt::Display for ConfigurationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.solver[..], &self.algorithm[..]) {
            ("" | SOLVER, "") => f.write_str("another solver")?,
            ("" | SOLVER, algorithm) => f.write_str(algorithm)?,
            (solver, "") => f.write_str(solver)?,
            (solver, algorithm) => write!(f, "{solver}: {algorithm}")?,
        }
        if !self.heuristic.is_empty() {
            write!(f, " with {}", self.heuristic)?;
        }
        if !self.endgame.is_empty() {
            write!(f, ", endgame {}", self.endgame)?;
        }
        for part in [&self.engine, &self.prune] {
            if !part.is_empty() {
                write!(f, ", {part}")?;
            }
        }
        match self.threads {
            None => Ok(()),
            Some(1) => f.write_str(", 1 thread"),
            Some(threads) => write!(f, ", {threads} threads"),
        }
    }
}

/// What no two runs of a file have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RunKey {
    /// The suite.
    pub suite: String,
    /// The instance.
    pub instance: String,
    /// The way to search.
    pub configuration: ConfigurationKey,
    /// Which time, from 1.
    pub repeat: u32,
}

impl RunKey {
    /// The same run, whatever engine it had.
    pub fn without_engine(self) -> RunKey {
        RunKey {
            configuration: self.configuration.without_engine(),
            ..self
        }
    }
}
