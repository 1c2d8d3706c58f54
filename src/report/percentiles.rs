//! How the times of solved instances are distributed.

use super::axis::{Axis, time};
use super::facts::Facts;
use super::figure::Figure;
use super::plot::{Mark, Plot};
use super::scale::Scale;
use crate::harness::analysis::time_histogram;

/// Points of a line for each halving of the distance to 100 %.
const POINTS: u32 = 5;
const MARKED: [(f64, &str); 4] = [(50.0, "p50"), (90.0, "p90"), (99.0, "p99"), (100.0, "max")];

pub fn figure(facts: &Facts<'_>) -> Figure {
    let runs = &facts.runs;
    let times_of = |series| -> Vec<u64> {
        let instances = facts.instances(series).into_iter();
        instances.filter_map(|instance| instance.time_ns).collect()
    };
    let most = (0..runs.series.len()).map(|series| times_of(series).len());
    let mut plot = Plot::new(
        Axis {
            scale: Scale::tail(most.max().unwrap_or(0)),
            label: "part of the solved instances that take no longer".to_owned(),
            write: percent,
        },
        Axis::time(runs.runs.iter().map(|run| run.row.time_ns), "time"),
    );
    if facts.solved().next().is_none() {
        plot.say("nothing was solved");
    }
    for (number, series) in runs.series.iter().enumerate() {
        let own = times_of(number);
        let Some(&slowest) = own.last() else {
            continue;
        };
        let times = time_histogram(own);
        let line = times.iter_quantiles(POINTS).map(|point| {
            let value = point.value_iterated_to().min(slowest);
            (point.quantile_iterated_to(), value as f64)
        });
        let marks = MARKED.map(|(percentile, name)| {
            let value = times.value_at_percentile(percentile).min(slowest);
            Mark {
                x: Some(percentile / 100.0),
                y: Some(value as f64),
                run: None,
                is_pale: false,
                title: format!("{name} {} ({})", time(value), series.label),
            }
        });
        plot.series(number, series, &[line.collect()], &marks);
    }
    Figure {
        id: "percentiles".to_owned(),
        title: "Time by percentiles",
        note: "From an HDR histogram of the solved instances; p50, p90, p99 and the slowest are marked."
            .to_owned(),
        controls: String::new(),
        svg: plot.svg("Time of solved instances by percentiles", ""),
    }
}

fn percent(part: f64) -> String {
    // Five digits are more than there are runs, and hide that 0.9 is no sum of halves.
    let percent = format!("{:.3}", part * 100.0);
    format!("{} %", percent.trim_end_matches('0').trim_end_matches('.'))
}
