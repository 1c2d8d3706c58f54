//! What the sidecar says about a process that runs a plan.

use super::contender::Contender;
use super::prepare::PlanTables;
use super::ready::Ready;
use super::runner::RunOptions;
use crate::harness::record::{Session, SolverRecord, nanoseconds};
use crate::harness::solver::Containment;

/// A process that runs a plan from now on; `command` is what the user typed.
pub fn session(
    command: Vec<String>,
    ready: &Ready<'_>,
    tables: &PlanTables,
    options: &RunOptions<'_>,
) -> Session {
    let plan = ready.plan;
    let configurations = ready.configurations();
    let with_engines = || {
        let searches = plan.configurations.iter().filter_map(Contender::search);
        searches.filter(|it| it.algorithm.has_thresholds())
    };
    let solvers = plan.configurations.iter().filter_map(Contender::program);
    let solvers: Vec<SolverRecord> = solvers.map(SolverRecord::from).collect();
    Session {
        suites: plan.suites.iter().map(|it| it.name.clone()).collect(),
        configurations: configurations.iter().map(ToString::to_string).collect(),
        engines: each_once(with_engines().map(|it| it.engine.to_string())),
        prunes: each_once(with_engines().map(|it| it.prune.to_string())),
        containment: (!solvers.is_empty()).then(|| Containment::here().to_string()),
        solvers,
        repeat: plan.repeat,
        seed: plan.seed,
        tables: ready.tables(),
        table_time_ns: nanoseconds(tables.time()),
        warmup: options.warmup,
        jobs: options.jobs,
        time_limit_ns: options.limits.time.map(nanoseconds),
        node_limit: options.limits.nodes,
        mem_limit_bytes: options.limits.memory,
        total_time_ns: options.total_time.map(nanoseconds),
        ..Session::start(command)
    }
}

fn each_once(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut once: Vec<String> = Vec::new();
    for name in names {
        if !once.contains(&name) {
            once.push(name);
        }
    }
    once
}
