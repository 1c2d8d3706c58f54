//! What came of many runs: counts, means and percentiles for each suite and configuration.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use hdrhistogram::Histogram;

use super::best_known::BestKnown;
use super::evidence::{Evidence, Wrong};
use super::measure::Measure;
use super::repeats::Repeats;
use super::statistics::geometric_mean;
use super::suite_results::{Ranking, Standing, SuiteResults};
use crate::harness::record::{ConfigurationKey, Configurations, Row, Status, latest};
use crate::harness::suite::Suite;
use crate::heuristic::Estimate;
use crate::search::Algorithm;

/// How many of the slowest instances are named.
const SLOWEST: usize = 5;
/// Digits that a histogram of times keeps.
const DIGITS: u8 = 3;

/// All that a file of rows says, in short.
///
/// ```
/// use slidebench::harness::analysis::Summary;
/// use slidebench::harness::record::parse_rows;
///
/// let rows = parse_rows("suite,instance,status,cost,time_ns\nmine,a,solved,31,1200\n")?;
/// let summary = Summary::new(&rows, &[]);
/// assert_eq!((summary.groups[0].solved, summary.wrong()), (1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Summary {
    /// One for each suite and configuration.
    pub groups: Vec<Group>,
    /// Over what all configurations solved.
    pub common: Option<Common>,
    /// One for each suite with several configurations.
    pub standings: Vec<Standings>,
    /// Runs that waited for a busy machine.
    pub waited: usize,
}

/// The runs of one suite with one configuration. Instances count once however often they were run.
#[derive(Clone, Debug)]
pub struct Group {
    /// The suite.
    pub suite: String,
    /// The way to search.
    pub configuration: ConfigurationKey,
    /// How many instances.
    pub instances: usize,
    /// How many runs.
    pub runs: usize,
    /// How many instances were solved.
    pub solved: usize,
    /// How many have no solution.
    pub unsolvable: usize,
    /// Units without a solution.
    pub exhausted: usize,
    /// How many solved instances have no path that was replayed.
    pub unverified: usize,
    /// Answers that are false, with their costs.
    pub wrong: Vec<Wrong>,
    /// Of the solved instances; medians of their runs, here and below.
    pub time: Duration,
    /// Of the times of solved instances.
    pub geometric_mean: Option<Duration>,
    /// Of the solved instances: p50, p90, p99, max.
    pub percentiles: Option<[Duration; 4]>,
    /// Nodes generated on all instances.
    pub generated: u64,
    /// Nodes a second, over all runs.
    pub nodes_per_second: Option<f64>,
    /// Those that took longest.
    pub slowest: Vec<(String, Duration)>,
    /// The longest that was solved.
    pub longest: Option<Longest>,
    /// Those without a solution.
    pub unsolved: Vec<Unsolved>,
    /// Of the solved instances whose node count is published: how many there are, and which differ.
    pub published: Option<Published>,
    /// Coverage, penalized means and the spread of repeats.
    pub standing: Standing,
    /// The costs beside the best known ones, where the suite has these.
    pub best_known: Option<BestKnown>,
}

/// An instance that was solved, and how long its shortest solution is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Longest {
    /// The known optimum, or what was found where none is known.
    pub moves: usize,
    /// The instance.
    pub instance: String,
    /// What solving it took.
    pub time: Duration,
}

/// An instance without a solution, and what was known by the end of its longest search.
#[derive(Clone, Debug)]
pub struct Unsolved {
    /// The instance.
    pub instance: String,
    /// How it ended.
    pub status: Status,
    /// How many runs there were, and how many of them came to a solution.
    pub runs: usize,
    /// Where these are not most of them, the instance counts as unsolved.
    pub solved: usize,
    /// The last threshold, layer of f or lower bound that was searched.
    pub last_threshold_finished: Option<u32>,
    /// States in memory, where that was the limit.
    pub stored: Option<u64>,
}

/// Node counts beside published ones.
#[derive(Clone, Debug, Default)]
pub struct Published {
    /// How many are published.
    pub known: usize,
    /// Those that differ.
    pub differing: Vec<String>,
}

/// Several configurations on what all of them solved.
#[derive(Clone, Debug)]
pub struct Common {
    /// How many instances.
    pub instances: usize,
    /// Geometric means of time and nodes for each configuration.
    pub means: Vec<(ConfigurationKey, Duration, Option<f64>)>,
}

/// The configurations of a suite beside each other, where there are several.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The suite.
    pub suite: String,
    /// How each did.
    pub entrants: Vec<(ConfigurationKey, Standing)>,
    /// What the best for each instance would do.
    pub virtual_best: Standing,
    /// By ranks, where there are three or more; its entrants are those above, by number.
    pub ranking: Option<Ranking>,
}

