//! Two files of rows, run by run: which one is faster, and by how much.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::bootstrap::{Pair, Ratio, mean_ratio};
use crate::harness::record::{ConfigurationKey, Configurations, Row, Status, latest};
use crate::puzzle::Cost;

/// What two files say about each other; `before` is the first, `after` the second.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Set where the files have one configuration each, and not the same: these were paired.
    pub across: Option<(ConfigurationKey, ConfigurationKey)>,
    /// Instances with configurations that both files solved.
    pub pairs: usize,
    /// Runs in these pairs, repeats included.
    pub runs: usize,
    /// Of the times, second side to first.
    pub time: Option<Ratio>,
    /// Of all pairs together, for each side.
    pub total_time: [Duration; 2],
    /// Of the nodes generated.
    pub nodes: Option<Ratio>,
    /// Pairs that differ in their nodes.
    pub node_differences: Vec<Difference<u64>>,
    /// Pairs that differ in their cost.
    pub cost_differences: Vec<Difference<Cost>>,
    /// Among these, one side claims a shortest solution and the other has a shorter one.
    pub wrong_costs: usize,
    /// What only the first side solved.
    pub only_before: Vec<String>,
    /// What only the second side solved.
    pub only_after: Vec<String>,
    /// What makes the times hard to compare.
    pub caveats: Vec<Caveat>,
}

/// Something that both sides should agree in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference<T> {
    /// The run.
    pub name: String,
    /// On the first side.
    pub before: T,
    /// On the second side.
    pub after: T,
}

/// Why times may not be comparable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Caveat {
    /// Two processors.
    Cpu(String, String),
    /// Different numbers of searches side by side.
    Jobs(usize, usize),
    /// An interval from so few pairs is rough.
    FewPairs(usize),
}

/// What the interval of the times says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The second side is faster.
    Faster,
    /// The second side is slower.
    Slower,
    /// The interval has both in it.
    WithinNoise,
    /// One run against one other.
    NoVerdict,
}

/// Fewer pairs than that make a rough interval.
const FEW_PAIRS: usize = 6;

/// Why two files cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the files have no run in common; they are paired by suite, instance and configuration, or by \
     suite and instance where each has one configuration"
)]
pub struct NothingInCommon;

/// All runs of an instance with a configuration.
#[derive(Default)]
struct Cell<'a> {
    solved: Vec<&'a Row>,
    failed: usize,
}

impl Cell<'_> {
    /// Whether every run came to a solution.
    fn is_solved(&self) -> bool {
        self.failed == 0 && !self.solved.is_empty()
    }

    fn logs(&self, of: fn(&Row) -> Option<u64>) -> Vec<f64> {
        let values = self.solved.iter().filter_map(|row| of(row));
        values.map(|value| (value.max(1) as f64).ln()).collect()
    }

    /// The middle one of an odd number, the lower of two; `None` where it is not known of all.
    fn median(&self, of: fn(&Row) -> Option<u64>) -> Option<u64> {
        let values: Option<Vec<u64>> = self.solved.iter().map(|row| of(row)).collect();
        let mut values = values?;
        values.sort_unstable();
        Some(values[(values.len() - 1) / 2])
    }
}

type Key = (String, String, Option<ConfigurationKey>);
type Cells<'a> = BTreeMap<Key, Cell<'a>>;

fn time(row: &Row) -> Option<u64> {
    Some(row.time_ns)
}

fn nodes(row: &Row) -> Option<u64> {
    row.generated
}

impl Comparison {
    /// Pairs the runs of two files.
    pub fn new(before: &[Row], after: &[Row]) -> Result<Comparison, NothingInCommon> {
        let mut configurations = Configurations::of(before);
        configurations.add_file(after);
        let (before, after) = (latest(before), latest(after));
        let own = [&before, &after].map(|rows| of_rows(rows, &configurations));
        let across = across([&before, &after], &own);
        let cells = [&before, &after]
            .map(|rows| cells(rows, (across.is_none()).then_some(&configurations)));
        let with = own.iter().any(|own| own.len() > 1);
        let mut comparison = Comparison {
            across,
            pairs: 0,
            runs: 0,
            time: None,
            total_time: [Duration::ZERO; 2],
            nodes: None,
            node_differences: Vec::new(),
            cost_differences: Vec::new(),
            wrong_costs: 0,
            only_before: only(&cells[0], &cells[1], with),
            only_after: only(&cells[1], &cells[0], with),
            caveats: caveats(&before, &after),
        };
        if !cells[0].keys().any(|key| cells[1].contains_key(key)) {
            return Err(NothingInCommon);
        }
        comparison.pair(&cells[0], &cells[1], with);
        Ok(comparison)
    }

