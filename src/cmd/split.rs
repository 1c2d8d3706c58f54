//! `slidebench split`: one threshold of a board into units for many machines.

use std::path::PathBuf;

use super::{Exit, UsageError, catch_interrupt};
use crate::cmd::args::board::BoardArgs;
use crate::cmd::args::tables::SearchTableArgs;
use crate::cmd::args::walk::refuse_wide;
use crate::cmd::terminal::message;
use crate::cmd::terminal::output::create_new;
use crate::cmd::terminal::progress::When;
use crate::harness::humanize::counted;
use crate::harness::run::Configuration;
use crate::harness::suite::{Instance, SplitFor, Suite, units_text};
use crate::heuristic::HeuristicName;
use crate::puzzle::{Costs, Metric, Problem};
use crate::search::{Algorithm, Control, EngineChoice, Pruning, SplitError, Unit, split};

/// Cut one threshold of idastar or astar+idastar into units, for run on many machines.
///
/// The units are a suite: run it with the same -a, -H and --prune, in shards (one is 1/1), and merge
/// tells whether the threshold holds a solution, and its exact nodes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    board: BoardArgs,

    /// The search: idastar, or astar+idastar, whose units are the states of an open list of A*.
    #[arg(short, long, default_value = "idastar")]
    algorithm: Algorithm,

    /// The threshold; by default the first: the estimate of the board, or with astar+idastar the
    /// least f on the open list.
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(..=i64::from(Unit::LONGEST)))]
    threshold: Option<u32>,

    /// At least so many units, if the tree has them. With astar+idastar as many states of the open list,
    /// of which those above the threshold are left out.
    #[arg(long, value_name = "UNITS", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    units: u32,

    /// The estimate that the units will be run with: zero, md, lc, wd, pdb:NAME or auto.
    #[arg(short = 'H', long, default_value = "md")]
    heuristic: HeuristicName,

    /// How the search will prune: fsm:DEPTH, none or auto.
    #[arg(long, default_value = "auto")]
    prune: Pruning,

    #[command(flatten)]
    tables: SearchTableArgs,

    /// Write to this new file; - is stdout.
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    output: PathBuf,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let (board, goal) = args.board.read()?;
    refuse_wide(args.algorithm, board.size())?;
    let problem = Problem::new(&board, goal);
    let problem = problem.map_err(|unsolvable| UsageError(unsolvable.to_string()))?;
    if !args.algorithm.has_units() {
        let message = format!(
            "{} has no units; use -a idastar or -a astar+idastar",
            args.algorithm
        );
        return Err(UsageError(message).into());
    }
    let search = Configuration {
        algorithm: args.algorithm,
        heuristic: args.heuristic.clone(),
        threads: 1,
        engine: EngineChoice::Auto,
        prune: args.prune,
        open: None,
    };
    let Some(prepared) =
        args.tables
            .prepare(&search, None, (board.size(), goal.into()), None, When::Auto)?
    else {
        return Ok(Exit::Interrupted);
    };
    let settings = prepared.settings(&search);
    let control = Control {
        cancel: Some(catch_interrupt()?),
        ..Control::default()
    };
    let wanted = args.units as usize;
    let units = match split(&problem, args.threshold, wanted, &settings, &control) {
        Ok(units) => units,
        Err(SplitError::Cancelled) => return Ok(Exit::Interrupted),
        Err(error @ SplitError::SolvedByAStar { .. }) => {
            let message = format!("{error}; use solve, or fewer --units");
            return Err(UsageError(message).into());
        }
        Err(error) => return Err(UsageError(error.to_string()).into()),
    };
    let units = units.into_iter().enumerate().map(|(index, unit)| Instance {
        unit: Some(unit),
        ..Instance::new(index + 1, board)
    });
    let suite = Suite {
        name: String::new(),
        goal,
        metric: Metric::Single,
        costs: Costs::Unit,
        instances: units.collect(),
        split_for: None,
    };
    let split_for = SplitFor {
        algorithm: args.algorithm,
        heuristic: settings.heuristic.to_string(),
        prune: settings.prune,
    };
    let version = env!("CARGO_PKG_VERSION");
    let source = format!("slidebench {version}, split --units {}", args.units);
    create_new(&args.output)?.write(&units_text(&suite, &split_for, &source))?;
    let (threshold, units) = (suite.threshold().unwrap_or(0), suite.instances.len());
    let units = counted(units, "unit");
    message::tell(&format!("threshold {threshold}, {units}"));
    Ok(Exit::Done)
}
