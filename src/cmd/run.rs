//! `slidebench run`: suites into a CSV of runs.

mod closing;
mod plan;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use super::{Exit, UsageError, advice, catch_interrupt, summary, typed_command};
use crate::cmd::args::goal::GoalArg;
use crate::cmd::args::limits::{LimitArgs, time};
use crate::cmd::args::shard::{ShardArgs, file_of};
use crate::cmd::args::tables::SearchTableArgs;
use crate::cmd::examples;
use crate::cmd::terminal::message::{self, escape_sequences_shown};
use crate::cmd::terminal::output::{destination, print, print_aside};
use crate::cmd::terminal::progress::When;
use crate::cmd::terminal::run_progress::RunProgress;
use crate::harness::analysis::{Summary, write_time_log};
use crate::harness::cluster::{part_of, record_shard};
use crate::harness::humanize::counted;
use crate::harness::record::{
    Earlier, FileChoices, JournalError, Row, RowFormat, RunFiles, RunFilesError, Session, Shard,
    ShardRecord, Status, latest,
};
use crate::harness::run::{
    Ended, Finished, Plan, PlanTables, Ready, RunEvent, RunOptions, limits_of_each, run_into_files,
    session,
};
use crate::harness::suite::Filter;
use crate::heuristic::{HeuristicName, HeuristicNameError};
use crate::lookup::endgame::EndgameName;
use crate::puzzle::{Costs, Metric, Size};
use crate::search::{Algorithm, EngineChoice, Pruning};
use crate::sys::atomic_file::write_whole;
use closing::closing_lines;
use plan::{Asking, listing, plan};

/// Run suites of boards: a row for each run, and a summary.
///
/// A suite is a built-in name (see slidebench suite list) or a file: a CSV with the columns
/// instance,board,optimal, or a board on each line in any notation.
///
/// A row is written when its run ends, so nothing is lost if the process is killed; --resume goes
/// on. A limit, an unsolvable board or a crash of the search is a row with its status. docs/csv.md
/// describes the columns.
#[derive(clap::Args)]
#[command(after_help = examples::RUN)]
pub struct Args {
    /// Built-in suites or files; - is stdin.
    #[arg(required = true, value_name = "SUITE")]
    suites: Vec<PathBuf>,

    /// Searches, for example idastar,astar [default: idastar, on boards of more than 16 cells
    /// astar+idastar, or none where there is a --solver]
    #[arg(short, long, value_delimiter = ',')]
    algorithm: Vec<Algorithm>,

    /// A program of yours, once for each: a command such as 'python3 mine.py {board}', or a TOML
    /// file; docs/solvers.md has both.
    #[arg(long, value_name = "COMMAND|FILE.toml")]
    solver: Vec<String>,

    /// Estimates, for example md,lc,wd,pdb:7-8; auto is the strongest that is at hand or soon
    /// built [default: auto]
    #[arg(short = 'H', long, value_parser = heuristics)]
    heuristic: Option<Heuristics>,

    /// End branches of astar and idastar in an endgame table: its DEPTH, or its file. One that
    /// takes seconds is built in memory.
    #[arg(long, value_name = "DEPTH|FILE")]
    endgame: Option<EndgameName>,

    /// Threads of astar, idastar, astar+idastar and beam, for example 1,2.
    #[arg(long, default_value = "1", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,

    /// How idastar walks: scalar, batched or both (scalar,batched), or auto (the fastest there
    /// is for the search).
    #[arg(long, default_value = "auto", value_delimiter = ',')]
    engine: Vec<EngineChoice>,

    /// Let idastar prune duplicate sequences of moves: fsm:DEPTH, none, or several, for example
    /// none,fsm:8, or auto (where that is faster: with pattern databases on 5x5).
    #[arg(long, default_value = "auto", value_delimiter = ',')]
    prune: Vec<Pruning>,

