//! A shard by its numbers: part I of N of a plan, and what its files are called.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One part of so many, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// The most parts of a plan: more than any array of Slurm has.
    pub const MOST: usize = 10_000_000;

    /// `None` where there is no such part.
    pub fn new(index: usize, count: usize) -> Option<Shard> {
        let is_there = count <= Shard::MOST && (1..=count).contains(&index);
        is_there.then_some(Shard { index, count })
    }

    /// A whole plan.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Which one, from 1.
    pub fn index(self) -> usize {
        self.index
    }

    /// Of how many.
    pub fn count(self) -> usize {
        self.count
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
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// A text that is no shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no shard; write I/N with I from 1 to N and N up to {most}, such as 1/4", most = Shard::MOST)]
pub struct ShardError(pub String);

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let (index, count) = text.split_once('/').unwrap_or((text, ""));
        let shard = match (index.parse(), count.parse()) {
            (Ok(index), Ok(count)) => Shard::new(index, count),
            _ => None,
        };
        shard.ok_or_else(|| ShardError(text.to_owned()))
    }
}
