//! Collections: several partitions of one board, of which the largest sum counts.

use std::fmt;

use crate::puzzle::{Cell, Size, excerpt};

use super::{Partition, PartitionError, Pattern};

/// Partitions whose sums are compared. Most have one partition alone.
///
/// ```
/// use slidebench::lookup::Collection;
///
/// let size = "4x4".parse()?;
/// assert!(Collection::names(size).any(|name| name == "7-8"));
/// // By its name, or drawn: a letter for each pattern, a point for the gap.
/// let drawn = Collection::parse(".AAA/BAAA/BBCC/BBBC", size)?;
/// assert_eq!(drawn.patterns().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Collection {
    partitions: Vec<Partition>,
}

/// The most partitions of a collection.
pub const MOST_PARTITIONS: usize = 4;
/// The most patterns of all its partitions together.
pub const MOST_SUMMANDS: usize = 16;

/// What stands between the partitions of a collection.
const AND: char = '+';

/// The named collections: size, name, partitions.
///
/// `night5x5` is a partition in four tables of 22 MB, which has the least eta times time a node of
/// those that were tried (`scripts/choose-collection`, docs/tables.md). `small5x5` has two, in seven
/// tables: on single boards it is the safer one, as no board takes it more nodes than 6-6-6-6.
const NAMED: [(&str, &str, &str); 2] = [
    ("5x5", "night5x5", ".AAAB/AAABB/CCDBB/CCDDB/CCDDD"),
    ("5x5", "small5x5", "6-6-6-6+.AABB/AACCB/AACCB/DDDCB/DDDCB"),
];

impl Collection {
    /// The names of a size's collections, partitions included: `auto` prefers the last.
    pub fn names(size: Size) -> impl Iterator<Item = &'static str> {
        let of = size.to_string();
        let collections = NAMED.iter().filter(move |(size, _, _)| *size == of);
        Partition::names(size).chain(collections.map(|&(_, name, _)| name))
    }

    /// The collection of that name, or partitions with `+` between them.
    pub fn parse(text: &str, size: Size) -> Result<Collection, PartitionError> {
        let of = size.to_string();
        let named = NAMED.iter().find(|(s, name, _)| *s == of && *name == text);
        let text = named.map_or(text, |(_, _, partitions)| partitions);
        let partitions = text
            .split(AND)
            .map(|one| Partition::parse(one.trim(), size));
        let mut different: Vec<Partition> = Vec::new();
        for partition in partitions {
            let partition = partition?;
            if !different.contains(&partition) {
                different.push(partition);
            }
        }
        if different.len() > MOST_PARTITIONS {
            return Err(PartitionError::TooManySums(excerpt(text), different.len()));
        }
        let patterns = different.iter().map(|partition| partition.patterns().len());
        let patterns: usize = patterns.sum();
        if patterns > MOST_SUMMANDS {
            return Err(PartitionError::TooManySummands(excerpt(text), patterns));
        }
        Ok(Collection {
            partitions: different,
        })
    }

    /// The size that a name or a grid in rows shows.
    pub fn size_of(text: &str) -> Option<Size> {
        if let Some((size, _, _)) = NAMED.iter().find(|(_, name, _)| *name == text) {
            return size.parse().ok();
        }
        Partition::size_of(text.split(AND).next()?.trim())
    }

    /// The boards that it is for.
    pub fn size(&self) -> Size {
        self.partitions[0].size()
    }

    /// Its partitions, in their order.
    pub fn partitions(&self) -> &[Partition] {
        &self.partitions
    }

    /// The collection for boards whose gap belongs into this cell. Where that is not on the diagonal, no
    /// reflection leads to such a board again: so if one is wanted (`mirror`), it is a partition of its own.
    pub(crate) fn with_gap_in(&self, gap: Cell, mirror: bool) -> Collection {
        let partitions = self.partitions.iter();
        let mirrors: &[bool] = if mirror { &[false, true] } else { &[false] };
        let both = partitions.flat_map(|it| {
            mirrors
                .iter()
                .map(move |&mirror| it.with_gap_in(gap, mirror))
        });
        Collection {
            partitions: both.collect(),
        }
    }

    /// The patterns of all partitions, each once: what tables it needs.
    pub fn patterns(&self) -> Vec<Pattern> {
        let mut different = Vec::new();
        for &pattern in self.partitions.iter().flat_map(Partition::patterns) {
            if !different.contains(&pattern) {
                different.push(pattern);
            }
        }
        different
    }
}

/// Its name if it has one, its partitions otherwise.
impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size();
        let is_this = |name: &&str| Collection::parse(name, size).is_ok_and(|own| own == *self);
        if let Some(name) = Collection::names(size).find(is_this) {
            return f.write_str(name);
        }
        for (number, partition) in self.partitions.iter().enumerate() {
            if number > 0 {
                write!(f, "{AND}")?;
            }
            write!(f, "{partition}")?;
        }
        Ok(())
    }
}
