//! Pattern databases: how many moves of its own tiles a pattern needs, for all their places.
//!
//! A [`Partition`] says which tiles belong together, a [`Collection`] which partitions. [`Index`]
//! is the one number of a state, for the builder ([`build()`]) and the reader ([`PatternTable`]),
//! over the [`permutations`] of tiles and the [`regions`] of the gap.

mod build;
mod collection;
mod gap_home;
mod index;
mod partition;
mod permutations;
mod regions;
mod table;
mod transpose;

pub use build::{BuildControl, BuildPlan, BuiltPattern, Unbuilt, build};
pub use collection::{Collection, MOST_PARTITIONS, MOST_SUMMANDS};
pub use index::{Index, Placement, Slide};
pub use partition::{MOST_PATTERNS, Partition, PartitionError, Pattern, mirrored};
pub use permutations::MOST_TILES;
pub use table::PatternTable;