impl Summary {
    /// Summarises rows; of a run that was done again the last one counts. The suites know the
    /// published node counts.
    pub fn new(rows: &[Row], suites: &[Suite]) -> Summary {
        let configurations = Configurations::of(rows);
        let rows: Vec<(ConfigurationKey, &Row)> = latest(rows)
            .into_iter()
            .map(|row| (configurations.configuration(row), row))
            .collect();
        let evidence = Evidence::of(rows.iter().map(|(_, row)| *row));
        let keys: BTreeSet<&ConfigurationKey> = rows.iter().map(|(key, _)| key).collect();
        let keys: Vec<&ConfigurationKey> = keys.into_iter().collect();
        let number = |key: &ConfigurationKey| keys.binary_search(&key).unwrap_or_default();
        let runs: Vec<(usize, &Row)> = rows.iter().map(|(key, row)| (number(key), *row)).collect();
        let names: BTreeSet<&str> = rows.iter().map(|(_, row)| row.suite.as_str()).collect();
        let results: Vec<SuiteResults<'_>> = (names.into_iter())
            .map(|suite| SuiteResults::new(suite, keys.len(), runs.iter().copied()))
            .collect();
        let mut groups = Vec::new();
        for results in &results {
            let facts = suites.iter().find(|facts| facts.name == results.suite);
            for entrant in results.entrants() {
                groups.push(Group::new(
                    keys[entrant],
                    entrant,
                    results,
                    facts,
                    &evidence,
                ));
            }
        }
        Summary {
            groups,
            common: common(&keys, &results),
            standings: results
                .iter()
                .filter_map(|it| standings(&keys, it))
                .collect(),
            waited: rows.iter().filter(|(_, row)| row.had_to_wait()).count(),
        }
    }

    /// How many answers are wrong.
    pub fn wrong(&self) -> usize {
        self.groups.iter().map(|group| group.wrong.len()).sum()
    }
}

impl Group {
    fn new(
        configuration: &ConfigurationKey,
        entrant: usize,
        results: &SuiteResults<'_>,
        facts: Option<&Suite>,
        evidence: &Evidence,
    ) -> Group {
        let cells: Vec<&Repeats<'_>> = (results.of(entrant).iter())
            .filter(|cell| cell.middle().is_some())
            .collect();
        let rows: Vec<&Row> = cells.iter().flat_map(|cell| cell.rows()).copied().collect();
        let middles = || cells.iter().filter_map(|cell| cell.middle());
        let with_status = |status| middles().filter(|row| row.status == status).count();
        let mut solved: Vec<(&Row, u64)> = (cells.iter())
            .filter_map(|cell| Some((cell.middle()?, cell.median(Measure::Time)?)))
            .collect();
        solved.sort_by_key(|(_, time)| Reverse(*time));
        let times = || solved.iter().map(|(_, time)| *time);
        let slowest = solved.iter().take(SLOWEST).map(|(row, time)| {
            let time = Duration::from_nanos(*time);
            (row.instance.clone(), time)
        });
        let seconds = Duration::from_nanos(total(rows.iter().map(|row| row.time_ns))).as_secs_f64();
        let generated = total(rows.iter().filter_map(|row| row.generated));
        Group {
            suite: results.suite.to_owned(),
            instances: cells.len(),
            runs: rows.len(),
            solved: solved.len(),
            unsolvable: with_status(Status::Unsolvable),
            exhausted: with_status(Status::Exhausted),
            unverified: solved
                .iter()
                .filter(|(row, _)| row.verified.is_none())
                .count(),
            wrong: wrong(&rows, evidence),
            time: Duration::from_nanos(total(times())),
            geometric_mean: geometric_mean(times().map(|time| time as f64))
                .map(|mean| Duration::from_nanos(mean as u64)),
            percentiles: percentiles(&times().collect::<Vec<_>>()),
            generated: total(middles().filter_map(|row| row.generated)),
            nodes_per_second: (seconds > 0.0).then(|| generated as f64 / seconds),
            slowest: slowest.collect(),
            longest: longest(&solved),
            unsolved: cells.iter().filter_map(|cell| unsolved(cell)).collect(),
            published: published(configuration, &cells, facts),
            best_known: BestKnown::of(&rows, facts),
            standing: results.standing(entrant),
            configuration: configuration.clone(),
        }
    }
}

/// Each wrong answer once: a repeat says the same again.
fn wrong(rows: &[&Row], evidence: &Evidence) -> Vec<Wrong> {
    let mut wrong: Vec<Wrong> = Vec::new();
    for found in rows.iter().filter_map(|row| evidence.against(row)) {
        if !wrong.contains(&found) {
            wrong.push(found);
        }
    }
    wrong
}

/// What is known of an instance that has no solution in most of its runs.
fn unsolved(cell: &Repeats<'_>) -> Option<Unsolved> {
    let row = cell.middle()?;
    if cell.is_solved() || cell.is_vain() {
        return None;
    }
    let thresholds = cell
        .rows()
        .iter()
        .filter_map(|row| row.last_threshold_finished());
    Some(Unsolved {
        instance: row.instance.clone(),
        status: row.status,
        runs: cell.rows().len(),
        solved: cell.solved().len(),
        last_threshold_finished: thresholds.max(),
        stored: row.stored.filter(|_| row.status == Status::MemLimit),
    })
}

