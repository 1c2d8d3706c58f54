//! `slidebench run`: suites into a CSV of runs.

mod plan;
mod session;

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context;
use slidebench::harness::analysis::{Advice, Summary, advice, write_time_log};
use slidebench::harness::cluster::Shard;
use slidebench::harness::humanize::{counted, duration};
use slidebench::harness::record::{Row, RowFormat, Session, Status};
use slidebench::harness::run::{
    Ended, Estimates, Plan, Planned, Ready, Recorded, RunEvent, RunOptions, refuse_other_search,
    remaining, run_plan,
};
use slidebench::harness::suite::Filter;
use slidebench::heuristic::HeuristicName;
use slidebench::lookup::{BuildControl, Endgame};
use slidebench::puzzle::{Goal, Size};
use slidebench::search::{Algorithm, EngineChoice};

use super::run_files::{FileArgs, RunFiles, journal_error};
use super::{Exit, UsageError, catch_interrupt, summary};
use crate::cmd::args::endgame::EndgameArg;
use crate::cmd::args::limits::LimitArgs;
use crate::cmd::args::shard::{ShardArgs, file_of};
use crate::cmd::args::tables::TableArgs;
use crate::cmd::args::walk::Pruning;
use crate::cmd::terminal::build_progress::BuildProgress;
use crate::cmd::terminal::output::{print, print_aside};
use crate::cmd::terminal::progress::When;
use crate::cmd::terminal::run_progress::RunProgress;
use plan::{listing, plan};
use session::session;

/// Run suites of boards: a row for each run, and a summary.
///
/// A suite is a built-in name (see slidebench suite list) or a file: a CSV with the columns
/// instance,board,optimal, or a board on each line in any notation.
///
/// A row is written when its run ends, so nothing is lost if the process is killed; --resume goes
/// on. A limit, an unsolvable board or a crash of the search is a row with its status. docs/csv.md
/// describes the columns.
#[derive(clap::Args)]
pub struct Args {
    /// Built-in suites or files; - is stdin.
    #[arg(required = true, value_name = "SUITE")]
    suites: Vec<String>,

    /// Searches, for example idastar,astar.
    #[arg(short, long, default_value = "idastar", value_delimiter = ',')]
    algorithm: Vec<Algorithm>,

    /// Estimates, for example md,lc,wd,pdb:7-8; auto is the strongest that is at hand or soon
    /// built.
    #[arg(short = 'H', long, default_value = "auto", value_parser = heuristics)]
    heuristic: Heuristics,

    /// End branches of astar and idastar in an endgame table: its DEPTH, or its file. One that
    /// takes seconds is built in memory.
    #[arg(long, value_name = "DEPTH|FILE")]
    endgame: Option<EndgameArg>,

    /// Threads of idastar, for example 1,2.
    #[arg(long, default_value = "1", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,

    /// How idastar walks: scalar, batched or both (scalar,batched), or auto (the fastest there
    /// is for the search).
    #[arg(long, default_value = "auto", value_delimiter = ',')]
    engine: Vec<EngineChoice>,

    /// Let idastar prune duplicate sequences of moves: fsm:DEPTH, none, or several, for example
    /// none,fsm:8.
    #[arg(long, default_value = "none", value_delimiter = ',')]
    prune: Vec<Pruning>,

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

    /// Where the gap belongs, against what the suite says: first or last.
    #[arg(long)]
    goal: Option<Goal>,

    /// ROWSxCOLS, where boards do not show it.
    #[arg(long)]
    size: Option<Size>,

    #[command(flatten)]
    shard: ShardArgs,

    /// Print what would run, and run nothing.
    #[arg(long)]
    list: bool,

    #[command(flatten)]
    tables: TableArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// Stop everything after this long, for example 2h.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, help_heading = "Limits")]
    total_time: Option<Duration>,

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

    /// Write a row for each threshold of idastar to this file, as it ends; with --resume a run
    /// goes on from the thresholds there. Without it, runs that take long have a file of their
    /// own beside the rows.
    #[arg(long, value_name = "FILE")]
    iterations: Option<PathBuf>,

    /// Write the times of solved runs to this file, as an HDR histogram log.
    #[arg(long, value_name = "FILE")]
    histogram: Option<PathBuf>,

    /// When to show what is running.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    progress: When,
}

/// A list; clap takes a plain vector for a flag given several times.
#[derive(Clone)]
struct Heuristics(Vec<HeuristicName>);

fn heuristics(text: &str) -> Result<Heuristics, String> {
    HeuristicName::list(text).map(Heuristics)
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let whole = plan(args)?;
    let shard = args.shard.shard(args.output.is_some())?;
    let part = shard.map(|shard| shard.part_of(&whole));
    let plan = part.as_ref().unwrap_or(&whole);
    if args.list {
        print(&listing(plan))?;
        return Ok(Exit::Done);
    }
    let cancel = catch_interrupt()?;
    let Some(estimates) = prepare(args, plan, cancel)? else {
        return Ok(Exit::Interrupted);
    };
    let Some(endgames) = load_endgames(args, plan)? else {
        return Ok(Exit::Interrupted);
    };
    let ready = Ready::new(plan, &estimates, &endgames.tables);
    refuse_other_search(&ready).map_err(UsageError)?;
    let options = RunOptions {
        limits: args.limits.limits_of_each(args.jobs.into()),
        total_time: args.total_time,
        jobs: args.jobs.into(),
        warmup: args.warmup,
        cancel,
        begun: &HashMap::new(),
    };
    let session = Session {
        shard: shard.map(|shard| session::shard(args, shard, &whole, &ready)),
        ..session(args, &ready, (&estimates, &endgames), &options)
    };
    let (mut files, earlier) = RunFiles::open(&file_args(args, shard), &plan.suites, session)?;
    let mut rows = earlier.rows;
    let options = RunOptions {
        begun: &earlier.begun,
        ..options
    };
    let runs = remaining(&ready, &rows, &args.limits.asked());
    let progress = RunProgress::new(args.progress, plan, options.jobs, &runs, &rows);
    let ended = run_and_record(&ready, &runs, &options, &progress, &mut files, &mut rows)?;
    files.close()?;
    if let Some(path) = &args.histogram {
        write_histogram(&file_of(shard, path), &rows)?;
    }
    let summary = Summary::new(&rows, &plan.suites);
    let left = remaining(&ready, &rows, &args.limits.asked());
    let advice = advice(plan, &estimates, &rows);
    let time = estimates.time() + endgames.time;
    let lines = closing_lines(time, &advice, &args.tables.flags(), ended, left.len());
    report(&files, &summary, &lines)?;
    verdict(&rows, &summary, ended)
}

