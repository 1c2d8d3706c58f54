//! All configurations on the instances of one suite, each instance once however often it was run.

use std::collections::HashMap;

use super::measure::Measure;
use super::repeats::Repeats;
use super::statistics::geometric_mean;
use super::statistics::{Friedman, critical_difference, friedman, holm, signed_rank};
use crate::harness::record::Row;

/// Added to times before their geometric mean is taken, and taken from it again: instances that
/// take far less than a second then hardly count.
pub const SHIFT_NS: f64 = 1e9;

/// The results of a suite: what became of each instance with each configuration.
#[derive(Clone, Debug)]
pub struct SuiteResults<'a> {
    /// The suite.
    pub suite: &'a str,
    /// The names of its instances, in the order of the rows.
    pub instances: Vec<&'a str>,
    /// For each configuration, for each instance; empty where it was not run.
    cells: Vec<Vec<Repeats<'a>>>,
}

/// How one configuration did on a suite; times are in nanoseconds.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// Instances that it ran and that have a solution.
    pub instances: usize,
    /// How many of them it solved.
    pub solved: usize,
    /// Those that no other configuration solved, where there are others.
    pub only: Vec<String>,
    /// The mean time, where an unsolved instance counts as twice its limit; `None` where one has
    /// no limit.
    pub par2: Option<f64>,
    /// The same with ten times the limit.
    pub par10: Option<f64>,
    /// The geometric mean of all times, shifted by a second, where an unsolved instance counts as
    /// its limit.
    pub shifted_mean: Option<f64>,
    /// How far repeats of an instance are apart.
    pub spread: Option<Spread>,
}

/// How far the times of repeats are apart, from the fastest to the slowest, as a part of their
/// median.
#[derive(Clone, PartialEq, Debug)]
pub struct Spread {
    /// Of the instance in the middle.
    pub median: f64,
    /// The largest.
    pub largest: f64,
    /// The instance that has it.
    pub instance: String,
}

/// Three configurations or more, by their ranks on each instance.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranking {
    /// What the ranks are by.
    pub by: Measure,
    /// The configurations, by number, in the order of the ranks.
    pub entrants: Vec<usize>,
    /// Friedman's test; its mean ranks are in the order of the entrants.
    pub test: Friedman,
    /// Nemenyi's critical difference at 5 %.
    pub critical_difference: f64,
    /// Entrants whose ranks do not differ beyond chance, the first and the last place of each
    /// group; groups inside others are left out.
    pub groups: Vec<(usize, usize)>,
}

/// Two configurations beside each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Duel {
    /// Their numbers.
    pub entrants: [usize; 2],
    /// Instances on which each is better.
    pub wins: [usize; 2],
    /// Wilcoxon's test; 1 where nothing differs.
    pub p: f64,
    /// After Holm, over all pairs.
    pub adjusted: f64,
}

impl<'a> SuiteResults<'a> {
    /// Sorts the runs of a suite; a run says the number of its configuration, below `entrants`.
    pub fn new(
        suite: &'a str,
        entrants: usize,
        runs: impl IntoIterator<Item = (usize, &'a Row)>,
    ) -> SuiteResults<'a> {
        let mut instances: Vec<&'a str> = Vec::new();
        let mut numbers: HashMap<&'a str, usize> = HashMap::new();
        let mut cells: Vec<Vec<Repeats<'a>>> = vec![Vec::new(); entrants];
        for (entrant, row) in runs.into_iter().filter(|(_, row)| row.suite == suite) {
            let number = *numbers.entry(&row.instance).or_insert_with(|| {
                instances.push(&row.instance);
                instances.len() - 1
            });
            let own = &mut cells[entrant];
            own.resize_with(own.len().max(number + 1), Repeats::default);
            own[number].add(row);
        }
        for own in &mut cells {
            own.resize_with(instances.len(), Repeats::default);
        }
        SuiteResults {
            suite,
            instances,
            cells,
        }
    }

    /// The configurations that ran anything of the suite.
    pub fn entrants(&self) -> Vec<usize> {
        let ran = |entrant: &usize| self.cells[*entrant].iter().any(has_run);
        (0..self.cells.len()).filter(ran).collect()
    }

    /// What became of each instance with a configuration.
    pub fn of(&self, entrant: usize) -> &[Repeats<'a>] {
        &self.cells[entrant]
    }

