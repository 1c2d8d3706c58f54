//! What a reader has to know first: wrong answers, errors, and runs that are missing.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;
use std::time::Duration;

use super::html::escape;
use super::series::{Run, Runs};
use crate::harness::analysis::{Evidence, Mixture};
use crate::harness::humanize::{count, counted, duration, waiting};
use crate::harness::record::{Row, Status};

/// How many items of a list are shown before the rest is folded away.
const SHOWN: usize = 12;

pub struct Problems {
    /// The numbers of runs whose answer is false, and why.
    pub wrong: BTreeMap<usize, String>,
    /// Runs that ended with an error, were interrupted, or are missing, a line each.
    pub errors: Vec<String>,
    pub interrupted: Vec<String>,
    /// Runs that waited for a busy machine.
    pub waited: Vec<String>,
    /// Instances that are not the same puzzle in all rows.
    pub mixed: Vec<String>,
    pub missing: Vec<String>,
    missing_pairs: usize,
}

impl Problems {
    pub fn new(runs: &Runs<'_>) -> Problems {
        let ended = |status| {
            let such = runs.runs.iter().filter(move |run| run.row.status == status);
            such.map(|run| message(runs, run)).collect()
        };
        let (missing, missing_pairs) = missing(runs);
        Problems {
            wrong: wrong(runs),
            errors: ended(Status::Error),
            interrupted: ended(Status::Interrupted),
            waited: waited(runs),
            mixed: mixed(runs),
            missing,
            missing_pairs,
        }
    }

    /// A box with all of it, or with what was checked.
    pub fn html(&self, runs: &Runs<'_>) -> String {
        let wrong: Vec<String> = self.wrong.values().cloned().collect();
        let lists = [
            ("bad", counted(wrong.len(), "wrong answer"), &wrong),
            ("bad", counted(self.errors.len(), "error"), &self.errors),
            (
                "poor",
                format!(
                    "{} of different puzzles, whose runs do not compare",
                    counted(self.mixed.len(), "instance")
                ),
                &self.mixed,
            ),
            (
                "poor",
                counted(self.missing_pairs, "missing pair"),
                &self.missing,
            ),
            (
                "poor",
                counted(self.interrupted.len(), "interrupted run"),
                &self.interrupted,
            ),
            (
                "poor",
                format!("The machine was busy: {}", waiting(self.waited.len())),
                &self.waited,
            ),
        ];
        let worst = lists.iter().find(|(_, _, items)| !items.is_empty());
        let class = worst.map_or("good", |(class, _, _)| class);
        let mut html = format!("<section id=\"problems\" class=\"box {class}\">");
        match worst {
            Some(_) => html.push_str("<h2>Problems</h2>"),
            None => html.push_str("<h2>No problems</h2>"),
        }
        let _ = write!(html, "<p>{}</p>", checked(runs, self));
        for (class, title, items) in lists.iter().filter(|(_, _, items)| !items.is_empty()) {
            let _ = write!(html, "<h3 class=\"{class}\">{title}</h3>{}", list(items));
        }
        html + "</section>"
    }
}

/// What stands behind the answers.
fn checked(runs: &Runs<'_>, problems: &Problems) -> String {
    let solved: Vec<&Run<'_>> = runs.runs.iter().filter(|run| run.is_solved()).collect();
    let replayed = solved.iter().filter(|run| run.row.verified == Some(true));
    let known = solved.iter().filter(|run| {
        let equals = |known: u32| run.row.cost == Some(known.into());
        run.row.known_optimal.is_some_and(equals)
    });
    let mut text = format!(
        "{} solved, {} of them replayed to the goal, {} with the known shortest cost. ",
        counted(solved.len(), "run"),
        count(replayed.count() as u64),
        count(known.count() as u64),
    );
    let lists = [
        (problems.wrong.len(), "wrong answers"),
        (problems.errors.len(), "errors"),
        (problems.missing_pairs, "missing pairs"),
    ];
    let none: Vec<&str> = lists
        .iter()
        .filter(|(count, _)| *count == 0)
        .map(|(_, name)| *name)
        .collect();
    if let Some((last, others)) = none.split_last() {
        text += &match others.is_empty() {
            true => format!("No {last}."),
            false => format!("No {} and no {last}.", others.join(", no ")),
        };
    }
    text
}

