//! `slidebench estimate`: what a search will take, before it is made.

use clap::ValueEnum;
use serde_json::json;

use super::{Exit, UsageError, catch_interrupt};
use crate::cmd::args::board::BoardArgs;
use crate::cmd::args::tables::SearchTableArgs;
use crate::cmd::args::walk::{WalkArgs, refuse_wide};
use crate::cmd::terminal::output::{OutputArg, table};
use crate::cmd::terminal::progress::When;
use crate::harness::analysis::{Budget, Forecast, NoForecast, forecast};
use crate::harness::humanize::{count, counted, rate, rough};
use crate::heuristic::HeuristicName;
use crate::lookup::endgame::EndgameName;
use crate::puzzle::{Board, Notation, Problem, Unsolvable};
use crate::search::{Algorithm, Control, Settings, Stop};

/// Predict the nodes and the time of a search for one board, without solving it.
///
/// The first thresholds are searched, and the others follow from how they grow; a beam search
/// tells how long a solution is at most. Nodes are the same on every machine, the time is this
/// one's. Most boards are within a factor of 5.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    board: BoardArgs,

    /// The search: idastar or astar+idastar. By default what run takes: astar+idastar on boards of
    /// more than 16 cells without --endgame.
    #[arg(short, long)]
    algorithm: Option<Algorithm>,

    /// The estimate of the search: zero, md, lc, wd, pdb:NAME or auto.
    #[arg(short = 'H', long, default_value = "md")]
    heuristic: HeuristicName,

    /// The endgame table of the search: its DEPTH, or its file.
    #[arg(long, value_name = "DEPTH|FILE")]
    endgame: Option<EndgameName>,

    #[command(flatten)]
    walk: WalkArgs,

    /// Search so many nodes of the first thresholds.
    #[arg(long, value_name = "NODES", default_value_t = Budget::default().nodes, value_parser = clap::value_parser!(u64).range(1..))]
    budget: u64,

    /// Keep so many states in each layer of the beam search.
    #[arg(long, value_name = "STATES", default_value_t = Budget::default().width as u32, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    width: u32,

    /// Also print the moves of the shortest path that was found: as moves of the gap, or of tiles.
    #[arg(long, value_name = "NOTATION", num_args = 0..=1, default_missing_value = "gap")]
    moves: Option<Notation>,

    /// Text for people, or JSON.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    tables: SearchTableArgs,

    #[command(flatten)]
    output: OutputArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let (board, goal) = args.board.read()?;
    refuse_wide(Algorithm::IdaStar, board.size())?;
    let algorithm = algorithm(args, &board)?;
    let search = args.walk.search(algorithm, &args.heuristic);
    let endgame = args.endgame.as_ref();
    let tables = args.tables.prepare(
        &search,
        endgame,
        (board.size(), goal.into()),
        None,
        When::Auto,
    )?;
    let Some(mut tables) = tables else {
        return Ok(Exit::Interrupted);
    };
    // The speed of the search is measured, and not that of the disk.
    tables.estimate.read_in();
    let settings = tables.settings(&search);
    let budget = Budget {
        nodes: args.budget,
        width: args.width as usize,
    };
    let control = Control {
        cancel: Some(catch_interrupt()?),
        ..Control::default()
    };
    let output = args.output.create()?;
    let message = match Problem::new(&board, goal) {
        Ok(problem) => match forecast(&problem, &settings, budget, &control) {
            Ok(forecast) => Ok(forecast),
            Err(NoForecast(Stop::Cancelled)) => return Ok(Exit::Interrupted),
            Err(NoForecast(Stop::DamagedTable)) => {
                let flags = args.tables.flags();
                anyhow::bail!("a table is damaged; slidebench pdb verify{flags} tells which one")
            }
            Err(error) => return Err(error.into()),
        },
        Err(unsolvable) => Err(unsolvable),
    };
    output.write(&match args.format {
        Format::Text => table(&lines(&board, args, &settings, &message)),
        Format::Json => json(args, &message)?,
    })?;
    Ok(Exit::Done)
}

