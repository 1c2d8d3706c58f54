//! The cost of solutions against the time that they took, for searches whose solutions need not be
//! shortest.

use std::collections::HashMap;

use super::axis::Axis;
use super::facts::Facts;
use super::figure::Figure;
use super::plot::{Mark, Plot};
use super::scale::Scale;
use super::series::Run;
use crate::puzzle::Cost;

/// A mark for each run, or nothing where all costs are the least that is known.
pub fn figure(facts: &Facts<'_>) -> Option<Figure> {
    let least = least_costs(facts);
    let percent = |run: &Run<'_>| {
        let least = least.get(&subject(run))?.as_f64();
        let cost = run.row.cost.filter(|_| run.is_solved())?.as_f64();
        (least > 0.0).then(|| 100.0 * cost / least)
    };
    let percents: Vec<f64> = facts.solved().filter_map(percent).collect();
    if percents.iter().all(|&percent| percent <= 100.0) {
        return None;
    }
    let times = facts.solved().map(|run| run.row.time_ns);
    let mut plot = Plot::new(
        Axis::time(times, "time"),
        Axis {
            scale: Scale::log(percents.into_iter()),
            label: "cost in % of the least known".to_owned(),
            write: |value| format!("{value:.0}"),
        },
    );
    for (number, series) in facts.runs.series.iter().enumerate() {
        let solved = || facts.runs.of(number).filter(|(_, run)| run.is_solved());
        let marks: Vec<Mark> = solved()
            .filter_map(|(index, run)| {
                let percent = percent(run)?;
                Some(facts.mark(index, run, Some(run.row.time_ns as f64), Some(percent)))
            })
            .collect();
        plot.series(number, series, &[], &marks);
    }
    Some(Figure {
        id: "quality".to_owned(),
        title: "Cost against time",
        note: "A mark for each solved run: how long it took, and how its cost compares with the known \
               optimum or, where that is not known, with the best cost on this page."
            .to_owned(),
        controls: String::new(),
        svg: plot.svg("Costs of solutions against the time that they took", ""),
    })
}

/// What runs are compared by.
type Subject<'a> = (&'a str, &'a str, &'a str);

fn subject<'a>(run: &Run<'a>) -> Subject<'a> {
    (&run.row.suite, &run.row.instance, &run.row.board)
}

/// The optimum of each board, or the best cost of the page.
fn least_costs<'a>(facts: &Facts<'a>) -> HashMap<Subject<'a>, Cost> {
    let mut least = HashMap::new();
    for run in facts.solved() {
        let Some(cost) = run.row.cost else { continue };
        let cost = run.row.known_optimal.map_or(cost, Cost::from);
        let known: &mut Cost = least.entry(subject(run)).or_insert(cost);
        *known = cost.min(*known);
    }
    least
}
