//! Suites: boards with their known answers, built in, from a file, or made anew from a seed.

mod built_in;
mod definition;
mod filter;
pub mod generate;
mod parse;
mod pddl;
mod problem;
mod units;

pub use crate::sys::Random;
pub use built_in::{BUILT_IN, BuiltIn, built_in, nearest_names};
pub use definition::{Instance, SplitFor, Suite};
pub use filter::{Filter, FilterError};
pub use parse::{Asked, parse_suite};
pub use pddl::{PDDL_MARK, pddl_domain, pddl_problem, word as pddl_word};
pub use problem::{SuiteError, SuiteProblem};
pub use units::units_text;
