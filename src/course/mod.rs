//! The interfaces of five classroom assignments, byte for byte.
//!
//! | module | assignment |
//! | --- | --- |
//! | [`driver`] | the 8-puzzle driver: `bfs`, `dfs`, `ast`, a file of seven lines |
//! | [`lines`] | a file of boards, each with the code of the searches to run |
//! | [`puz`] | a solution as a list of tile moves |
//! | [`successors`] | the states one move on, in ascending order |
//! | [`trace`] | the states on the path that A* finds, and how long its queue got |
//!
//! Nothing is written here: every answer is a value that knows its text. [`check`] compares what
//! programs of others write with these answers.

pub mod check;
pub mod driver;
mod driver_astar;
pub mod lines;
mod listed;
pub mod puz;
mod python;
pub mod successors;
pub mod trace;

pub use listed::Listed;

use crate::search::Stop;

/// Why a search gave no answer, to follow "stopped".
pub fn reason(stop: Stop) -> &'static str {
    match stop {
        Stop::Time => "at the time limit",
        Stop::Nodes => "at the node limit",
        Stop::Memory => "at the memory limit",
        Stop::Cancelled => "by an interrupt",
        Stop::DamagedTable | Stop::LostTable | Stop::Inconsistent => "by a damaged table",
        Stop::OtherSize => "by a table of another size",
        Stop::OtherTarget => "by a table for another target",
        Stop::OtherMetric => "by a metric that it does not know",
        Stop::WideBoard => "at a board of more than 25 cells",
        Stop::Exhausted | Stop::OtherTree => "at the end of a unit",
    }
}
