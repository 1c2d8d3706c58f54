//! Nodes for each threshold of IDA*.

use std::collections::{BTreeMap, HashMap};

use super::axis::{Axis, time};
use super::facts::Facts;
use super::figure::Figure;
use super::plot::{Mark, Plot};
use super::scale::Scale;
use super::series::Series;
use crate::harness::humanize::count;
use crate::harness::record::{ConfigurationKey, RunKey, ThresholdRow};

/// A line for each run, or nothing where no thresholds were given.
pub fn figure(facts: &Facts<'_>) -> Option<Figure> {
    let runs = by_series(facts, |run| run.iter().all(|row| row.best.is_none()));
    let rows: Vec<&ThresholdRow> = all_rows(&runs).collect();
    if rows.is_empty() {
        return None;
    }
    let thresholds = rows.iter().map(|row| f64::from(row.threshold));
    let mut plot = Plot::new(
        Axis::counted(Scale::linear(thresholds, false), "threshold"),
        Axis::nodes(rows.iter().map(|row| row.generated)),
    );
    for (number, (series, runs)) in runs {
        let lines: Vec<Vec<(f64, f64)>> = runs
            .iter()
            .map(|run| run.iter().map(|row| point(row)).collect())
            .collect();
        let marks: Vec<Mark> = runs.iter().flatten().map(|row| mark(row)).collect();
        plot.series(number, &series, &lines, &marks);
        if runs.len() > 1 {
            plot.middle(number, &medians(&runs));
        }
    }
    Some(Figure {
        id: "thresholds".to_owned(),
        title: "Nodes for each threshold",
        note: "A thin line for each run of IDA*, a thick one for the median of those that came to \
               a threshold. Pale marks: not exhausted, there the search ended."
            .to_owned(),
        controls: String::new(),
        svg: plot.svg("Nodes generated for each threshold of IDA*", ""),
    })
}

fn point(row: &ThresholdRow) -> (f64, f64) {
    (f64::from(row.threshold), row.generated as f64)
}

/// The median number of nodes for each threshold, over the runs that exhausted it.
fn medians(runs: &[Vec<&ThresholdRow>]) -> Vec<(f64, f64)> {
    let mut by_threshold: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for row in runs.iter().flatten().filter(|row| row.complete) {
        let nodes = by_threshold.entry(row.threshold).or_default();
        nodes.push(row.generated);
    }
    let median = |(threshold, mut nodes): (u32, Vec<u64>)| {
        nodes.sort_unstable();
        (f64::from(threshold), nodes[nodes.len() / 2] as f64)
    };
    by_threshold.into_iter().map(median).collect()
}

fn mark(row: &ThresholdRow) -> Mark {
    let (x, y) = point(row);
    Mark {
        x: Some(x),
        y: Some(y),
        run: None,
        is_pale: !row.complete,
        title: format!(
            "{} {}: threshold {}, {} nodes, {}",
            row.suite,
            row.instance,
            row.threshold,
            count(row.generated),
            time(row.time_ns)
        ),
    }
}

/// The thresholds of each run, by the number of the series that the run is of.
pub(super) type SeriesRuns<'a> = BTreeMap<usize, (Series, Vec<Vec<&'a ThresholdRow>>)>;

/// All thresholds of all runs.
pub(super) fn all_rows<'r, 'a>(
    runs: &'r SeriesRuns<'a>,
) -> impl Iterator<Item = &'a ThresholdRow> + 'r {
    runs.values().flat_map(|(_, runs)| runs).flatten().copied()
}

/// The thresholds of the runs that are wanted. Runs that no file has make series of their own.
pub(super) fn by_series<'a>(
    facts: &Facts<'a>,
    is_wanted: impl Fn(&[&ThresholdRow]) -> bool,
) -> SeriesRuns<'a> {
    let runs = facts.runs.runs.iter();
    let mut known: HashMap<(RunKey, &str), usize> = HashMap::new();
    for run in runs {
        // Thresholds name the engine if it was asked for by its name.
        let started = run.row.started_at.as_str();
        known.insert((run.row.key(), started), run.series);
        known.insert((run.row.key().without_engine(), started), run.series);
    }
    let mut others: HashMap<ConfigurationKey, usize> = HashMap::new();
    let mut grouped: SeriesRuns<'a> = BTreeMap::new();
    let mut places: HashMap<(RunKey, &str), usize> = HashMap::new();
    for row in facts.iterations {
        let key = (row.key(), row.started_at.as_str());
        let number = known.get(&key).copied().unwrap_or_else(|| {
            let next = facts.runs.series.len() + others.len();
            *others.entry(key.0.configuration.clone()).or_insert(next)
        });
        let (_, lines) = grouped.entry(number).or_insert_with(|| {
            let own = facts.runs.series.get(number).cloned();
            let label = key.0.configuration.to_string();
            (own.unwrap_or(Series { label }), Vec::new())
        });
        let line = *places.entry(key).or_insert(lines.len());
        if line == lines.len() {
            lines.push(Vec::new());
        }
        lines[line].push(row);
    }
    for (_, runs) in grouped.values_mut() {
        runs.retain(|run| is_wanted(run));
    }
    grouped.retain(|_, (_, runs)| !runs.is_empty());
    grouped
}
