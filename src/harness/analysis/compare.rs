//! Paired comparison of runs: which side is faster, and by how much.

use std::collections::{BTreeMap, BTreeSet};

use super::contrast::{Contrast, Matched};
use super::measure::Measure;
use super::naming::{NameError, find_name};
use super::puzzles::Mixture;
use super::repeats::Repeats;
use crate::harness::record::{ConfigurationKey, Configurations, Row, latest};

/// What two sides say about each other; `before` is the first, `after` the second.
///
/// ```
/// use slidebench::harness::analysis::Comparison;
/// use slidebench::harness::record::parse_rows;
///
/// let head = "suite,instance,status,cost,time_ns\n";
/// let before = parse_rows(&format!("{head}mine,a,solved,31,1200\nmine,b,solved,28,900\n"))?;
/// let after = parse_rows(&format!("{head}mine,a,solved,31,600\nmine,b,solved,28,450\n"))?;
/// let comparison = Comparison::new(&before, &after)?;
/// assert_eq!(comparison.contrasts.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What verdicts are by.
    pub by: Measure,
    /// One for each pair of configurations.
    pub contrasts: Vec<Contrast>,
    /// All of them together, where each has the same configuration on both sides.
    pub pooled: Option<Contrast>,
    /// Configurations that only the first file has, and those that only the second has.
    pub unmatched: [Vec<String>; 2],
    /// What makes the times hard to compare.
    pub caveats: Vec<Caveat>,
}

/// Why times may not be comparable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Caveat {
    /// Two processors.
    Cpu(String, String),
    /// Different numbers of searches side by side.
    Jobs(usize, usize),
    /// An interval from so few instances is rough.
    FewPairs(usize),
}

/// Fewer instances than that make a rough interval.
const FEW_PAIRS: usize = 6;

/// Why there is nothing to compare.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CompareError {
    /// No instance with the same configuration, nor one configuration on each side.
    #[error(
        "the files have no run in common; they are paired by suite, instance and configuration, or \
         by suite and instance where each has one configuration"
    )]
    NothingInCommon,
    /// Two configurations that have no instance in common.
    #[error("'{0}' and '{1}' have no instance in common")]
    NoInstance(String, String),
    /// An instance that is not the same puzzle on both sides.
    #[error(
        "the rows are of different puzzles: {0}; runs are compared where board, goal, metric and \
         costs are the same"
    )]
    Puzzles(Box<Mixture>),
    /// The rows do not say what they should be compared by.
    #[error("not all rows have {}; compare by another measure", .0.words())]
    NotMeasured(Measure),
    /// A configuration that is not there, or not the only one.
    #[error(transparent)]
    Name(#[from] NameError),
    /// One file has to have two configurations or more.
    #[error("there is one configuration, '{0}'; it has nothing to be compared with")]
    Alone(String),
    /// One file with many configurations, none of which is chosen.
    #[error("there are {} configurations, {}; choose two of them, or a baseline", .0.len(), .0.join("; "))]
    NotChosen(Vec<String>),
}

/// Which configurations are set against each other.
#[derive(Clone, Copy, Debug, Default)]
pub enum Choice<'a> {
    /// Each with itself in the other file; where each file has one, these two.
    #[default]
    Same,
    /// One of the first file and one of the second, by their names.
    Between(&'a str, &'a str),
    /// Each of the second file and one of the first.
    Baseline(&'a str),
}

type Instances<'a> = BTreeMap<(&'a str, &'a str), Repeats<'a>>;

/// One file: its runs by their configuration and instance.
struct Side<'a> {
    rows: Vec<&'a Row>,
    runs: BTreeMap<ConfigurationKey, Instances<'a>>,
}

