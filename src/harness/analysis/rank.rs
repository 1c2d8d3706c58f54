//! The instances of a file of rows in the order of what they took: a suite from measured difficulty.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::measure::Measure;
use super::naming::{NameError, find_name};
use super::repeats::Repeats;
use crate::harness::record::{ConfigurationKey, Configurations, Row, latest};
use crate::harness::suite::{Instance, Suite};
use crate::puzzle::{Cost, Costs, Goal, Metric};

/// Why instances cannot be ranked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RankError {
    /// Several configurations, none of which is chosen.
    #[error("there are {} configurations, {}; choose one of them", .0.len(), .0.join("; "))]
    NotChosen(Vec<String>),
    /// A configuration that is not there, or not the only one.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Rows without their boards.
    #[error("instance '{0}' has no board in its row; only rows of this version have")]
    NoBoard(String),
    /// A suite has one goal, one metric and one cost of moves.
    #[error(
        "the rows are of different puzzles, {0} and {1}; a suite has one goal, metric and costs"
    )]
    Goals(String, String),
    /// Nothing was solved.
    #[error("no instance was solved, or no solved one has {}", .0.words())]
    NothingMeasured(Measure),
}

/// Instances from the easiest to the hardest.
#[derive(Clone, Debug)]
pub struct RankedSuite {
    /// The boards, the easiest first; its name is empty.
    pub suite: Suite,
    /// The configuration that they were measured with.
    pub configuration: String,
    /// What each took.
    pub values: Vec<u64>,
    /// Instances that were not solved, or not measured, and are left out.
    pub left_out: usize,
}

/// Ranks the instances of rows by what one configuration took: the median of its runs.
pub fn rank(
    rows: &[Row],
    configuration: Option<&str>,
    by: Measure,
) -> Result<RankedSuite, RankError> {
    let configurations = Configurations::of(rows);
    let rows = latest(rows);
    let chosen = choose(&rows, &configurations, configuration)?;
    let mut cells: BTreeMap<(&str, &str), Repeats<'_>> = BTreeMap::new();
    for row in rows {
        if configurations.configuration(row) == chosen {
            let instance = (row.suite.as_str(), row.instance.as_str());
            cells.entry(instance).or_default().add(row);
        }
    }
    let mut ranked: Vec<(u64, &Row)> = (cells.values())
        .filter_map(|cell| Some((cell.median(by)?, cell.middle()?)))
        .collect();
    // What took the same stays in the order of the names.
    ranked.sort_by_key(|(value, _)| *value);
    let (Some((_, first)), left_out) = (ranked.first(), cells.len() - ranked.len()) else {
        return Err(RankError::NothingMeasured(by));
    };
    let puzzle = |row: &Row| format!("{} {} {}", row.goal, row.metric, row.costs);
    if let Some((_, other)) = ranked.iter().find(|(_, row)| puzzle(row) != puzzle(first)) {
        return Err(RankError::Goals(puzzle(first), puzzle(other)));
    }
    let names = names(&ranked);
    let mut instances = Vec::with_capacity(ranked.len());
    let (mut goal, mut metric, mut costs) = (Goal::Last, Metric::default(), Costs::default());
    for ((_, row), name) in ranked.iter().zip(names) {
        let start = row.start();
        let (board, of_row) = start.ok_or_else(|| RankError::NoBoard(row.instance.clone()))?;
        goal = of_row;
        metric = row.metric.parse().unwrap_or_default();
        costs = row.costs.parse().unwrap_or_default();
        instances.push(Instance {
            optimal: optimal(row),
            ..Instance::new(name, board)
        });
    }
    Ok(RankedSuite {
        suite: Suite {
            name: String::new(),
            goal,
            metric,
            costs,
            instances,
            split_for: None,
        },
        configuration: chosen.to_string(),
        values: ranked.iter().map(|(value, _)| *value).collect(),
        left_out,
    })
}

fn choose(
    rows: &[&Row],
    configurations: &Configurations,
    asked: Option<&str>,
) -> Result<ConfigurationKey, RankError> {
    let keys: BTreeSet<ConfigurationKey> = (rows.iter())
        .map(|row| configurations.configuration(row))
        .collect();
    let mut keys: Vec<ConfigurationKey> = keys.into_iter().collect();
    let names: Vec<String> = keys.iter().map(ToString::to_string).collect();
    match asked {
        Some(asked) => Ok(keys.swap_remove(find_name(asked, &names)?)),
        None if keys.len() == 1 => Ok(keys.swap_remove(0)),
        None => Err(RankError::NotChosen(names)),
    }
}

/// Their own names, with the suite's before them where two suites have the same.
fn names(ranked: &[(u64, &Row)]) -> Vec<String> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (_, row) in ranked {
        *seen.entry(&row.instance).or_default() += 1;
    }
    let is_unique = seen.values().all(|times| *times == 1);
    let name = |row: &Row| match is_unique {
        true => row.instance.clone(),
        false => format!("{}-{}", row.suite, row.instance),
    };
    let names: Vec<String> = ranked.iter().map(|(_, row)| name(row)).collect();
    let distinct: HashSet<&String> = names.iter().collect();
    match distinct.len() == names.len() {
        true => names,
        // `a-1` of `b` and `1` of `b-a`: then numbers have to do.
        false => (1..=names.len()).map(|number| number.to_string()).collect(),
    }
}

/// The length of a shortest solution, where the row knows it.
fn optimal(row: &Row) -> Option<u32> {
    let found = || u32::try_from(row.cost.and_then(Cost::whole)?).ok();
    let is_shortest = row.claims_optimal() && row.verified == Some(true);
    row.known_optimal
        .or_else(|| is_shortest.then(found).flatten())
}
