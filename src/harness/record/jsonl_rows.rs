//! Rows as JSON, an object on each line.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::csv_rows::csv_columns;
use super::lines::{
    Record, RowsError, UNREADABLE_CELL, cell_problem, names, refuse_doubled, refuse_wrong_texts,
    require,
};
use crate::puzzle::excerpt;

/// An object as it is written: a name may be there twice.
struct Object(Vec<(String, Value)>);

impl Object {
    fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Object(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// The objects of a text, with their lines.
fn objects(text: &str) -> impl Iterator<Item = Result<(u64, Object), RowsError>> {
    let lines = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty());
    lines.map(|(text, line)| {
        let object = serde_json::from_str(text).map_err(|error| RowsError::Broken {
            line,
            problem: format!("'{}' is no row of a run, an object of JSON", excerpt(text)),
            source: Some(error.into()),
        })?;
        Ok((line, object))
    })
}

/// The line of the first row, and its names.
pub(super) fn jsonl_names(text: &str) -> Result<(u64, Vec<String>), RowsError> {
    let first = objects(text).next().transpose()?;
    Ok(first.map_or((1, Vec::new()), |(line, object)| (line, object.names())))
}

pub(super) fn jsonl_records<R: Record>(text: &str) -> Result<Vec<R>, RowsError> {
    let own = csv_columns::<R>();
    let (mut records, mut lines) = (Vec::new(), Vec::new());
    for object in objects(text) {
        let (line, object) = object?;
        let columns = object.names();
        refuse_doubled(&own, &columns, line)?;
        require(R::REQUIRED, &columns, line)?;
        let row: Map<String, Value> = object.0.into_iter().collect();
        refuse_wrong_cells(line, &row)?;
        let parsed = serde_json::from_value(row.clone().into());
        let parsed = parsed.map_err(|error| wrong_value::<R>(line, row, error))?;
        lines.push(line);
        records.push(parsed);
    }
    let (_, columns) = jsonl_names(text)?;
    R::complete(&mut records, &names(&columns));
    refuse_wrong_texts(&records, |place| lines[place])?;
    Ok(records)
}

fn refuse_wrong_cells(line: u64, row: &Map<String, Value>) -> Result<(), RowsError> {
    for (column, value) in row {
        if let Some(problem) = value.as_str().and_then(cell_problem) {
            return Err(RowsError::Field {
                line,
                column: column.clone(),
                problem,
                source: None,
            });
        }
    }
    Ok(())
}

fn wrong_value<R: Record>(
    line: u64,
    row: Map<String, Value>,
    error: serde_json::Error,
) -> RowsError {
    for (column, value) in row {
        let alone = Map::from_iter([(column.clone(), value)]);
        let parsed: Result<R, _> = serde_json::from_value(alone.into());
        if let Err(error) = parsed {
            return RowsError::Field {
                line,
                column,
                problem: UNREADABLE_CELL.to_owned(),
                source: Some(error.into()),
            };
        }
    }
    RowsError::Broken {
        line,
        problem: "the row cannot be read".to_owned(),
        source: Some(error.into()),
    }
}
