//! The searches of slidebench, with all that is below them: boards, lookup tables, heuristics, whole
//! spaces.
//!
//! This is the part of the library that is compiled for speed; the crate `slidebench` has it under its own
//! name, and everything that is done with a search: suites, rows, reports, the command line. Its front page
//! is the one to begin with. Who wants nothing but to search can depend on this one alone.
//!
//! ```
//! use slidebench_core::puzzle::{Board, Goal, Problem};
//! use slidebench_core::search::{Algorithm, Control, Settings, solve};
//!
//! let board: Board = "8 6 7 / 2 5 4 / 3 . 1".parse()?;
//! let problem = Problem::new(&board, Goal::Last)?;
//! let outcome = solve(&problem, &Settings::new(Algorithm::IdaStar), &Control::default());
//! assert_eq!(outcome.result?.moves.len(), 31);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

pub mod heuristic;
pub mod lookup;
pub mod puzzle;
pub mod search;
pub mod space;
pub mod sys;