impl<'a> Side<'a> {
    fn new(rows: &'a [Row], configurations: &Configurations) -> Side<'a> {
        let rows = latest(rows);
        let mut runs: BTreeMap<ConfigurationKey, Instances<'a>> = BTreeMap::new();
        for &row in &rows {
            let own = runs.entry(configurations.configuration(row)).or_default();
            let instance = (row.suite.as_str(), row.instance.as_str());
            own.entry(instance).or_default().add(row);
        }
        Side { rows, runs }
    }

    fn keys(&self) -> BTreeSet<&ConfigurationKey> {
        self.runs.keys().collect()
    }

    fn names(&self) -> Vec<String> {
        self.runs.keys().map(ToString::to_string).collect()
    }

    fn find(&self, asked: &str) -> Result<&ConfigurationKey, NameError> {
        let number = find_name(asked, &self.names())?;
        Ok(self
            .keys()
            .into_iter()
            .nth(number)
            .expect("there is a key for each name"))
    }

    /// The one configuration, with its engine where all runs had the same.
    fn only_one(&self) -> Option<ConfigurationKey> {
        if self.runs.len() != 1 {
            return None;
        }
        let mut named = self.rows.first()?.configuration();
        // Where `auto` took several, none is the configuration's.
        if self.rows.iter().any(|row| row.engine != named.engine) {
            named.engine.clear();
        }
        Some(named)
    }
}

/// Two configurations and what they are called.
struct Opponents<'k> {
    keys: [&'k ConfigurationKey; 2],
    names: [String; 2],
}

impl<'k> Opponents<'k> {
    fn new(before: &'k ConfigurationKey, after: &'k ConfigurationKey) -> Opponents<'k> {
        Opponents {
            keys: [before, after],
            names: [before.to_string(), after.to_string()],
        }
    }
}

impl Comparison {
    /// Pairs the runs of two files, by CPU time where both have it and each search one thread.
    pub fn new(before: &[Row], after: &[Row]) -> Result<Comparison, CompareError> {
        Comparison::of(before, after, Choice::Same, None)
    }

    /// Pairs the runs of two files, or of one that is given twice, by one measure.
    pub fn of(
        before: &[Row],
        after: &[Row],
        choice: Choice<'_>,
        by: Option<Measure>,
    ) -> Result<Comparison, CompareError> {
        let mut configurations = Configurations::of(before);
        configurations.add_file(after);
        let sides = [before, after].map(|rows| Side::new(rows, &configurations));
        let opponents = match choice {
            Choice::Same => same(&sides)?,
            Choice::Between(one, other) => {
                vec![Opponents::new(sides[0].find(one)?, sides[1].find(other)?)]
            }
            Choice::Baseline(name) => against(&sides, name)?,
        };
        let unmatched = match choice {
            Choice::Same => [0, 1].map(|side| unmatched(&sides[side], side, &opponents)),
            _ => Default::default(),
        };
        let is_pooled = matches!(choice, Choice::Same) && opponents.len() > 1;
        if let [one] = &opponents[..]
            && !has_common(&sides, one)
        {
            let [before, after] = one.names.clone();
            return Err(CompareError::NoInstance(before, after));
        }
        let matched: Vec<_> = opponents.iter().map(|it| matched(&sides, it)).collect();
        refuse_mixtures(&matched)?;
        let by = measure(by, &matched)?;
        let all: Vec<Matched<'_>> = matched.iter().flatten().cloned().collect();
        let contrasts: Vec<Contrast> = (opponents.into_iter().zip(&matched))
            .map(|(opponents, matched)| Contrast::new(opponents.names, matched, by))
            .collect();
        let everything = || ["all", "all"].map(str::to_owned);
        let pooled = is_pooled.then(|| Contrast::new(everything(), &all, by));
        let mut caveats = caveats(&sides);
        let instances = pooled.iter().chain(&contrasts).map(|it| it.instances);
        if let Some(few) = instances.max().filter(|few| (1..FEW_PAIRS).contains(few)) {
            caveats.push(Caveat::FewPairs(few));
        }
        Ok(Comparison {
            by,
            contrasts,
            pooled,
            unmatched,
            caveats,
        })
    }

    /// All together, or the one that there is.
    pub fn overall(&self) -> Option<&Contrast> {
        match (&self.pooled, &self.contrasts[..]) {
            (Some(pooled), _) => Some(pooled),
            (None, [one]) => Some(one),
            _ => None,
        }
    }

    /// Answers that the other side rules out.
    pub fn wrong_costs(&self) -> usize {
        self.contrasts.iter().map(|it| it.wrong_costs).sum()
    }

    /// Whether the second side is slower by more than a part, beyond the noise: as a whole, or
    /// where there is no whole, in any configuration.
    pub fn is_slower_than(&self, part: f64) -> bool {
        match self.overall() {
            Some(overall) => overall.is_slower_than(part),
            None => self.contrasts.iter().any(|it| it.is_slower_than(part)),
        }
    }
}

/// What can be compared in one file without a choice: its two configurations.
pub fn both_configurations(rows: &[Row]) -> Result<[String; 2], CompareError> {
    let side = Side::new(rows, &Configurations::of(rows));
    let names: Result<[String; 2], _> = side.names().try_into();
    names.map_err(|mut names: Vec<String>| match names.len() {
        1 => CompareError::Alone(names.remove(0)),
        _ => CompareError::NotChosen(names),
    })
}

