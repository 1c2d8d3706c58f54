//! Rows as JSON, an object on each line.

use super::lines::{Record, RowsError, cell_problem, names, refuse_wrong_texts, require};
use crate::puzzle::excerpt;

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
pub(super) fn jsonl_names(text: &str) -> Result<(u64, Vec<String>), RowsError> {
    let first = json_rows(text).next().transpose()?;
    Ok(first.map_or((1, Vec::new()), |(line, row)| {
        (line, row.into_iter().map(|(name, _)| name).collect())
    }))
}

pub(super) fn jsonl_records<R: Record>(text: &str) -> Result<Vec<R>, RowsError> {
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
