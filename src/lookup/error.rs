//! What can be wrong with a table's file.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use super::{Header, Kind};
use crate::puzzle::{Size, SizeError};

/// Why bytes are not a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatError {
    #[error("it does not start like a table of slidebench")]
    Magic,
    #[error("it ends after {0} bytes, inside the header of {len}", len = Header::LEN)]
    NoHeader(usize),
    #[error("its format has version {0}, and this program reads version 1")]
    Version(u32),
    #[error("its header is damaged: the checksum differs")]
    HeaderChecksum,
    #[error("its header has an unknown {0}, {1}")]
    Field(&'static str, u64),
    #[error("its header has no size of a board: {0}")]
    Size(SizeError),
    #[error("it is for goal number {0}; tables are for 'first', number 0, and serve both")]
    Goal(u16),
    #[error("it has {found} bytes where its header says {expected}")]
    Length { expected: u64, found: u64 },
    #[error("its content is damaged: the checksum differs")]
    PayloadChecksum,
    #[error("it holds the {found_size} {found}, not the {size} {kind}")]
    Other {
        kind: Kind,
        size: Size,
        found: Kind,
        found_size: Size,
    },
    /// The header is right, but what it says does not fit what the kind of table needs.
    #[error("its content cannot be read: {0}")]
    Content(String),
}

/// Why a table cannot be used or made, with its file.
#[derive(Debug)]
pub struct TableError {
    pub path: PathBuf,
    pub problem: TableProblem,
}

/// What the problem is.
#[derive(Debug)]
pub enum TableProblem {
    /// The file is no table, or not the one that is wanted.
    Format(FormatError),
    Read(io::Error),
    Write(io::Error),
    NoRoom {
        needed: u64,
        free: u64,
    },
    /// The caller wants no more of it.
    Cancelled,
}

impl TableError {
    pub(super) fn new(path: impl Into<PathBuf>, problem: TableProblem) -> TableError {
        TableError {
            path: path.into(),
            problem,
        }
    }

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