    /// How a configuration did.
    pub fn standing(&self, entrant: usize) -> Standing {
        let cells = &self.cells[entrant];
        let times: Vec<Counted> = (0..self.instances.len())
            .filter(|&number| counts(&cells[number]))
            .map(|number| self.counted(&cells[number], number))
            .collect();
        let is_only = |number: &usize| {
            let others = self
                .entrants()
                .into_iter()
                .filter(|other| *other != entrant);
            let mut solved = others.map(|other| self.cells[other][*number].is_solved());
            cells[*number].is_solved() && !solved.any(|solved| solved)
        };
        let only = (0..self.instances.len()).filter(is_only);
        Standing {
            only: match self.entrants().len() > 1 {
                true => only
                    .map(|number| self.instances[number].to_owned())
                    .collect(),
                false => Vec::new(),
            },
            spread: spread(&self.instances, cells),
            ..Standing::of_times(&times)
        }
    }

    /// What the best configuration of each instance would do, if one knew it before.
    pub fn virtual_best(&self) -> Standing {
        let entrants = self.entrants();
        let best = |number: usize| {
            let cells = entrants.iter().map(|&entrant| &self.cells[entrant][number]);
            let counted = cells.filter(|cell| counts(cell));
            let times = counted.map(|cell| self.counted(cell, number));
            times.min_by(|one, other| one.order().total_cmp(&other.order()))
        };
        let times: Vec<Counted> = (0..self.instances.len()).filter_map(best).collect();
        Standing::of_times(&times)
    }

    /// The instances that all configurations solved every time.
    pub fn common(&self) -> Vec<usize> {
        let entrants = self.entrants();
        let by_all = |number: &usize| {
            let mut cells = entrants
                .iter()
                .map(|&entrant| &self.cells[entrant][*number]);
            cells.all(|cell| cell.is_always_solved())
        };
        (0..self.instances.len()).filter(by_all).collect()
    }

    /// The geometric mean of a measure over some instances, by their medians.
    pub fn mean(&self, entrant: usize, instances: &[usize], measure: Measure) -> Option<f64> {
        let cells = instances.iter().map(|&number| &self.cells[entrant][number]);
        let medians = cells.filter_map(|cell| cell.median(measure));
        geometric_mean(medians.map(|median| median as f64))
    }

    /// Ranks of three configurations or more, over the instances that all of them ran.
    pub fn ranking(&self) -> Option<Ranking> {
        let mut entrants = self.entrants();
        if entrants.len() < 3 {
            return None;
        }
        let by = self.measure();
        let blocks: Vec<Vec<f64>> = (self.ran_by(&entrants).into_iter())
            .map(|number| {
                let cells = entrants.iter().map(|&it| &self.cells[it][number]);
                let medians = cells.map(|cell| cell.median(by));
                medians
                    .map(|it| it.map_or(f64::INFINITY, |it| it as f64))
                    .collect()
            })
            .collect();
        let mut test = friedman(&blocks)?;
        let mut order: Vec<usize> = (0..entrants.len()).collect();
        order.sort_by(|&a, &b| test.mean_ranks[a].total_cmp(&test.mean_ranks[b]));
        entrants = order.iter().map(|&place| entrants[place]).collect();
        test.mean_ranks = order.iter().map(|&place| test.mean_ranks[place]).collect();
        let critical_difference = critical_difference(entrants.len(), test.blocks);
        Some(Ranking {
            by,
            groups: groups(&test.mean_ranks, critical_difference),
            entrants,
            test,
            critical_difference,
        })
    }

    /// All pairs of configurations, over the instances that both ran. An unsolved instance counts
    /// as twice its limit, and where it has none, not at all.
    pub fn duels(&self) -> Vec<Duel> {
        let entrants = self.entrants();
        let by = self.measure();
        let mut duels = Vec::new();
        for (place, &one) in entrants.iter().enumerate() {
            for &other in &entrants[place + 1..] {
                duels.push(self.duel([one, other], by));
            }
        }
        let adjusted = holm(&duels.iter().map(|duel| duel.p).collect::<Vec<_>>());
        for (duel, adjusted) in duels.iter_mut().zip(adjusted) {
            duel.adjusted = adjusted;
        }
        duels
    }

