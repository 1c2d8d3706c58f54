//! Search on sliding-tile puzzles, fast, counted and verified.
//!
//! A board, a heuristic, a search, and what came of it:
//!
//! ```
//! use slidebench::heuristic::OfTiles;
//! use slidebench::puzzle::{Board, Goal, Problem};
//! use slidebench::search::{Algorithm, Control, Settings, solve};
//!
//! let board: Board = "8 6 7 / 2 5 4 / 3 . 1".parse()?;
//! let problem = Problem::new(&board, Goal::Last)?;
//!
//! // IDA* with the taxicab distance, by the fastest engine that there is for it.
//! let outcome = solve(&problem, &Settings::new(Algorithm::IdaStar), &Control::default());
//! assert_eq!(outcome.result?.moves.len(), 31);
//!
//! // A* with a heuristic of one's own: how many tiles are not in the cell with their number.
//! let misplaced = OfTiles(|tiles: &[u8]| {
//!     let cells = tiles.iter().enumerate();
//!     cells.filter(|&(cell, &tile)| tile != 0 && usize::from(tile) != cell).count() as u32
//! });
//! let outcome = solve(&problem, &Settings::astar(misplaced), &Control::default());
//! assert_eq!(outcome.result?.moves.len(), 31);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every solution was replayed on a plain board before it is returned. `examples/` has four programs
//! to begin with: solve a board, build and use a table, compare a heuristic of one's own with the
//! taxicab distance, and run a suite into rows.
//!
//! The modules are the way the data goes: text becomes a board ([`puzzle`]), a board meets a
//! [`heuristic`] that may come from a table ([`lookup`]), a [`search`] walks, and what it did
//! becomes a row ([`harness`]), which becomes a picture ([`report`]). [`space`] explores all states of
//! a size, [`course`] answers in the words of classroom assignments, and [`sys`] knows the machine. The
//! library prints nothing: it takes a callback for progress and returns values.
//!
//! The program `slidebench` is the feature `cli`, which is on by default; without it only the
//! library is compiled.

#![warn(missing_docs)]

// The library of the program, and not of others: here it is compiled beside the searches, where a binary
// would wait for all of them. It has no unit tests, so it is left out of theirs.
#[cfg(all(feature = "cli", not(test)))]
#[doc(hidden)]
pub mod cmd;
pub mod course;
pub mod harness;
pub mod report;

#[doc(inline)]
pub use slidebench_core::{heuristic, lookup, puzzle, search, space, sys};
