//! A table for each suite: how its configurations did.

use std::fmt::Write;
use std::time::Duration;

use bytesize::ByteSize;

use super::facts::Facts;
use super::html::escape;
use super::plot::COLOURS;
use super::series::Run;
use crate::harness::analysis::{geometric_mean, solved_by_all};
use crate::harness::humanize::{count, counted, duration, rate};

const HEAD: &str = "<thead><tr><th scope=\"col\">configuration</th>\
    <th scope=\"col\">solved</th><th scope=\"col\">time, mean</th>\
    <th scope=\"col\">nodes, mean</th><th scope=\"col\">speed</th>\
    <th scope=\"col\">memory</th><th scope=\"col\">tables</th></tr></thead>";

pub fn html(facts: &Facts<'_>) -> String {
    let mut html = "<section id=\"summary\"><h2>Summary</h2>".to_owned();
    for suite in facts.runs.suites() {
        html += &table(facts, suite);
    }
    html + "</section>\n"
}

fn table(facts: &Facts<'_>, suite: &str) -> String {
    let runs = facts.runs.runs.iter();
    let own: Vec<&Run<'_>> = runs.filter(|run| run.row.suite == suite).collect();
    let common = solved_by_all(own.iter().map(|run| (run.series, run.row)));
    let is_common = |run: &&&Run<'_>| {
        let row = run.row;
        common.contains(&(row.suite.as_str(), row.instance.as_str()))
    };
    let means = match common.len() {
        0 => "no instance was solved by all, so there are no means".to_owned(),
        number => format!(
            "geometric means over the {} that all solved",
            counted(number, "instance")
        ),
    };
    let mut html = format!(
        "<p class=\"about\">{0}: {means}</p><div class=\"wide\">\
         <table class=\"standings\" aria-label=\"{0}\">{HEAD}<tbody>",
        escape(suite)
    );
    for (number, series) in facts.runs.series.iter().enumerate() {
        let runs: Vec<&Run<'_>> = (own.iter().copied())
            .filter(|run| run.series == number)
            .collect();
        if runs.is_empty() {
            continue;
        }
        let mean = |value: fn(&Run<'_>) -> Option<u64>| {
            let values = runs.iter().filter(is_common);
            let values = values
                .filter_map(|run| value(run))
                .map(|value| value as f64);
            geometric_mean(values).map(|mean| mean.round() as u64)
        };
        let time = mean(|run| Some(run.row.time_ns)).map(|ns| duration(Duration::from_nanos(ns)));
        let nodes = mean(|run| run.row.generated).map(count);
        let _ = write!(
            html,
            "<tr><th scope=\"row\" class=\"c{}\"><span class=\"swatch\"></span>{}</th>",
            number % COLOURS,
            escape(&series.label)
        );
        for cell in cells(&runs, time, nodes) {
            let _ = write!(html, "<td>{}</td>", escape(&cell));
        }
        html.push_str("</tr>");
    }
    html + "</tbody></table></div>"
}

fn cells(runs: &[&Run<'_>], time: Option<String>, nodes: Option<String>) -> [String; 6] {
    let none = || "–".to_owned();
    let solved = runs.iter().filter(|run| run.is_solved()).count();
    let counted = || runs.iter().filter(|run| run.row.generated.is_some());
    let generated: f64 = counted()
        .filter_map(|run| run.row.generated)
        .map(|it| it as f64)
        .sum();
    let seconds: f64 = counted().map(|run| run.row.time_ns as f64 / 1e9).sum();
    let most = |bytes: fn(&Run<'_>) -> Option<u64>| {
        let most = runs.iter().filter_map(|run| bytes(run)).max();
        most.map_or_else(none, |most| ByteSize(most).to_string())
    };
    [
        format!("{} / {}", count(solved as u64), count(runs.len() as u64)),
        time.unwrap_or_else(none),
        nodes.unwrap_or_else(none),
        match seconds > 0.0 {
            true => rate(generated / seconds),
            false => none(),
        },
        most(|run| run.row.peak_mem_bytes),
        most(|run| run.row.table_bytes),
    ]
}
