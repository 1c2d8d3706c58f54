//! Two configurations on the instances that both solved: ratios, intervals, a test, a verdict.

use std::collections::BTreeMap;
use std::time::Duration;

use super::measure::Measure;
use super::repeats::Repeats;
use super::statistics::{Block, Pair, Ratio, SignedRank, mean_ratio, signed_rank};
use crate::puzzle::Cost;

/// An instance with the runs of both sides.
#[derive(Clone, Debug)]
pub(super) struct Matched<'a> {
    pub suite: &'a str,
    pub instance: &'a str,
    /// The first side and the second; one may have no runs.
    pub sides: [Repeats<'a>; 2],
}

impl Matched<'_> {
    /// Whether every run of both sides came to a solution.
    pub fn is_pair(&self) -> bool {
        self.sides.iter().all(Repeats::is_always_solved)
    }

    /// Whether each side ran it.
    pub fn is_in_both(&self) -> bool {
        self.sides.iter().all(|side| !side.rows().is_empty())
    }

    fn name(&self) -> String {
        format!("{} {}", self.suite, self.instance)
    }
}

/// What came of two configurations, or of one before and after a change.
#[derive(Clone, Debug)]
pub struct Contrast {
    /// The names of the configurations.
    pub names: [String; 2],
    /// Instances that both sides solved every time; each counts once for each configuration.
    pub pairs: usize,
    /// The same, each once.
    pub instances: usize,
    /// Runs in these pairs, repeats included.
    pub runs: usize,
    /// What the verdict is by.
    pub by: Measure,
    /// Of the times, second side to first.
    pub time: Option<Ratio>,
    /// Of the CPU times, where all rows have them.
    pub cpu: Option<Ratio>,
    /// Of the nodes generated, where all rows have them.
    pub nodes: Option<Ratio>,
    /// Of all pairs together, for each side.
    pub total_time: [Duration; 2],
    /// Wilcoxon's test by the measure of the verdict, over instances; `None` where nothing differs.
    pub test: Option<SignedRank>,
    /// Pairs that differ in their nodes.
    pub node_differences: Vec<Difference<u64>>,
    /// Pairs that differ in their cost.
    pub cost_differences: Vec<Difference<Cost>>,
    /// Among these, one side claims a shortest solution and the other has a shorter one.
    pub wrong_costs: usize,
    /// What only the first side solved.
    pub only_before: Vec<String>,
    /// What only the second side solved.
    pub only_after: Vec<String>,
}

/// Something that both sides should agree in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference<T> {
    /// The run.
    pub name: String,
    /// On the first side.
    pub before: T,
    /// On the second side.
    pub after: T,
}

/// What the interval says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The second side is faster.
    Faster,
    /// The second side is slower.
    Slower,
    /// The interval has both in it.
    WithinNoise,
    /// One run against one other.
    NoVerdict,
}

impl Contrast {
    /// Compares what both sides solved.
    pub(super) fn new(names: [String; 2], matched: &[Matched<'_>], by: Measure) -> Contrast {
        let pairs: Vec<&Matched<'_>> = matched.iter().filter(|it| it.is_pair()).collect();
        let only = |side: usize| {
            let is_only = |it: &&Matched<'_>| it.sides[side].is_always_solved() && !it.is_pair();
            matched.iter().filter(is_only).map(Matched::name).collect()
        };
        let ratios: Vec<f64> = blocks(&pairs, by).iter().map(Block::log_ratio).collect();
        let runs = |it: &&Matched<'_>| it.sides.iter().map(|side| side.rows().len()).sum::<usize>();
        let mut contrast = Contrast {
            names,
            pairs: pairs.len(),
            instances: ratios.len(),
            runs: pairs.iter().map(runs).sum(),
            by,
            time: mean_ratio(&blocks(&pairs, Measure::Time)),
            cpu: mean_ratio(&blocks(&pairs, Measure::Cpu)),
            nodes: mean_ratio(&blocks(&pairs, Measure::Nodes)),
            total_time: [0, 1].map(|side| total_time(&pairs, side)),
            test: signed_rank(&ratios),
            node_differences: Vec::new(),
            cost_differences: Vec::new(),
            wrong_costs: 0,
            only_before: only(0),
            only_after: only(1),
        };
        for pair in pairs {
            contrast.note_differences(pair);
        }
        contrast
    }

    fn note_differences(&mut self, pair: &Matched<'_>) {
        let [before, after] = &pair.sides;
        if let (Some(before), Some(after)) =
            (before.median(Measure::Nodes), after.median(Measure::Nodes))
            && before != after
        {
            self.node_differences.push(Difference {
                name: pair.name(),
                before,
                after,
            });
        }
        let (row_a, row_b) = (before.rows()[0], after.rows()[0]);
        if let (Some(before), Some(after)) = (row_a.cost, row_b.cost)
            && before != after
        {
            let longer = if before > after { row_a } else { row_b };
            self.wrong_costs += usize::from(longer.breaks_promise(before.min(after)));
            self.cost_differences.push(Difference {
                name: pair.name(),
                before,
                after,
            });
        }
    }

    /// The ratio that the verdict is by.
    pub fn ratio(&self) -> Option<Ratio> {
        match self.by {
            Measure::Time => self.time,
            Measure::Cpu => self.cpu,
            Measure::Nodes => self.nodes,
        }
    }

    /// What the interval of that ratio says.
    pub fn verdict(&self) -> Verdict {
        match self.ratio() {
            Some(_) if self.runs == 2 => Verdict::NoVerdict,
            Some(Ratio { high, .. }) if high < 1.0 => Verdict::Faster,
            Some(Ratio { low, .. }) if low > 1.0 => Verdict::Slower,
            Some(_) => Verdict::WithinNoise,
            None => Verdict::NoVerdict,
        }
    }

    /// Whether the second side is slower by more than a part, beyond the noise.
    pub fn is_slower_than(&self, part: f64) -> bool {
        let slower = |ratio: Ratio| ratio.mean > 1.0 + part;
        self.verdict() == Verdict::Slower && self.ratio().is_some_and(slower)
    }
}

/// The logarithms of a measure, for the pairs of each instance where all runs have it.
fn blocks(pairs: &[&Matched<'_>], measure: Measure) -> Vec<Block> {
    let mut blocks: BTreeMap<(&str, &str), Block> = BTreeMap::new();
    for pair in pairs {
        let [before, after] = pair.sides.each_ref().map(|side| logs(side, measure));
        if let (Some(before), Some(after)) = (before, after) {
            let block = blocks.entry((pair.suite, pair.instance)).or_default();
            block.pairs.push(Pair { before, after });
        }
    }
    blocks.into_values().collect()
}

fn logs(runs: &Repeats<'_>, measure: Measure) -> Option<Vec<f64>> {
    let values = runs.rows().iter().map(|row| measure.of(row));
    values
        .map(|value| Some((value?.max(1) as f64).ln()))
        .collect()
}

fn total_time(pairs: &[&Matched<'_>], side: usize) -> Duration {
    let times = pairs
        .iter()
        .filter_map(|it| it.sides[side].median(Measure::Time));
    Duration::from_nanos(times.fold(0, u64::saturating_add))
}