/// Runs what is left of the plan; each row is in the file before it is among the others.
fn run_and_record(
    ready: &Ready<'_>,
    runs: &[Planned],
    options: &RunOptions<'_>,
    progress: &RunProgress<'_>,
    files: &mut RunFiles,
    rows: &mut Vec<Row>,
) -> anyhow::Result<Ended> {
    let mut record = |record: Recorded<'_>| {
        files.record(record)?;
        if let Recorded::Run(row) = record {
            rows.push(row.clone());
        }
        Ok(())
    };
    let on_event = |event: RunEvent<'_>| progress.on_event(event);
    let ended = run_plan(ready, runs, options, &on_event, &mut record);
    progress.clear();
    ended.map_err(journal_error)
}

/// How the process ends.
fn verdict(rows: &[Row], summary: &Summary, ended: Ended) -> anyhow::Result<Exit> {
    let failed = rows.iter().filter(|row| row.status == Status::Error);
    let failed = failed.count();
    if failed > 0 && summary.wrong() == 0 {
        anyhow::bail!(
            "{failed} runs ended in an error; if they read tables, slidebench pdb verify checks those"
        );
    }
    Ok(match ended {
        _ if summary.wrong() > 0 => Exit::WrongAnswer,
        Ended::Interrupted => Exit::Interrupted,
        Ended::AllDone | Ended::OutOfTime => Exit::Done,
    })
}

/// Finds or builds the tables; `None` where the user did not wait for them.
fn prepare(args: &Args, plan: &Plan, cancel: &AtomicBool) -> anyhow::Result<Option<Estimates>> {
    let progress = BuildProgress::patient(args.progress);
    let listener = |layer| progress.on_layer(layer);
    let control = BuildControl {
        cancel: Some(cancel),
        listener: Some(&listener),
    };
    let prepared = Estimates::prepare(plan, &args.tables.tables()?, &control);
    progress.clear();
    let prepared = args.tables.waited_for(prepared)?;
    for (name, size, prepared) in prepared.iter().flat_map(Estimates::all) {
        args.tables.tell_how_to_keep(name, size, prepared);
    }
    Ok(prepared)
}

/// Endgame tables, and how long it took to open or build them.
#[derive(Default)]
struct Endgames {
    tables: Vec<Endgame>,
    time: Duration,
}

/// Finds or builds the endgame of each size, if one is asked for.
fn load_endgames(args: &Args, plan: &Plan) -> anyhow::Result<Option<Endgames>> {
    let mut endgames = Endgames::default();
    let Some(endgame) = &args.endgame else {
        return Ok(Some(endgames));
    };
    for run in &plan.runs {
        let size = plan.instance(run).board.size();
        if endgames.tables.iter().any(|table| table.size() == size) {
            continue;
        }
        let Some((table, time)) = endgame.load(size, &args.tables.directory())? else {
            return Ok(None);
        };
        endgames.tables.push(table);
        endgames.time += time;
    }
    Ok(Some(endgames))
}

/// A shard has files of its own, and goes on with them: its job may have been requeued.
fn file_args(args: &Args, shard: Option<Shard>) -> FileArgs {
    let own = |path: &PathBuf| file_of(shard, path);
    FileArgs {
        output: args.output.as_ref().map(own),
        format: args.format,
        resume: args.resume || shard.is_some(),
        iterations: args.iterations.as_ref().map(own),
        histogram: args.histogram.as_ref().map(own),
    }
}

fn write_histogram(path: &Path, rows: &[Row]) -> anyhow::Result<()> {
    let cannot_write = || format!("cannot write {}", path.display());
    let file = File::create(path).with_context(cannot_write)?;
    write_time_log(rows, file).with_context(cannot_write)
}

/// What a reader should know beside the figures, a line each.
fn closing_lines(
    table_time: Duration,
    advice: &[Advice],
    flags: &str,
    ended: Ended,
    left: usize,
) -> Vec<String> {
    let mut lines = Vec::new();
    if !table_time.is_zero() {
        let table_time = duration(table_time);
        lines.push(format!("tables: {table_time} to open or build"));
    }
    lines.extend(advice.iter().map(|advice| summary::advice(advice, flags)));
    if left > 0 {
        let why = match ended {
            Ended::Interrupted => "interrupted",
            Ended::AllDone | Ended::OutOfTime => "out of time",
        };
        lines.push(format!(
            "{why}: {} left; go on with --resume",
            counted(left, "run")
        ));
    }
    lines
}

/// The summary, on stdout unless the rows are there.
fn report(files: &RunFiles, summary: &Summary, lines: &[String]) -> anyhow::Result<()> {
    let mut text = summary::text(summary);
    for line in lines {
        text += &format!("{line}\n");
    }
    if files.path() == Path::new("-") {
        print_aside(&text);
        return Ok(());
    }
    print(&format!("{text}rows: {}\n", files.path().display()))
}