    fn duel(&self, entrants: [usize; 2], by: Measure) -> Duel {
        let value = |entrant: usize, number: usize| {
            let cell = &self.cells[entrant][number];
            let limit = || Some(self.counted(cell, number).limit? * 2.0);
            cell.median(by)
                .map(|median| median.max(1) as f64)
                .or_else(limit)
        };
        let ratio = |number: usize| {
            let [one, other] = entrants.map(|entrant| value(entrant, number));
            Some((other? / one?).ln())
        };
        let ratios: Vec<f64> = (self.ran_by(&entrants).into_iter())
            .filter_map(ratio)
            .collect();
        let wins = |is_better: fn(f64) -> bool| ratios.iter().filter(|it| is_better(**it)).count();
        let p = signed_rank(&ratios).map_or(1.0, |test| test.p);
        Duel {
            entrants,
            wins: [wins(|ratio| ratio > 0.0), wins(|ratio| ratio < 0.0)],
            p,
            adjusted: p,
        }
    }

    /// What configurations are ranked by.
    pub fn measure(&self) -> Measure {
        let cells = self.cells.iter().flatten();
        Measure::fairest_time(cells.flat_map(|cell| cell.rows().iter().copied()))
    }

    /// The instances with a solution that all of them ran.
    fn ran_by(&self, entrants: &[usize]) -> Vec<usize> {
        let by_all = |number: &usize| {
            let mut cells = entrants
                .iter()
                .map(|&entrant| &self.cells[entrant][*number]);
            cells.all(counts)
        };
        (0..self.instances.len()).filter(by_all).collect()
    }

    /// What an instance counts as. The limit of a run that another limit stopped is the longest
    /// that there is for the instance.
    fn counted(&self, cell: &Repeats<'_>, number: usize) -> Counted {
        let limit = |cell: &Repeats<'_>| cell.middle().and_then(|row| row.time_limit_ns);
        let others = || {
            self.cells
                .iter()
                .filter_map(|cells| limit(&cells[number]))
                .max()
        };
        Counted {
            time: cell.median(Measure::Time).map(|time| time as f64),
            limit: limit(cell).or_else(others).map(|limit| limit as f64),
        }
    }
}

/// An instance with one configuration: its time, or that it has none, and its limit.
struct Counted {
    time: Option<f64>,
    limit: Option<f64>,
}

impl Counted {
    fn penalized(&self, factor: f64) -> Option<f64> {
        self.time.or_else(|| Some(self.limit? * factor))
    }

    /// Solved ones come first.
    fn order(&self) -> f64 {
        self.time.unwrap_or(f64::INFINITY)
    }
}

impl Standing {
    fn of_times(times: &[Counted]) -> Standing {
        let par = |factor: f64| -> Option<f64> {
            let penalized: Option<Vec<f64>> = times.iter().map(|it| it.penalized(factor)).collect();
            let penalized = penalized.filter(|times| !times.is_empty())?;
            Some(penalized.iter().sum::<f64>() / penalized.len() as f64)
        };
        let at_limit: Option<Vec<f64>> = times.iter().map(|it| it.penalized(1.0)).collect();
        let shifted = at_limit.and_then(|times| {
            let mean = geometric_mean(times.into_iter().map(|time| time + SHIFT_NS));
            mean.map(|mean| mean - SHIFT_NS)
        });
        Standing {
            instances: times.len(),
            solved: times.iter().filter(|it| it.time.is_some()).count(),
            only: Vec::new(),
            par2: par(2.0),
            par10: par(10.0),
            shifted_mean: shifted,
            spread: None,
        }
    }
}

fn has_run(cell: &Repeats<'_>) -> bool {
    !cell.rows().is_empty()
}

/// Whether there was something to find, and somebody looked for it.
fn counts(cell: &Repeats<'_>) -> bool {
    has_run(cell) && !cell.is_vain()
}

fn spread(instances: &[&str], cells: &[Repeats<'_>]) -> Option<Spread> {
    let each = instances.iter().zip(cells);
    let mut spreads: Vec<(f64, &str)> = each
        .filter_map(|(instance, cell)| Some((cell.spread(Measure::Time)?, *instance)))
        .collect();
    spreads.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (largest, instance) = *spreads.last()?;
    Some(Spread {
        median: spreads[spreads.len() / 2].0,
        largest,
        instance: instance.to_owned(),
    })
}

/// The longest runs of places whose ranks, in their order, are at most so far apart.
fn groups(ranks: &[f64], apart: f64) -> Vec<(usize, usize)> {
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for first in 0..ranks.len() {
        let near = ranks[first..]
            .iter()
            .take_while(|rank| **rank - ranks[first] <= apart);
        let last = first + near.count() - 1;
        let is_new = groups.last().is_none_or(|group| last > group.1);
        if last > first && is_new {
            groups.push((first, last));
        }
    }
    groups
}
