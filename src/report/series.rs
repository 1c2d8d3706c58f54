//! Which runs belong together: a series is a configuration, and what tells two of its name apart.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::path::Path;

use super::source::Source;
use crate::harness::record::{ConfigurationKey, Configurations, Row, RunKey, Status};

/// Runs that share a colour and a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Series {
    pub label: String,
}

/// A row and the series it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    pub row: &'a Row,
    pub series: usize,
    /// The number of its file.
    pub source: usize,
}

impl Run<'_> {
    pub fn is_solved(&self) -> bool {
        self.row.status == Status::Solved
    }
}

/// All runs of some files, each once.
#[derive(Clone, Debug)]
pub struct Runs<'a> {
    pub series: Vec<Series>,
    pub runs: Vec<Run<'a>>,
    /// Rows that were in another file already.
    pub doubled: usize,
    /// Rows of runs that were stopped and done again later.
    pub superseded: usize,
}

/// What tells a series from others: the file where two have the same runs, and the version where
/// one file has the same runs of two versions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct SeriesKey<'a> {
    configuration: ConfigurationKey,
    source: Option<usize>,
    version: Option<&'a str>,
}

impl<'a> Runs<'a> {
    pub fn new(sources: &'a [Source]) -> Runs<'a> {
        let (rows, doubled) = distinct(sources);
        let mut configurations = Configurations::default();
        for source in sources {
            configurations.add_file(&source.rows);
        }
        let keys = series_keys(&rows, &configurations);
        let mut numbers: HashMap<&SeriesKey<'_>, usize> = HashMap::new();
        let mut series = Vec::new();
        for key in &keys {
            numbers.entry(key).or_insert_with(|| {
                series.push(Series {
                    label: label(key, sources),
                });
                series.len() - 1
            });
        }
        let all = rows.iter().zip(&keys).map(|(&(source, row), key)| Run {
            row,
            series: numbers[key],
            source,
        });
        let runs = without_stopped(&all.collect::<Vec<_>>(), &configurations);
        Runs {
            superseded: rows.len() - runs.len(),
            runs,
            series,
            doubled,
        }
    }

    /// The runs of one series with their numbers.
    pub fn of(&self, series: usize) -> impl Iterator<Item = (usize, &Run<'a>)> {
        let runs = self.runs.iter().enumerate();
        runs.filter(move |(_, run)| run.series == series)
    }

    /// The names of the suites, in the order of the files.
    pub fn suites(&self) -> Vec<&'a str> {
        let mut seen = HashSet::new();
        let names = self.runs.iter().map(|run| run.row.suite.as_str());
        names.filter(|name| seen.insert(*name)).collect()
    }

    /// Whether a series has more than one run of an instance.
    pub fn has_repeats(&self) -> bool {
        let mut seen = HashSet::new();
        let instance = |run: &Run<'a>| (run.series, &run.row.suite, &run.row.instance);
        !self.runs.iter().all(|run| seen.insert(instance(run)))
    }
}

/// The rows of all files with the numbers of these, without those that came before: a file may be
/// given twice, or hold a copy of another.
fn distinct(sources: &[Source]) -> (Vec<(usize, &Row)>, usize) {
    let mut seen: HashSet<(RunKey, &str, &str, u64)> = HashSet::new();
    let all = sources.iter().enumerate();
    let all = all.flat_map(|(source, file)| file.rows.iter().map(move |row| (source, row)));
    let total: usize = sources.iter().map(|source| source.rows.len()).sum();
    let mut kept = Vec::with_capacity(total);
    for item in all {
        let row = item.1;
        let key = (
            row.key(),
            row.started_at.as_str(),
            row.version.as_str(),
            row.time_ns,
        );
        // Rows of other programs may not say when they began; then nothing tells copies.
        if row.started_at.is_empty() || seen.insert(key) {
            kept.push(item);
        }
    }
    let doubled = total - kept.len();
    (kept, doubled)
}

fn series_keys<'a>(
    rows: &[(usize, &'a Row)],
    configurations: &Configurations,
) -> Vec<SeriesKey<'a>> {
    let shared = rows.iter().map(|&(source, row)| {
        let run = configurations.run(row);
        (run.clone(), source, run.configuration)
    });
    let by_source = in_several(shared);
    let part = |source: usize, row: &Row| {
        let configuration = configurations.configuration(row);
        let source = by_source.contains(&configuration).then_some(source);
        (configuration, source)
    };
    let solved = rows
        .iter()
        .filter(|(_, row)| row.status == Status::Solved)
        .map(|&(source, row)| {
            let run = (source, configurations.run(row));
            (run, row.version.as_str(), part(source, row))
        });
    let by_version = in_several(solved);
    let key = |&(source, row): &(usize, &'a Row)| {
        let part = part(source, row);
        SeriesKey {
            version: by_version.contains(&part).then_some(row.version.as_str()),
            configuration: part.0,
            source: part.1,
        }
    };
    rows.iter().map(key).collect()
}

/// Leaves out runs that were stopped and done again. What was solved is never done again: where it
/// is there twice, files were put together.
fn without_stopped<'a>(runs: &[Run<'a>], configurations: &Configurations) -> Vec<Run<'a>> {
    let mut last: HashMap<(usize, RunKey), usize> = HashMap::new();
    for (index, run) in runs.iter().enumerate() {
        last.insert((run.series, configurations.run(run.row)), index);
    }
    let is_kept = |(index, run): &(usize, &Run<'_>)| {
        let is_answer = matches!(run.row.status, Status::Solved | Status::Unsolvable);
        is_answer || last[&(run.series, configurations.run(run.row))] == *index
    };
    let kept = runs.iter().enumerate().filter(is_kept);
    kept.map(|(_, run)| *run).collect()
}

/// The names, given last, under which something, given first, has different values.
fn in_several<K: Hash + Eq, V: PartialEq, N: Hash + Eq>(
    rows: impl Iterator<Item = (K, V, N)>,
) -> HashSet<N> {
    let mut first: HashMap<K, V> = HashMap::new();
    let mut several = HashSet::new();
    for (key, value, name) in rows {
        match first.entry(key) {
            Entry::Vacant(place) => {
                place.insert(value);
            }
            Entry::Occupied(known) if *known.get() != value => {
                several.insert(name);
            }
            Entry::Occupied(_) => {}
        }
    }
    several
}

fn label(key: &SeriesKey<'_>, sources: &[Source]) -> String {
    let name = key.source.map(|source| short_name(source, sources));
    let parts: Vec<&str> = name.into_iter().chain(key.version).collect();
    match parts.is_empty() {
        true => key.configuration.to_string(),
        false => format!("{} ({})", key.configuration, parts.join(", ")),
    }
}

/// The file's name without its folder and its ending, where no other file has that.
fn short_name(source: usize, sources: &[Source]) -> &str {
    let stem = |source: &Source| Path::new(&source.name).file_stem().map(ToOwned::to_owned);
    let own = stem(&sources[source]);
    let same = sources.iter().filter(|other| stem(other) == own).count();
    let name = &sources[source].name;
    match Path::new(name).file_stem().and_then(|name| name.to_str()) {
        Some(short) if same == 1 => short,
        _ => name,
    }
}
