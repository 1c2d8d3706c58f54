//! `slidebench suite`: the built-in suites, and new ones.

mod export;
mod rank;

use std::path::{Path, PathBuf};

use super::{Exit, UsageError, catch_interrupt};
use crate::cmd::args::goal::GoalArg;
use crate::cmd::args::limits::nodes;
use crate::cmd::args::suites::read_suite;
use crate::cmd::args::tables::SearchTableArgs;
use crate::cmd::terminal::message;
use crate::cmd::terminal::output::{Output, create_new, print};
use crate::cmd::terminal::progress::{SearchProgress, When};
use crate::harness::humanize::shell_word;
use crate::harness::run::Configuration;
use crate::harness::suite::generate::{
    Interrupted, Kind, Ladder, radius, suite_text, uniform, walks,
};
use crate::harness::suite::{Asked, BUILT_IN, Instance, Random, Suite, parse_suite};
use crate::heuristic::HeuristicName;
use crate::puzzle::{Costs, Metric, Size};
use crate::search::{Algorithm, Control, EngineChoice, Limits, Pruning};

/// List the built-in suites, show one, make a new one, or write one for planners.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// List the built-in suites.
    List,
    /// Print a suite, as a file that run reads.
    Show {
        /// A built-in suite or a file; - is stdin.
        #[arg(value_name = "SUITE")]
        suite: PathBuf,
        /// As the file is, or as csv: without its comments, for programs that know none. Size and
        /// goal are in these.
        #[arg(long, value_enum, default_value = "file")]
        format: ShowFormat,
    },
    Rank(rank::RankArgs),
    Export(export::ExportArgs),
    #[command(subcommand)]
    Gen(Gen),
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ShowFormat {
    File,
    Csv,
}

/// Make a suite: the same boards for the same seed and version.
#[derive(clap::Subcommand)]
enum Gen {
    /// Solvable boards, each as likely as the others.
    Random {
        /// How many boards.
        #[arg(long, default_value = "100")]
        count: usize,
        #[command(flatten)]
        boards: BoardsArgs,
    },
    /// Boards that random walks from the goal reach; no move is taken back at once.
    Walk {
        /// Moves of each walk; the way back may be shorter.
        #[arg(long)]
        length: usize,
        /// How many boards.
        #[arg(long, default_value = "100")]
        count: usize,
        #[command(flatten)]
        boards: BoardsArgs,
    },
    Ladder(LadderArgs),
}

/// One board for each exact solution length, which is also its name.
///
/// Boards are solved with idastar on one thread. Which estimate it has changes how long that
/// takes, not what comes out.
#[derive(clap::Args)]
struct LadderArgs {
    /// The shortest solution.
    #[arg(long, default_value = "0", value_name = "MOVES")]
    from: usize,

    /// The longest solution.
    #[arg(long, value_name = "MOVES")]
    to: usize,

    /// From one length to the next.
    #[arg(long, default_value = "1", value_name = "MOVES", value_parser = clap::value_parser!(u16).range(1..))]
    step: u16,

    /// Boards to solve before a length is left out.
    #[arg(long, default_value = "1000", value_name = "BOARDS")]
    tries: usize,

    /// The estimate: md, lc, wd, pdb:NAME or auto.
    #[arg(short = 'H', long, default_value = "auto")]
    heuristic: HeuristicName,

    #[command(flatten)]
    tables: SearchTableArgs,

    /// Generated nodes after which a board is given up for the next one. With it the estimate
    /// decides on the boards, too.
    #[arg(long, value_name = "NODES", value_parser = nodes)]
    node_limit: Option<u64>,

    #[command(flatten)]
    boards: BoardsArgs,
}

#[derive(clap::Args)]
struct BoardsArgs {
    /// ROWSxCOLS.
    #[arg(long, default_value = "4x4")]
    size: Size,

    /// What the boards are to become: first (gap top left), last (gap bottom right), spiral, snake,
    /// columns, or any board of their size.
    #[arg(long, default_value = "first")]
    goal: GoalArg,

    /// What counts as a move: single (one tile) or multi (a row of tiles).
    #[arg(long, default_value = "single")]
    metric: Metric,

    /// Other seeds give other boards.
    #[arg(long, default_value = "1")]
    seed: u64,

    /// Write to this file; - is stdout.
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    output: PathBuf,
}

impl BoardsArgs {
    fn kind(&self) -> Result<Kind, UsageError> {
        Ok(Kind {
            size: self.size,
            goal: self.goal.of(self.size)?,
            metric: self.metric,
        })
    }

