//! All runs of one instance with one configuration, which count as one.

use super::measure::Measure;
use crate::harness::record::{Row, Status};

/// The repeats of a run, the fastest first and those without a solution last.
///
/// A run without a solution would have taken longer than any other, so the one in the middle is
/// the median whatever became of the rest.
#[derive(Clone, Debug, Default)]
pub struct Repeats<'a> {
    rows: Vec<&'a Row>,
}

impl<'a> Repeats<'a> {
    /// Takes in another run.
    pub fn add(&mut self, row: &'a Row) {
        let key = |row: &Row| (row.status != Status::Solved, row.time_ns);
        let place = self.rows.partition_point(|other| key(other) <= key(row));
        self.rows.insert(place, row);
    }

    /// The runs.
    pub fn rows(&self) -> &[&'a Row] {
        &self.rows
    }

    /// The run in the middle, of two the later one; `None` where there is no run.
    pub fn middle(&self) -> Option<&'a Row> {
        self.rows.get(self.rows.len() / 2).copied()
    }

    /// Whether most runs came to a solution, so that there is a median.
    pub fn is_solved(&self) -> bool {
        let status = self.middle().map(|row| row.status);
        status == Some(Status::Solved)
    }

    /// Whether every run came to a solution.
    pub fn is_always_solved(&self) -> bool {
        let last = self.rows.last();
        last.is_some_and(|row| row.status == Status::Solved)
    }

    /// Whether there was nothing to find: the board has no solution, or its unit has none.
    pub fn is_vain(&self) -> bool {
        let status = self.middle().map(|row| row.status);
        matches!(status, Some(Status::Unsolvable | Status::Exhausted))
    }

    /// The runs that came to a solution.
    pub fn solved(&self) -> &[&'a Row] {
        let solved = |row: &&Row| row.status == Status::Solved;
        &self.rows[..self.rows.partition_point(solved)]
    }

    /// The median of a measure: the middle one, or the mean of the two in the middle. `None` where
    /// it has no solution, or where a run does not say.
    pub fn median(&self, measure: Measure) -> Option<u64> {
        if !self.is_solved() {
            return None;
        }
        let solved = self.solved().iter().map(|row| measure.of(row));
        let mut values = solved.collect::<Option<Vec<u64>>>()?;
        values.sort_unstable();
        let middle = self.rows.len() / 2;
        match self.rows.len().is_multiple_of(2) {
            true => Some(values[middle - 1].midpoint(values[middle])),
            false => Some(values[middle]),
        }
    }

    /// How far the repeats of a measure are apart, as a part of their median; `None` for one run.
    pub fn spread(&self, measure: Measure) -> Option<f64> {
        let median = self.median(measure)?;
        let values = || self.solved().iter().filter_map(|row| measure.of(row));
        let (least, most) = (values().min()?, values().max()?);
        (self.solved().len() > 1).then(|| (most - least) as f64 / median.max(1) as f64)
    }
}