fn list(items: &[String]) -> String {
    let lines = |items: &[String]| -> String {
        let lines = items
            .iter()
            .map(|item| format!("<li>{}</li>", escape(item)));
        format!("<ul>{}</ul>", lines.collect::<String>())
    };
    match items.len() {
        0..=SHOWN => lines(items),
        more => format!(
            "{}<details><summary>{} more</summary>{}</details>",
            lines(&items[..SHOWN]),
            more - SHOWN,
            lines(&items[SHOWN..])
        ),
    }
}

fn message(runs: &Runs<'_>, run: &Run<'_>) -> String {
    let label = &runs.series[run.series].label;
    format!("{} {}, {label}", run.row.suite, run.row.instance)
}

fn waited(runs: &Runs<'_>) -> Vec<String> {
    let time = |ns: u64| duration(Duration::from_nanos(ns));
    let waited = runs.runs.iter().filter(|run| run.row.had_to_wait());
    let lines = waited.map(|run| {
        let worked = run.row.cpu_time_ns.map(time).unwrap_or_default();
        let took = time(run.row.time_ns);
        format!("{}: {took}, {worked} of CPU time", message(runs, run))
    });
    lines.collect()
}

/// Instances whose rows have several boards, goals, metrics or costs.
fn mixed(runs: &Runs<'_>) -> Vec<String> {
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    let mut instances: Vec<Vec<&Row>> = Vec::new();
    for Run { row, .. } in &runs.runs {
        let place = *places
            .entry((&row.suite, &row.instance))
            .or_insert(instances.len());
        match instances.get_mut(place) {
            Some(rows) => rows.push(row),
            None => instances.push(vec![row]),
        }
    }
    let mixtures = instances.into_iter().filter_map(Mixture::of);
    mixtures.map(|mixture| mixture.to_string()).collect()
}

/// Answers that their own row or another one rules out.
fn wrong(runs: &Runs<'_>) -> BTreeMap<usize, String> {
    let evidence = Evidence::of(runs.runs.iter().map(|run| run.row));
    let numbered = runs.runs.iter().enumerate();
    let wrong = numbered.filter_map(|(number, run)| {
        let (row, label) = (run.row, &runs.series[run.series].label);
        let wrong = evidence.against(row)?;
        Some((number, format!("{} {wrong}, {label}", row.suite)))
    });
    wrong.collect()
}

/// Instances that some series of a suite ran and others did not, a line for each suite and
/// series, and how many there are.
///
/// A series should have a suite where it is in one file with it.
fn missing(runs: &Runs<'_>) -> (Vec<String>, usize) {
    let mut in_file: HashMap<usize, (BTreeSet<usize>, BTreeSet<&str>)> = HashMap::new();
    let mut ran: HashMap<(usize, &str), HashSet<&str>> = HashMap::new();
    let mut instances: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut seen = HashSet::new();
    for run in &runs.runs {
        let (suite, instance) = (run.row.suite.as_str(), run.row.instance.as_str());
        let (series, suites) = in_file.entry(run.source).or_default();
        series.insert(run.series);
        suites.insert(suite);
        ran.entry((run.series, suite)).or_default().insert(instance);
        if seen.insert((suite, instance)) {
            instances.entry(suite).or_default().push(instance);
        }
    }
    let expected: BTreeSet<(usize, &str)> = in_file
        .values()
        .flat_map(|(series, suites)| {
            let pairs = |&number: &usize| suites.iter().map(move |&suite| (number, suite));
            series.iter().flat_map(pairs)
        })
        .collect();
    let (mut lines, mut pairs) = (Vec::new(), 0);
    for (series, suite) in expected {
        let has = ran.get(&(series, suite));
        let lacks = |name: &&&str| !has.is_some_and(|has| has.contains(**name));
        let lacking: Vec<&str> = instances[suite].iter().filter(lacks).copied().collect();
        if !lacking.is_empty() {
            pairs += lacking.len();
            let label = &runs.series[series].label;
            let names = names(&lacking);
            lines.push(format!("{suite}, {label}: {names}"));
        }
    }
    (lines, pairs)
}

/// The first of many names.
fn names(names: &[&str]) -> String {
    let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
