//! One plan for several processes: each takes its [`part_of`] it, [`merge`] puts their rows
//! together, [`merge_thresholds`] those of their thresholds, and [`thresholds`] adds up the units of a threshold.

mod deal;
mod merge;
mod merge_thresholds;
mod record_shard;
mod slurm;
mod threshold;

pub use deal::part_of;
pub use merge::{Difference, Fact, MergeError, Merged, Missing, ShardFile, merge};
pub use merge_thresholds::{ThresholdsFile, merge_thresholds};
pub use record_shard::record_shard;
pub use slurm::{SlurmError, slurm_shard};
pub use threshold::{Threshold, ThresholdEnd, thresholds};
