//! `slidebench run`: suites into a CSV of runs.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context;
use slidebench::harness::figures::{counted, duration};
use slidebench::harness::{
    Advice, Asked, Choices, Ended, Estimates, Filter, Finished, News, Orders, Plan, Ready, Row,
    RowFormat, Session, Status, Summary, Table, advice, remaining, run_plan, write_time_log,
};
use slidebench::heuristic::HeuristicName;
use slidebench::lookup::{BuildControl, Endgame};
use slidebench::puzzle::{Goal, Size};
use slidebench::search::{Algorithm, Engine, Prune};

use super::endgame_arg::EndgameArg;
use super::limit_args::LimitArgs;
use super::output::print;
use super::progress::When;
use super::run_files::{FileArgs, RunFiles, journal_error};
use super::run_progress::RunProgress;
use super::suite_arg::read_suites;
use super::table_args::{TableArgs, waited_for};
use super::{Exit, UsageError, catch_interrupt, summary};

/// Run suites of boards: a row for each run, and a summary.
///
/// A suite is a built-in name (see slidebench suite list) or a file: a CSV with the columns
/// instance,board,optimal, or a board on each line in any notation.
///
/// A row is written when its run ends, so nothing is lost if the process is killed; --resume goes
/// on. A limit, an unsolvable board or a crash of the search is a row with its status.
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

    /// How idastar walks: scalar, batched, or auto (the fastest there is for the search).
    #[arg(long, default_value = "auto")]
    engine: Engine,

    /// Let idastar prune duplicate sequences of moves: fsm:DEPTH, for example fsm:8.
    #[arg(long)]
    prune: Option<Prune>,

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

    /// Write a row for each threshold of idastar to this file.
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
    let plan = plan(args)?;
    if args.list {
        print(&listing(&plan))?;
        return Ok(Exit::Done);
    }
    let cancel = catch_interrupt()?;
    let Some(estimates) = prepare(args, &plan, cancel)? else {
        return Ok(Exit::Interrupted);
    };
    let Some(endgames) = load_endgames(args, &plan)? else {
        return Ok(Exit::Interrupted);
    };
    let ready = Ready::new(&plan, &estimates, &endgames.tables);
    let orders = Orders {
        limits: args.limits.limits_of_each(args.jobs.into()),
        total_time: args.total_time,
        jobs: args.jobs.into(),
        warmup: args.warmup,
        cancel,
    };
    let session = session(args, &ready, (&estimates, &endgames), &orders);
    let (mut files, mut rows) = RunFiles::open(&file_args(args), &plan.suites, session)?;
    let runs = remaining(&ready, &rows, &args.limits.asked());
    let progress = RunProgress::new(args.progress, &plan, orders.jobs, &runs, &rows);
    let listener = |news: News<'_>| progress.hear(news);
    let ended = run_plan(
        &ready,
        &runs,
        &orders,
        &listener,
        &mut |finished: &Finished| {
            files.record(finished)?;
            rows.push(finished.row.clone());
            Ok(())
        },
    );
    progress.clear();
    let ended = ended.map_err(journal_error)?;
    files.close()?;
    if let Some(path) = &args.histogram {
        write_histogram(path, &rows)?;
    }
    let summary = Summary::new(&rows, &plan.suites);
    let left = remaining(&ready, &rows, &args.limits.asked());
    let advice = advice(&plan, &estimates, &rows);
    report(
        &files,
        &summary,
        &closing_lines(estimates.time() + endgames.time, &advice, ended, left.len()),
    )?;
    let failed = rows
        .iter()
        .filter(|row| row.status == Status::Error)
        .count();
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
    let control = BuildControl {
        cancel: Some(cancel),
        listener: None,
    };
    waited_for(Estimates::prepare(plan, &args.tables.tables()?, &control))
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

