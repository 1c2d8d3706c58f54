//! How a run ended, as a column names it.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::lines::no_name;
use crate::harness::solver::Failure;
use crate::puzzle::named;
use crate::search::Stop;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Status {
    /// With a solution.
    Solved,
    /// Parity says that there is none.
    Unsolvable,
    /// At the limit of time.
    TimeLimit,
    /// At the limit of memory.
    MemLimit,
    /// At the limit of nodes.
    NodeLimit,
    /// By the user.
    Interrupted,
    /// A unit of a threshold has no solution within it.
    Exhausted,
    /// By a fault of the search or a table.
    #[default]
    Error,
}

named!(
    Status,
    "a status":
    Solved "solved",
    Unsolvable "unsolvable",
    TimeLimit "time-limit",
    MemLimit "mem-limit",
    NodeLimit "node-limit",
    Interrupted "interrupted",
    Exhausted "exhausted",
    Error "error",
);

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Status, D::Error> {
        let text = String::deserialize(deserializer)?;
        let names = Status::ALL.map(Status::name);
        text.parse()
            .map_err(|_| D::Error::custom(no_name(&text, "a status", &names)))
    }
}

impl From<Stop> for Status {
    fn from(stop: Stop) -> Status {
        match stop {
            Stop::Time => Status::TimeLimit,
            Stop::Nodes => Status::NodeLimit,
            Stop::Memory => Status::MemLimit,
            Stop::Cancelled => Status::Interrupted,
            Stop::Exhausted => Status::Exhausted,
            Stop::DamagedTable
            | Stop::LostTable
            | Stop::Inconsistent
            | Stop::OtherSize
            | Stop::OtherTarget
            | Stop::OtherMetric
            | Stop::WideBoard
            | Stop::OtherTree => Status::Error,
        }
    }
}

impl From<&Failure> for Status {
    fn from(failure: &Failure) -> Status {
        match failure {
            Failure::Time => Status::TimeLimit,
            Failure::Memory => Status::MemLimit,
            Failure::Cancelled => Status::Interrupted,
            // What a start takes is not held against the limit of time.
            Failure::AtStart(failure) => match failure.as_ref().into() {
                Status::TimeLimit => Status::Error,
                status => status,
            },
            _ => Status::Error,
        }
    }
}