/// The search that is predicted.
fn algorithm(args: &Args, board: &Board) -> anyhow::Result<Algorithm> {
    let default = match args.endgame {
        None => Algorithm::fastest_on(board.size()),
        Some(_) => Algorithm::IdaStar,
    };
    let algorithm = args.algorithm.unwrap_or(default);
    let problem = match algorithm {
        _ if !algorithm.has_units() => "estimate goes with idastar and astar+idastar only",
        Algorithm::AStarIdaStar if args.endgame.is_some() => "--endgame goes with idastar only",
        Algorithm::IdaStar if args.walk.open.is_some() => "--open goes with astar+idastar only",
        _ => return Ok(algorithm),
    };
    Err(UsageError(problem.to_owned()).into())
}

fn json(args: &Args, message: &Result<Forecast, Unsolvable>) -> anyhow::Result<String> {
    let mut fields = match message {
        Ok(forecast) => serde_json::to_value(forecast)?,
        Err(_) => json!({}),
    };
    fields["status"] = status(message).into();
    if let (Some(notation), Ok(forecast)) = (args.moves, message) {
        fields["moves"] = path(notation, forecast).into();
    }
    Ok(serde_json::to_string_pretty(&fields)? + "\n")
}

fn status(message: &Result<Forecast, Unsolvable>) -> &'static str {
    match message {
        Ok(forecast) if forecast.solved => "solved",
        Ok(_) => "predicted",
        Err(_) => "unsolvable",
    }
}

/// What a person wants to read about a search to come.
fn lines(
    board: &Board,
    args: &Args,
    settings: &Settings<'_>,
    message: &Result<Forecast, Unsolvable>,
) -> Vec<(&'static str, String)> {
    let mut lines = vec![("board", board.to_string())];
    let forecast = match message {
        Ok(forecast) => forecast,
        Err(unsolvable) => {
            lines.push(("status", format!("unsolvable ({unsolvable})")));
            return lines;
        }
    };
    let is_exact = forecast.solved;
    let note = if is_exact { " within the budget" } else { "" };
    lines.push(("status", format!("{}{note}", status(message))));
    lines.push(("cost", cost_line(forecast)));
    if let Some((notation, path)) = args.moves.and_then(|it| Some((it, path(it, forecast)?))) {
        lines.push(("path", format!("{path} ({notation} moves)")));
    }
    lines.push(("search", search_line(args, settings, forecast)));
    for level in &forecast.thresholds {
        let nodes = match level.measured {
            true => count(level.generated),
            false => format!("about {}", rounded(level.generated)),
        };
        let note = match !is_exact && level.threshold >= forecast.cost {
            true => ", a part of them up to a solution",
            false => "",
        };
        lines.push((
            "threshold",
            format!("{}: {nodes} nodes{note}", level.threshold),
        ));
    }
    let Forecast {
        generated,
        generated_from: from,
        generated_to: to,
        ..
    } = *forecast;
    let time = |nodes| rough(forecast.time_of(nodes));
    let speed = rate(forecast.nodes_per_s);
    if is_exact {
        lines.push(("generated", count(generated)));
        lines.push(("time", format!("{} ({speed})", time(generated))));
        return lines;
    }
    let (about, from_to) = (
        rounded(generated),
        [rounded(from), rounded(to)].join(" to "),
    );
    lines.push(("generated", format!("about {about}, likely {from_to}")));
    let likely = [time(from), time(to)].join(" to ");
    let about = time(generated);
    lines.push(("time", format!("about {about}, likely {likely} ({speed})")));
    lines
}

/// The moves of the shortest path that was found.
fn path(notation: Notation, forecast: &Forecast) -> Option<String> {
    forecast.moves.as_ref().map(|moves| notation.letters(moves))
}

fn cost_line(forecast: &Forecast) -> String {
    let cost = forecast.cost;
    match forecast.cost_at_most {
        _ if forecast.solved => cost.to_string(),
        Some(most) => format!("about {cost}, at most {most}"),
        None => format!("about {cost}"),
    }
}

fn search_line(args: &Args, settings: &Settings<'_>, forecast: &Forecast) -> String {
    let mut line = format!(
        "{} with {}, {} at the start, {}",
        settings.algorithm,
        settings.heuristic,
        forecast.h0,
        counted(args.walk.threads.into(), "thread")
    );
    if let Some(prune) = settings.prune {
        line += &format!(", pruned by {prune}");
    }
    line
}

/// To two digits: more would look as if they were known.
fn rounded(nodes: u64) -> String {
    let digits = nodes.checked_ilog10().unwrap_or(0);
    let unit = 10u64.pow(digits.saturating_sub(1));
    count((nodes.saturating_add(unit / 2) / unit).saturating_mul(unit))
}
