//! What the sidecar of a shard says about its part, and about the plan that it is a part of.

use xxhash_rust::xxh3::xxh3_64;

use crate::harness::record::{
    InstanceNames, PlanRecord, SearchRecord, Shard, ShardRecord, SuiteRecord, checksum,
};
use crate::harness::run::{Plan, Ready, RunOptions};

/// The whole plan; `ready` is the part of it that this process runs.
fn record_plan(whole: &Plan, ready: &Ready<'_>) -> PlanRecord {
    let suites = whole.suites.iter().map(|suite| SuiteRecord {
        name: suite.name.clone(),
        instances: InstanceNames(suite.instances.iter().map(|it| it.name.clone()).collect()),
        threshold: suite.threshold(),
    });
    let searches = whole.configurations.iter().enumerate();
    let searches = searches.map(|(number, configuration)| SearchRecord {
        asked: configuration.to_string(),
        algorithm: configuration.key().algorithm,
        heuristic: configuration.key().heuristic,
        rows: ready.names_of(number),
    });
    PlanRecord {
        fingerprint: checksum(xxh3_64(format!("{whole:?}").as_bytes())),
        suites: suites.collect(),
        searches: searches.collect(),
        repeat: whole.repeat,
        seed: whole.seed,
    }
}

/// The part of the whole plan that this process runs.
pub fn record_shard(
    shard: Shard,
    whole: &Plan,
    ready: &Ready<'_>,
    options: &RunOptions<'_>,
) -> ShardRecord {
    ShardRecord {
        shard,
        runs: ready.remaining(&[], &[], &options.asked).len(),
        asked_mem_limit_bytes: options.asked.memory,
        plan: record_plan(whole, ready),
    }
}
