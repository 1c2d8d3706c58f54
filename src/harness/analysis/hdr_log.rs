//! The times of runs as an HDR histogram log, for the tools that read such logs.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::{Duration, SystemTime};

use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};

use super::summary::time_histogram;
use crate::harness::record::{ConfigurationKey, Configurations, Row, Status, TIME_LOG, latest};

/// Writes a histogram (V2, compressed) of the nanoseconds of solved runs for each suite and
/// configuration, which is its tag.
pub fn write_time_log(rows: &[Row], mut out: impl Write) -> io::Result<()> {
    let mut groups: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
    let configurations = Configurations::of(rows);
    for row in latest(rows) {
        if row.status == Status::Solved {
            let name = tag(row, &configurations.configuration(row));
            groups.entry(name).or_default().push(row);
        }
    }
    let mut serializer = V2DeflateSerializer::new();
    let mut log = IntervalLogWriterBuilder::new()
        .add_comment(TIME_LOG)
        .with_start_time(start(rows))
        // The column of the largest value is in milliseconds, as the readers of logs expect.
        .with_max_value_divisor(1e6)
        .begin_log_with(&mut out, &mut serializer)?;
    for (name, rows) in groups {
        let times = time_histogram(rows.iter().map(|row| row.time_ns));
        let length = Duration::from_nanos(rows.iter().map(|row| row.time_ns).sum());
        log.write_histogram(&times, Duration::ZERO, length, Tag::new(&name))
            .map_err(|error| io::Error::other(error.to_string()))?;
    }
    Ok(())
}

/// A tag has no blanks, commas or line ends.
fn tag(row: &Row, configuration: &ConfigurationKey) -> String {
    let name = format!("{}-{configuration}", row.suite);
    name.replace(", ", "-").replace([' ', ',', '\n', '\r'], "_")
}

fn start(rows: &[Row]) -> SystemTime {
    let first = rows.iter().map(|row| row.started_at.as_str()).min();
    let parsed = first.and_then(|first| humantime::parse_rfc3339(first).ok());
    parsed.unwrap_or(SystemTime::UNIX_EPOCH)
}
