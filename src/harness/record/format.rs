//! Rows as text: CSV with a header, or JSON with a row on each line.

use super::csv_rows::{csv_columns, csv_header, csv_records, csv_text};
use super::jsonl_rows::{jsonl_names, jsonl_records};
use super::lines::{Record, RowsError, require};
use crate::puzzle::named;

/// How rows are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RowFormat {
    /// Comma-separated values with a header.
    #[default]
    Csv,
    /// A JSON object on each line.
    Jsonl,
}

impl RowFormat {
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
            RowFormat::Csv => csv_columns::<R>().join(",") + "\n",
            RowFormat::Jsonl => String::new(),
        }
    }

    /// The columns, in the order in which they are written.
    pub fn columns<R: Record>() -> Vec<String> {
        csv_columns::<R>()
    }

    /// The records of a text, by the names of their columns; those of other names are passed
    /// over, and so are comments, which begin with #.
    pub fn records<R: Record>(self, text: &str) -> Result<Vec<R>, RowsError> {
        match self {
            RowFormat::Csv => csv_records(text),
            RowFormat::Jsonl => jsonl_records(text),
        }
    }

    /// The records of a text that more can be added to: all columns are there, in their order.
    pub fn own_records<R: Record>(self, text: &str) -> Result<Vec<R>, RowsError> {
        let (line, columns) = match self {
            RowFormat::Csv => csv_header::<R>(text)?,
            RowFormat::Jsonl => jsonl_names(text)?,
        };
        let own = RowFormat::columns::<R>();
        let has = |name: &str| columns.iter().any(|column| column == name);
        let is_own = match self {
            RowFormat::Csv => columns == own,
            RowFormat::Jsonl => columns.is_empty() || own.iter().all(|name| has(name)),
        };
        match is_own {
            true => self.records(text),
            false if has("started_at") && !has("engine") => Err(RowsError::Schema1 { line }),
            false => {
                // What is missing is a better word than the whole list.
                require(R::REQUIRED, &columns, line)?;
                let expected = own.join(",");
                Err(RowsError::Columns { line, expected })
            }
        }
    }
}

// The name is also how a file's name ends.
named!(RowFormat, "a format of rows": Csv "csv", Jsonl "jsonl");
