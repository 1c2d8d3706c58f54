//! A shard: the part of a plan that one of several processes runs, on whatever machine.
//!
//! Every process cuts the whole plan in the same way and takes its own part, so they need not
//! know of each other. Parts are balanced by what the suites know: runs are dealt out from the
//! most costly to the least, each to the shard that has the least so far.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::harness::run::{Plan, Planned};
use crate::harness::suite::Instance;

/// One part of so many, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    index: usize,
    count: usize,
}

/// Why the variables of a Slurm array name no shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SlurmError {
    #[error("{name} is '{value}'; expected a number; name the shard with --shard I/N")]
    NoNumber { name: &'static str, value: String },
    #[error("SLURM_ARRAY_TASK_ID is set and {0} is not; name the shard with --shard I/N")]
    Missing(&'static str),
    #[error(
        "task {id} is not in an array from {min} with {count} tasks in steps of {step}; \
         name the shard with --shard I/N"
    )]
    NoRange {
        id: usize,
        min: usize,
        count: usize,
        step: usize,
    },
}

impl Shard {
    /// The most parts of a plan: more than any array of Slurm has.
    pub const MOST: usize = 10_000_000;

    /// `None` where there is no such part.
    pub fn new(index: usize, count: usize) -> Option<Shard> {
        let is_there = count <= Shard::MOST && (1..=count).contains(&index);
        is_there.then_some(Shard { index, count })
    }

    pub fn index(self) -> usize {
        self.index
    }

    pub fn count(self) -> usize {
        self.count
    }

    /// The shard that a task of a Slurm array is, by the variables that Slurm sets; `None`
    /// outside of an array.
    ///
    /// An array that is no range, such as `--array=1,5,6`, tells too little, and is refused.
    pub fn of_slurm(
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Shard>, SlurmError> {
        let number = |name: &'static str| match variable(name).filter(|value| !value.is_empty()) {
            None => Ok(None),
            Some(value) => match value.parse::<usize>() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(SlurmError::NoNumber { name, value }),
            },
        };
        let needed = |name| number(name)?.ok_or(SlurmError::Missing(name));
        let Some(id) = number("SLURM_ARRAY_TASK_ID")? else {
            return Ok(None);
        };
        let min = needed("SLURM_ARRAY_TASK_MIN")?;
        let count = needed("SLURM_ARRAY_TASK_COUNT")?;
        let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
        let last = number("SLURM_ARRAY_TASK_MAX")?;
        let is_range = last.is_none_or(|last| last == min + count.saturating_sub(1) * step);
        let index = id
            .checked_sub(min)
            .filter(|steps| is_range && steps.is_multiple_of(step))
            .and_then(|steps| Shard::new(steps / step + 1, count));
        index.map(Some).ok_or(SlurmError::NoRange {
            id,
            min,
            count,
            step,
        })
    }

    /// Where this shard writes what the user wants in `path`: `all.csv` becomes
    /// `all.shard-1-of-4.csv`.
    pub fn file(self, path: &Path) -> PathBuf {
        let Shard { index, count } = self;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut name = format!("{stem}.shard-{index}-of-{count}");
        if let Some(extension) = path.extension() {
            name += &format!(".{}", extension.to_string_lossy());
        }
        path.with_file_name(name)
    }

    /// Its part of a plan, in the order of the plan.
    pub fn part_of(self, plan: &Plan) -> Plan {
        let shards = deal(plan, self.count);
        let own = |(run, shard): (&Planned, usize)| (shard + 1 == self.index).then_some(*run);
        Plan {
            runs: plan.runs.iter().zip(shards).filter_map(own).collect(),
            ..plan.clone()
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let (index, count) = text.split_once('/').unwrap_or((text, ""));
        let shard = match (index.parse(), count.parse()) {
            (Ok(index), Ok(count)) => Shard::new(index, count),
            _ => None,
        };
        let message = || {
            format!(
                "'{text}' is no shard; write I/N with I from 1 to N and N up to {}, such as 1/4",
                Shard::MOST
            )
        };
        shard.ok_or_else(message)
    }
}

/// The shard of each run, counted from 0: the most costly first, each to the shard with the
/// least. Ties go to the run and to the shard that come first.
fn deal(plan: &Plan, shards: usize) -> Vec<usize> {
    let costs = costs(plan);
    let mut dearest_first: Vec<usize> = (0..plan.runs.len()).collect();
    dearest_first.sort_by_key(|&run| Reverse(costs[run]));
    let mut loads: BinaryHeap<Reverse<(u128, usize)>> =
        (0..shards).map(|shard| Reverse((0, shard))).collect();
    let mut dealt = vec![0; plan.runs.len()];
    for run in dearest_first {
        if let Some(mut least) = loads.peek_mut() {
            let Reverse((load, shard)) = &mut *least;
            *load = load.saturating_add(costs[run]);
            dealt[run] = *shard;
        }
    }
    dealt
}

/// What a run takes besides its nodes, in nodes: a tenth of a millisecond.
const START: u128 = 100_000;

/// About what each run takes, in thousandths of a node. A run of which nothing is known costs
/// what the others do in the mean.
///
/// Whole numbers: every machine has to come to the same parts.
fn costs(plan: &Plan) -> Vec<u128> {
    let known: Vec<Option<u128>> = plan
        .runs
        .iter()
        .map(|run| cost(plan.instance(run)))
        .collect();
    let count = known.iter().flatten().count() as u128;
    let sum = known
        .iter()
        .flatten()
        .fold(0, |sum: u128, cost| sum.saturating_add(*cost));
    let mean = sum.checked_div(count).unwrap_or(0);
    let costs = known
        .into_iter()
        .map(|cost| cost.unwrap_or(mean) + START * 1000);
    costs.collect()
}

/// By published node counts, or else by the solution's length.
fn cost(instance: &Instance) -> Option<u128> {
    let nodes = instance.known_nodes.map(|nodes| u128::from(nodes) * 1000);
    nodes.or_else(|| instance.optimal.map(cost_of_length))
}

/// Nodes grow by 1.38 for each move on korf100 with taxicab, by 1.34 on korf24 with 6-6-6-6;
/// the lengths that a 64-bit count of nodes can belong to end before 130.
fn cost_of_length(length: u32) -> u128 {
    (0..length.min(130)).fold(2000, |cost, _| cost * 11 / 8)
}