    /// How many states astar+idastar has on the open list that it goes on from; fewer where
    /// --max-memory leaves no room. By default 131072; 512 with pattern databases of up to 16 cells.
    #[arg(long, value_name = "STATES", value_parser = clap::value_parser!(u32).range(1..))]
    open: Option<u32>,

    /// Let wastar expand a state again where a shorter path to it is found.
    #[arg(long)]
    reopen: bool,

    /// Run each instance so often with each configuration.
    #[arg(long, default_value = "1", value_name = "TIMES", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Run each this often before, unrecorded.
    #[arg(long, default_value = "0", value_name = "TIMES")]
    warmup: u32,

    /// Shuffle the runs, the same way for the same seed; without it they are in order.
    #[arg(long)]
    seed: Option<u64>,

    /// Instances side by side.
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,

    /// Only these instances: 1-5,12, or by known length, optimal:40-50. With both, both hold.
    #[arg(long)]
    filter: Option<Filter>,

    /// What boards are to become, against what the suite says: first (gap top left), last (gap bottom
    /// right), spiral, snake, columns, or any board of their size.
    #[arg(long)]
    goal: Option<GoalArg>,

    /// What counts as a move, against what the suite says: single (one tile) or multi (a row of
    /// tiles, for bfs, bibfs, astar, idastar and beam with zero or md).
    #[arg(long)]
    metric: Option<Metric>,

    /// What it costs to move a tile, against what the suite says: unit, heavy (the tile's number),
    /// sqrt, inverse or reverse (for bfs, astar and idastar with zero or md).
    #[arg(long)]
    costs: Option<Costs>,

    /// ROWSxCOLS, where boards do not show it.
    #[arg(long)]
    size: Option<Size>,

    #[command(flatten)]
    shard: ShardArgs,

    /// Print what would run, and run nothing.
    #[arg(long)]
    list: bool,

    #[command(flatten)]
    tables: SearchTableArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// Stop everything after this long, for example 2h.
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true, help_heading = "Limits")]
    total_time: Option<Duration>,

    /// Leave the rest of a configuration out once so many of its runs have failed: a limit or an
    /// error ended them. With suites in the order of their lengths, such as ladder4x4, 1 finds the
    /// longest that is solved. What is left out has no row: all runs of that configuration, of every
    /// suite, that have not begun by then. Rows that are there with --resume count, but for those
    /// that are done again; --resume without this flag runs what was left out.
    #[arg(long, value_name = "TIMES", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Limits")]
    stop_after_failures: Option<u32>,

    /// Write rows to this file; - is stdout. By default a new file under results/.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Rows as csv, or as jsonl.
    #[arg(long, default_value = "csv")]
    format: RowFormat,

    /// Go on with the output file: runs that it holds are not repeated, but for those that were
    /// interrupted or stopped at a limit lower than the one now given.
    #[arg(long, requires = "output")]
    resume: bool,

    /// Write a row for each threshold of idastar and astar+idastar to this file, as it ends; with --resume a run
    /// goes on from the thresholds there. Without it, runs that take long have a file of their
    /// own beside the rows.
    #[arg(long, value_name = "FILE")]
    iterations: Option<PathBuf>,

    /// Write a row for each better solution of arastar to this file, as it is found: time, cost and
    /// proven bound.
    #[arg(long, value_name = "FILE")]
    incumbents: Option<PathBuf>,

    /// Write the times of solved runs to this file, as an HDR histogram log.
    #[arg(long, value_name = "FILE")]
    histogram: Option<PathBuf>,

    /// When to show what is running.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    progress: When,
}

impl Args {
    /// The searches that are asked for.
    fn algorithms(&self) -> Vec<Algorithm> {
        match self.algorithm.is_empty() && self.solver.is_empty() {
            true => vec![Algorithm::IdaStar],
            false => (self.algorithm.iter())
                .map(|it| it.reopening(self.reopen))
                .collect(),
        }
    }
}

