//! The limits of a search, as flags.

use std::time::Duration;

use bytesize::ByteSize;

use crate::harness::run::limits_of_each;
use crate::search::Limits;

/// The heading is each flag's own: one for the whole would hold for what comes after, too.
const HEADING: &str = "Limits";

/// Limits of one search.
#[derive(clap::Args)]
pub struct LimitArgs {
    /// Stop after this long, for example 90s or 2h.
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true, help_heading = HEADING)]
    time_limit: Option<Duration>,

    /// Stop after this many generated nodes, for example 5000000 or 5e6.
    #[arg(long, value_name = "NODES", value_parser = nodes, allow_hyphen_values = true, help_heading = HEADING)]
    node_limit: Option<u64>,

    /// Hold at most this much memory, for example 4GiB; by default 80 % of what is free. It covers
    /// the lists of all searches side by side, tables that are built in memory, and the making of
    /// an fsm. The program itself is not covered, which makes the whole process up to 32 MiB
    /// larger, nor are files of tables, which are the system's to keep or to drop.
    #[arg(long, value_name = "BYTES", value_parser = memory, allow_hyphen_values = true, help_heading = HEADING)]
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

/// A length of time, such as `90s`.
pub fn time(text: &str) -> Result<Duration, String> {
    let parsed = humantime::parse_duration(text);
    parsed.map_err(|_| format!("'{text}' is no time; write 90s, 10m or '1h 30m'"))
}

/// A number of nodes: `5000000`, `5_000_000` or `5e6`.
pub fn nodes(text: &str) -> Result<u64, String> {
    let digits = text.replace(['_', ','], "");
    let whole = || {
        let number: f64 = digits.parse().ok()?;
        let is_whole = number.fract() == 0.0 && (0.0..1e18).contains(&number);
        is_whole.then_some(number as u64)
    };
    let number = digits.parse().ok().or_else(whole);
    number.ok_or_else(|| format!("'{text}' is no number of nodes; write 5000000 or 5e6"))
}

/// An amount of memory, such as `4GiB`.
pub fn memory(text: &str) -> Result<ByteSize, String> {
    let parsed = text.parse();
    parsed.map_err(|_: String| format!("'{text}' is no amount of memory; write 512MiB or 4GiB"))
}
