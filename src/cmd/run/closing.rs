//! What a reader should know beside the figures: what was left out, and what would help.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::Args;
use crate::cmd::{advice, summary};
use crate::harness::analysis;
use crate::harness::humanize::{counted, duration};
use crate::harness::record::{Row, RunFiles, SOLVER, Status, latest};
use crate::harness::run::{Ended, Finished, Plan, PlanTables};
use crate::search::EngineChoice;

/// A line each.
pub(super) fn closing_lines(
    args: &Args,
    plan: &Plan,
    tables: &PlanTables,
    finished: &Finished,
    files: &RunFiles,
) -> String {
    let mut lines = Vec::new();
    if !tables.time().is_zero() {
        let time = duration(tables.time());
        lines.push(format!("tables: {time} to open or build\n"));
    }
    for better in analysis::advice(plan, tables, &finished.rows) {
        let better = summary::advice(&better, &args.tables.flags());
        lines.push(format!("{better}\n"));
    }
    for left_out in &finished.left_out {
        let (name, runs) = (&left_out.configuration, counted(left_out.runs, "run"));
        let failures = counted(args.stop_after_failures.unwrap_or(0) as usize, "failure");
        lines.push(format!("{name}: {runs} left out after {failures}\n"));
    }
    lines.extend(of_other_goal(&finished.rows));
    lines.extend(of_other_engine(&args.engine, &finished.rows));
    let is_full = |row: &&Row| row.status == Status::MemLimit && row.solver == SOLVER;
    if let Some(full) = finished.rows.iter().find(is_full) {
        let help = advice::of_memory(&full.algorithm);
        lines.push(format!("out of memory: {help}\n"));
    }
    if finished.left > 0 {
        let why = match finished.ended {
            Ended::Interrupted => "interrupted",
            Ended::NobodyReads => "nobody reads the rows",
            Ended::AllDone | Ended::OutOfTime => "out of time",
        };
        let left = counted(finished.left, "run");
        lines.push(format!("{why}: {left} left{}\n", how_to_go_on(args, files)));
    }
    lines.concat()
}

/// What to add to the same command, where there is a file to go on with.
fn how_to_go_on(args: &Args, files: &RunFiles) -> String {
    match &args.output {
        None => format!("; go on with -o {} --resume", files.name().display()),
        Some(path) if path == Path::new("-") => String::new(),
        Some(_) => "; go on with --resume".to_owned(),
    }
}

/// Boards that parity rules out for their goal, and another goal would not.
fn of_other_goal(rows: &[Row]) -> Option<String> {
    let unsolvable = latest(rows)
        .into_iter()
        .filter(|row| row.status == Status::Unsolvable);
    let others: BTreeMap<String, BTreeSet<(&str, &str)>> = unsolvable
        .filter_map(|row| {
            let (board, goal) = row.start()?;
            let other = advice::other_goal(&board, goal)?;
            Some((
                other.to_string(),
                (row.suite.as_str(), row.instance.as_str()),
            ))
        })
        .fold(BTreeMap::new(), |mut others, (goal, instance)| {
            others.entry(goal).or_default().insert(instance);
            others
        });
    let (goal, boards) = others.into_iter().max_by_key(|(_, boards)| boards.len())?;
    let boards = counted(boards.len(), "unsolvable board");
    Some(format!(
        "{boards} could become the other goal: run with --goal {goal}\n"
    ))
}

/// An engine that is asked for is taken where there is one for the search; where there is none, and
/// others are asked for too, the search runs once for all of them.
fn of_other_engine(asked: &[EngineChoice], rows: &[Row]) -> Option<String> {
    if !asked.contains(&EngineChoice::Batched) {
        return None;
    }
    let ran = |engine: EngineChoice| {
        let by_it = move |row: &&Row| row.solver == SOLVER && row.engine == engine.name();
        let search = |row: &Row| (row.configuration().without_engine(), row.rows, row.cols);
        rows.iter().filter(by_it).map(search)
    };
    let batched: BTreeSet<_> = ran(EngineChoice::Batched).collect();
    let (search, ..) = ran(EngineChoice::Scalar).find(|search| !batched.contains(search))?;
    Some(format!(
        "--engine batched: there is none for {search} on such boards; scalar ran\n"
    ))
}