    fn pair(&mut self, before: &Cells<'_>, after: &Cells<'_>, with: bool) {
        let (mut times, mut counts) = (Vec::new(), Vec::new());
        for (key, a) in before.iter().filter(|(_, cell)| cell.is_solved()) {
            let Some(b) = after.get(key).filter(|cell| cell.is_solved()) else {
                continue;
            };
            self.pairs += 1;
            self.runs += a.solved.len() + b.solved.len();
            let pair = |of| Pair {
                before: a.logs(of),
                after: b.logs(of),
            };
            times.push(pair(time));
            if a.median(nodes).is_some() && b.median(nodes).is_some() {
                counts.push(pair(nodes));
            }
            for (total, cell) in self.total_time.iter_mut().zip([a, b]) {
                *total += Duration::from_nanos(cell.median(time).unwrap_or(0));
            }
            self.note_differences(key, with, a, b);
        }
        if self.pairs > 0 && self.pairs < FEW_PAIRS {
            self.caveats.push(Caveat::FewPairs(self.pairs));
        }
        self.time = mean_ratio(&times);
        self.nodes = mean_ratio(&counts);
    }

    fn note_differences(&mut self, key: &Key, with: bool, a: &Cell<'_>, b: &Cell<'_>) {
        if let (Some(before), Some(after)) = (a.median(nodes), b.median(nodes))
            && before != after
        {
            self.node_differences.push(Difference {
                name: name(key, with),
                before,
                after,
            });
        }
        let (row_a, row_b) = (a.solved[0], b.solved[0]);
        if let (Some(before), Some(after)) = (row_a.cost, row_b.cost)
            && before != after
        {
            let longer = if before > after { row_a } else { row_b };
            self.wrong_costs += usize::from(longer.claims_optimal());
            self.cost_differences.push(Difference {
                name: name(key, with),
                before,
                after,
            });
        }
    }

    /// What the interval of times says.
    pub fn verdict(&self) -> Verdict {
        match self.time {
            Some(_) if self.runs == 2 => Verdict::NoVerdict,
            Some(Ratio { high, .. }) if high < 1.0 => Verdict::Faster,
            Some(Ratio { low, .. }) if low > 1.0 => Verdict::Slower,
            Some(_) => Verdict::WithinNoise,
            None => Verdict::NoVerdict,
        }
    }

    /// Whether the second file is slower by more than a part, beyond the noise.
    pub fn is_slower_than(&self, part: f64) -> bool {
        let slower = |ratio: Ratio| ratio.mean > 1.0 + part;
        self.verdict() == Verdict::Slower && self.time.is_some_and(slower)
    }
}

/// The configurations of a file.
fn of_rows(rows: &[&Row], configurations: &Configurations) -> BTreeSet<ConfigurationKey> {
    let own = rows.iter().map(|row| configurations.configuration(row));
    own.collect()
}

/// The two configurations, where each file has one and they differ, be it in the engine alone.
fn across(
    rows: [&Vec<&Row>; 2],
    own: &[BTreeSet<ConfigurationKey>; 2],
) -> Option<(ConfigurationKey, ConfigurationKey)> {
    if own.iter().any(|own| own.len() != 1) {
        return None;
    }
    let [mut before, mut after] = rows.map(|rows| {
        let mut named = rows[0].configuration();
        // Where `auto` took several, none is the configuration's.
        if rows.iter().any(|row| row.engine != named.engine) {
            named.engine.clear();
        }
        named
    });
    let says_something =
        before.engine != after.engine && !before.engine.is_empty() && !after.engine.is_empty();
    if !says_something {
        before.engine.clear();
        after.engine.clear();
    }
    (before != after).then_some((before, after))
}

fn cells<'a>(rows: &[&'a Row], configurations: Option<&Configurations>) -> Cells<'a> {
    let mut cells = Cells::new();
    for row in rows {
        let configuration = configurations.map(|it| it.configuration(row));
        let key = (row.suite.clone(), row.instance.clone(), configuration);
        let cell = cells.entry(key).or_default();
        match row.status {
            Status::Solved => cell.solved.push(row),
            _ => cell.failed += 1,
        }
    }
    cells
}

/// An instance's name, with its configuration where there are several.
fn name((suite, instance, configuration): &Key, with: bool) -> String {
    match configuration {
        Some(configuration) if with => format!("{suite} {instance} ({configuration})"),
        _ => format!("{suite} {instance}"),
    }
}

/// What one side solved and the other did not solve or not run.
fn only(one: &Cells<'_>, other: &Cells<'_>, with: bool) -> Vec<String> {
    let is_solved = |key: &Key| other.get(key).is_some_and(Cell::is_solved);
    one.iter()
        .filter(|(key, cell)| cell.is_solved() && !is_solved(key))
        .map(|(key, _)| name(key, with))
        .collect()
}

fn caveats(before: &[&Row], after: &[&Row]) -> Vec<Caveat> {
    let (Some(a), Some(b)) = (before.first(), after.first()) else {
        return Vec::new();
    };
    let mut caveats = Vec::new();
    // Files of others may not say.
    if a.cpu != b.cpu && !a.cpu.is_empty() && !b.cpu.is_empty() {
        caveats.push(Caveat::Cpu(a.cpu.clone(), b.cpu.clone()));
    }
    if let (Some(a), Some(b)) = (a.jobs, b.jobs)
        && a != b
    {
        caveats.push(Caveat::Jobs(a, b));
    }
    caveats
}
