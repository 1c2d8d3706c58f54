//! Whole spaces: every state of a board, breadth-first, one bit for each.
//!
//! [`explore`] counts the states at each distance from the goal, and lists the farthest. A state is
//! a number (`index.rs`): the cell of the gap, and the rank of the order of the tiles, read row by
//! row without the gap. That is the index of the pattern tables with all tiles in the pattern: the
//! set of free cells is the gap's cell, and orders are ranked by the same digits. Since every other
//! permutation is out of reach, the last digit that could be chosen is left out here.
//!
//! - A move along a row keeps the order, so it changes no rank: a bitmap of the states with the gap
//!   in one cell is added to that of the next cell word by word.
//! - A move along a column takes a tile past `cols - 1` others. The board is laid with its short
//!   side across, so that is one other on boards of two rows. In the digits of a rank, two tiles
//!   that change places change two digits, and all ranks that have the others in common go
//!   together: in runs of words where the digits are high (`steps.rs`), by shifts and masks inside
//!   of words where they are low (`swaps.rs`). No state is ranked one by one.
//! - What a pass reads and writes is cut into chunks of 2.6 KiB, so that most of it happens in the
//!   fastest cache.
//!
//! With one tile a move (`single.rs`) a state and its neighbours have gaps on cells of two colours,
//! so the states seen are two halves, and each step makes one of them anew from the other. With a
//! row of tiles a move (`multi.rs`) states that share all but the gap's place in its row are one
//! class, as are those of a column, and what is searched are the classes. Both steps only ever add
//! states: one that is cut short and made again comes to the same.
//!
//! The first layers and the last are small, and are searched in lists (`lists.rs`).

mod bitmaps;
mod counts;
mod explore;
mod index;
mod journal;
mod lists;
mod multi;
mod plan;
mod radius;
mod single;
mod steps;
mod swaps;
mod watch;

pub use counts::{CountsError, LayerCount, counts_text, has_counts, parse_counts};
pub use explore::{Space, SpaceError, explore};
pub use journal::remove_files;
pub use plan::SpacePlan;
pub use radius::radius;
pub use watch::{SpaceControl, SpaceEvent};
