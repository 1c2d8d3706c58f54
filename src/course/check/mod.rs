//! Checks a student's program against an assignment, line by line.
//!
//! An [`Assignment`] makes a [`Task`] of each board: how the program is called, and the lines that
//! it has to write, which the searches of this program know. [`check`] calls the [`Student`]'s
//! program, in a new folder and with limits, finds for each wanted line the printed one
//! (`align.rs`), and judges it by its rule (`rule.rs`):
//!
//! - counts, costs and all other text have to be right to the byte;
//! - a path is replayed: any that leads to the goal in the right number of moves is right;
//! - of times and memory the number may be any.
//!
//! What is wrong is said twice: as a [`Mistake`] in words, and as the line that would be right.

mod align;
mod boards;
mod folder;
mod judge;
mod path;
mod rule;
mod student;
mod tasks;

use super::trace::Popped;
use super::{driver, lines, puz, successors};
use crate::puzzle::{Goal, named};

pub use judge::{CheckError, Checked, CheckedLine, Trouble, check};
pub use rule::{Mistake, Verdict};
pub use student::Student;
pub use tasks::{Task, TaskError, TaskProblem};

/// The assignments, by the commands that answer as they ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interface {
    /// `PROGRAM METHOD BOARD` writes seven lines to `output.txt`.
    Driver,
    /// `PROGRAM FILE` prints a line for each search.
    Lines,
    /// `PROGRAM -n FILE` prints a list of tile moves.
    Puz,
    /// `PROGRAM STATE` prints the states one move on.
    Succ,
    /// `PROGRAM STATE` prints the states on the path, and the longest queue.
    Trace,
}

named!(
    Interface,
    "an interface that can be checked": Driver "driver", Lines "lines", Puz "puz", Succ "succ", Trace "trace"
);

/// An interface, and how its assignment is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// Which one.
    pub interface: Interface,
    /// Where the gap belongs.
    pub goal: Goal,
    /// What the trace does with states that it popped before.
    pub popped: Popped,
}

impl Assignment {
    /// The assignment as it is usually given.
    pub fn new(interface: Interface) -> Assignment {
        let goal = match interface {
            Interface::Driver => driver::GOAL,
            Interface::Lines => lines::GOAL,
            Interface::Puz => puz::GOAL,
            Interface::Succ | Interface::Trace => successors::GOAL,
        };
        Assignment {
            interface,
            goal,
            popped: Popped::Closed,
        }
    }
}
