//! A file of rows on the command line; `-` is stdin.

use std::path::Path;

use crate::cmd::args::board::{input_name, read_file};
use crate::cmd::{UsageError, advice};
use crate::harness::record::{Row, RowFormat, RowsError, ThresholdRow, parse_own_rows};
use crate::puzzle::parse_text;
use crate::report::Records;

/// Reads a file of rows with a parser that names the line of a mistake.
pub fn read_records<R>(
    path: &Path,
    parse: impl Fn(&str) -> Result<R, RowsError>,
) -> anyhow::Result<R> {
    parsed(&input_name(path), &read_file(path)?, parse)
}

/// Rows of runs, or of their thresholds.
pub enum OwnRows {
    Runs(Vec<Row>),
    Thresholds(Vec<ThresholdRow>),
}

/// Reads the rows of a process that may have been killed: the half of a line at the end, which
/// it goes on without, is passed over, and a file without a line has no rows.
pub fn read_whole_rows(path: &Path) -> anyhow::Result<OwnRows> {
    let bytes = read_file(path)?;
    let parse = |text: &str| match Records::are_thresholds(text) {
        true => (RowFormat::of(text).own_records(text)).map(OwnRows::Thresholds),
        false => parse_own_rows(text).map(OwnRows::Runs),
    };
    match bytes.iter().rposition(|&byte| byte == b'\n') {
        Some(end) => parsed(&input_name(path), &bytes[..=end], parse),
        None => Ok(OwnRows::Runs(Vec::new())),
    }
}

fn parsed<R>(
    name: &str,
    bytes: &[u8],
    parse: impl Fn(&str) -> Result<R, RowsError>,
) -> anyhow::Result<R> {
    let not_text = |place| format!("{name}:{place}: this is not text; expected the rows of a run");
    let text = parse_text(bytes).map_err(|error| UsageError(not_text(error.place)))?;
    parse(text).map_err(|error| UsageError(format!("{name}:{}", advice::of_rows(&error))).into())
}
