//! Pattern databases on the command line.

use std::time::Duration;

use bytesize::ByteSize;

use super::making::{Making, check_memory, command, is_whole, tell_it_is_there, whole_memory};
use super::wanted::WantedPatterns;
use super::{BuildArgs, print};
use crate::cmd::args::tables::TableArgs;
use crate::cmd::{Exit, UsageError, advice, catch_interrupt};
use crate::lookup::{
    BuildPlan, Collection, Directory, Partition, Pattern, PatternTable, Unbuilt,
    build as build_table,
};
use crate::sys::machine;

/// What the tables of a collection take.
pub fn plan(wanted: &WantedPatterns, tables: &TableArgs) -> anyhow::Result<Exit> {
    let collection = collection(wanted, tables)?;
    let directory = tables.directory();
    let mut text = heading(&collection);
    let plans: Vec<BuildPlan> = collection.patterns().iter().map(BuildPlan::new).collect();
    for (pattern, plan) in collection.patterns().iter().zip(&plans) {
        let there = match is_there(&directory, pattern) {
            true => ", is there",
            false => "",
        };
        text += &format!(
            "table      {pattern}: {} places, {} states, {}{there}\n",
            plan.places,
            plan.states,
            ByteSize(plan.bytes)
        );
    }
    let bytes: u64 = plans.iter().map(|plan| plan.bytes).sum();
    let memory = plans.iter().map(|plan| plan.memory).max().unwrap_or(0);
    text += &format!(
        "files      {} in {}\nmemory     about {}\ntime       about {:.1} s on {} cores\n",
        ByteSize(bytes),
        directory.path().display(),
        whole_memory(memory),
        time(&plans).as_secs_f64(),
        machine::cores(),
    );
    print(&text)?;
    Ok(Exit::Done)
}

fn time(plans: &[BuildPlan]) -> Duration {
    let cores = machine::cores();
    plans.iter().map(|plan| plan.time(cores)).sum()
}

fn heading(collection: &Collection) -> String {
    let size = collection.size();
    let grids = collection.partitions().iter().map(Partition::grid);
    let grids = grids.map(|grid| format!("grid       {grid}\n"));
    format!(
        "partition  {size} {collection}\n{}",
        grids.collect::<String>()
    )
}

/// Builds the tables of a collection that are not there, each into its file.
pub fn build(wanted: &WantedPatterns, args: &BuildArgs) -> anyhow::Result<Exit> {
    args.refuse_seconds()?;
    // Before the plan, which takes a third of a second for 6 tiles of 5x5.
    catch_interrupt()?;
    let collection = collection(wanted, &args.tables)?;
    let directory = args.tables.directory();
    let mut missing = Vec::new();
    let patterns = collection.patterns();
    for pattern in &patterns {
        let path = directory.path_of(pattern.kind(), pattern.size());
        match !args.force && is_there(&directory, pattern) && is_whole(&path) {
            true => tell_it_is_there(&path)?,
            false => {
                if !args.force {
                    let foreign = directory.refuse_foreign(pattern.kind(), pattern.size());
                    foreign.map_err(advice::of_failed_table)?;
                }
                missing.push((pattern, BuildPlan::new(pattern)));
            }
        }
    }
    check_room(&missing, &directory)?;
    for (pattern, _) in missing {
        if let Exit::Interrupted = build_one(pattern, &directory, args)? {
            return Ok(Exit::Interrupted);
        }
    }
    Ok(Exit::Done)
}

/// Refuses what would not fit, before anything is built.
fn check_room(missing: &[(&Pattern, BuildPlan)], directory: &Directory) -> anyhow::Result<()> {
    let Some((first, _)) = missing.first() else {
        return Ok(());
    };
    let bytes = missing.iter().map(|(_, plan)| plan.bytes).sum();
    directory
        .check_room(first.kind(), first.size(), bytes)
        .map_err(advice::of_failed_table)?;
    let memory = missing.iter().map(|(_, plan)| plan.memory).max();
    check_memory(memory.unwrap_or(0), "choose smaller patterns")
}

fn build_one(pattern: &Pattern, directory: &Directory, args: &BuildArgs) -> anyhow::Result<Exit> {
    let (making, built) = Making::build(args.progress, |control| build_table(pattern, &control))?;
    let built = match built {
        Err(Unbuilt::Cancelled) => return Ok(Exit::Interrupted),
        built => built?,
    };
    let table = PatternTable::description(pattern, &built, &command());
    let longest = table.histogram.iter().rposition(|&count| count > 0);
    let what = format!(
        "{} states, {} moves at most",
        table.entries,
        longest.unwrap_or(0)
    );
    making.write(directory, &table, &built.bits, &what, args.force)
}

fn is_there(directory: &Directory, pattern: &Pattern) -> bool {
    PatternTable::open(directory, pattern).is_ok_and(|table| table.is_some())
}

/// The partitions that are meant: named, drawn, or in a file.
pub fn collection(wanted: &WantedPatterns, tables: &TableArgs) -> anyhow::Result<Collection> {
    let tables = tables.tables()?;
    let text = tables.partition_text(&wanted.partition);
    let size = wanted.size.or_else(|| Collection::size_of(text)).ok_or_else(|| {
        UsageError(format!(
            "'{}' does not show its size; write SIZE:PARTITION, for example 4x4:7-8, or a grid such as .ABB/AABB/AABB/AABB",
            wanted.partition
        ))
    })?;
    let collection = Collection::parse(text, size);
    collection.map_err(|error| UsageError(error.to_string()).into())
}
