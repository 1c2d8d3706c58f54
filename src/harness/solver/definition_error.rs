//! Why a text is no definition of a program.

use std::error::Error;
use std::{fmt, io};

use super::board_text::{BoardForm, Given};
use crate::puzzle::UnknownName;

/// Why a text is no definition of a program, and where it is.
#[derive(Debug)]
pub struct SolverError {
    /// The file or the command.
    pub place: String,
    /// What is wrong.
    pub problem: SolverProblem,
}

/// What is wrong with a definition of a program.
#[derive(Debug, thiserror::Error)]
pub enum SolverProblem {
    /// A command that no shell would take.
    #[error("a quote is not closed")]
    OpenQuote,
    /// A command of nothing.
    #[error("there is no command; expected one such as 'python3 mine.py'")]
    NoCommand,
    /// The file cannot be read.
    #[error("the file cannot be read")]
    Read(#[from] io::Error),
    /// It is no TOML, or has other keys.
    #[error("the file defines no program")]
    Toml(#[from] toml::de::Error),
    /// A list of no words.
    #[error("command is empty; expected a list such as [\"python3\", \"mine.py\"]")]
    EmptyCommand,
    /// A list of no words.
    #[error("version is empty; expected a command as a list")]
    EmptyVersion,
    /// A board has no place in the command.
    #[error("board = \"{given}\" needs {missing} in command")]
    NoPlace {
        /// How the board is given.
        given: Given,
        /// What would stand for it.
        missing: &'static str,
    },
    /// A board for each line, and not on stdin.
    #[error("mode = \"lines\" gives boards on stdin, not as {0}")]
    LinesGiven(Given),
    /// A board for each line that takes several.
    #[error("mode = \"lines\" gives a board on a line, not as {0}")]
    LinesForm(BoardForm),
    /// A key has a value that is none of its names.
    #[error("{key} is wrong")]
    Name {
        /// The key.
        key: &'static str,
        /// What was read, and what there is.
        source: UnknownName,
    },
    /// The expression is none.
    #[error("regex is wrong")]
    Regex(#[from] regex_lite::Error),
    /// The expression finds nothing that is asked for.
    #[error("regex: expected a group named moves or cost, as in (?P<moves>[UDLR]*)")]
    NoGroup,
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

/// The text has the problem's; what is behind that is the source.
impl Error for SolverError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.problem.source()
    }
}
