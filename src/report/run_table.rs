//! The table of all runs. The first ones are in the page as they are; its script shows the others,
//! sorts and filters.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

use bytesize::ByteSize;

use super::facts::Facts;
use super::html::escape;
use super::series::Run;
use crate::harness::humanize::{count, counted, duration};

/// Rows on a page of the table, and without a script.
const SHOWN: usize = 50;

/// The columns: the name in the data, the title, and whether it is a number.
const COLUMNS: [(&str, &str, bool); 11] = [
    ("suite", "suite", false),
    ("instance", "instance", false),
    ("series", "configuration", false),
    ("repeat", "repeat", true),
    ("status", "status", false),
    ("cost", "cost", true),
    ("h0", "estimate", true),
    ("generated", "nodes", true),
    ("time_ns", "time", true),
    ("nodes_per_s", "nodes/s", true),
    ("peak_mem_bytes", "memory", true),
];

pub fn html(facts: &Facts<'_>) -> String {
    let runs = &facts.runs.runs;
    let mut html = format!(
        "<section id=\"runs\"><h2>Runs</h2>{}<div class=\"wide\">\
         <table id=\"run-table\" data-page=\"{SHOWN}\" data-runs=\"{}\"><thead><tr>",
        filters(facts),
        runs.len()
    );
    for (name, title, is_number) in COLUMNS {
        let class = if is_number { " class=\"number\"" } else { "" };
        let _ = write!(
            html,
            "<th scope=\"col\" data-column=\"{name}\"{class}>{title}</th>"
        );
    }
    html.push_str("</tr></thead><tbody>");
    for (number, run) in runs.iter().enumerate().take(SHOWN) {
        let _ = write!(html, "<tr data-r=\"{number}\">");
        for ((_, _, is_number), cell) in COLUMNS.iter().zip(cells(facts, run)) {
            let class = if *is_number { " class=\"number\"" } else { "" };
            let _ = write!(html, "<td{class}>{}</td>", escape(&cell));
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div>");
    if runs.len() > SHOWN {
        let rest = counted(runs.len() - SHOWN, "more run");
        let _ = write!(
            html,
            "<noscript><p>{rest}: they are in the CSV; this table needs JavaScript to show them.</p></noscript>"
        );
    }
    html.push_str(
        "<p class=\"controls scripted pager\"><button type=\"button\" id=\"previous\">Previous</button> \
         <span id=\"place\" role=\"status\"></span> \
         <button type=\"button\" id=\"next\">Next</button>\
         <button type=\"button\" id=\"save-csv\">Save data as CSV</button></p>",
    );
    html + "</section>\n"
}

fn cells(facts: &Facts<'_>, run: &Run<'_>) -> [String; 11] {
    let row = run.row;
    let or_empty = |value: Option<String>| value.unwrap_or_default();
    [
        row.suite.clone(),
        row.instance.clone(),
        facts.runs.series[run.series].label.clone(),
        row.repeat.to_string(),
        row.status.to_string(),
        or_empty(row.cost.map(|cost| cost.to_string())),
        or_empty(row.h0.map(|h0| h0.to_string())),
        or_empty(row.generated.map(count)),
        duration(Duration::from_nanos(row.time_ns)),
        or_empty(row.nodes_per_s.map(|speed| count(speed as u64))),
        or_empty(row.peak_mem_bytes.map(|bytes| ByteSize(bytes).to_string())),
    ]
}

/// A value and how it is called.
type Choice = (String, String);

/// What the script filters by: words, and what there is more than one of.
fn filters(facts: &Facts<'_>) -> String {
    let same = |name: String| (name.clone(), name);
    let suites = facts.runs.suites().into_iter();
    let series = facts.runs.series.iter().enumerate();
    let runs = facts.runs.runs.iter();
    let statuses: BTreeSet<String> = runs.map(|run| run.row.status.to_string()).collect();
    let suites: Vec<Choice> = suites.map(|name| same(name.to_owned())).collect();
    let series: Vec<Choice> = series
        .map(|(number, series)| (number.to_string(), series.label.clone()))
        .collect();
    let statuses: Vec<Choice> = statuses.into_iter().map(same).collect();
    let choices = [
        ("suite", "Suite", suites),
        ("series", "Configuration", series),
        ("status", "Status", statuses),
    ];
    let mut html = "<p class=\"controls scripted\"><label>Filter \
        <input type=\"search\" id=\"filter\" placeholder=\"instance, status …\"></label> "
        .to_owned();
    for (id, title, options) in choices.iter().filter(|(_, _, options)| options.len() > 1) {
        let _ = write!(
            html,
            "<label>{title} <select id=\"filter-{id}\"><option value=\"\">all</option>"
        );
        for (value, name) in options {
            let (value, name) = (escape(value), escape(name));
            let _ = write!(html, "<option value=\"{value}\">{name}</option>");
        }
        html.push_str("</select></label> ");
    }
    html + "</p>"
}