/// A list; clap takes a plain vector for a flag given several times.
#[derive(Clone)]
struct Heuristics(Vec<HeuristicName>);

fn heuristics(text: &str) -> Result<Heuristics, HeuristicNameError> {
    HeuristicName::list(text).map(Heuristics)
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let asking = plan(args)?;
    let shard = shard(args)?;
    let part = shard.map(|shard| part_of(&asking.plan, shard));
    let plan = part.as_ref().unwrap_or(&asking.plan);
    if args.list {
        print(&listing(args, plan)?)?;
        return Ok(Exit::Done);
    }
    // Nobody waits for tables to hear that a file is there.
    let files = files(args, shard).checked();
    let files = files.map_err(advice::of_run_files)?;
    let options = options(args)?;
    let Some(tables) = tables(args, plan, &options)? else {
        return Ok(Exit::Interrupted);
    };
    let options = RunOptions {
        held: tables.built_bytes(),
        ..options
    };
    let ready = Ready::new(plan, &tables).map_err(|error| advice::of_not_ready(&error))?;
    let session = Session {
        shard: shard_record(&asking, shard, &ready, &options),
        ..session(typed_command(), &ready, &tables, &options)
    };
    let Some((mut files, earlier)) = open(files, plan, session)? else {
        return Ok(Exit::Done);
    };
    let finished = run_shown(args, &ready, earlier, &options, &mut files)?;
    files.close().map_err(advice::of_run_files)?;
    if let Some(path) = &args.histogram {
        write_histogram(&file_of(shard, path), &finished.rows)?;
    }
    let summary = Summary::new(&finished.rows, &plan.suites);
    let mut text = summary::text(&summary, args.stop_after_failures.is_some());
    text += &closing_lines(args, plan, &tables, &finished, &files);
    report(args, &files, text)?;
    verdict(&finished, &summary, &files)
}

/// The part of the plan that this process has, if it is not all.
fn shard(args: &Args) -> anyhow::Result<Option<Shard>> {
    let shard = args.shard.shard(args.output.is_some())?;
    if shard.is_some() && args.stop_after_failures.is_some() {
        let message = "--stop-after-failures counts the failures of all runs, and a shard knows \
                       only its own; leave one of the two out";
        return Err(UsageError(message.to_owned()).into());
    }
    Ok(shard)
}

/// The tables of the plan; `None` where the user did not wait for them.
fn tables(
    args: &Args,
    plan: &Plan,
    options: &RunOptions<'_>,
) -> anyhow::Result<Option<PlanTables>> {
    let (endgame, memory) = (args.endgame.as_ref(), options.asked.memory);
    (args.tables).prepare_plan(plan, endgame, memory, args.progress)
}

/// What the sidecar says of the part: units are a part of a whole, however they come to be run.
fn shard_record(
    asking: &Asking,
    shard: Option<Shard>,
    ready: &Ready<'_>,
    options: &RunOptions<'_>,
) -> Option<ShardRecord> {
    match (shard, &asking.all_units) {
        (Some(shard), _) => Some(record_shard(shard, &asking.plan, ready, options)),
        (None, Some(units)) => Some(record_shard(Shard::WHOLE, units, ready, options)),
        (None, None) => None,
    }
}

/// Opens the files; `None` where whoever reads has enough before the first row, as in
/// `… -o - | true`.
fn open(
    choices: FileChoices,
    plan: &Plan,
    session: Session,
) -> anyhow::Result<Option<(RunFiles, Earlier)>> {
    match RunFiles::open(choices, &plan.puzzles(), session) {
        Err(RunFilesError::Journal(JournalError::Closed(_))) => Ok(None),
        opened => Ok(Some(opened.map_err(advice::of_run_files)?)),
    }
}

