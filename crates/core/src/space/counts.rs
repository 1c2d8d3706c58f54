//! Layers as a file: `size,metric,depth,count`.

use crate::puzzle::{Metric, Size, excerpt};

use super::explore::Space;

/// How many states are at one distance from the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerCount {
    /// The size of the boards.
    pub size: Size,
    /// What counts as a move.
    pub metric: Metric,
    /// The distance.
    pub depth: u32,
    /// The states.
    pub count: u64,
}

/// The columns of the file.
pub const HEADER: &str = "size,metric,depth,count";

/// A file that does not hold layers.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}: {problem}")]
pub struct CountsError {
    /// Where, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

/// Whether a text has layers, by its columns.
pub fn has_counts(text: &str) -> bool {
    data_lines(text)
        .next()
        .is_some_and(|(_, line)| line == HEADER)
}

fn data_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The file of a space.
pub fn counts_text(space: &Space) -> String {
    let mut text = format!("{HEADER}\n");
    for (depth, count) in space.counts.iter().enumerate() {
        text += &format!("{},{},{depth},{count}\n", space.size, space.metric);
    }
    text
}

/// Reads such a file; `#` begins a comment.
pub fn parse_counts(text: &str) -> Result<Vec<LayerCount>, CountsError> {
    let mut lines = data_lines(text);
    let fail = |line, problem| CountsError { line, problem };
    match lines.next() {
        Some((_, HEADER)) => {}
        other => {
            let (line, text) = other.unwrap_or((1, ""));
            let found = excerpt(text);
            return Err(fail(line, format!("'{found}' is not the header {HEADER}")));
        }
    }
    let layer = |(line, text): (usize, &str)| {
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        let [size, metric, depth, count] = fields[..] else {
            let found = excerpt(text);
            return Err(fail(
                line,
                format!("'{found}' is not a layer; expected {HEADER}"),
            ));
        };
        let number = |text: &str| {
            let number = text.parse::<u64>();
            number.map_err(|_| fail(line, format!("'{}' is not a number", excerpt(text))))
        };
        Ok(LayerCount {
            size: size
                .parse()
                .map_err(|error| fail(line, format!("{error}")))?,
            metric: metric
                .parse()
                .map_err(|error| fail(line, format!("{error}")))?,
            depth: u32::try_from(number(depth)?).map_err(|error| fail(line, error.to_string()))?,
            count: number(count)?,
        })
    };
    lines.map(layer).collect()
}