/// Configurations of both files; where each has one, be it another engine alone, these.
fn same<'k>(sides: &'k [Side<'_>; 2]) -> Result<Vec<Opponents<'k>>, CompareError> {
    if let [Some(mut before), Some(mut after)] = [&sides[0], &sides[1]].map(Side::only_one) {
        let tells = !before.engine.is_empty() && !after.engine.is_empty();
        if !tells || before.engine == after.engine {
            before.engine.clear();
            after.engine.clear();
        }
        let keys = [&sides[0], &sides[1]].map(|side| side.keys().into_iter().next());
        if let [Some(one), Some(other)] = keys {
            let names = [before, after].map(|key| key.to_string());
            let opponents = Opponents {
                keys: [one, other],
                names,
            };
            return match has_common(sides, &opponents) {
                true => Ok(vec![opponents]),
                false => Err(CompareError::NothingInCommon),
            };
        }
    }
    let opponents: Vec<Opponents<'k>> = (sides[0].runs.keys())
        .filter(|key| sides[1].runs.contains_key(key))
        .map(|key| Opponents::new(key, key))
        .filter(|opponents| has_common(sides, opponents))
        .collect();
    match opponents.is_empty() {
        true => Err(CompareError::NothingInCommon),
        false => Ok(opponents),
    }
}

/// All of the second side against one of the first.
fn against<'k>(sides: &'k [Side<'_>; 2], name: &str) -> Result<Vec<Opponents<'k>>, CompareError> {
    let baseline = sides[0].find(name)?;
    let others = sides[1].keys().into_iter().filter(|key| *key != baseline);
    let opponents: Vec<_> = others.map(|key| Opponents::new(baseline, key)).collect();
    match opponents.is_empty() {
        true => Err(CompareError::Alone(baseline.to_string())),
        false => Ok(opponents),
    }
}

fn has_common(sides: &[Side<'_>; 2], opponents: &Opponents<'_>) -> bool {
    let [before, after] = [0, 1].map(|side| &sides[side].runs[opponents.keys[side]]);
    before.keys().any(|instance| after.contains_key(instance))
}

/// The configurations of a side that have no opponent.
fn unmatched(side: &Side<'_>, number: usize, opponents: &[Opponents<'_>]) -> Vec<String> {
    let has_none = |key: &&ConfigurationKey| opponents.iter().all(|it| it.keys[number] != *key);
    let unmatched = side.runs.keys().filter(has_none);
    unmatched.map(ToString::to_string).collect()
}

/// The instances of either side.
fn matched<'a>(sides: &[Side<'a>; 2], opponents: &Opponents<'_>) -> Vec<Matched<'a>> {
    let runs = [0, 1].map(|side| &sides[side].runs[opponents.keys[side]]);
    let instances: BTreeSet<_> = runs.iter().flat_map(|runs| runs.keys()).collect();
    let matched = instances.into_iter().map(|instance| Matched {
        suite: instance.0,
        instance: instance.1,
        sides: runs.map(|runs| runs.get(instance).cloned().unwrap_or_default()),
    });
    matched.collect()
}

/// A board with another goal or other moves has another answer, whatever its name.
fn refuse_mixtures(matched: &[Vec<Matched<'_>>]) -> Result<(), CompareError> {
    let mut instances = matched.iter().flatten().filter(|it| it.is_in_both());
    let rows = |it: &Matched<'_>| Mixture::of(it.sides.iter().flat_map(Repeats::rows).copied());
    match instances.find_map(rows) {
        None => Ok(()),
        Some(mixture) => Err(CompareError::Puzzles(Box::new(mixture))),
    }
}

/// What to compare by: what is asked for, or the fairest time.
fn measure(asked: Option<Measure>, matched: &[Vec<Matched<'_>>]) -> Result<Measure, CompareError> {
    let pairs = || matched.iter().flatten().filter(|it| it.is_pair());
    let rows =
        || pairs().flat_map(|it| it.sides.iter().flat_map(|side| side.rows().iter().copied()));
    match asked {
        None => Ok(Measure::fairest_time(rows())),
        Some(by) if rows().all(|row| by.of(row).is_some()) => Ok(by),
        Some(by) => Err(CompareError::NotMeasured(by)),
    }
}

fn caveats(sides: &[Side<'_>; 2]) -> Vec<Caveat> {
    let (Some(a), Some(b)) = (sides[0].rows.first(), sides[1].rows.first()) else {
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
