//! How the solutions of anytime searches get better with time.

use std::collections::{BTreeMap, HashMap};

use super::axis::{Axis, time};
use super::facts::Facts;
use super::figure::Figure;
use super::plot::{Mark, Plot};
use super::scale::Scale;
use super::series::Series;
use crate::harness::record::{ConfigurationKey, IncumbentRow, RunKey};

/// The incumbents of each run, by the number of the series that the run is of.
type SeriesRuns<'a> = BTreeMap<usize, (Series, Vec<Vec<&'a IncumbentRow>>)>;

/// A line of steps for each run, or nothing where no incumbents were given.
pub fn figure(facts: &Facts<'_>) -> Option<Figure> {
    if facts.incumbents.is_empty() {
        return None;
    }
    let times = facts.incumbents.iter().map(|row| row.time_ns);
    let costs = facts.incumbents.iter().map(|row| row.cost.as_f64());
    let mut plot = Plot::new(
        Axis::time(times, "time"),
        Axis::counted(Scale::linear(costs, false), "cost in moves"),
    );
    for (number, (series, runs)) in by_series(facts) {
        let lines: Vec<Vec<(f64, f64)>> = runs.iter().map(|run| steps(run)).collect();
        let marks: Vec<Mark> = runs.iter().flatten().map(|row| mark(row)).collect();
        plot.series(number, &series, &lines, &marks);
    }
    Some(Figure {
        id: "incumbents".to_owned(),
        title: "Better and better",
        note: "A line for each run of an anytime search: the cost of the best solution that it has. Pale \
               marks: it is not proven to be shortest."
            .to_owned(),
        controls: String::new(),
        svg: plot.svg("Cost of the best solution of anytime searches by time", ""),
    })
}

/// The best cost stays until there is a better one.
fn steps(run: &[&IncumbentRow]) -> Vec<(f64, f64)> {
    let mut line: Vec<(f64, f64)> = Vec::new();
    for row in run {
        let (x, y) = point(row);
        line.extend(line.last().map(|&(_, before)| (x, before)));
        line.push((x, y));
    }
    line
}

fn point(row: &IncumbentRow) -> (f64, f64) {
    (row.time_ns as f64, row.cost.as_f64())
}

fn mark(row: &IncumbentRow) -> Mark {
    let (x, y) = point(row);
    let proven = match row.bound {
        Some(bound) if bound <= 1.0 => "a shortest one".to_owned(),
        Some(bound) => format!("at most {bound:.3} times the least"),
        None => "nothing proven".to_owned(),
    };
    Mark {
        x: Some(x),
        y: Some(y),
        run: None,
        is_pale: row.bound.is_none_or(|bound| bound > 1.0),
        title: format!(
            "{} {}: {} moves after {}, {proven}",
            row.suite,
            row.instance,
            row.cost,
            time(row.time_ns)
        ),
    }
}

/// Runs that no file has make series of their own.
fn by_series<'a>(facts: &Facts<'a>) -> SeriesRuns<'a> {
    let runs = facts.runs.runs.iter();
    let known: HashMap<(RunKey, &str), usize> = runs
        .map(|run| ((run.row.key(), &run.row.started_at[..]), run.series))
        .collect();
    let mut others: HashMap<ConfigurationKey, usize> = HashMap::new();
    let mut places: HashMap<(RunKey, &str), usize> = HashMap::new();
    let mut grouped: SeriesRuns<'a> = BTreeMap::new();
    for row in facts.incumbents {
        let key = (row.key(), &row.started_at[..]);
        let number = known.get(&key).copied().unwrap_or_else(|| {
            let next = facts.runs.series.len() + others.len();
            *others.entry(key.0.configuration.clone()).or_insert(next)
        });
        let (_, runs) = grouped.entry(number).or_insert_with(|| {
            let own = facts.runs.series.get(number).cloned();
            let label = key.0.configuration.to_string();
            (own.unwrap_or(Series { label }), Vec::new())
        });
        let place = *places.entry(key).or_insert(runs.len());
        if place == runs.len() {
            runs.push(Vec::new());
        }
        runs[place].push(row);
    }
    grouped
}
