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
mod create;
mod directory;
pub mod endgame;
mod error;
mod file;
mod header;
mod pattern;
mod walking;

pub use bits::Bits;
use bits::steps_home;
pub(crate) use bits::{bit_at, next_value};
pub use create::create;
pub use directory::{Directory, Listed};
pub use endgame::Endgame;
pub use error::{FormatError, TableError, TableProblem};
pub use file::TableFile;
pub use header::{Description, Header, Kind, VALUES};
pub use pattern::{
    BuildControl, BuildPlan, BuiltPattern, Collection, Index, MOST_PARTITIONS, MOST_PATTERNS,
    MOST_SUMMANDS, MOST_TILES, Partition, PartitionError, Pattern, PatternTable, Placement, Slide,
    Unbuilt, build, mirrored,
};
pub(crate) use walking::StepTable;
pub use walking::{AbstractBoards, BuiltWalking, Tally, Unsupported, WalkingTable};

/// A level of a breadth-first build that is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Its distance from the goal.
    pub depth: u32,
    /// States at this depth.
    pub states: u64,
    /// States up to this depth.
    pub reached: u64,
}
