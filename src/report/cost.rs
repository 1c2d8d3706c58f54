//! The cost of solutions against the taxicab distance of their starts.

use super::axis::Axis;
use super::facts::Facts;
use super::figure::Figure;
use super::plot::{Mark, Plot};
use super::scale::Scale;
use crate::heuristic::Taxicab;
use crate::puzzle::Cost;

/// How far apart marks of the same values are.
const BESIDE: f64 = 5.0;

pub fn figure(facts: &Facts<'_>) -> Figure {
    let runs = &facts.runs;
    let taxicabs: Vec<Option<f64>> = runs
        .runs
        .iter()
        .map(|run| facts.starts.of(run.row))
        .map(|start| start.map(|(board, goal)| f64::from(Taxicab::of(&board, goal))))
        .collect();
    let costs = || facts.solved().filter_map(|run| run.row.cost);
    let both = || {
        let costs = costs().map(Cost::as_f64);
        costs.chain(taxicabs.iter().flatten().copied())
    };
    let mut plot = Plot::new(
        Axis::counted(
            Scale::linear(taxicabs.iter().flatten().copied(), false),
            "taxicab distance of the start",
        ),
        Axis::counted(Scale::linear(both(), false), "cost in moves"),
    );
    plot.ray(1.0, "diagonal", "cost = taxicab");
    if facts.solved().count() < runs.runs.len() {
        plot.name_upper_border("unsolved");
    }
    if taxicabs.contains(&None) {
        plot.name_right_border("start not known");
    }
    // All find the same costs: side by side they are seen, within a unit.
    let step = plot
        .value_across(BESIDE)
        .min(0.9 / runs.series.len() as f64);
    for (number, series) in runs.series.iter().enumerate() {
        let aside = (number as f64 - (runs.series.len() - 1) as f64 / 2.0) * step;
        let own = runs.of(number);
        let marks: Vec<Mark> = own
            .map(|(index, run)| {
                let taxicab = taxicabs[index].map(|taxicab| taxicab + aside);
                let cost = run.row.cost.filter(|_| run.is_solved());
                facts.mark(index, run, taxicab, cost.map(Cost::as_f64))
            })
            .collect();
        plot.series(number, series, &[], &marks);
    }
    Figure {
        id: "cost".to_owned(),
        title: "Cost against taxicab",
        note: "How far the shortest solution is above the simplest estimate. Configurations \
               stand side by side."
            .to_owned(),
        controls: String::new(),
        svg: plot.svg(
            "Cost of solutions against the taxicab distance of the start",
            "",
        ),
    }
}
