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

    /// The names it asks for that no instance of these suites has.
    pub fn unknown_names(&self, suites: &[Suite]) -> Vec<&str> {
        let instances = || suites.iter().flat_map(|suite| &suite.instances);
        let is_there = |name: &str| instances().any(|instance| instance.name == name);
        let names = self.instances.iter().filter_map(|term| match term {
            Term::Name(name) => Some(name.as_str()),
            Term::Numbers(_) => None,
        });
        names.filter(|name| !is_there(name)).collect()
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
pub enum FilterError {
    /// Neither instances nor lengths.
    #[error(
        "'{}' is no filter; write instances such as 1-5,12, or known lengths such as optimal:40-50",
        excerpt(.0)
    )]
    NoFilter(String),
    /// A range that ends before it begins.
    #[error("'{}' ends before it begins; write the smaller number first", excerpt(.0))]
    Backwards(String),
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Filter, FilterError> {
        let no_filter = |term: &str| FilterError::NoFilter(term.to_owned());
        let mut filter = Filter::default();
        for term in text.split(',').map(str::trim) {
            let numbers = term.strip_prefix(LENGTH).unwrap_or(term);
            let range = range(numbers);
            if range.as_ref().is_some_and(RangeInclusive::is_empty) {
                return Err(FilterError::Backwards(term.to_owned()));
            }
            match (term.strip_prefix(LENGTH), range) {
                (Some(_), Some(lengths)) => filter.lengths.push(lengths),
                (None, Some(numbers)) => filter.instances.push(Term::Numbers(numbers)),
                (None, None) if !term.is_empty() => {
                    filter.instances.push(Term::Name(term.to_owned()));
                }
                (Some(_), None) => return Err(no_filter(term)),
                (None, None) => return Err(no_filter(text)),
            }
        }
        Ok(filter)
    }
}

/// `A-B`, or `A` alone.
fn range(text: &str) -> Option<RangeInclusive<u64>> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    Some(from.parse().ok()?..=to.parse().ok()?)
}
