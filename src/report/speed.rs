//! Nodes against time, with lines of constant speed.

use super::axis::{Axis, short};
use super::facts::Facts;
use super::figure::Figure;
use super::plot::{Mark, Plot};

/// Powers of ten of nodes in a second that get a line, if it is inside.
const SPEEDS: std::ops::RangeInclusive<i32> = 3..=11;
/// The room that a label takes.
const LABEL: f64 = 66.0;
const NANOSECONDS: f64 = 1e9;

pub fn figure(facts: &Facts<'_>) -> Figure {
    let rows = || facts.runs.runs.iter().map(|run| run.row);
    let mut plot = Plot::new(
        Axis::time(rows().map(|row| row.time_ns), "time"),
        Axis::nodes(rows().filter_map(|row| row.generated)),
    );
    // Where lines are close, every other one is enough, and their labels have room.
    let step = if plot.decade() < LABEL { 2 } else { 1 };
    for power in SPEEDS.step_by(step) {
        let speed = 10f64.powi(power);
        let label = format!("{}/s", short(speed));
        plot.ray(speed / NANOSECONDS, "ray", &label);
    }
    for (number, series) in facts.runs.series.iter().enumerate() {
        let own = facts.runs.of(number);
        let marks: Vec<Mark> = own
            .map(|(index, run)| {
                let nodes = run.row.generated.map(|nodes| nodes as f64);
                facts.mark(index, run, Some(run.row.time_ns as f64), nodes)
            })
            .collect();
        plot.series(number, series, &[], &marks);
    }
    Figure {
        id: "speed".to_owned(),
        title: "Nodes against time",
        note: "Along a dotted line all runs make as many nodes in a second. Pale: not solved."
            .to_owned(),
        controls: String::new(),
        svg: plot.svg(
            "Nodes generated against time, with lines of constant nodes per second",
            "",
        ),
    }
}
