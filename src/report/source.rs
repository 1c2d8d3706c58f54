//! What a report is made from: files of runs, of their thresholds and of their incumbents, and of
//! the layers of whole spaces.

use crate::harness::record::{IncumbentRow, Row, RowFormat, RowsError, Sidecar, ThresholdRow};
use crate::space::{LayerCount, has_counts, parse_counts};

/// A file of runs.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// As the user named it.
    pub name: String,
    /// Its rows.
    pub rows: Vec<Row>,
    /// What its sidecar says; no sessions where there is none.
    pub sidecar: Sidecar,
    /// The comments before its header, without their signs.
    pub comments: Vec<String>,
    /// Whether its last line was left half written.
    pub is_cut: bool,
}

impl Source {
    /// What a file says of itself before its first row.
    pub fn head(text: &str) -> Vec<String> {
        let lines = text.lines().map_while(|line| line.strip_prefix('#'));
        lines
            .take(HEAD_LINES)
            .map(|line| line.trim().to_owned())
            .collect()
    }
}

/// What a text holds, by its columns.
#[derive(Clone, PartialEq, Debug)]
pub enum Records {
    /// Rows of runs.
    Runs(Vec<Row>),
    /// Rows of thresholds.
    Iterations(Vec<ThresholdRow>),
    /// Rows of incumbents.
    Incumbents(Vec<IncumbentRow>),
    /// Layers of whole spaces.
    Spaces(Vec<LayerCount>),
}

/// More lines than that are no head.
const HEAD_LINES: usize = 20;

/// The column that only thresholds have, and the one that only runs have.
const THRESHOLD: &str = "threshold";
const STATUS: &str = "status";
/// What incumbents have beside runs' columns, and files of others that have no status do not.
const INCUMBENT: [&str; 2] = ["time_ns", "bound"];

impl Records {
    /// Reads a text, and says whether a last line without an end had to be dropped: that is what
    /// is left of a process that was killed.
    pub fn parse(text: &str) -> Result<(Records, bool), RowsError> {
        if text.trim().is_empty() {
            return Err(RowsError::Empty);
        }
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        match Records::parse_lines(text) {
            Err(_) if 0 < whole && whole < text.len() => {
                Ok((Records::parse_lines(&text[..whole])?, true))
            }
            parsed => Ok((parsed?, false)),
        }
    }

    /// Whether a text has thresholds, and not runs.
    pub fn are_thresholds(text: &str) -> bool {
        columns(text, RowFormat::of(text))
            .iter()
            .any(|it| it == THRESHOLD)
    }

    fn parse_lines(text: &str) -> Result<Records, RowsError> {
        let format = RowFormat::of(text);
        let columns = columns(text, format);
        let has = |name: &str| columns.iter().any(|column| column == name);
        match () {
            () if has_counts(text) => Ok(Records::Spaces(parse_counts(text)?)),
            () if has(THRESHOLD) => format.records(text).map(Records::Iterations),
            () if !has(STATUS) && INCUMBENT.into_iter().all(has) => {
                format.records(text).map(Records::Incumbents)
            }
            () => format.records(text).map(Records::Runs),
        }
    }
}

/// The columns of a text, by its first line that is no comment.
fn columns(text: &str, format: RowFormat) -> Vec<String> {
    let is_data = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let first = text.lines().find(is_data).unwrap_or_default();
    match format {
        RowFormat::Csv => first.split(',').map(|it| it.trim().to_owned()).collect(),
        RowFormat::Jsonl => {
            let record: Result<serde_json::Map<_, _>, _> = serde_json::from_str(first);
            record.map_or(Vec::new(), |record| record.keys().cloned().collect())
        }
    }
}
