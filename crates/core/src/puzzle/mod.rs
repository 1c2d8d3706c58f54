//! Boards: what text becomes, and what every search walks on.
//!
//! A [`Board`] is the door: a checked permutation with its [`Size`], made by the
//! one parser in `parse.rs`. A [`Packed`] board is the same thing in one machine
//! word, or in six, for the searches. A [`Problem`] is a board that is known to be solvable,
//! turned so that its goal has the gap in the first cell: there is one goal inside
//! the program and any at the door.

mod board;
mod cost;
mod costs;
mod entry;
mod excerpt;
mod goal;
mod grid;
mod metric;
mod moves;
mod named;
mod packed;
mod parse;
mod problem;
mod rules;
mod size;

pub use board::{Board, BoardError};
pub use cost::Cost;
pub use costs::Costs;
pub(crate) use entry::Entry;
pub use excerpt::excerpt;
pub use goal::{Goal, GoalError};
pub use grid::Grid;
pub use metric::Metric;
pub use moves::{Move, MoveOrder, MoveOrderError, Notation};
pub use named::UnknownName;
pub use named::named;
pub use packed::{Packed, Wide, Word};
pub use parse::{ParseError, ParseProblem, TextPosition, parse_board, parse_bytes, parse_text};
pub use problem::{Layout, Problem, Unsolvable};
pub use rules::Rules;
pub use size::{Cell, MAX_CELLS, MAX_OPTIMAL_CELLS, Size, SizeError, WideBoard};

/// A tile's number; 0 is the gap.
pub type Tile = u8;