fn plan(args: &Args) -> anyhow::Result<Plan> {
    refuse_flags_of_idastar(args)?;
    let asked = Asked {
        goal: args.goal,
        size: args.size,
    };
    let mut suites = read_suites(&args.suites, asked)?;
    if let Some(filter) = &args.filter {
        suites = suites
            .into_iter()
            .map(|suite| suite.filtered(filter))
            .collect();
        if suites.iter().all(|suite| suite.instances.is_empty()) {
            return Err(UsageError("the filter leaves no instance".to_owned()).into());
        }
    }
    let choices = Choices {
        algorithms: args.algorithm.clone(),
        heuristics: args.heuristic.0.clone(),
        threads: args.threads.iter().map(|&threads| threads.into()).collect(),
        engine: args.engine,
        prune: args.prune,
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
    if args.endgame.is_some() && !args.algorithm.iter().any(|it| it.is_informed()) {
        let told = "--endgame goes with astar and idastar only";
        return Err(UsageError(told.to_owned()));
    }
    let flag = match args.algorithm.contains(&Algorithm::IdaStar) {
        true => return Ok(()),
        _ if args.threads.iter().any(|&threads| threads > 1) => "--threads",
        _ if args.engine != Engine::Auto => "--engine",
        _ if args.prune.is_some() => "--prune",
        _ if args.iterations.is_some() && !args.algorithm.contains(&Algorithm::Iddfs) => {
            "--iterations"
        }
        _ => return Ok(()),
    };
    Err(UsageError(format!("{flag} goes with idastar only")))
}

/// The plan as a CSV: what would run, in its order, with heuristics as they were typed.
fn listing(plan: &Plan) -> String {
    let mut text = csv::Writer::from_writer(Vec::new());
    let header = "suite,instance,algorithm,heuristic,threads,repeat";
    let mut write = |record: Vec<String>| {
        let written = text.write_record(record);
        written.expect("memory takes every byte");
    };
    write(header.split(',').map(str::to_owned).collect());
    for run in &plan.runs {
        let configuration = plan.configuration(run);
        write(vec![
            plan.suite(run).name.clone(),
            plan.instance(run).name.clone(),
            configuration.algorithm.to_string(),
            match configuration.algorithm.is_informed() {
                true => configuration.heuristic.to_string(),
                false => String::new(),
            },
            configuration.threads.to_string(),
            run.repeat.to_string(),
        ]);
    }
    let bytes = text.into_inner().expect("memory takes every byte");
    String::from_utf8(bytes).expect("names are text")
}

fn file_args(args: &Args) -> FileArgs<'_> {
    FileArgs {
        output: args.output.as_deref(),
        format: args.format,
        resume: args.resume,
        iterations: args.iterations.as_deref(),
    }
}

/// What the sidecar says about this process.
fn session(
    args: &Args,
    ready: &Ready<'_>,
    (estimates, endgames): (&Estimates, &Endgames),
    orders: &Orders<'_>,
) -> Session {
    // The program by its name: where it was installed is of no use to another reader.
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let command = std::iter::once("slidebench".to_owned()).chain(words);
    let configurations = ready.configurations();
    let tables = estimates.tables().into_iter();
    let tables = tables.chain(endgames.tables.iter().map(Table::from));
    Session {
        suites: ready
            .plan
            .suites
            .iter()
            .map(|suite| suite.name.clone())
            .collect(),
        configurations: configurations.iter().map(ToString::to_string).collect(),
        engine: args.engine.to_string(),
        prune: args.prune.map(|prune| prune.to_string()),
        repeat: args.repeat,
        seed: args.seed,
        tables: tables.collect(),
        table_time_ns: (estimates.time() + endgames.time).as_nanos() as u64,
        ..Session::start(command.collect(), orders)
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
    ended: Ended,
    left: usize,
) -> Vec<String> {
    let mut lines = Vec::new();
    if !table_time.is_zero() {
        let table_time = duration(table_time);
        lines.push(format!("tables: {table_time} to open or build"));
    }
    lines.extend(advice.iter().map(summary::advice));
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
        // Where stderr cannot be written there is nobody to tell.
        let _ = io::stderr().write_all(text.as_bytes());
        return Ok(());
    }
    print(&format!("{text}rows: {}\n", files.path().display()))
}
