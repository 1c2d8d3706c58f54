//! Rows as text: CSV with a header, or JSON with a row on each line. Written and read here.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::row::Row;
use crate::puzzle::excerpt;

/// What a line holds. The default has the columns and nothing in them.
pub trait Record: Serialize + DeserializeOwned + Default {}

impl<R: Serialize + DeserializeOwned + Default> Record for R {}

/// How rows are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RowFormat {
    #[default]
    Csv,
    Jsonl,
}

impl RowFormat {
    /// The name, which is also how a file's name ends.
    pub const fn name(self) -> &'static str {
        match self {
            RowFormat::Csv => "csv",
            RowFormat::Jsonl => "jsonl",
        }
    }

    /// The format that a text has: JSON begins with a brace, a header does not.
    pub fn of(text: &str) -> RowFormat {
        match text.trim_start().starts_with('{') {
            true => RowFormat::Jsonl,
            false => RowFormat::Csv,
        }
    }

    /// One record as a line, its end included.
    pub fn line<R: Record>(self, record: &R) -> String {
        let line = match self {
            RowFormat::Csv => csv_text(record, false),
            RowFormat::Jsonl => serde_json::to_string(record).expect("a row is plain data") + "\n",
        };
        // A line is what survives a crash whole, so a record never has two.
        debug_assert_eq!(line.matches('\n').count(), 1);
        line
    }

    /// The line before the first record.
    pub fn header<R: Record>(self) -> String {
        match self {
            RowFormat::Csv => {
                let text = csv_text(&R::default(), true);
                text.split_inclusive('\n')
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            }
            RowFormat::Jsonl => String::new(),
        }
    }

    /// The records of a text; comments, which begin with #, are passed over.
    pub fn records<R: Record>(self, text: &str) -> Result<Vec<R>, RowsError> {
        match self {
            RowFormat::Csv => csv_records(text),
            RowFormat::Jsonl => jsonl_records(text),
        }
    }
}

impl fmt::Display for RowFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RowFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<RowFormat, String> {
        [RowFormat::Csv, RowFormat::Jsonl]
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| format!("'{text}' is not a format of rows; write csv or jsonl"))
    }
}

/// Why a text is not a file of rows; lines count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RowsError {
    #[error("1: the file is empty; expected the rows of a run")]
    Empty,
    #[error(
        "{line}: column '{}' is not one of a CSV of runs; expected {expected}",
        excerpt(name)
    )]
    Foreign {
        line: u64,
        name: String,
        expected: String,
    },
    #[error("{line}: column '{name}' is missing; expected {expected}")]
    Missing {
        line: u64,
        name: String,
        expected: String,
    },
    #[error("{line}: {problem}")]
    Broken { line: u64, problem: String },
}

/// The rows of a file in either format.
pub fn parse_rows(text: &str) -> Result<Vec<Row>, RowsError> {
    if text.trim().is_empty() {
        return Err(RowsError::Empty);
    }
    RowFormat::of(text).records(text)
}

fn csv_text<R: Record>(record: &R, headers: bool) -> String {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(headers)
        .comment(Some(b'#'))
        .from_writer(Vec::new());
    writer.serialize(record).expect("a row is plain data");
    let bytes = writer.into_inner().expect("memory takes every byte");
    String::from_utf8(bytes).expect("a row is text")
}

fn csv_records<R: Record>(text: &str) -> Result<Vec<R>, RowsError> {
    let header = RowFormat::Csv.header::<R>();
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let found = reader
        .headers()
        .map_err(|error| broken(text, error))?
        .clone();
    let line = data_line(text, 1);
    let expected = || header.trim_end().to_owned();
    let columns: Vec<&str> = header.trim_end().split(',').collect();
    if let Some(name) = found.iter().find(|name| !columns.contains(name)) {
        let (name, expected) = (name.to_owned(), expected());
        return Err(RowsError::Foreign {
            line,
            name,
            expected,
        });
    }
    let is_missing = |name: &&&str| !found.iter().any(|column| column == **name);
    if let Some(name) = columns.iter().find(is_missing) {
        let (name, expected) = ((*name).to_owned(), expected());
        return Err(RowsError::Missing {
            line,
            name,
            expected,
        });
    }
    reader
        .deserialize()
        .map(|row| row.map_err(|error| broken(text, error)))
        .collect()
}

/// The first line from `from` on that is neither empty nor a comment: a reader of CSV counts a
/// record from the comments before it.
pub(crate) fn data_line(text: &str, from: u64) -> u64 {
    let is_data = |line: &str| !line.is_empty() && !line.starts_with('#');
    let mut lines = text.lines().skip(from.saturating_sub(1) as usize);
    from + lines.position(is_data).unwrap_or(0) as u64
}

fn broken(text: &str, error: csv::Error) -> RowsError {
    let line = data_line(text, error.position().map_or(1, csv::Position::line));
    let problem = match error.into_kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("the row has {len} fields where the header has {expected_len}"),
        csv::ErrorKind::Deserialize { err, .. } => err.to_string(),
        csv::ErrorKind::Utf8 { .. } => "a field is not text".to_owned(),
        _ => "the row cannot be read".to_owned(),
    };
    RowsError::Broken { line, problem }
}

fn jsonl_records<R: Record>(text: &str) -> Result<Vec<R>, RowsError> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            serde_json::from_str(line).map_err(|error| RowsError::Broken {
                line: index as u64 + 1,
                problem: error.to_string(),
            })
        })
        .collect()
}
