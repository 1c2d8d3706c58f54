//! Instances solved against time.

use std::collections::BTreeSet;

use super::axis::{Axis, time};
use super::facts::Facts;
use super::figure::Figure;
use super::plot::{Mark, Plot};
use super::scale::Scale;
use super::series::Run;

pub fn figure(facts: &Facts<'_>) -> Figure {
    let runs = &facts.runs;
    let limits: BTreeSet<u64> = runs
        .runs
        .iter()
        .filter_map(|run| run.row.time_limit_ns)
        .collect();
    let counted = match runs.has_repeats() {
        true => "runs solved",
        false => "instances solved",
    };
    let times = runs.runs.iter().map(|run| run.row.time_ns);
    let most = (0..runs.series.len()).map(|series| runs.of(series).count() as f64);
    let mut plot = Plot::new(
        Axis::time(times.chain(limits.iter().copied()), "time of one run"),
        Axis::counted(Scale::linear(most, true), counted),
    );
    for &limit in &limits {
        plot.upright(limit as f64, &format!("limit {}", time(limit)));
    }
    if facts.solved().count() < runs.runs.len() {
        plot.name_right_border("unsolved");
    }
    for (number, series) in runs.series.iter().enumerate() {
        let mut own: Vec<(usize, &Run<'_>)> = runs.of(number).collect();
        own.sort_by_key(|(_, run)| (!run.is_solved(), run.row.time_ns));
        let solved = own.iter().filter(|(_, run)| run.is_solved());
        let line: Vec<(f64, f64)> = solved
            .enumerate()
            .map(|(rank, (_, run))| (run.row.time_ns as f64, rank as f64 + 1.0))
            .collect();
        let marks: Vec<Mark> = own
            .iter()
            .enumerate()
            .map(|(rank, &(index, run))| {
                let time = run.is_solved().then_some(run.row.time_ns as f64);
                facts.mark(index, run, time, Some(rank as f64 + 1.0))
            })
            .collect();
        plot.series(number, series, &[line], &marks);
    }
    Figure {
        id: "cactus",
        title: "Solved against time",
        note: "How many each configuration solves where none may take longer: left and up is \
               better. Those without a solution stand on the right border."
            .to_owned(),
        controls: String::new(),
        svg: plot.svg("Cactus plot: instances solved against time", ""),
    }
}
