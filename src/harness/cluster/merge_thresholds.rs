//! The thresholds of shards put together, in the order of the merged rows.

use std::collections::{HashMap, HashSet};

use super::merge::{MergeError, Merged};
use crate::harness::record::ThresholdRow;

/// The thresholds that one process wrote.
#[derive(Clone, Debug)]
pub struct ThresholdsFile {
    /// What it is called in messages.
    pub name: String,
    /// Its rows.
    pub rows: Vec<ThresholdRow>,
}

/// Puts the thresholds of all files in the order of the runs that they belong to. Those of runs that
/// have no row yet are last: who goes on with such a run needs them.
pub fn merge_thresholds(
    files: &[ThresholdsFile],
    merged: &Merged,
) -> Result<Vec<ThresholdRow>, MergeError> {
    let plan = merged.sidecar.sessions.iter();
    let plan = plan.filter_map(|session| Some(&session.shard.as_ref()?.plan));
    let suites = plan.flat_map(|plan| &plan.suites);
    let planned: HashSet<(&str, &str)> = suites
        .flat_map(|suite| {
            let names = suite.instances.0.iter();
            names.map(|name| (&suite.name[..], &name[..]))
        })
        .collect();
    let mut places: HashMap<(&str, &str, u32), Vec<usize>> = HashMap::new();
    for (place, row) in merged.rows.iter().enumerate() {
        let run = (&row.suite[..], &row.instance[..], row.repeat);
        places.entry(run).or_default().push(place);
    }
    let mut found = HashMap::new();
    let mut ordered = Vec::new();
    for file in files {
        for row in &file.rows {
            let run = || {
                format!(
                    "{} {}, threshold {}",
                    row.suite, row.instance, row.threshold
                )
            };
            if !planned.contains(&(&row.suite[..], &row.instance[..])) {
                return Err(MergeError::Foreign {
                    file: file.name.clone(),
                    run: run(),
                });
            }
            let key = row.key();
            let of_run = places.get(&(&row.suite[..], &row.instance[..], row.repeat));
            let is_of = |&&place: &&usize| {
                let configuration = merged.rows[place].configuration();
                key.configuration.is_done_by(&configuration)
            };
            let place = of_run.and_then(|of_run| of_run.iter().find(is_of).copied());
            let attempt = (key, row.started_at.clone(), row.threshold);
            if let Some(first) = found.insert(attempt, &file.name) {
                return Err(MergeError::Doubled {
                    run: run(),
                    first: first.clone(),
                    second: file.name.clone(),
                    more: String::new(),
                });
            }
            ordered.push((place.unwrap_or(usize::MAX), row.clone()));
        }
    }
    // Those of a run stay in the order of their file.
    ordered.sort_by_key(|(place, _)| *place);
    Ok(ordered.into_iter().map(|(_, row)| row).collect())
}
