//! How a search with thresholds walks, as flags.

use crate::cmd::UsageError;
use crate::harness::run::Configuration;
use crate::heuristic::HeuristicName;
use crate::puzzle::{MAX_OPTIMAL_CELLS, Size};
use crate::search::{Algorithm, EngineChoice, Pruning};

#[derive(clap::Args)]
pub struct WalkArgs {
    /// Threads of astar, idastar, astar+idastar and beam, at most 1024.
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,

    /// How idastar walks: scalar, batched, or auto (the fastest there is for the search).
    #[arg(long, default_value = "auto")]
    pub engine: EngineChoice,

    /// Let idastar prune duplicate sequences of moves: fsm:DEPTH, for example fsm:8, none, or auto
    /// (where that is faster: with pattern databases on 5x5).
    #[arg(long, default_value = "auto")]
    pub prune: Pruning,

    /// How many states astar+idastar has on the open list that it goes on from; fewer where
    /// --max-memory leaves no room. By default 131072; 512 with pattern databases of up to 16 cells.
    #[arg(long, value_name = "STATES", value_parser = clap::value_parser!(u32).range(1..))]
    pub open: Option<u32>,

    /// Let wastar expand a state again where a shorter path to it is found.
    #[arg(long)]
    pub reopen: bool,
}

impl WalkArgs {
    /// The search that walks so.
    pub fn search(&self, algorithm: Algorithm, heuristic: &HeuristicName) -> Configuration {
        Configuration {
            algorithm: algorithm.reopening(self.reopen),
            heuristic: heuristic.clone(),
            threads: self.threads.into(),
            engine: self.engine,
            prune: self.prune,
            open: self.open.map(|states| states as usize),
        }
    }
}

/// Which searches a flag has an effect on: `--threads goes with astar and idastar only`.
pub fn goes_with(flag: &str, has: impl Fn(Algorithm) -> bool) -> String {
    let names = Algorithm::ALL.into_iter().filter(|&it| has(it));
    let names: Vec<&str> = names.map(Algorithm::name).collect();
    let (last, others) = names.split_last().expect("some search heeds it");
    match others {
        [] => format!("{flag} goes with {last} only"),
        _ => format!("{flag} goes with {} and {last} only", others.join(", ")),
    }
}

/// Refuses a search that is not for boards of a size, and names those that are.
pub fn refuse_wide(algorithm: Algorithm, size: Size) -> Result<(), UsageError> {
    match algorithm.supports(size) {
        true => Ok(()),
        false => Err(UsageError(format!(
            "{algorithm} is for boards of up to {MAX_OPTIMAL_CELLS} cells, not for {size}; {}",
            for_wide()
        ))),
    }
}

/// What searches boards that are too large for others.
pub fn for_wide() -> String {
    let largest = Size::new(8, 8).expect("a size");
    let names = Algorithm::ALL.into_iter().filter(|it| it.supports(largest));
    let names: Vec<&str> = names.map(Algorithm::name).collect();
    format!("for those there is -a {}", names.join(", "))
}
