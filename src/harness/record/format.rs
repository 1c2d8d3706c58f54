//! Rows as text: CSV with a header, or JSON with a row on each line. Written and read here.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::harness::csv_cell::{FORMULAS, LONGEST_CELL, from_text_cell, text_cell};
use crate::harness::csv_line::data_line;
use crate::puzzle::{excerpt, named};
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

    /// The columns, in the order in which they are written.
    pub fn columns<R: Record>() -> Vec<String> {
        let header = RowFormat::Csv.header::<R>();
        header.trim_end().split(',').map(str::to_owned).collect()
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

/// Why a text is not a file of rows; lines count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
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
    },
    #[error("{line}: {problem}")]
    /// A line that is no row.
    Broken {
        /// Where, counted from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
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

fn csv_text<R: Record>(record: &R, headers: bool) -> String {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(headers)
        .comment(Some(b'#'))
        .from_writer(Vec::new());
    writer.serialize(record).expect("a row is plain data");
    let bytes = writer.into_inner().expect("memory takes every byte");
    let text = String::from_utf8(bytes).expect("a row is text");
    match text.contains(FORMULAS) {
        true => with_fields(&text, text_cell),
        false => text,
    }
}

/// The text with each of its fields changed.
fn with_fields(text: &str, change: impl Fn(&str) -> String) -> String {
    // The reader drops a byte order mark before the first field: one of ours, and not the field's.
    let text = format!("\u{feff}{text}");
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut writer = csv::WriterBuilder::new()
        .flexible(true)
        .comment(Some(b'#'))
        .from_writer(Vec::new());
    for record in reader.records() {
        let record = record.expect("what was just written can be read");
        let written = writer.write_record(record.iter().map(&change));
        written.expect("memory takes every byte");
    }
    let bytes = writer.into_inner().expect("memory takes every byte");
    String::from_utf8(bytes).expect("a row is text")
}

/// The line of the header, and its columns.
fn csv_header<R: Record>(text: &str) -> Result<(u64, Vec<String>), RowsError> {
    let mut reader = csv_reader(text);
    let header = reader.headers().map_err(|error| broken(text, error))?;
    let columns: Vec<String> = header.iter().map(str::to_owned).collect();
    let line = data_line(text, None);
    refuse_doubled::<R>(&columns, line)?;
    Ok((line, columns))
}

/// Of two columns of one name none is the right one; those of other names do not matter.
fn refuse_doubled<R: Record>(columns: &[String], line: u64) -> Result<(), RowsError> {
    let times = |name: &String| columns.iter().filter(|column| *column == name).count();
    let mut own = RowFormat::columns::<R>().into_iter();
    match own.find(|name| times(name) > 1) {
        None => Ok(()),
        Some(name) => Err(RowsError::Doubled { line, name }),
    }
}

fn csv_reader(text: &str) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .trim(csv::Trim::Headers)
        .from_reader(text.as_bytes())
}

