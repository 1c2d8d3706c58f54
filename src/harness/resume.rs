//! Which runs of a plan a file has already.

use std::collections::{HashMap, HashSet};

use super::plan::Planned;
use super::prepare::Ready;
use super::row::{Row, RunKey, Status, nanoseconds};
use crate::search::Limits;

/// The runs that are still to do, in their order.
///
/// A run that was interrupted is done again, and so is one that stopped at a limit lower than
/// the one now asked for; its new row follows the old one.
pub fn remaining(ready: &Ready<'_>, rows: &[Row], asked: &Limits) -> Vec<Planned> {
    let done: HashSet<RunKey> = rows
        .iter()
        .filter(|row| is_final(row, asked))
        .map(Row::key)
        .collect();
    let is_done = |run: &&Planned| !done.contains(&ready.key(run));
    ready.plan.runs.iter().filter(is_done).copied().collect()
}

/// Whether more of what is now asked for would change nothing.
pub(super) fn is_final(row: &Row, asked: &Limits) -> bool {
    let was_enough = |had: Option<u64>, asks: Option<u64>| match (had, asks) {
        (Some(had), Some(asks)) => had >= asks,
        (Some(_), None) => false,
        (None, _) => true,
    };
    match row.status {
        Status::Interrupted => false,
        Status::TimeLimit => was_enough(row.time_limit_ns, asked.time.map(nanoseconds)),
        Status::NodeLimit => was_enough(row.node_limit, asked.nodes),
        // Where nothing is asked for, the limit is what the machine has.
        Status::MemLimit => asked.memory.is_none() || was_enough(row.mem_limit_bytes, asked.memory),
        Status::Solved | Status::Unsolvable | Status::Exhausted | Status::Error => true,
    }
}

/// The last row of each run, in the order of the file: what came of it in the end.
pub fn latest(rows: &[Row]) -> Vec<&Row> {
    let mut last: HashMap<RunKey, usize> = HashMap::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        last.insert(row.key(), index);
    }
    let mut places: Vec<usize> = last.into_values().collect();
    places.sort_unstable();
    places.into_iter().map(|index| &rows[index]).collect()
}
