//! What can be wrong with a table's file.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use super::{Header, Kind};
use crate::puzzle::{Size, SizeError, WideBoard};

/// Why bytes are not a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatError {
    /// It does not begin as tables do.
    #[error("it does not start like a table of slidebench")]
    Magic,
    /// It is shorter than a header.
    #[error("it ends after {0} bytes, inside the header of {len}", len = Header::LEN)]
    NoHeader(usize),
    /// A format of another version.
    #[error("its format has version {0}, and this program reads version 1")]
    Version(u32),
    /// The header is damaged.
    #[error("its header is damaged: the checksum differs")]
    HeaderChecksum,
    /// A value that no header has.
    #[error("its header has an unknown {0}, {1}")]
    Field(&'static str, u64),
    /// No size of a board.
    #[error("its header has no size of a board: {0}")]
    Size(SizeError),
    /// A size for which there are no tables.
    #[error("its header has no size of a table: {0}")]
    WideBoard(#[from] WideBoard),
    /// No goal.
    #[error(
        "it is for goal number {0}; tables are for 'first', number 0, and serve every goal with the gap in a corner"
    )]
    Goal(u16),
    #[error("it has {found} bytes where its header says {expected}")]
    /// Too few or too many bytes.
    Length {
        /// What the header says.
        expected: u64,
        /// What there is.
        found: u64,
    },
    /// The payload is damaged.
    #[error("its content is damaged: the checksum differs")]
    PayloadChecksum,
    /// Another table than its name says.
    #[error("it holds the {found_size} {found}, not the {size} {kind}")]
    Other {
        /// What its name says.
        kind: Kind,
        /// The boards that its name says.
        size: Size,
        /// What there is.
        found: Kind,
        /// The boards that it is for.
        found_size: Size,
    },
    /// The header is right, but what it says does not fit what the kind of table needs.
    #[error("its content cannot be read: {0}")]
    Content(String),
}

/// Why a table cannot be used or made, with its file.
#[derive(Debug)]
pub struct TableError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: TableProblem,
}

/// What the problem is.
#[derive(Debug)]
pub enum TableProblem {
    /// The file is no table, or not the one that is wanted.
    Format(FormatError),
    /// The system does not let it be read.
    Read(io::Error),
    /// The system does not let it be written.
    Write(io::Error),
    /// The disk is too full.
    NoRoom {
        /// Bytes that it takes.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// Another file has the name.
    Foreign,
    /// The caller wants no more of it.
    Cancelled,
}

impl TableError {
    pub(crate) fn new(path: impl Into<PathBuf>, problem: TableProblem) -> TableError {
        TableError {
            path: path.into(),
            problem,
        }
    }

    /// Whether the caller did not wait.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.problem, TableProblem::Cancelled)
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.problem {
            TableProblem::Format(problem) => write!(f, "{path}: {problem}"),
            TableProblem::Read(_) => write!(f, "cannot read {path}"),
            TableProblem::Write(_) => write!(f, "cannot write {path}"),
            TableProblem::NoRoom { needed, free } => write!(
                f,
                "no room for {path}: it takes {needed} bytes and the disk has {free} free"
            ),
            TableProblem::Foreign => {
                write!(f, "{path} is there and is no table; it is left as it is")
            }
            TableProblem::Cancelled => write!(f, "{path} was not written: interrupted"),
        }
    }
}

impl Error for TableError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            TableProblem::Read(error) | TableProblem::Write(error) => Some(error),
            // What is wrong with the format is told with the file.
            _ => None,
        }
    }
}
