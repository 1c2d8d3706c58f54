//! From what the user typed to the plan.

use std::path::Path;
use std::sync::Arc;

use super::Args;
use crate::cmd::args::suites::read_suites;
use crate::cmd::args::walk::goes_with;
use crate::cmd::terminal::message;
use crate::cmd::{UsageError, advice};
use crate::harness::record::SOLVER;
use crate::harness::run::{Choices, Outlined, Plan};
use crate::harness::solver::Solver;
use crate::harness::suite::{Asked, Filter, SplitFor, Suite};
use crate::harness::text_cell;
use crate::heuristic::HeuristicName;
use crate::puzzle::{Costs, Metric, excerpt};
use crate::search::{Algorithm, EngineChoice, Pruning};

/// What is to be run.
pub struct Asking {
    /// What the user asks for; a shard runs a part of it.
    pub plan: Plan,
    /// Where it is units alone: all of them, also those that a filter leaves out. Files of other units
    /// can be merged with this one.
    pub all_units: Option<Plan>,
}

pub fn plan(args: &Args) -> anyhow::Result<Asking> {
    refuse_flags_of_idastar(args)?;
    let asked = Asked {
        goal: (args.goal.as_ref())
            .map(|goal| goal.read(args.size))
            .transpose()?,
        size: args.size,
        metric: args.metric,
        costs: args.costs,
    };
    let mut suites = read_suites(&args.suites, asked)?;
    let units = (suites.iter().all(Suite::is_of_units)).then(|| suites.clone());
    if let Some(filter) = &args.filter {
        refuse_unknown_names(filter, &suites)?;
        suites = suites.into_iter().map(|suite| filter.of(suite)).collect();
        if suites.iter().all(|suite| suite.instances.is_empty()) {
            let message = "the filter leaves no instance; --list without it shows all";
            return Err(UsageError(message.to_owned()).into());
        }
    }
    let algorithms = algorithms(args, &suites);
    if args.open.is_some() && !algorithms.contains(&Algorithm::AStarIdaStar) {
        let message = "--open goes with astar+idastar only";
        return Err(UsageError(message.to_owned()).into());
    }
    refuse_flags_of_plain_moves(args, &suites)?;
    let choices = Choices {
        algorithms,
        heuristics: match &args.heuristic {
            Some(heuristics) => heuristics.0.clone(),
            None => vec![heuristic_of_units(&suites).unwrap_or(HeuristicName::Auto)],
        },
        threads: args.threads.iter().map(|&threads| threads.into()).collect(),
        engines: args.engine.clone(),
        prunes: match (&args.prune[..], pruning_of_units(&suites)) {
            ([Pruning::Auto], Some(pruning)) => vec![pruning],
            (asked, _) => asked.to_vec(),
        },
        open: args.open.map(|states| states as usize),
        solvers: solvers(&args.solver)?,
    };
    let plan = |suites| Plan::new(suites, choices.contenders(), args.repeat, args.seed);
    Ok(Asking {
        plan: plan(suites),
        all_units: units.map(plan),
    })
}

/// What all suites have in common, where they are units; they carry the search that they were split
/// for.
fn of_units<T: PartialEq>(suites: &[Suite], fact: impl Fn(&SplitFor) -> T) -> Option<T> {
    let mut facts = suites.iter().map(|it| it.split_for.as_ref().map(&fact));
    let first = facts.next()??;
    (facts.all(|other| other.as_ref() == Some(&first))).then_some(first)
}

fn heuristic_of_units(suites: &[Suite]) -> Option<HeuristicName> {
    let name = of_units(suites, |split_for| split_for.heuristic.clone())?;
    name.parse().ok()
}

fn pruning_of_units(suites: &[Suite]) -> Option<Pruning> {
    let prune = of_units(suites, |split_for| split_for.prune)?;
    Some(prune.map_or(Pruning::Off, Pruning::By))
}

/// A name that no instance has is a mistake, and not nothing.
fn refuse_unknown_names(filter: &Filter, suites: &[Suite]) -> Result<(), UsageError> {
    let Some(unknown) = filter.unknown_names(suites).first().copied() else {
        return Ok(());
    };
    let first = suites.iter().flat_map(|suite| &suite.instances).next();
    let first = first.map_or(String::new(), |first| {
        format!(" (the first is '{}')", first.name)
    });
    Err(UsageError(format!(
        "--filter: no instance is named '{}'{first}; write instances such as 1-5,12, or known lengths \
         such as optimal:40-50",
        excerpt(unknown)
    )))
}

/// The searches that are asked for, or the one that units were split for, or that is fastest on all
/// boards. One that ends in a table is IDA*.
fn algorithms(args: &Args, suites: &[Suite]) -> Vec<Algorithm> {
    let is_open = args.algorithm.is_empty() && args.solver.is_empty() && args.endgame.is_none();
    if is_open && let Some(algorithm) = of_units(suites, |split_for| split_for.algorithm) {
        return vec![algorithm];
    }
    let mut instances = suites.iter().flat_map(|suite| &suite.instances);
    let fastest = Algorithm::AStarIdaStar;
    let is_fastest = is_open
        && suites.iter().all(|suite| suite.split_for.is_none())
        && instances.all(|it| Algorithm::fastest_on(it.board.size()) == fastest);
    match is_fastest {
        true => vec![fastest],
        false => args.algorithms(),
    }
}

