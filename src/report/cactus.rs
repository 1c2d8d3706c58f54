//! Instances solved against time.

use std::collections::BTreeSet;

use super::axis::{Axis, time};
use super::facts::{Facts, Instance};
use super::figure::Figure;
use super::plot::{Mark, Plot};
use super::scale::Scale;

pub fn figure(facts: &Facts<'_>) -> Figure {
    let runs = &facts.runs;
    let limits: BTreeSet<u64> = runs
        .runs
        .iter()
        .filter_map(|run| run.row.time_limit_ns)
        .collect();
    let label = match runs.has_repeats() {
        true => "median time of an instance",
        false => "time of an instance",
    };
    let times = runs.runs.iter().map(|run| run.row.time_ns);
    let all: Vec<Vec<Instance<'_, '_>>> = (0..runs.series.len())
        .map(|series| facts.instances(series))
        .collect();
    let most = all.iter().map(|own| own.len() as f64);
    let mut plot = Plot::new(
        Axis::time(times.chain(limits.iter().copied()), label),
        Axis::counted(Scale::linear(most, true), "instances solved"),
    );
    for &limit in &limits {
        plot.upright(limit as f64, &format!("limit {}", time(limit)));
    }
    if all
        .iter()
        .flatten()
        .any(|instance| instance.time_ns.is_none())
    {
        plot.name_right_border("unsolved");
    }
    for (number, (series, own)) in runs.series.iter().zip(&all).enumerate() {
        let times = own.iter().filter_map(|instance| instance.time_ns);
        let line: Vec<(f64, f64)> = times
            .enumerate()
            .map(|(rank, time)| (time as f64, rank as f64 + 1.0))
            .collect();
        let marks = own.iter().enumerate().map(|(rank, instance)| {
            let time = instance.time_ns.map(|time| time as f64);
            facts.mark(instance.number, instance.run, time, Some(rank as f64 + 1.0))
        });
        plot.series(number, series, &[line], &marks.collect::<Vec<Mark>>());
    }
    Figure {
        id: "cactus".to_owned(),
        title: "Solved against time",
        note:
            "How many instances each configuration solves where none may take longer: left and up \
               is better. Those without a solution stand on the right border."
                .to_owned(),
        controls: String::new(),
        svg: plot.svg("Cactus plot: instances solved against time", ""),
    }
}
