//! Which instances of a suite run: `1-5,12`, `optimal:40-50`, or both.

use std::ops::RangeInclusive;
use std::str::FromStr;

use super::definition::{Instance, Suite};
use crate::puzzle::excerpt;

/// Instances by name or number, and by known solution length.
///
/// Terms of one kind add up; where there are terms of both kinds, an instance has to pass both.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    instances: Vec<Term>,
    lengths: Vec<RangeInclusive<u64>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Term {
    Numbers(RangeInclusive<u64>),
    Name(String),
}

const LENGTH: &str = "optimal:";

impl Filter {
    /// The suite with those of its instances that pass.
    pub fn of(&self, mut suite: Suite) -> Suite {
        suite.instances.retain(|instance| self.passes(instance));
        suite
    }

    /// Whether it lets an instance through.
    pub fn passes(&self, instance: &Instance) -> bool {
        let number: Option<u64> = instance.name.parse().ok();
        let named = self.instances.iter().any(|term| match term {
            Term::Numbers(range) => number.is_some_and(|number| range.contains(&number)),
            Term::Name(name) => *name == instance.name,
        });
        let length = instance.optimal.map(u64::from);
        let has_length = |range: &RangeInclusive<u64>| length.is_some_and(|l| range.contains(&l));
        (named || self.instances.is_empty())
            && (self.lengths.is_empty() || self.lengths.iter().any(has_length))
    }
}

/// A text, or a term of it, that is no filter.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{}' is no filter; write instances such as 1-5,12, or known lengths such as optimal:40-50",
    excerpt(.0)
)]
pub struct FilterError(pub String);

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Filter, FilterError> {
        let wrong = |term: &str| FilterError(term.to_owned());
        let mut filter = Filter::default();
        for term in text.split(',').map(str::trim) {
            match term.strip_prefix(LENGTH) {
                Some(length) => filter
                    .lengths
                    .push(range(length).ok_or_else(|| wrong(term))?),
                None if term.is_empty() => return Err(wrong(text)),
                None => filter.instances.push(match range(term) {
                    Some(numbers) => Term::Numbers(numbers),
                    None => Term::Name(term.to_owned()),
                }),
            }
        }
        Ok(filter)
    }
}

/// `A-B`, or `A` alone.
fn range(text: &str) -> Option<RangeInclusive<u64>> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (from <= to).then_some(from..=to)
}