    /// The flags that decide on the boards, as they would be typed.
    fn flags(&self) -> String {
        let BoardsArgs {
            size, goal, seed, ..
        } = self;
        let goal = shell_word(&goal.to_string());
        let metric = match self.metric {
            Metric::Single => String::new(),
            other => format!(" --metric {other}"),
        };
        format!("--size {size} --goal {goal}{metric} --seed {seed}")
    }
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    match &args.action {
        Action::List => print(&listing())?,
        Action::Show { suite, format } => print(&shown(suite, *format)?)?,
        Action::Rank(args) => return rank::run(args),
        Action::Export(args) => return export::run(args),
        Action::Gen(Gen::Random { count, boards }) => {
            let instances = uniform(boards.kind()?, *count, &mut Random::new(boards.seed));
            let command = format!("random --count {count} {}", boards.flags());
            write(boards, instances, &command, create_new(&boards.output)?)?;
        }
        Action::Gen(Gen::Walk {
            length,
            count,
            boards,
        }) => {
            let instances = walks(
                boards.kind()?,
                *length,
                *count,
                &mut Random::new(boards.seed),
            );
            let command = format!("walk --length {length} --count {count} {}", boards.flags());
            write(boards, instances, &command, create_new(&boards.output)?)?;
        }
        Action::Gen(Gen::Ladder(args)) => return ladder(args),
    }
    Ok(Exit::Done)
}

/// A suite as it is written, or without comments; boards of a bare text get their columns then.
fn shown(path: &Path, format: ShowFormat) -> anyhow::Result<String> {
    let (text, suite) = read_suite(path, Asked::default())?;
    Ok(match format {
        ShowFormat::File => text,
        ShowFormat::Csv => match without_comments(&text) {
            rows if rows.starts_with("instance,") => rows,
            _ => without_comments(&suite_text(&suite, "")),
        },
    })
}

fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| format!("{line}\n")).collect()
}

fn listing() -> String {
    let mut text = String::new();
    for suite in BUILT_IN {
        let parsed = parse_suite(suite.name, suite.text.as_bytes(), Asked::default());
        let boards = parsed.map_or(0, |suite| suite.instances.len());
        text += &format!("{:<12}{boards:>4} boards  {}\n", suite.name, suite.about);
    }
    text
}

fn write(
    boards: &BoardsArgs,
    instances: Vec<Instance>,
    command: &str,
    output: Output,
) -> anyhow::Result<()> {
    let suite = Suite {
        name: String::new(),
        goal: boards.kind()?.goal,
        metric: boards.metric,
        costs: Costs::Unit,
        instances,
        split_for: None,
    };
    let version = env!("CARGO_PKG_VERSION");
    let source = format!("slidebench {version}, suite gen {command}");
    output.write(&suite_text(&suite, &source))
}

/// Makes a ladder; a length that is not found is left out and told.
fn ladder(args: &LadderArgs) -> anyhow::Result<Exit> {
    let (boards, kind) = (&args.boards, args.boards.kind()?);
    refuse_no_rung(args, kind)?;
    let search = ladder_search(args);
    let Some(prepared) =
        args.tables
            .prepare(&search, None, (kind.size, kind.rules()), None, When::Auto)?
    else {
        return Ok(Exit::Interrupted);
    };
    let settings = prepared.settings(&search);
    let output = create_new(&boards.output)?;
    let progress = SearchProgress::new(When::Auto);
    let listener = |event| progress.on_event(event);
    let control = Control {
        limits: Limits {
            nodes: args.node_limit,
            ..Limits::default()
        },
        cancel: Some(catch_interrupt()?),
        listener: Some(&listener),
        ..Control::default()
    };
    let mut ladder = Ladder::new(kind, boards.seed, args.tries);
    let mut instances = Vec::new();
    for length in (args.from..=args.to).step_by(args.step.into()) {
        let found = ladder.rung(length, &settings, &control);
        progress.clear();
        match found {
            Ok(Some(board)) => instances.push(Instance {
                optimal: Some(length as u32),
                ..Instance::new(length, board)
            }),
            Ok(None) => message::tell(&format!(
                "no board of {length} moves in {} tries",
                args.tries
            )),
            Err(Interrupted) => return Ok(Exit::Interrupted),
        }
    }
    let LadderArgs {
        from,
        to,
        step,
        tries,
        ..
    } = args;
    let heuristic = settings.heuristic;
    let limit = args.node_limit.map_or(String::new(), |limit| {
        format!("--node-limit {limit} -H {heuristic} ")
    });
    let command = format!(
        "ladder --from {from} --to {to} --step {step} --tries {tries} {limit}{}",
        boards.flags()
    );
    write(boards, instances, &command, output)?;
    Ok(Exit::Done)
}

fn refuse_no_rung(args: &LadderArgs, kind: Kind) -> Result<(), UsageError> {
    let (from, to, size) = (args.from, args.to, kind.size);
    let refused = size.refuse_wide();
    refused.map_err(|error| UsageError(format!("{error}; for those there is suite gen random")))?;
    if from > to {
        return Err(UsageError(format!(
            "a ladder from {from} to {to} has no rung; expected --from to be at most --to"
        )));
    }
    match radius(kind) {
        Some(radius) if to > radius => Err(UsageError(format!(
            "no board of {size} needs {to} moves; the farthest need {radius} (--to {radius})"
        ))),
        _ => Ok(()),
    }
}

/// IDA* on one thread: the solution that it plays is the same for every estimate.
fn ladder_search(args: &LadderArgs) -> Configuration {
    Configuration {
        algorithm: Algorithm::IdaStar,
        heuristic: args.heuristic.clone(),
        threads: 1,
        engine: EngineChoice::Auto,
        prune: Pruning::Off,
        open: None,
    }
}
