//! How idastar walks, as flags.

use slidebench::search::{EngineChoice, Prune};

#[derive(clap::Args)]
pub struct WalkArgs {
    /// Threads of idastar, at most 1024.
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,

    /// How idastar walks: scalar, batched, or auto (the fastest there is for the search).
    #[arg(long, default_value = "auto")]
    pub engine: EngineChoice,

    /// Let idastar prune duplicate sequences of moves: fsm:DEPTH, for example fsm:8.
    #[arg(long)]
    pub prune: Option<Prune>,
}
