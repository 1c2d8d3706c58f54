//! Rows as comma-separated values, with a header.

use super::lines::{
    Record, RowsError, UNREADABLE_CELL, Unreadable, cell_problem, names, refuse_doubled,
    refuse_wrong_texts, require,
};
use crate::harness::csv_cell::{FORMULAS, from_text_cell, text_cell};
use crate::harness::csv_line::data_line;
use crate::puzzle::excerpt;

pub(super) fn csv_text<R: Record>(record: &R, headers: bool) -> String {
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

/// The columns, in the order in which they are written.
pub(super) fn csv_columns<R: Record>() -> Vec<String> {
    let text = csv_text(&R::default(), true);
    let header = text.lines().next().unwrap_or_default();
    header.split(',').map(str::to_owned).collect()
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
pub(super) fn csv_header<R: Record>(text: &str) -> Result<(u64, Vec<String>), RowsError> {
    let mut reader = csv_reader(text);
    let header = reader.headers().map_err(|error| broken(text, error))?;
    let columns: Vec<String> = header.iter().map(str::to_owned).collect();
    let line = data_line(text, None);
    refuse_doubled(&csv_columns::<R>(), &columns, line)?;
    Ok((line, columns))
}

fn csv_reader(text: &str) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .trim(csv::Trim::Headers)
        .from_reader(text.as_bytes())
}

pub(super) fn csv_records<R: Record>(text: &str) -> Result<Vec<R>, RowsError> {
    let (line, columns) = csv_header::<R>(text)?;
    require(R::REQUIRED, &columns, line)?;
    let header = csv::StringRecord::from(&columns[..]);
    let (mut records, mut lines) = (Vec::new(), Vec::new());
    for record in csv_reader(text).records() {
        let record = record.map_err(|error| broken(text, error))?;
        let record = own_cells(text, &header, record)?;
        let parsed = record.deserialize(Some(&header));
        let parsed = parsed.map_err(|error| wrong_field::<R>(text, &header, &record, error))?;
        lines.push(record.position().cloned());
        records.push(parsed);
    }
    R::complete(&mut records, &names(&columns));
    refuse_wrong_texts(&records, |place| data_line(text, lines[place].as_ref()))?;
    Ok(records)
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
            source: None,
        });
    }
    if record.iter().all(|field| from_text_cell(field) == field) {
        return Ok(record);
    }
    let mut own: csv::StringRecord = record.iter().map(from_text_cell).collect();
    own.set_position(record.position().cloned());
    Ok(own)
}

/// Finds the field that makes a record wrong: every column can be read alone.
fn wrong_field<R: Record>(
    text: &str,
    header: &csv::StringRecord,
    record: &csv::StringRecord,
    error: csv::Error,
) -> RowsError {
    let line = data_line(text, record.position());
    for (column, field) in header.iter().zip(record) {
        let (one_name, one_field) = ([column].as_slice().into(), [field].as_slice().into());
        let (one_name, one_field): (csv::StringRecord, csv::StringRecord) = (one_name, one_field);
        let parsed: Result<R, csv::Error> = one_field.deserialize(Some(&one_name));
        if let Err(error) = parsed {
            let (problem, source) = field_problem(field, error);
            return RowsError::Field {
                line,
                column: column.to_owned(),
                problem,
                source,
            };
        }
    }
    broken_at(line, error)
}

/// What is wrong with a field, and who says so; the texts of our own types have no other source.
fn field_problem(field: &str, error: csv::Error) -> (String, Option<Unreadable>) {
    use csv::DeserializeErrorKind as Kind;
    let kind = match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => err.kind().clone(),
        _ => return (UNREADABLE_CELL.to_owned(), Some(error.into())),
    };
    let field = excerpt(field);
    match kind {
        Kind::ParseInt(source) => (
            format!("'{field}' is not a whole number"),
            Some(source.into()),
        ),
        Kind::ParseFloat(source) => (format!("'{field}' is not a number"), Some(source.into())),
        Kind::ParseBool(source) => (
            format!("'{field}' is neither true nor false"),
            Some(source.into()),
        ),
        Kind::Message(problem) => (problem, None),
        _ => (UNREADABLE_CELL.to_owned(), Some(error.into())),
    }
}

fn broken(text: &str, error: csv::Error) -> RowsError {
    broken_at(data_line(text, error.position()), error)
}

fn broken_at(line: u64, error: csv::Error) -> RowsError {
    let problem = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("the row has {len} fields where the header has {expected_len}"),
        csv::ErrorKind::Deserialize { err, .. } => err.to_string(),
        csv::ErrorKind::Utf8 { .. } => "a field is not text".to_owned(),
        _ => "the row cannot be read".to_owned(),
    };
    RowsError::Broken {
        line,
        problem,
        source: Some(error.into()),
    }
}
