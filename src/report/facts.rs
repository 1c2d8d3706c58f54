//! All that the parts of a page read.

use std::collections::HashMap;
use std::time::Duration;

use super::plot::Mark;
use super::series::{Run, Runs};
use super::source::Source;
use super::start::Starts;
use crate::harness::analysis::{Measure, SuiteResults};
use crate::harness::humanize::{count, counted, duration};
use crate::harness::record::{IncumbentRow, Row, Status, ThresholdRow};
use crate::space::LayerCount;

/// Marks of more runs get their titles from the page's script, or the page would be twice as
/// large.
const TITLED: usize = 1500;

pub struct Facts<'a> {
    pub sources: &'a [Source],
    pub runs: Runs<'a>,
    /// For each suite, all series on its instances.
    pub results: Vec<SuiteResults<'a>>,
    pub starts: Starts<'a>,
    pub iterations: &'a [ThresholdRow],
    pub incumbents: &'a [IncumbentRow],
    /// The layers of whole spaces.
    pub spaces: &'a [LayerCount],
    /// The number of each run, by where its row is.
    numbers: HashMap<*const Row, usize>,
}

/// An instance with one series: the run in the middle of its repeats, and their median.
pub struct Instance<'r, 'a> {
    /// The run's number.
    pub number: usize,
    pub run: &'r Run<'a>,
    /// `None` where most runs have no solution.
    pub time_ns: Option<u64>,
}

impl<'a> Facts<'a> {
    pub fn new(
        sources: &'a [Source],
        iterations: &'a [ThresholdRow],
        incumbents: &'a [IncumbentRow],
    ) -> Facts<'a> {
        let runs = Runs::new(sources);
        let of = |suite| {
            let all = runs.runs.iter().map(|run| (run.series, run.row));
            SuiteResults::new(suite, runs.series.len(), all)
        };
        Facts {
            results: runs.suites().into_iter().map(of).collect(),
            starts: Starts::new(&runs.runs),
            numbers: (runs.runs.iter().enumerate())
                .map(|(number, run)| (std::ptr::from_ref(run.row), number))
                .collect(),
            sources,
            runs,
            iterations,
            incumbents,
            spaces: &[],
        }
    }

    pub fn solved(&self) -> impl Iterator<Item = &Run<'a>> {
        self.runs.runs.iter().filter(|run| run.is_solved())
    }

    /// The instances that a series ran, of all suites, each once: the fastest first, those without a
    /// solution last.
    pub fn instances(&self, series: usize) -> Vec<Instance<'_, 'a>> {
        let cells = self.results.iter().flat_map(|results| results.of(series));
        let mut instances: Vec<Instance<'_, 'a>> = cells
            .filter_map(|cell| {
                let number = self.numbers[&std::ptr::from_ref(cell.middle()?)];
                Some(Instance {
                    number,
                    run: &self.runs.runs[number],
                    time_ns: cell.median(Measure::Time),
                })
            })
            .collect();
        instances.sort_by_key(|it| (it.time_ns.is_none(), it.time_ns, it.run.row.time_ns));
        instances
    }

    /// Whether marks of runs say themselves what they are.
    pub fn has_titles(&self) -> bool {
        self.runs.runs.len() <= TITLED
    }

    /// The mark of a run at these values, by its number.
    pub fn mark(&self, number: usize, run: &Run<'_>, x: Option<f64>, y: Option<f64>) -> Mark {
        Mark {
            x,
            y,
            run: Some(number),
            is_pale: !run.is_solved(),
            title: self.title(run),
        }
    }

    /// `korf100 12: 45 moves, 1,234 nodes, 3.58 s (idastar with md, 1 thread)`
    fn title(&self, run: &Run<'_>) -> String {
        if !self.has_titles() {
            return String::new();
        }
        let row = run.row;
        let came = match (row.status, row.cost) {
            (Status::Solved, Some(cost)) => match cost.whole() {
                Some(moves) if !row.has_tile_costs() => counted(moves, "move"),
                _ => format!("cost {cost}"),
            },
            (status, _) => status.to_string(),
        };
        let nodes =
            (row.generated).map_or(String::new(), |nodes| format!("{} nodes, ", count(nodes)));
        format!(
            "{} {}: {came}, {}{} ({})",
            row.suite,
            row.instance,
            nodes,
            duration(Duration::from_nanos(row.time_ns)),
            self.runs.series[run.series].label,
        )
    }
}
