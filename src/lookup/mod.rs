//! Lookup tables: pattern databases, built once and read by estimates.

mod build;
mod index;
mod partition;
mod regions;
mod table;

pub use build::{BuildControl, BuildPlan, Cancelled, UNREACHED, build};
pub use index::{Index, MOST_TILES, Place};
pub use partition::{MOST_PATTERNS, Partition, PartitionError, Pattern, mirrored};
pub use table::PatternTable;

/// A level of a breadth-first build that is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layer {
    pub depth: u32,
    /// States at this depth.
    pub states: u64,
    /// States up to this depth.
    pub reached: u64,
}
