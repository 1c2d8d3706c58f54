//! All that the parts of a page read.

use std::time::Duration;

use super::plot::Mark;
use super::series::{Run, Runs};
use super::source::Source;
use super::start::Starts;
use crate::harness::humanize::{count, counted, duration};
use crate::harness::record::{Status, ThresholdRow};

/// Marks of more runs get their titles from the page's script, or the page would be twice as
/// large.
const TITLED: usize = 1500;

pub struct Facts<'a> {
    pub sources: &'a [Source],
    pub runs: Runs<'a>,
    pub starts: Starts<'a>,
    pub iterations: &'a [ThresholdRow],
}

impl<'a> Facts<'a> {
    pub fn new(sources: &'a [Source], iterations: &'a [ThresholdRow]) -> Facts<'a> {
        let runs = Runs::new(sources);
        Facts {
            starts: Starts::new(&runs.runs),
            sources,
            runs,
            iterations,
        }
    }

    pub fn solved(&self) -> impl Iterator<Item = &Run<'a>> {
        self.runs.runs.iter().filter(|run| run.is_solved())
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