fn require(required: &[&str], columns: &[String], line: u64) -> Result<(), RowsError> {
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

fn csv_records<R: Record>(text: &str) -> Result<Vec<R>, RowsError> {
    let (line, columns) = csv_header::<R>(text)?;
    require(R::REQUIRED, &columns, line)?;
    let header = csv::StringRecord::from(&columns[..]);
    let (mut records, mut lines) = (Vec::new(), Vec::new());
    for record in csv_reader(text).records() {
        let record = record.map_err(|error| broken(text, error))?;
        let record = own_cells(text, &header, record)?;
        let parsed = record.deserialize(Some(&header));
        let parsed = parsed.map_err(|error| wrong_field::<R>(text, &header, &record, &error))?;
        lines.push(record.position().cloned());
        records.push(parsed);
    }
    R::complete(&mut records, &names(&columns));
    refuse_wrong_texts(&records, |place| data_line(text, lines[place].as_ref()))?;
    Ok(records)
}

/// Tells the first record with a wrong text, by the line of its place: what a file leaves to be
/// understood counts too.
fn refuse_wrong_texts<R: Record>(
    records: &[R],
    line: impl Fn(usize) -> u64,
) -> Result<(), RowsError> {
    for (place, record) in records.iter().enumerate() {
        if let Some((column, problem)) = record.wrong_text() {
            return Err(RowsError::Field {
                line: line(place),
                column: column.to_owned(),
                problem,
            });
        }
    }
    Ok(())
}

/// What is wrong with a cell, whatever its column: it is long, or does not fit the line that a row
/// is.
fn cell_problem(cell: &str) -> Option<String> {
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

/// The record with its cells as they were before they were written.
fn own_cells(
    text: &str,
    header: &csv::StringRecord,
    record: csv::StringRecord,
) -> Result<csv::StringRecord, RowsError> {
    let mut problems = record.iter().map(cell_problem).enumerate();
    if let Some((place, Some(problem))) = problems.find(|(_, problem)| problem.is_some()) {
        return Err(RowsError::Field {
            line: data_line(text, record.position()),
            column: header.get(place).unwrap_or_default().to_owned(),
            problem,
        });
    }
    if record.iter().all(|field| from_text_cell(field) == field) {
        return Ok(record);
    }
    let mut own: csv::StringRecord = record.iter().map(from_text_cell).collect();
    own.set_position(record.position().cloned());
    Ok(own)
}

fn names(columns: &[String]) -> Vec<&str> {
    columns.iter().map(String::as_str).collect()
}

/// Finds the field that makes a record wrong: every column can be read alone.
fn wrong_field<R: Record>(
    text: &str,
    header: &csv::StringRecord,
    record: &csv::StringRecord,
    error: &csv::Error,
) -> RowsError {
    let line = data_line(text, record.position());
    for (column, field) in header.iter().zip(record) {
        let (one_name, one_field) = ([column].as_slice().into(), [field].as_slice().into());
        let (one_name, one_field): (csv::StringRecord, csv::StringRecord) = (one_name, one_field);
        let parsed: Result<R, csv::Error> = one_field.deserialize(Some(&one_name));
        if let Err(error) = parsed {
            return RowsError::Field {
                line,
                column: column.to_owned(),
                problem: field_problem(field, &error),
            };
        }
    }
    let problem = error.to_string();
    RowsError::Broken { line, problem }
}

fn field_problem(field: &str, error: &csv::Error) -> String {
    use csv::DeserializeErrorKind as Kind;
    let csv::ErrorKind::Deserialize { err, .. } = error.kind() else {
        return error.to_string();
    };
    let field = excerpt(field);
    match err.kind() {
        Kind::ParseInt(_) => format!("'{field}' is not a whole number"),
        Kind::ParseFloat(_) => format!("'{field}' is not a number"),
        Kind::ParseBool(_) => format!("'{field}' is neither true nor false"),
        kind => kind.to_string(),
    }
}

/// What is wrong with a text that is none of some names.
pub(super) fn no_name(text: &str, what: &str, names: &[&str]) -> String {
    let (text, names) = (excerpt(text), names.join(", "));
    format!("'{text}' is not {what}; expected one of {names}")
}

fn broken(text: &str, error: csv::Error) -> RowsError {
    let line = data_line(text, error.position());
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

/// A row of JSON, with its line.
type JsonRow = (u64, serde_json::Map<String, serde_json::Value>);

fn json_rows(text: &str) -> impl Iterator<Item = Result<JsonRow, RowsError>> {
    let lines = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty());
    lines.map(|(text, line)| {
        let row = serde_json::from_str(text).map_err(|error| RowsError::Broken {
            line,
            problem: format!(
                "'{}' is no row of a run, an object of JSON: {error}",
                excerpt(text)
            ),
        })?;
        Ok((line, row))
    })
}

/// The names in the first row.
fn jsonl_names(text: &str) -> Result<(u64, Vec<String>), RowsError> {
    let first = json_rows(text).next().transpose()?;
    Ok(first.map_or((1, Vec::new()), |(line, row)| {
        (line, row.into_iter().map(|(name, _)| name).collect())
    }))
}

fn jsonl_records<R: Record>(text: &str) -> Result<Vec<R>, RowsError> {
    let (mut records, mut lines) = (Vec::new(), Vec::new());
    for row in json_rows(text) {
        let (line, row) = row?;
        let columns: Vec<String> = row.keys().cloned().collect();
        require(R::REQUIRED, &columns, line)?;
        refuse_wrong_cells(line, &row)?;
        let parsed = serde_json::from_value(row.clone().into());
        let parsed = parsed.map_err(|error| wrong_value::<R>(line, row, &error))?;
        lines.push(line);
        records.push(parsed);
    }
    let (_, columns) = jsonl_names(text)?;
    R::complete(&mut records, &names(&columns));
    refuse_wrong_texts(&records, |place| lines[place])?;
    Ok(records)
}

fn refuse_wrong_cells(
    line: u64,
    row: &serde_json::Map<String, serde_json::Value>,
) -> Result<(), RowsError> {
    for (column, value) in row {
        if let Some(problem) = value.as_str().and_then(cell_problem) {
            let column = column.clone();
            return Err(RowsError::Field {
                line,
                column,
                problem,
            });
        }
    }
    Ok(())
}

fn wrong_value<R: Record>(
    line: u64,
    row: serde_json::Map<String, serde_json::Value>,
    error: &serde_json::Error,
) -> RowsError {
    for (column, value) in row {
        let alone = serde_json::Map::from_iter([(column.clone(), value)]);
        let parsed: Result<R, _> = serde_json::from_value(alone.into());
        if let Err(error) = parsed {
            let problem = error.to_string();
            return RowsError::Field {
                line,
                column,
                problem,
            };
        }
    }
    let problem = error.to_string();
    RowsError::Broken { line, problem }
}
