//! From what the user typed to the plan.

use slidebench::harness::run::{Choices, Plan};
use slidebench::harness::suite::Asked;
use slidebench::search::{Algorithm, EngineChoice};

use super::Args;
use crate::cmd::UsageError;
use crate::cmd::args::suites::read_suites;

pub fn plan(args: &Args) -> anyhow::Result<Plan> {
    refuse_flags_of_idastar(args)?;
    let asked = Asked {
        goal: args.goal,
        size: args.size,
    };
    let mut suites = read_suites(&args.suites, asked)?;
    if let Some(filter) = &args.filter {
        suites = suites.into_iter().map(|suite| filter.of(suite)).collect();
        if suites.iter().all(|suite| suite.instances.is_empty()) {
            let message = "the filter leaves no instance; --list without it shows all";
            return Err(UsageError(message.to_owned()).into());
        }
    }
    let choices = Choices {
        algorithms: args.algorithm.clone(),
        heuristics: args.heuristic.0.clone(),
        threads: args.threads.iter().map(|&threads| threads.into()).collect(),
        engines: args.engine.clone(),
        prunes: args.prune.iter().map(|prune| prune.0).collect(),
    };
    Ok(Plan::new(
        suites,
        choices.configurations(),
        args.repeat,
        args.seed,
    ))
}

/// A flag that would have no effect must not look as if it had one.
fn refuse_flags_of_idastar(args: &Args) -> Result<(), UsageError> {
    if args.engine.contains(&EngineChoice::Auto) && args.engine.len() > 1 {
        let message = "--engine auto chooses one of the others; name it alone";
        return Err(UsageError(message.to_owned()));
    }
    if args.endgame.is_some() && !args.algorithm.iter().any(|it| it.is_informed()) {
        let message = "--endgame goes with astar and idastar only";
        return Err(UsageError(message.to_owned()));
    }
    let has_several = args.threads.iter().any(|&threads| threads > 1);
    if has_several && !args.algorithm.iter().any(|it| it.has_threads()) {
        let message = "--threads goes with astar and idastar only";
        return Err(UsageError(message.to_owned()));
    }
    let flag = match args.algorithm.contains(&Algorithm::IdaStar) {
        true => return Ok(()),
        _ if args.engine != [EngineChoice::Auto] => "--engine",
        _ if args.prune.iter().any(|prune| prune.0.is_some()) => "--prune",
        _ if args.iterations.is_some() && !args.algorithm.contains(&Algorithm::Iddfs) => {
            "--iterations"
        }
        _ => return Ok(()),
    };
    Err(UsageError(format!("{flag} goes with idastar only")))
}

/// The plan as a CSV: what would run, in its order, with heuristics as they were typed.
pub fn listing(plan: &Plan) -> String {
    let mut text = csv::Writer::from_writer(Vec::new());
    let header = "suite,instance,algorithm,heuristic,engine,prune,threads,repeat";
    let mut write = |record: Vec<String>| {
        let written = text.write_record(record);
        written.expect("memory takes every byte");
    };
    write(header.split(',').map(str::to_owned).collect());
    for run in &plan.runs {
        let configuration = plan.configuration(run);
        let key = configuration.key();
        write(vec![
            plan.suite(run).name.clone(),
            plan.instance(run).name.clone(),
            key.algorithm,
            key.heuristic,
            match configuration.algorithm.has_engines() {
                true => configuration.engine.to_string(),
                false => String::new(),
            },
            key.prune,
            configuration.threads.to_string(),
            run.repeat.to_string(),
        ]);
    }
    let bytes = text.into_inner().expect("memory takes every byte");
    String::from_utf8(bytes).expect("names are text")
}
