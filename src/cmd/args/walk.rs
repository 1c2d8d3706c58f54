//! How idastar walks, as flags.

use std::fmt;
use std::str::FromStr;

use slidebench::harness::run::Configuration;
use slidebench::heuristic::HeuristicName;
use slidebench::search::{Algorithm, EngineChoice, Prune};

#[derive(clap::Args)]
pub struct WalkArgs {
    /// Threads of astar and idastar, at most 1024.
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,

    /// How idastar walks: scalar, batched, or auto (the fastest there is for the search).
    #[arg(long, default_value = "auto")]
    pub engine: EngineChoice,

    /// Let idastar prune duplicate sequences of moves: fsm:DEPTH, for example fsm:8.
    #[arg(long)]
    pub prune: Option<Prune>,
}

impl WalkArgs {
    /// The search that walks so.
    pub fn search(&self, algorithm: Algorithm, heuristic: &HeuristicName) -> Configuration {
        Configuration {
            algorithm,
            heuristic: heuristic.clone(),
            threads: self.threads.into(),
            engine: self.engine,
            prune: self.prune,
        }
    }
}

/// Pruning, or none of it, as an item of a list.
#[derive(Clone, Copy)]
pub struct Pruning(pub Option<Prune>);

/// The word for none.
const NONE: &str = "none";

impl fmt::Display for Pruning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(prune) => prune.fmt(f),
            None => f.write_str(NONE),
        }
    }
}

impl FromStr for Pruning {
    type Err = String;

    fn from_str(text: &str) -> Result<Pruning, String> {
        if text == NONE {
            return Ok(Pruning(None));
        }
        let prune = text.parse().map_err(|error| format!("{error}, or none"))?;
        Ok(Pruning(Some(prune)))
    }
}
