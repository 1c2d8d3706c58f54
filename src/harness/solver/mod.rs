//! Programs of others: what they are called, how a board is given to them and an answer read,
//! and how their processes are limited and measured.
//!
//! A [`Solver`] is a definition, read from a command or a TOML file. A [`Caller`] is one job's way
//! to it: it starts a process for each board, or keeps one that answers a line a board. Whatever a
//! program does, what comes of it is a [`Call`]: an answer, or why there is none. [`Programs`] calls
//! any program once, and reads nothing into what it prints.

mod answer;
mod board_text;
mod caller;
mod control_group;
mod definition;
mod definition_error;
mod guard;
mod kin;
mod meter;
mod process;
mod program;
mod spawn;

pub use answer::{Answer, AnswerError, AnswerForm};
pub use board_text::{BoardForm, Given, Placeholders};
pub use caller::{Call, Caller, Failure};
pub use definition::{Mode, Solver};
pub use definition_error::{SolverError, SolverProblem};
pub use guard::Containment;
pub(crate) use guard::Guard;
pub use program::{Printed, Programs};
