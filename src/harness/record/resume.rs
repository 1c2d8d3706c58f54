//! What a file says about its runs: the last word on each, and how far those got that did not end.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use super::configurations::Configurations;
use super::key::RunKey;
use super::row::{Row, nanoseconds};
use super::status::Status;
use super::threshold_row::{SearchKey, ThresholdRow};
use crate::search::{Limits, ResumePoint};

/// Whether more of what is now asked for, for each run, would change nothing.
pub(crate) fn is_final(row: &Row, asked: &Limits) -> bool {
    let was_enough = |had: Option<u64>, asks: Option<u64>| match (had, asks) {
        (Some(had), Some(asks)) => had >= asks,
        (Some(_), None) => false,
        (None, _) => true,
    };
    match row.status {
        Status::Interrupted => false,
        // One that ended before its own limit ended with the time for all runs.
        Status::TimeLimit => row.time_limit_ns.is_some_and(|limit| {
            row.time_ns >= limit && was_enough(Some(limit), asked.time.map(nanoseconds))
        }),
        Status::NodeLimit => was_enough(row.node_limit, asked.nodes),
        // Where nothing is asked for, the limit is what the machine has.
        Status::MemLimit => asked.memory.is_none() || was_enough(memory_of(row), asked.memory),
        Status::Solved | Status::Unsolvable | Status::Exhausted | Status::Error => true,
    }
}

/// What a run had of the limit, which those side by side share. Where none was asked for,
/// its peak is a lower bound of what it had.
fn memory_of(row: &Row) -> Option<u64> {
    let jobs = row.jobs.unwrap_or(1).max(1);
    let share = row.mem_limit_bytes.map(|all| all / jobs as u64);
    share.or(row.peak_mem_bytes)
}

/// The last row of each run, in the order of the file: what came of it in the end.
pub fn latest(rows: &[Row]) -> Vec<&Row> {
    let configurations = Configurations::of(rows);
    let mut last: HashMap<RunKey, usize> = HashMap::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        last.insert(configurations.run(row), index);
    }
    let mut places: Vec<usize> = last.into_values().collect();
    places.sort_unstable();
    places.into_iter().map(|index| &rows[index]).collect()
}

/// What the exhausted thresholds of each search come to.
pub fn resume_points(thresholds: &[ThresholdRow]) -> HashMap<SearchKey, ResumePoint> {
    // A run that was begun anew has a threshold twice: the last one counts.
    let mut runs: HashMap<SearchKey, BTreeMap<u32, &ThresholdRow>> = HashMap::new();
    for threshold in thresholds.iter().filter(|threshold| threshold.complete) {
        let run = runs.entry(threshold.search()).or_default();
        run.insert(threshold.threshold, threshold);
    }
    let sums = runs.into_iter().filter_map(|(key, thresholds)| {
        let (&last, _) = thresholds.last_key_value()?;
        let nothing = ResumePoint {
            threshold: last,
            iterations: 0,
            expanded: 0,
            generated: 0,
            time: Duration::ZERO,
            cpu_time: Some(Duration::ZERO),
        };
        let sum = thresholds
            .values()
            .fold(nothing, |sum, threshold| ResumePoint {
                iterations: sum.iterations + 1,
                expanded: sum.expanded.saturating_add(threshold.expanded),
                generated: sum.generated.saturating_add(threshold.generated),
                time: sum.time + Duration::from_nanos(threshold.time_ns),
                cpu_time: (sum.cpu_time.zip(threshold.cpu_time_ns))
                    .map(|(sum, time)| sum + Duration::from_nanos(time)),
                ..sum
            });
        Some((key, sum))
    });
    sums.collect()
}