/// How the plan is to be run.
fn options(args: &Args) -> anyhow::Result<RunOptions<'static>> {
    let (asked, jobs) = (args.limits.asked(), args.jobs.into());
    Ok(RunOptions {
        asked,
        limits: limits_of_each(asked, jobs),
        held: 0,
        total_time: args.total_time,
        jobs,
        warmup: args.warmup,
        stop_after_failures: args.stop_after_failures,
        cancel: catch_interrupt()?,
    })
}

/// The files that the user names. A shard has files of its own, and goes on with them: its job
/// may have been requeued.
fn files(args: &Args, shard: Option<Shard>) -> FileChoices {
    let own = |path: &PathBuf| file_of(shard, path);
    let to = |path: &PathBuf| destination(&own(path));
    FileChoices {
        rows: args.output.as_ref().map(to),
        format: args.format,
        resume: args.resume || shard.is_some(),
        thresholds: args.iterations.as_ref().map(to),
        incumbents: args.incumbents.as_ref().map(to),
        histogram: args.histogram.as_ref().map(own),
        programs: !args.solver.is_empty(),
    }
}

/// Runs what is left of the plan, with a bar on stderr.
fn run_shown(
    args: &Args,
    ready: &Ready<'_>,
    earlier: Earlier,
    options: &RunOptions<'_>,
    files: &mut RunFiles,
) -> anyhow::Result<Finished> {
    let Earlier { rows, sessions, .. } = &earlier;
    let runs = ready.remaining(rows, sessions, &options.asked_of_each());
    tell_of_other_tables(ready, &earlier);
    let progress = RunProgress::new(args.progress, ready.plan, options, &runs, &earlier.rows);
    let on_event = |event: RunEvent<'_>| progress.on_event(event);
    let finished = run_into_files(ready, &runs, earlier, options, &on_event, files);
    progress.clear();
    finished.map_err(|error| advice::of_run_files(error.into()))
}

/// Rows that are not believed are no secret.
fn tell_of_other_tables(ready: &Ready<'_>, earlier: &Earlier) {
    let is_other = |row: &&Row| ready.has_other_tables(row, &earlier.sessions);
    let others = latest(&earlier.rows).into_iter().filter(is_other).count();
    if others > 0 {
        message::tell(&format!(
            "{} of earlier processes read tables that were not verified, or that have changed since; \
             their runs are done again",
            counted(others, "row")
        ));
    }
}

fn write_histogram(path: &Path, rows: &[Row]) -> anyhow::Result<()> {
    let mut log = Vec::new();
    let written = write_time_log(rows, &mut log).and_then(|()| write_whole(path, &log));
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// The summary, on stdout unless the rows are there.
fn report(args: &Args, files: &RunFiles, text: String) -> anyhow::Result<()> {
    if args.output.as_deref() == Some(Path::new("-")) {
        print_aside(&text);
        return Ok(());
    }
    print(&format!("{text}rows: {}\n", files.name().display()))
}

/// How the process ends.
fn verdict(finished: &Finished, summary: &Summary, files: &RunFiles) -> anyhow::Result<Exit> {
    let failed = finished.rows.iter();
    let failed: Vec<_> = failed.filter(|row| row.status == Status::Error).collect();
    if !failed.is_empty() && summary.wrong() == 0 {
        let why = match files.failures() {
            Some(file) if file.exists() => format!("{} says why", file.display()),
            None if !files.reasons().is_empty() => {
                print_aside(&escape_sequences_shown(files.reasons()));
                "the reasons are above".to_owned()
            }
            _ => "if they read tables, slidebench pdb verify checks those".to_owned(),
        };
        let runs = counted(failed.len(), "run");
        anyhow::bail!("{runs} ended in an error; {why}");
    }
    Ok(match finished.ended {
        _ if summary.wrong() > 0 => Exit::WrongAnswer,
        Ended::Interrupted => Exit::Interrupted,
        Ended::AllDone | Ended::OutOfTime | Ended::NobodyReads => Exit::Done,
    })
}
