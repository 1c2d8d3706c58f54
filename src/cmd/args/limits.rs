//! The limits of a search, as flags.

use std::time::Duration;

use bytesize::ByteSize;
use slidebench::harness::run::limits_of_each;
use slidebench::search::Limits;

/// The heading is each flag's own: one for the whole would hold for what comes after, too.
const HEADING: &str = "Limits";

/// Limits of one search.
#[derive(clap::Args)]
pub struct LimitArgs {
    /// Stop after this long, for example 90s or 2h.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, help_heading = HEADING)]
    time_limit: Option<Duration>,

    /// Stop after this many generated nodes.
    #[arg(long, value_name = "NODES", help_heading = HEADING)]
    node_limit: Option<u64>,

    /// Hold at most this much memory, for example 4GiB; by default 80 % of what is free. It covers
    /// the lists of all searches side by side, tables that are built in memory, and the making of
    /// an fsm. The program itself is not covered, which makes the whole process up to 32 MiB
    /// larger, nor are files of tables, which are the system's to keep or to drop.
    #[arg(long, value_name = "BYTES", help_heading = HEADING)]
    max_memory: Option<ByteSize>,
}

impl LimitArgs {
    /// The limits of one search.
    pub fn limits(&self) -> Limits {
        limits_of_each(self.asked(), 1)
    }

    /// What the user asked for.
    pub fn asked(&self) -> Limits {
        Limits {
            time: self.time_limit,
            nodes: self.node_limit,
            memory: self.max_memory.map(|most| most.as_u64()),
        }
    }
}
