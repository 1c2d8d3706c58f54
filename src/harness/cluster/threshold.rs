//! What came of a threshold whose units were run, wherever that was.

use std::collections::BTreeSet;

use crate::harness::record::{ConfigurationKey, Configurations, Row, Sidecar, Status, SuiteRecord};
use crate::puzzle::Cost;
use crate::search::NodeCounts;

/// One threshold of one search.
#[derive(Clone, PartialEq, Debug)]
pub struct Threshold {
    /// The suite of its units.
    pub suite: String,
    /// The way to search.
    pub configuration: ConfigurationKey,
    /// Its largest f.
    pub threshold: u32,
    /// How many units.
    pub units: usize,
    /// What came of it.
    pub end: ThresholdEnd,
}

/// How a threshold ended.
#[derive(Clone, PartialEq, Debug)]
pub enum ThresholdEnd {
    /// Every unit was exhausted: these are the nodes of the threshold.
    Exhausted(NodeCounts),
    /// A unit has a solution.
    Solved {
        /// The first one with a solution.
        unit: String,
        /// The cost of that.
        cost: Cost,
        /// Its moves.
        solution: String,
        /// Nodes up to the first solution in the order of the recursion, which are those of one
        /// search; missing while a unit before it has no answer.
        nodes: Option<NodeCounts>,
    },
    /// No solution yet, and units without an answer.
    Open(Vec<String>),
}

/// The thresholds that rows are about, by what the sidecar says of their plan.
pub fn thresholds(rows: &[Row], sidecar: &Sidecar) -> Vec<Threshold> {
    let records = sidecar.sessions.iter().filter_map(|it| it.shard.as_ref());
    let Some(plan) = records.map(|record| &record.plan).next() else {
        return Vec::new();
    };
    let mut thresholds = Vec::new();
    for suite in &plan.suites {
        let Some(threshold) = suite.threshold else {
            continue;
        };
        let own = || {
            rows.iter()
                .filter(|row| row.suite == suite.name && row.repeat == 1)
        };
        let named = Configurations::of(own());
        let configurations: BTreeSet<ConfigurationKey> =
            own().map(|row| named.configuration(row)).collect();
        for configuration in configurations {
            let answers = own().filter(|row| named.configuration(row) == configuration);
            thresholds.push(Threshold {
                suite: suite.name.clone(),
                threshold,
                units: suite.instances.0.len(),
                end: end(suite, answers),
                configuration,
            });
        }
    }
    thresholds
}

fn end<'a>(suite: &SuiteRecord, rows: impl Iterator<Item = &'a Row>) -> ThresholdEnd {
    let rows: std::collections::HashMap<&str, &Row> =
        rows.map(|row| (row.instance.as_str(), row)).collect();
    let mut nodes = NodeCounts::default();
    let mut open = Vec::new();
    // In the order of the recursion, which is that of the file.
    for name in &suite.instances.0 {
        let row = rows.get(name.as_str());
        match row.filter(|row| matches!(row.status, Status::Solved | Status::Exhausted)) {
            None => open.push(name.clone()),
            Some(row) => {
                nodes.expanded = nodes.expanded.saturating_add(row.expanded.unwrap_or(0));
                nodes.generated = nodes.generated.saturating_add(row.generated.unwrap_or(0));
                if let (Status::Solved, Some(cost)) = (row.status, row.cost) {
                    return ThresholdEnd::Solved {
                        unit: name.clone(),
                        cost,
                        solution: row.solution.clone().unwrap_or_default(),
                        nodes: open.is_empty().then_some(nodes),
                    };
                }
            }
        }
    }
    match open.is_empty() {
        true => ThresholdEnd::Exhausted(nodes),
        false => ThresholdEnd::Open(open),
    }
}