/// Of several that are equally long, the one that took the least time.
fn longest(solved: &[(&Row, u64)]) -> Option<Longest> {
    let moves = |row: &Row| {
        let known = row.known_optimal.map(|moves| moves as usize);
        known.or(row.counted_moves()).unwrap_or(0)
    };
    let (longest, time) = (solved.iter()).max_by_key(|(row, time)| (moves(row), Reverse(*time)))?;
    Some(Longest {
        moves: moves(longest),
        instance: longest.instance.clone(),
        time: Duration::from_nanos(*time),
    })
}

fn standings(keys: &[&ConfigurationKey], results: &SuiteResults<'_>) -> Option<Standings> {
    let entrants = results.entrants();
    let place = |entrant: usize| entrants.binary_search(&entrant).unwrap_or_default();
    let ranking = results.ranking().map(|ranking| Ranking {
        entrants: ranking
            .entrants
            .iter()
            .map(|&entrant| place(entrant))
            .collect(),
        ..ranking
    });
    let rows = entrants.iter().map(|&entrant| {
        let key: &ConfigurationKey = keys[entrant];
        (key.clone(), results.standing(entrant))
    });
    (entrants.len() > 1).then(|| Standings {
        suite: results.suite.to_owned(),
        entrants: rows.collect(),
        virtual_best: results.virtual_best(),
        ranking,
    })
}

/// A sum; one that no counter holds is as good as the largest, and is that of a changed file.
fn total(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, u64::saturating_add)
}

/// Times in nanoseconds.
pub fn time_histogram(times: impl IntoIterator<Item = u64>) -> Histogram<u64> {
    let mut histogram = Histogram::new(DIGITS).expect("three digits are allowed");
    for time in times {
        let recorded = histogram.record(time);
        recorded.expect("a histogram grows to every u64");
    }
    histogram
}

/// `times` are sorted, the longest first.
fn percentiles(times: &[u64]) -> Option<[Duration; 4]> {
    let slowest = *times.first()?;
    let histogram = time_histogram(times.iter().copied());
    let at = |percent| histogram.value_at_percentile(percent).min(slowest);
    Some([at(50.0), at(90.0), at(99.0), slowest].map(Duration::from_nanos))
}

/// Compares node counts with the published ones, which are those of IDA* with taxicab on one
/// thread and without pruning.
fn published(
    configuration: &ConfigurationKey,
    cells: &[&Repeats<'_>],
    facts: Option<&Suite>,
) -> Option<Published> {
    let is_korfs = configuration.algorithm == Algorithm::IdaStar.name()
        && configuration.heuristic == Estimate::Taxicab.to_string()
        && configuration.endgame.is_empty()
        && configuration.prune.is_empty()
        && configuration.threads == Some(1);
    let counts: HashMap<&str, u64> = facts?
        .instances
        .iter()
        .filter_map(|instance| Some((instance.name.as_str(), instance.ida_md_generated?)))
        .collect();
    let mut published = Published::default();
    for cell in cells.iter().filter(|cell| is_korfs && cell.is_solved()) {
        let instance = cell.rows().first().map_or("", |row| &row.instance);
        let Some(&count) = counts.get(instance) else {
            continue;
        };
        published.known += 1;
        let differs = |row: &&Row| row.generated != Some(count);
        if cell.solved().iter().any(differs) {
            published.differing.push(instance.to_owned());
        }
    }
    (published.known > 0).then_some(published)
}

/// Means over the instances that every configuration solved in all its runs.
fn common(keys: &[&ConfigurationKey], results: &[SuiteResults<'_>]) -> Option<Common> {
    // A suite that one of them did not run has none.
    let results: Vec<(&SuiteResults<'_>, Vec<usize>)> = (results.iter())
        .filter(|it| it.entrants().len() == keys.len())
        .map(|it| (it, it.common()))
        .collect();
    let instances = results.iter().map(|(_, common)| common.len()).sum();
    if keys.len() < 2 || instances == 0 {
        return None;
    }
    let mean = |entrant: usize, measure: Measure| {
        let cells = (results.iter())
            .flat_map(|(it, common)| common.iter().map(|&number| &it.of(entrant)[number]));
        let medians = cells.filter_map(|cell| cell.median(measure));
        geometric_mean(medians.map(|median| median as f64))
    };
    let means = keys.iter().enumerate().filter_map(|(entrant, key)| {
        let time = Duration::from_nanos(mean(entrant, Measure::Time)? as u64);
        let key: &ConfigurationKey = key;
        Some((key.clone(), time, mean(entrant, Measure::Nodes)))
    });
    Some(Common {
        instances,
        means: means.collect(),
    })
}
