//! Which table would make a run faster, what it takes to build it, and what it gains.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::harness::record::Row;
use crate::harness::run::{Contender, Plan, PlanTables};
use crate::heuristic::{Estimate, HeuristicName, Usable};
use crate::lookup::{BuildPlan, Collection};
use crate::puzzle::Size;
use crate::sys::machine;

/// A partition that is stronger than what `auto` had at hand.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// The boards that it would help.
    pub size: Size,
    /// What to build.
    pub partition: &'static str,
    /// How long its tables take to build on this machine, about.
    pub build_time: Duration,
    /// Bytes of its files.
    pub table_bytes: u64,
    /// How many times fewer nodes it takes, where that was measured.
    pub gain: Option<f64>,
}

/// Searches that take less than this in all need no better table.
const WORTH_IT: Duration = Duration::from_secs(1);

/// Partitions that would help the searches with `auto` that took long.
pub fn advice(plan: &Plan, tables: &PlanTables, rows: &[Row]) -> Vec<Advice> {
    let auto = plan
        .configurations
        .iter()
        .filter_map(Contender::search)
        .any(|configuration| configuration.needed(Usable::All) == HeuristicName::Auto);
    let instances = plan.suites.iter().flat_map(|suite| &suite.instances);
    let sizes: BTreeSet<(usize, usize)> = instances
        .map(|instance| instance.board.size())
        .map(|size| (size.rows(), size.cols()))
        .collect();
    sizes
        .into_iter()
        .filter(|_| auto)
        .filter_map(|(rows, cols)| Size::new(rows, cols).ok())
        .filter_map(|size| for_size(size, tables, rows))
        .collect()
}

fn for_size(size: Size, tables: &PlanTables, rows: &[Row]) -> Option<Advice> {
    let used = tables.estimate(&HeuristicName::Auto, size)?;
    let is_of = |row: &&Row| {
        (row.rows, row.cols) == (Some(size.rows()), Some(size.cols()))
            && row.heuristic == used.to_string()
    };
    let spent: u64 = rows.iter().filter(is_of).map(|row| row.time_ns).sum();
    let name = Collection::names(size).last()?;
    let collection = Collection::parse(name, size).ok()?;
    let is_used = match used {
        Estimate::Patterns(patterns) => *patterns.collection() == collection,
        _ => false,
    };
    if is_used || Duration::from_nanos(spent) < WORTH_IT {
        return None;
    }
    let plans: Vec<BuildPlan> = collection.patterns().iter().map(BuildPlan::new).collect();
    let cores = machine::cores();
    Some(Advice {
        size,
        partition: name,
        build_time: plans.iter().map(|plan| plan.time(cores)).sum(),
        table_bytes: plans.iter().map(|plan| plan.bytes).sum(),
        gain: gain(&used.to_string(), name),
    })
}

/// Nodes generated on all of korf100 with what was used, over those with what could be:
/// 26,937,711 over 2,092,428.
fn gain(used: &str, partition: &str) -> Option<f64> {
    const MEASURED: [(&str, &str, f64); 1] = [("pdb:6-6-3", "7-8", 12.9)];
    MEASURED
        .iter()
        .find(|(from, to, _)| *from == used && *to == partition)
        .map(|(_, _, gain)| *gain)
}
