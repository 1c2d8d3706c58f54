//! What the sidecar says about a process that runs a plan.

use slidebench::harness::cluster::{PlanRecord, Shard};
use slidebench::harness::record::{Session, ShardRecord, TableRecord};
use slidebench::harness::run::{Estimates, Plan, Ready, RunOptions};

use super::{Args, Endgames};

/// What the sidecar says about this process.
pub fn session(
    args: &Args,
    ready: &Ready<'_>,
    (estimates, endgames): (&Estimates, &Endgames),
    options: &RunOptions<'_>,
) -> Session {
    // The program by its name: where it was installed is of no use to another reader.
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let command = std::iter::once("slidebench".to_owned()).chain(words);
    let configurations = ready.configurations();
    let tables = estimates.tables().into_iter();
    let tables = tables.chain(endgames.tables.iter().map(TableRecord::from));
    Session {
        suites: ready
            .plan
            .suites
            .iter()
            .map(|suite| suite.name.clone())
            .collect(),
        configurations: configurations.iter().map(ToString::to_string).collect(),
        engines: args.engine.iter().map(ToString::to_string).collect(),
        prunes: args.prune.iter().map(ToString::to_string).collect(),
        repeat: args.repeat,
        seed: args.seed,
        tables: tables.collect(),
        table_time_ns: (estimates.time() + endgames.time).as_nanos() as u64,
        ..Session::start(command.collect(), options)
    }
}

/// Which part of which plan this process runs.
pub fn shard(args: &Args, shard: Shard, whole: &Plan, ready: &Ready<'_>) -> ShardRecord {
    ShardRecord {
        shard,
        runs: ready.plan.runs.len(),
        asked_mem_limit_bytes: args.limits.asked().memory,
        plan: PlanRecord::new(whole, ready, args.repeat, args.seed),
    }
}