/// The programs that the user names: a TOML file each, or a command.
fn solvers(words: &[String]) -> anyhow::Result<Vec<Arc<Solver>>> {
    let mut solvers: Vec<Arc<Solver>> = Vec::new();
    for word in words {
        let path = Path::new(word);
        let solver = match path.extension().is_some_and(|ending| ending == "toml") {
            true => Solver::of_file(path),
            false => Solver::of_command(word),
        };
        let solver = solver.map_err(|error| UsageError(advice::line(&error)))?;
        if let Some(problem) = &solver.version_problem {
            message::tell(&format!(
                "{word}: {problem}; the column version stays empty"
            ));
        }
        if solver.name == SOLVER || solvers.iter().any(|other| other.name == solver.name) {
            let name = &solver.name;
            let message =
                format!("two solvers are named '{name}'; their rows could not be told apart");
            return Err(UsageError(message).into());
        }
        solvers.push(Arc::new(solver));
    }
    Ok(solvers)
}

/// A flag that would have no effect must not look as if it had one.
fn refuse_flags_of_idastar(args: &Args) -> Result<(), UsageError> {
    if args.engine.contains(&EngineChoice::Auto) && args.engine.len() > 1 {
        let message = "--engine auto chooses one of the others; name it alone";
        return Err(UsageError(message.to_owned()));
    }
    if args.prune.contains(&Pruning::Auto) && args.prune.len() > 1 {
        let message = "--prune auto chooses one of the others; name it alone";
        return Err(UsageError(message.to_owned()));
    }
    let algorithms = args.algorithms();
    if args.heuristic.is_some() && !algorithms.iter().any(|it| it.is_informed()) {
        return Err(UsageError(goes_with("--heuristic", Algorithm::is_informed)));
    }
    if args.endgame.is_some() && !algorithms.iter().any(|it| it.has_endgame()) {
        return Err(UsageError(goes_with("--endgame", Algorithm::has_endgame)));
    }
    if args.reopen && !algorithms.iter().any(|it| it.can_reopen()) {
        return Err(UsageError(goes_with("--reopen", Algorithm::can_reopen)));
    }
    if args.incumbents.is_some() && !algorithms.iter().any(|it| it.is_anytime()) {
        return Err(UsageError(goes_with("--incumbents", Algorithm::is_anytime)));
    }
    let has_several = args.threads.iter().any(|&threads| threads > 1);
    if has_several && !algorithms.iter().any(|it| it.has_threads()) {
        return Err(UsageError(goes_with("--threads", Algorithm::has_threads)));
    }
    let flag = match algorithms.iter().any(|it| it.has_thresholds()) {
        true => return Ok(()),
        _ if args.engine != [EngineChoice::Auto] => "--engine",
        _ if args.prune.iter().any(|it| matches!(it, Pruning::By(_))) => "--prune",
        _ if args.iterations.is_some() && !algorithms.iter().any(|it| it.has_iterations()) => {
            return Err(UsageError(goes_with(
                "--iterations",
                Algorithm::has_iterations,
            )));
        }
        _ => return Ok(()),
    };
    Err(UsageError(goes_with(flag, Algorithm::has_thresholds)))
}

/// The searches of other moves than those of one tile that costs one are plain ones.
fn refuse_flags_of_plain_moves(args: &Args, suites: &[Suite]) -> Result<(), UsageError> {
    let Some(rules) = suites.iter().map(Suite::rules).find(|it| !it.are_plain()) else {
        return Ok(());
    };
    let flag = match rules.metric {
        Metric::Multi if rules.costs != Costs::Unit => "--costs",
        _ if args.threads.iter().any(|&threads| threads > 1) => "--threads",
        _ if args.engine != [EngineChoice::Auto] => "--engine",
        _ if args.prune.iter().any(|it| matches!(it, Pruning::By(_))) => "--prune",
        _ => return Ok(()),
    };
    Err(UsageError(format!(
        "{flag} does not go with {}",
        advice::rules_flag(&rules)
    )))
}

/// What would run, each run once and in its order, as a CSV. What the tables at hand decide is as it
/// was typed.
pub fn listing(args: &Args, plan: &Plan) -> anyhow::Result<String> {
    let mut text = csv::Writer::from_writer(Vec::new());
    let header = "suite,instance,solver,algorithm,heuristic,engine,prune,threads,repeat";
    let mut write = |record: Vec<String>| {
        let written = text.write_record(record.iter().map(|field| text_cell(field)));
        written.expect("memory takes every byte");
    };
    write(header.split(',').map(str::to_owned).collect());
    let tables = args.tables.named()?;
    let outline = plan.outline(&tables, args.endgame.is_some());
    let outline = outline.map_err(|error| UsageError(error.to_string()))?;
    for Outlined { run, search: key } in outline {
        let walk = plan.configuration(&run).search();
        let walk = walk.filter(|search| search.algorithm.has_thresholds());
        write(vec![
            plan.suite(&run).name.clone(),
            plan.instance(&run).name.clone(),
            key.solver,
            key.algorithm,
            key.heuristic,
            match walk {
                Some(search) if key.engine.is_empty() => search.engine.to_string(),
                _ => key.engine,
            },
            walk.map(|search| search.prune.to_string())
                .unwrap_or_default(),
            key.threads.map(|it| it.to_string()).unwrap_or_default(),
            run.repeat.to_string(),
        ]);
    }
    let bytes = text.into_inner().expect("memory takes every byte");
    Ok(String::from_utf8(bytes).expect("names are text"))
}
