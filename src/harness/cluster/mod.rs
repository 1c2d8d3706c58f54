//! One plan for several processes: each takes a [`Shard`] of it, [`merge`] puts their rows
//! together, [`thresholds`] adds up the units of a threshold.

mod merge;
mod plan_record;
mod shard;
mod threshold;

pub use merge::{MergeError, Merged, Missing, ShardFile, merge};
pub use plan_record::{InstanceNames, PlanRecord, SearchRecord, SuiteRecord};
pub use shard::{Shard, SlurmError};
pub use threshold::{Threshold, ThresholdEnd, thresholds};
