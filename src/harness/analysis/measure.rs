//! What runs are compared by.

use crate::harness::record::Row;
use crate::puzzle::named;

/// A figure of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Measure {
    /// Wall time of the search.
    Time,
    /// CPU time of its threads: other work on the machine changes it little.
    Cpu,
    /// Nodes generated.
    Nodes,
}

named!(Measure, "a measure": Time "time" "wall time", Cpu "cpu" "CPU time", Nodes "nodes" "generated");

impl Measure {
    /// What a row says, in nanoseconds or nodes.
    pub fn of(self, row: &Row) -> Option<u64> {
        match self {
            Measure::Time => Some(row.time_ns),
            Measure::Cpu => row.cpu_time_ns,
            Measure::Nodes => row.generated,
        }
    }

    /// The time to compare runs by: CPU time where all have it and search on one thread, for a busy
    /// machine changes it little. What several threads spend says nothing of how long they take.
    pub fn fairest_time<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Measure {
        let mut rows = rows.into_iter().peekable();
        let has_rows = rows.peek().is_some();
        match has_rows && rows.all(|row| row.cpu_time_ns.is_some() && row.threads == Some(1)) {
            true => Measure::Cpu,
            false => Measure::Time,
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Measure::Time => "time",
            Measure::Cpu => "CPU time",
            Measure::Nodes => "nodes",
        }
    }
}
