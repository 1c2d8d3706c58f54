//! The rows inside the page, column by column: most columns say the same thing again and again.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::facts::Facts;
use super::plot::{AXIS_LETTERS, SHAPES, shortened};
use super::problems::Problems;
use crate::harness::record::{Row, RowFormat, goal_text, numbers};

/// The largest whole number that a script holds exactly.
const EXACT: u64 = 1 << 53;

/// All that the page's script reads.
pub fn json(facts: &Facts<'_>, problems: &Problems) -> Value {
    let header = RowFormat::Csv.header::<Row>();
    let names: Vec<&str> = header.trim_end().split(',').collect();
    let rows: Vec<csv::StringRecord> = facts.runs.runs.iter().map(|run| fields(run.row)).collect();
    let columns = (0..names.len()).map(|index| {
        let values = rows.iter().map(|row| row.get(index).unwrap_or_default());
        column(&values.collect::<Vec<_>>())
    });
    let series: Vec<String> = facts
        .runs
        .runs
        .iter()
        .map(|run| run.series.to_string())
        .collect();
    let labels = || facts.runs.series.iter().map(|series| &series.label);
    json!({
        "names": names,
        "columns": columns.collect::<Vec<_>>(),
        "series": column(&series.iter().map(String::as_str).collect::<Vec<_>>()),
        "labels": labels().collect::<Vec<_>>(),
        "short": labels().map(|label| shortened(label, AXIS_LETTERS)).collect::<Vec<_>>(),
        "starts": starts(facts),
        "wrong": problems.wrong.iter().map(|(number, why)| json!([number, why])).collect::<Vec<_>>(),
        "shapes": SHAPES,
    })
}

/// The fields of a row as its CSV has them, so that the page gives back what it was given.
fn fields(row: &Row) -> csv::StringRecord {
    let line = RowFormat::Csv.line(row);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(line.as_bytes());
    let mut record = csv::StringRecord::new();
    // What was written as one record is read as one.
    let _ = reader.read_record(&mut record);
    record
}

/// One value for all, or a list of values and where they are, or all values: whatever is shortest.
fn column(values: &[&str]) -> Value {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut distinct: Vec<&str> = Vec::new();
    let at: Vec<usize> = values
        .iter()
        .map(|value| {
            *places.entry(value).or_insert_with(|| {
                distinct.push(value);
                distinct.len() - 1
            })
        })
        .collect();
    match distinct.len() {
        1 => json!({ "all": field(distinct[0]) }),
        few if few * 2 <= values.len() => {
            let of: Vec<Value> = distinct.iter().map(|value| field(value)).collect();
            json!({ "of": of, "at": at })
        }
        _ => values.iter().map(|value| field(value)).collect(),
    }
}

/// A field as a number where that is the same text again, else as text.
fn field(text: &str) -> Value {
    match text.parse::<u64>() {
        Ok(number) if number < EXACT && number.to_string() == text => json!(number),
        _ => json!(text),
    }
}

/// The starts of runs whose rows do not have them, or write them in another way, by the number of
/// the run.
fn starts(facts: &Facts<'_>) -> Value {
    let runs = facts.runs.runs.iter().enumerate();
    let starts = runs.filter_map(|(number, run)| {
        let (board, goal) = facts.starts.of(run.row)?;
        let goal = goal_text(goal, board.size());
        let is_in_row = numbers(&board) == run.row.board && goal == run.row.goal;
        let start = json!({
            "rows": board.size().rows(),
            "cols": board.size().cols(),
            "goal": goal,
            "tiles": board.tiles(),
        });
        (!is_in_row).then_some((number.to_string(), start))
    });
    Value::Object(starts.collect())
}
