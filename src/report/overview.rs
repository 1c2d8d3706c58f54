//! The head of a page: the commands, versions, machines and limits behind the rows.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

use bytesize::ByteSize;

use super::facts::Facts;
use super::html::escape;
use super::source::Source;
use crate::harness::humanize::{count, counted, duration, shell_word};
use crate::harness::record::{Row, Session};

/// More files than that are folded away.
const SHOWN: usize = 3;

/// What is told about one process, or about a file without a sidecar.
struct Origin {
    command: Option<String>,
    version: String,
    machine: String,
    limits: String,
    time: String,
}

pub fn html(facts: &Facts<'_>) -> String {
    let runs = &facts.runs;
    let suites = runs.suites();
    let mut html = format!(
        "<header><h1>{}</h1><p>{} of {} with {}, from {}.{}</p>",
        escape(&suites.join(", ")),
        counted(runs.runs.len(), "run"),
        counted(suites.len(), "suite"),
        counted(runs.series.len(), "configuration"),
        counted(facts.sources.len(), "file"),
        notes(facts),
    );
    let blocks: Vec<String> = facts.sources.iter().map(block).collect();
    let shown = blocks.len().min(SHOWN);
    html.extend(blocks[..shown].iter().map(String::as_str));
    if shown < blocks.len() {
        let _ = write!(
            html,
            "<details><summary>{}</summary>{}</details>",
            counted(blocks.len() - shown, "more file"),
            blocks[shown..].concat()
        );
    }
    html + "</header>\n"
}

/// What was left out.
fn notes(facts: &Facts<'_>) -> String {
    let mut notes = String::new();
    for (rows, why) in [
        (facts.runs.doubled, "given twice, counted once"),
        (
            facts.runs.superseded,
            "stopped and done again later, not shown",
        ),
    ] {
        if rows > 0 {
            notes += &format!(" {}: {why}.", counted(rows, "row"));
        }
    }
    for source in facts.sources.iter().filter(|source| source.is_cut) {
        notes += &format!(
            " {}: the last line is half written, and left out.",
            escape(&source.name)
        );
    }
    notes
}

fn block(source: &Source) -> String {
    let origins = match source.sidecar.sessions.is_empty() {
        true => vec![of_rows(&source.rows)],
        false => source.sidecar.sessions.iter().map(of_session).collect(),
    };
    let mut html = format!(
        "<section class=\"origin\"><h2>{} <small>{}</small></h2>",
        escape(&source.name),
        counted(source.rows.len(), "row"),
    );
    if !source.comments.is_empty() {
        html.push_str("<dl>");
        for comment in &source.comments {
            let (name, value) = comment.split_once(": ").unwrap_or(("", comment));
            let (name, value) = (escape(name), escape(value));
            let _ = write!(html, "<dt>{name}</dt><dd>{value}</dd>");
        }
        html.push_str("</dl>");
    }
    for origin in origins {
        html.push_str("<dl>");
        if let Some(command) = origin.command {
            let command = escape(&command);
            let _ = write!(html, "<dt>command</dt><dd><code>{command}</code></dd>");
        }
        for (name, value) in [
            ("version", origin.version),
            ("machine", origin.machine),
            ("limits", origin.limits),
            ("time", origin.time),
        ] {
            let _ = write!(html, "<dt>{name}</dt><dd>{}</dd>", escape(&value));
        }
        html.push_str("</dl>");
    }
    html + "</section>"
}

fn of_session(session: &Session) -> Origin {
    let memory = session
        .memory_bytes
        .map_or(String::new(), |bytes| format!(", {}", ByteSize(bytes)));
    Origin {
        command: Some(command(&session.command)),
        version: format!(
            "slidebench {} ({}), {}",
            session.version, session.revision, session.rustc
        ),
        machine: format!(
            "{}, {}{memory}, {}",
            session.cpu,
            counted(session.cores, "core"),
            session.os
        ),
        limits: limits(
            [session.time_limit_ns],
            [session.node_limit],
            [session.mem_limit_bytes],
        ),
        time: match &session.ended_at {
            Some(ended) => format!("{} to {ended}", session.started_at),
            None => format!("{}, not ended", session.started_at),
        },
    }
}

fn of_rows(rows: &[Row]) -> Origin {
    let all = |part: fn(&Row) -> &str| {
        let parts: BTreeSet<&str> = rows.iter().map(part).collect();
        parts.into_iter().collect::<Vec<_>>().join(", ")
    };
    let begun = rows.iter().map(|row| row.started_at.as_str());
    Origin {
        command: None,
        version: all(|row| &row.version),
        machine: all(|row| &row.cpu),
        limits: limits(
            rows.iter().map(|row| row.time_limit_ns),
            rows.iter().map(|row| row.node_limit),
            rows.iter().map(|row| row.mem_limit_bytes),
        ),
        time: match (begun.clone().min(), begun.max()) {
            (Some(first), Some(last)) if first < last => format!("{first} to {last}"),
            (Some(first), _) => first.to_owned(),
            _ => String::new(),
        },
    }
}

/// The command as it can be typed again.
fn command(words: &[String]) -> String {
    let quoted = words.iter().map(|word| shell_word(word));
    quoted.collect::<Vec<_>>().join(" ")
}

fn limits(
    times: impl IntoIterator<Item = Option<u64>>,
    nodes: impl IntoIterator<Item = Option<u64>>,
    memory: impl IntoIterator<Item = Option<u64>>,
) -> String {
    let times = range(times, |ns| duration(Duration::from_nanos(ns)));
    let nodes = range(nodes, |nodes| format!("{} nodes", count(nodes)));
    let memory = range(memory, |bytes| format!("{} of memory", ByteSize(bytes)));
    let all: Vec<String> = [times, nodes, memory].into_iter().flatten().collect();
    match all.is_empty() {
        true => "none".to_owned(),
        false => all.join(", "),
    }
}

/// The least and the greatest of the limits that there are.
fn range(
    values: impl IntoIterator<Item = Option<u64>>,
    write: impl Fn(u64) -> String,
) -> Option<String> {
    let set: BTreeSet<u64> = values.into_iter().flatten().collect();
    let (least, most) = (*set.first()?, *set.last()?);
    let (least, most) = (write(least), write(most));
    Some(match least == most {
        true => least,
        false => format!("{least} to {most}"),
    })
}
