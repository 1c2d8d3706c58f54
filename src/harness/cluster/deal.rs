//! Deals the runs of a plan to shards.
//!
//! Every process deals the whole plan in the same way and takes its own part, so they need not
//! know of each other. Parts are balanced by what the suites know: runs are dealt out from the
//! most costly to the least, each to the shard that has the least so far.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::harness::record::Shard;
use crate::harness::run::{Plan, Planned};
use crate::harness::suite::Instance;

/// The part of a plan that a shard runs, in the order of the plan.
pub fn part_of(plan: &Plan, shard: Shard) -> Plan {
    let shards = deal(plan, shard.count());
    let own = |(run, dealt): (&Planned, usize)| (dealt + 1 == shard.index()).then_some(*run);
    Plan {
        runs: plan.runs.iter().zip(shards).filter_map(own).collect(),
        ..plan.clone()
    }
}

/// The shard of each run, counted from 0: the most costly first, each to the shard with the
/// least. Ties go to the run and to the shard that come first.
fn deal(plan: &Plan, shards: usize) -> Vec<usize> {
    let costs = costs(plan);
    let mut dearest_first: Vec<usize> = (0..plan.runs.len()).collect();
    dearest_first.sort_by_key(|&run| Reverse(costs[run]));
    let mut loads: BinaryHeap<Reverse<(u128, usize)>> =
        (0..shards).map(|shard| Reverse((0, shard))).collect();
    let mut dealt = vec![0; plan.runs.len()];
    for run in dearest_first {
        if let Some(mut least) = loads.peek_mut() {
            let Reverse((load, shard)) = &mut *least;
            *load = load.saturating_add(costs[run]);
            dealt[run] = *shard;
        }
    }
    dealt
}

/// What a run takes besides its nodes, in nodes: a tenth of a millisecond.
const START: u128 = 100_000;

/// About what each run takes, in thousandths of a node. A run of which nothing is known costs
/// what the others do in the mean.
///
/// Whole numbers: every machine has to come to the same parts.
fn costs(plan: &Plan) -> Vec<u128> {
    let known: Vec<Option<u128>> = plan
        .runs
        .iter()
        .map(|run| cost(plan.instance(run)))
        .collect();
    let count = known.iter().flatten().count() as u128;
    let sum = known
        .iter()
        .flatten()
        .fold(0, |sum: u128, cost| sum.saturating_add(*cost));
    let mean = sum.checked_div(count).unwrap_or(0);
    let costs = known
        .into_iter()
        .map(|cost| cost.unwrap_or(mean) + START * 1000);
    costs.collect()
}

/// By published node counts, or else by the solution's length.
fn cost(instance: &Instance) -> Option<u128> {
    let nodes = instance.known_nodes.map(|nodes| u128::from(nodes) * 1000);
    nodes.or_else(|| instance.optimal.map(cost_of_length))
}

/// Nodes grow by 1.38 for each move on korf100 with taxicab, by 1.34 on korf24 with 6-6-6-6;
/// the lengths that a 64-bit count of nodes can belong to end before 130.
fn cost_of_length(length: u32) -> u128 {
    (0..length.min(130)).fold(2000, |cost, _| cost * 11 / 8)
}
