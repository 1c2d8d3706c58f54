//! Lookup tables: what is computed once and kept in a memory-mapped file.
//!
//! Small layers, one on the other: a page of [`Header`] says what a file holds, a [`TableFile`]
//! is a header and a payload that fit each other, a [`Directory`] finds tables by what they are
//! and makes new ones. What a payload means is the table's own: its builder and its reader
//! share one encoding.
//!
//! A [`PatternTable`] is a pattern database: [`build`] makes its values, [`Index`] says which
//! one belongs to a state. An [`Endgame`] is every state near the goal, and a [`WalkingTable`]
//! the walking distances.

mod bits;
mod build;
mod collection;
mod create;
mod directory;
pub mod endgame;
mod error;
mod file;
mod header;
pub(crate) mod huge_pages;
mod index;
mod orders;
mod partition;
pub(crate) mod prefetch;
mod regions;
mod table;
mod transpose;
mod walking;

pub use bits::Bits;
use bits::steps_home;
pub(crate) use bits::{bit_at, next_value};
pub use build::{BuildControl, BuildPlan, Built, Cancelled, build};
pub use collection::{Collection, MOST_PARTITIONS, MOST_SUMMANDS};
pub use create::create;
pub use directory::{Directory, Listed};
pub use endgame::Endgame;
pub use error::{FormatError, Problem, TableError};
pub use file::TableFile;
pub use header::{Description, Header, Kind, VALUES};
pub use index::{Index, Place, Slide};
pub use orders::MOST_TILES;
pub use partition::{MOST_PATTERNS, Partition, PartitionError, Pattern, mirrored};
pub use table::PatternTable;
pub(crate) use walking::StepTable;
pub use walking::{AbstractBoards, BuiltWalking, Tally, Unsupported, WalkingTable};

/// A level of a breadth-first build that is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layer {
    pub depth: u32,
    /// States at this depth.
    pub states: u64,
    /// States up to this depth.
    pub reached: u64,
}
