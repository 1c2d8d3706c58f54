//! What can be wrong with a text that should be a suite.

use crate::harness::csv_cell::LONGEST_CELL;
use crate::puzzle::{Goal, GoalError, ParseProblem, SizeError, UnknownName, excerpt};
use crate::search::PruneError;

/// Why a text is not a suite, and in which line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct SuiteError {
    /// Line, or line and column, counted from 1.
    pub place: String,
    /// What is wrong there.
    pub problem: SuiteProblem,
}

impl SuiteError {
    pub(super) fn at(place: impl ToString, problem: impl Into<SuiteProblem>) -> SuiteError {
        SuiteError {
            place: place.to_string(),
            problem: problem.into(),
        }
    }
}

/// What is wrong with a line of a suite, or with all of it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SuiteProblem {
    /// A board, or bytes that are no text.
    #[error(transparent)]
    Board(#[from] ParseProblem),
    /// The size that the head names.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The goal that the head names.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// The metric or the costs that the head names.
    #[error(transparent)]
    Metric(#[from] UnknownName),
    /// The pruning that the head names.
    #[error(transparent)]
    Prune(#[from] PruneError),
    /// A file without a board.
    #[error(
        "there is no board; expected a board on each line, or a CSV with the columns \
         instance,board,optimal"
    )]
    Empty,
    /// A line that is no CSV.
    #[error("the line is no CSV")]
    NotCsv,
    /// A line with more or fewer fields than the header.
    #[error(
        "the line has {found} fields where the header has {expected}; a board with commas is \
         written in quotes"
    )]
    FieldCount {
        /// Fields of the line.
        found: u64,
        /// Fields of the header.
        expected: u64,
    },
    /// A field, or a line that should be a board, that nobody wrote.
    #[error("there are {found} bytes; expected at most {LONGEST_CELL}")]
    LongCell {
        /// Its bytes.
        found: usize,
    },
    /// A field that should be a number.
    #[error("{column} is '{}'; expected a number", excerpt(text))]
    NotANumber {
        /// The column's name.
        column: String,
        /// What stands there.
        text: String,
    },
    /// Two instances of one name: a row is found again by it.
    #[error("instance '{}' is there twice; names differ", excerpt(.0))]
    Twice(String),
    /// Units are asked for with another goal than they were split for.
    #[error("units are for the goal of their board, {0}")]
    GoalOfUnits(Goal),
    /// Units of several boards or thresholds: their nodes are added up.
    #[error("unit '{}' is of another board or threshold than the first one", excerpt(.0))]
    OtherUnit(String),
    /// Units that do not name the search that they were split for.
    #[error("units need a line '# heuristic: NAME' that says what they were cut for")]
    NoHeuristic,
    /// Units of a search that has none.
    #[error(
        "'# algorithm: {}' has no units; expected idastar or astar+idastar",
        excerpt(.0)
    )]
    NoUnits(String),
    /// Moves that lead off the board, or are none.
    #[error("moves is '{}'; expected moves of the gap on the board, such as ULDR", excerpt(.0))]
    Moves(String),
    /// A unit whose numbers do not fit each other.
    #[error(
        "a unit with g {g}, h {h} and budget {budget} after {moves} moves; expected g moves, and a \
         budget of at least h"
    )]
    Unit {
        /// Moves to the unit, as the file says.
        g: u32,
        /// The estimate there.
        h: u32,
        /// Moves left of the threshold.
        budget: u32,
        /// Moves to the unit, as they stand there.
        moves: usize,
    },
}
