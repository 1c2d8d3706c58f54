//! Optimal search on sliding-tile puzzles, fast and verified.
//!
//! The folders are the way the data goes: text becomes a board ([`puzzle`]), a board meets
//! an estimate ([`heuristic`]) that may come from a table ([`lookup`]), a search walks ([`search`]), and what it did becomes a row
//! ([`harness`]), which becomes a picture ([`report`]). [`course`] answers in the words of classroom assignments. The library
//! prints nothing: it takes a callback for progress and returns values.

pub mod course;
pub mod harness;
pub mod heuristic;
pub mod lookup;
pub mod puzzle;
pub mod report;
pub mod search;
pub mod sys;
