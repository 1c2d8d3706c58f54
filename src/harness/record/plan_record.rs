//! A plan as the sidecar of a shard tells it: enough to put the shards together again.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::key::ConfigurationKey;
use super::row::Row;

/// The whole plan, by names.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlanRecord {
    /// Equal where boards, what is known of them, searches and their order are.
    pub fingerprint: String,
    /// Its suites, in their order.
    pub suites: Vec<SuiteRecord>,
    /// Its configurations, in their order.
    pub searches: Vec<SearchRecord>,
    /// How often each is run.
    pub repeat: u32,
    /// What shuffled it.
    pub seed: Option<u64>,
}

/// A suite, by the names of its instances.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SuiteRecord {
    /// The suite's name.
    pub name: String,
    /// Its instances, in their order.
    pub instances: InstanceNames,
    /// Where the instances are its units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<u32>,
}

/// Names, of which numbers in a row are written as `[first, last]`: every shard names the whole
/// plan, and a threshold may have a hundred thousand units.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<Names>", into = "Vec<Names>")]
pub struct InstanceNames(pub Vec<String>);

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Names {
    Numbers([u64; 2]),
    Name(String),
}

/// `1-5,a,9`
impl fmt::Display for InstanceNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written: Vec<Names> = self.clone().into();
        let written = written.iter().map(|names| match names {
            Names::Numbers([first, last]) if first == last => first.to_string(),
            Names::Numbers([first, last]) => format!("{first}-{last}"),
            Names::Name(name) => name.clone(),
        });
        f.write_str(&written.collect::<Vec<_>>().join(","))
    }
}

/// A plan has at most so many instances, and so many runs: nobody waits for more, and a sidecar
/// that names more was not written by this program. Instances are held by their names.
const MOST_INSTANCES: usize = 10_000_000;
const MOST_RUNS: usize = 100_000_000;

/// Numbers from the first to the last that no plan has.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("[{0},{1}] are no instances of a plan")]
pub struct NoInstances(u64, u64);

impl TryFrom<Vec<Names>> for InstanceNames {
    type Error = NoInstances;

    fn try_from(written: Vec<Names>) -> Result<InstanceNames, NoInstances> {
        let mut names = Vec::new();
        for written in written {
            match written {
                Names::Numbers([first, last]) => {
                    let more = last.checked_sub(first).map(|more| more as usize);
                    match more.and_then(|more| names.len().checked_add(more)) {
                        Some(all) if all < MOST_INSTANCES => {}
                        _ => return Err(NoInstances(first, last)),
                    }
                    names.extend((first..=last).map(|number| number.to_string()));
                }
                Names::Name(name) => names.push(name),
            }
        }
        Ok(InstanceNames(names))
    }
}

impl From<InstanceNames> for Vec<Names> {
    fn from(names: InstanceNames) -> Vec<Names> {
        let mut written: Vec<Names> = Vec::new();
        for name in names.0 {
            // Only what a number would be written as again: 007 is a name.
            let number = name.parse().ok();
            match number.filter(|number: &u64| number.to_string() == name) {
                None => written.push(Names::Name(name)),
                Some(number) => match written.last_mut() {
                    Some(Names::Numbers([_, last])) if last.checked_add(1) == Some(number) => {
                        *last = number;
                    }
                    _ => written.push(Names::Numbers([number, number])),
                },
            }
        }
        written
    }
}

/// A configuration of the plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SearchRecord {
    /// As it was asked for.
    pub asked: String,
    /// Its algorithm.
    #[serde(default)]
    pub algorithm: String,
    /// Its heuristic, as it was asked for.
    #[serde(default)]
    pub heuristic: String,
    /// As the rows of this shard name it: the estimate and the engine may differ by the size of a
    /// board.
    pub rows: Vec<SizedKey>,
}

/// What a configuration is called on boards of a size.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct SizedKey {
    /// Rows of the boards.
    pub rows: usize,
    /// Columns of the boards.
    pub cols: usize,
    /// What their rows say.
    #[serde(flatten)]
    pub configuration: ConfigurationKey,
}

impl PlanRecord {
    /// How many runs it has; `None` where they are more than a plan can have.
    pub fn runs(&self) -> Option<usize> {
        let instances = self.suites.iter().map(|suite| suite.instances.0.len());
        let runs = instances.sum::<usize>().checked_mul(self.searches.len());
        let runs = runs?.checked_mul(self.repeat as usize);
        runs.filter(|runs| *runs <= MOST_RUNS)
    }

    /// Which configurations a row is about: two of them may be the same search, such as `scalar`
    /// and `batched` where there are no batches.
    pub fn configurations_of(&self, row: &Row) -> impl Iterator<Item = usize> {
        let (key, size) = (row.configuration(), (row.rows, row.cols));
        let is_of = move |search: &SearchRecord| {
            search.rows.iter().any(|it| {
                size == (Some(it.rows), Some(it.cols)) && it.configuration.is_done_by(&key)
            })
        };
        let searches = self.searches.iter().enumerate();
        searches.filter_map(move |(number, search)| is_of(search).then_some(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_in_short_and_read_again() {
        let names = ["a", "1", "2", "3", "007", "8", "10", "1-5", ""].map(str::to_owned);
        let names = InstanceNames(names.to_vec());
        let text = serde_json::to_string(&names).unwrap();
        assert_eq!(text, r#"["a",[1,3],"007",[8,8],[10,10],"1-5",""]"#);
        assert_eq!(serde_json::from_str::<InstanceNames>(&text).unwrap(), names);
    }
}
