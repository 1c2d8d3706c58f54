//! Two configurations against each other, run by run.
//!
//! The axes show all times of the page, so that a script that changes the choice has to move
//! nothing but marks.

use std::collections::HashMap;
use std::fmt::Write;

use super::axis::{Axis, time};
use super::facts::Facts;
use super::figure::Figure;
use super::html::escape;
use super::plot::{AXIS_LETTERS, Mark, Plot, SHAPES, shortened};
use super::series::Run;

/// The room that a label takes.
const LABEL: f64 = 20.0;

/// The plot of two series by their numbers; the first is across.
pub fn figure(facts: &Facts<'_>, chosen: (usize, usize)) -> Figure {
    let times = || facts.runs.runs.iter().map(|run| run.row.time_ns);
    let label = |series: usize| shortened(&facts.runs.series[series].label, AXIS_LETTERS);
    let mut plot = Plot::new(
        Axis::time(times(), &label(chosen.0)),
        Axis::time(times(), &label(chosen.1)),
    );
    plot.ray(1.0, "diagonal", "");
    for (factor, above, below) in [(2.0, "×2", "÷2"), (10.0, "×10", "÷10")] {
        // Close to the diagonal there is no room for labels.
        let has_room = plot.decade() * f64::log10(factor) > LABEL;
        let (above, below) = if has_room { (above, below) } else { ("", "") };
        plot.ray(factor, "ray", above);
        plot.ray(1.0 / factor, "ray", below);
    }
    plot.name_right_border("unsolved");
    plot.name_upper_border("unsolved");
    let marks = pairs(facts, chosen);
    plot.marks("class=\"pairs\"", SHAPES[0], &marks);
    let scales = plot.scales();
    Figure {
        id: "scatter".to_owned(),
        title: "Two configurations",
        note:
            "A mark for each run that both have; above the diagonal the one whose name stands at \
               the left takes longer. Dotted: 2 and 10 times. What one of them did not solve \
               stands on its border."
                .to_owned(),
        controls: controls(facts, chosen),
        svg: plot.svg("Times of two configurations against each other", &scales),
    }
}

/// What the two runs of a pair have in common: suite, instance, repeat, and which of several with
/// these names they are.
type Subject<'a> = (&'a str, &'a str, u32, usize);

fn subjects<'a>(
    facts: &'a Facts<'_>,
    series: usize,
) -> impl Iterator<Item = (Subject<'a>, usize, &'a Run<'a>)> {
    let mut seen: HashMap<(&str, &str, u32), usize> = HashMap::new();
    facts.runs.of(series).map(move |(index, run)| {
        let (suite, instance) = (run.row.suite.as_str(), run.row.instance.as_str());
        let nth = seen.entry((suite, instance, run.row.repeat)).or_default();
        *nth += 1;
        ((suite, instance, run.row.repeat, *nth), index, run)
    })
}

fn pairs(facts: &Facts<'_>, (across, up): (usize, usize)) -> Vec<Mark> {
    let others: HashMap<Subject<'_>, &Run<'_>> = subjects(facts, across)
        .map(|(subject, _, run)| (subject, run))
        .collect();
    let pairs = subjects(facts, up).filter_map(|(subject, index, run)| {
        let row = run.row;
        let other = others.get(&subject)?;
        let value = |run: &Run<'_>| run.is_solved().then_some(run.row.time_ns);
        let (x, y) = (value(other), value(run));
        let message = |time_ns: Option<u64>| time_ns.map_or("unsolved".to_owned(), time);
        let title = match facts.has_titles() {
            true => format!(
                "{} {}: {} across, {} up",
                row.suite,
                row.instance,
                message(x),
                message(y)
            ),
            false => String::new(),
        };
        Some(Mark {
            x: x.map(|x| x as f64),
            y: y.map(|y| y as f64),
            run: Some(index),
            is_pale: false,
            title,
        })
    });
    pairs.collect()
}

fn controls(facts: &Facts<'_>, chosen: (usize, usize)) -> String {
    let mut html = "<p class=\"controls scripted\">".to_owned();
    for (name, label, chosen) in [("across", "across", chosen.0), ("up", "up", chosen.1)] {
        let _ = write!(html, "<label>{label} <select id=\"scatter-{name}\">");
        for (number, series) in facts.runs.series.iter().enumerate() {
            let selected = if number == chosen { " selected" } else { "" };
            let label = escape(&series.label);
            let _ = write!(
                html,
                "<option value=\"{number}\"{selected}>{label}</option>"
            );
        }
        html.push_str("</select></label> ");
    }
    html + "</p>"
}
