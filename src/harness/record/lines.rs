//! What the lines of a file hold, and what makes one wrong, whatever the format.

use std::num::{ParseFloatError, ParseIntError};
use std::str::ParseBoolError;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::harness::csv_cell::LONGEST_CELL;
use crate::puzzle::excerpt;
use crate::space::CountsError;

/// What a line holds. The default has the columns and nothing in them; columns that a file does
/// not have are as in the default.
pub trait Record: Serialize + DeserializeOwned + Default {
    /// The columns without which a file says nothing.
    const REQUIRED: &'static [&'static str];

    /// The first column whose text says what it cannot, and what is wrong with it.
    fn wrong_text(&self) -> Option<(&'static str, String)> {
        None
    }

    /// Fills in what a file with these columns leaves to be understood.
    fn complete(_: &mut [Self], _columns: &[&str]) {}
}

/// Why a text is not a file of rows; lines count from 1.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RowsError {
    /// There is nothing.
    #[error("1: the file is empty; expected the rows of a run")]
    Empty,
    /// A file of whole spaces that is none.
    #[error(transparent)]
    Layers(#[from] CountsError),
    /// A column that has to be there.
    #[error("{line}: column '{name}' is missing; expected at least {expected}")]
    Missing {
        /// Where, counted from 1.
        line: u64,
        /// The column.
        name: String,
        /// What has to be there.
        expected: String,
    },
    /// A column that is there more than once.
    #[error("{line}: column '{name}' is there more than once; expected each column once")]
    Doubled {
        /// Where, counted from 1.
        line: u64,
        /// The column.
        name: String,
    },
    /// A value that cannot be read.
    #[error("{line}: column '{column}': {problem}")]
    Field {
        /// Where, counted from 1.
        line: u64,
        /// Its column.
        column: String,
        /// What is wrong with it.
        problem: String,
        /// What its reader says, where one has read it.
        source: Option<Unreadable>,
    },
    #[error("{line}: {problem}")]
    /// A line that is no row.
    Broken {
        /// Where, counted from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
        /// What its reader says, where one has read it.
        source: Option<Unreadable>,
    },
    #[error(
        "{line}: the rows are of schema 1, which has no column for engine and pruning, so nothing \
         tells which runs are there"
    )]
    /// Rows of version 0.1.
    Schema1 {
        /// Where, counted from 1.
        line: u64,
    },
    #[error("{line}: rows are only added to a file with all columns in their order: {expected}")]
    /// A header with other columns.
    Columns {
        /// Where, counted from 1.
        line: u64,
        /// What has to be there.
        expected: String,
    },
}

/// What the reader of a text says about it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Unreadable {
    /// Of a whole number.
    #[error(transparent)]
    Int(#[from] ParseIntError),
    /// Of a number.
    #[error(transparent)]
    Float(#[from] ParseFloatError),
    /// Of what is true or false.
    #[error(transparent)]
    Bool(#[from] ParseBoolError),
    /// Of CSV.
    #[error(transparent)]
    Csv(Arc<csv::Error>),
    /// Of JSON.
    #[error(transparent)]
    Json(Arc<serde_json::Error>),
}

impl From<csv::Error> for Unreadable {
    fn from(error: csv::Error) -> Unreadable {
        Unreadable::Csv(Arc::new(error))
    }
}

impl From<serde_json::Error> for Unreadable {
    fn from(error: serde_json::Error) -> Unreadable {
        Unreadable::Json(Arc::new(error))
    }
}

/// Of two columns of one name none is the right one; those of other names than `own` do not matter.
pub(super) fn refuse_doubled(
    own: &[String],
    columns: &[String],
    line: u64,
) -> Result<(), RowsError> {
    let times = |name: &String| columns.iter().filter(|column| *column == name).count();
    match own.iter().find(|name| times(name) > 1) {
        None => Ok(()),
        Some(name) => Err(RowsError::Doubled {
            line,
            name: name.clone(),
        }),
    }
}

pub(super) fn require(required: &[&str], columns: &[String], line: u64) -> Result<(), RowsError> {
    let is_missing = |name: &&&str| !columns.iter().any(|column| column == **name);
    match required.iter().find(is_missing) {
        None => Ok(()),
        Some(name) => Err(RowsError::Missing {
            line,
            name: (*name).to_owned(),
            expected: required.join(","),
        }),
    }
}

/// Tells the first record with a wrong text, by the line of its place: what a file leaves to be
/// understood counts too.
pub(super) fn refuse_wrong_texts<R: Record>(
    records: &[R],
    line: impl Fn(usize) -> u64,
) -> Result<(), RowsError> {
    for (place, record) in records.iter().enumerate() {
        if let Some((column, problem)) = record.wrong_text() {
            return Err(RowsError::Field {
                line: line(place),
                column: column.to_owned(),
                problem,
                source: None,
            });
        }
    }
    Ok(())
}

/// What is wrong with a cell of which its reader says more.
pub(super) const UNREADABLE_CELL: &str = "the value cannot be read";

/// What is wrong with a cell, whatever its column: it is long, or does not fit the line that a row
/// is.
pub(super) fn cell_problem(cell: &str) -> Option<String> {
    match cell.len() {
        long if long > LONGEST_CELL => Some(format!(
            "the cell has {long} bytes; expected at most {LONGEST_CELL}"
        )),
        _ if cell.contains(['\n', '\r']) => {
            Some("the cell has several lines; expected one".to_owned())
        }
        _ => None,
    }
}

/// What is wrong with a text that is none of some names.
pub(super) fn no_name(text: &str, what: &str, names: &[&str]) -> String {
    let (text, names) = (excerpt(text), names.join(", "));
    format!("'{text}' is not {what}; expected one of {names}")
}

pub(super) fn names(columns: &[String]) -> Vec<&str> {
    columns.iter().map(String::as_str).collect()
}
