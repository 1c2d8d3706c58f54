//! `slidebench run`: suites into a CSV of runs.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use slidebench::harness::{
    Asked, Choices, Ended, Filter, Finished, IterationRow, Journal, JournalError, Meta, News,
    Orders, Plan, Planned, Row, RowFormat, Session, Status, Suite, Summary, remaining, run_plan,
    write_time_log,
};
use slidebench::heuristic::HeuristicName;
use slidebench::puzzle::{Goal, Size};
use slidebench::search::{Algorithm, Engine, Prune};

use super::figures::counted;
use super::limit_args::LimitArgs;
use super::output::print;
use super::progress::When;
use super::run_progress::RunProgress;
use super::suite_arg::read_suites;
use super::{Exit, UsageError, catch_interrupt, summary};

/// Where rows go unless the user says otherwise.
const RESULTS: &str = "results";

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

    /// Estimates, for example md,lc,wd.
    #[arg(short = 'H', long, default_value = "md", value_parser = heuristics)]
    heuristic: Heuristics,

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

/// A list of names. What follows a comma may belong to the name before it: `pdb:7-8,nomirror`.
fn heuristics(text: &str) -> Result<Heuristics, String> {
    let mut names: Vec<String> = Vec::new();
    for part in text.split(',') {
        match (part, names.last_mut()) {
            ("nomirror", Some(name)) => *name = format!("{name},nomirror"),
            _ => names.push(part.to_owned()),
        }
    }
    let names: Result<_, _> = names.iter().map(|name| name.parse()).collect();
    names.map(Heuristics)
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let plan = plan(args)?;
    if args.list {
        print(&listing(&plan))?;
        return Ok(Exit::Done);
    }
    let orders = Orders {
        limits: args.limits.limits_of_each(args.jobs.into()),
        total_time: args.total_time,
        jobs: args.jobs.into(),
        warmup: args.warmup,
        cancel: catch_interrupt()?,
    };
    let (mut files, mut rows) = Files::open(args, &plan, &orders)?;
    let runs = remaining(&plan, &rows, &args.limits.asked());
    let done = plan.runs.len() - runs.len();
    let solved = rows
        .iter()
        .filter(|row| row.status == Status::Solved)
        .count();
    let progress = RunProgress::new(args.progress, &plan, orders.jobs, done, solved);
    let listener = |news: News<'_>| progress.hear(news);
    let ended = run_plan(
        &plan,
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
    let left = remaining(&plan, &rows, &args.limits.asked());
    report(&files.rows, &summary, ended, &left)?;
    Ok(match ended {
        _ if summary.wrong() > 0 => Exit::WrongAnswer,
        Ended::Interrupted => Exit::Interrupted,
        Ended::AllDone | Ended::OutOfTime => Exit::Done,
    })
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
    Plan::new(suites, choices.configurations(), args.repeat, args.seed)
        .map_err(|unsupported| UsageError(unsupported.to_string()).into())
}

/// A flag that would have no effect must not look as if it had one.
fn refuse_flags_of_idastar(args: &Args) -> Result<(), UsageError> {
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

/// The plan as a CSV: what would run, in its order.
fn listing(plan: &Plan) -> String {
    let mut text = "suite,instance,algorithm,heuristic,endgame,threads,repeat\n".to_owned();
    for run in &plan.runs {
        let key = plan.key(run);
        let search = &key.configuration;
        let fields = [
            &key.suite,
            &key.instance,
            &search.algorithm,
            &search.heuristic,
            &search.endgame,
        ];
        let mut line = csv::WriterBuilder::new().from_writer(Vec::new());
        let numbers = [search.threads.to_string(), key.repeat.to_string()];
        let fields = fields.into_iter().chain(&numbers);
        line.write_record(fields).expect("memory takes every byte");
        let line = line.into_inner().expect("memory takes every byte");
        text += &String::from_utf8_lossy(&line);
    }
    text
}

/// The files that a run writes while it goes on.
struct Files {
    rows: Journal<Row>,
    iterations: Option<Journal<IterationRow>>,
    meta: Option<(PathBuf, Meta)>,
}

impl Files {
    /// Opens them and returns the rows that are there already.
    fn open(args: &Args, plan: &Plan, orders: &Orders<'_>) -> anyhow::Result<(Files, Vec<Row>)> {
        let (mut journal, rows) = match &args.output {
            Some(path) if args.resume => {
                Journal::resume(path, args.format).map_err(journal_error)?
            }
            Some(path) => (
                Journal::create(path, args.format).map_err(journal_error)?,
                Vec::new(),
            ),
            None => (create_in_results(&plan.suites, args.format)?, Vec::new()),
        };
        let mut meta = None;
        if journal.is_file() {
            let path = Meta::path(journal.path());
            let sessions = match args.resume {
                true => Meta::read(&path),
                false => Meta::default(),
            };
            let begun = begin_session(sessions, args, plan, orders)?;
            begun
                .write(&path)
                .with_context(|| format!("cannot write {}", path.display()))?;
            meta = Some((path, begun));
        }
        journal.sync().map_err(journal_error)?;
        let iterations = match &args.iterations {
            Some(path) => Some(open_iterations(path, args, &rows)?),
            None => None,
        };
        let files = Files {
            rows: journal,
            iterations,
            meta,
        };
        Ok((files, rows))
    }

    /// Thresholds go first: where the run's own row is, they are.
    fn record(&mut self, finished: &Finished) -> Result<(), JournalError> {
        if let Some(iterations) = &mut self.iterations {
            iterations.append(&finished.iterations)?;
        }
        self.rows.append(std::slice::from_ref(&finished.row))
    }

    fn close(&mut self) -> anyhow::Result<()> {
        self.rows.sync().map_err(journal_error)?;
        if let Some(iterations) = &mut self.iterations {
            iterations.sync().map_err(journal_error)?;
        }
        if let Some((path, meta)) = &mut self.meta {
            meta.end();
            meta.write(path)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

fn journal_error(error: JournalError) -> anyhow::Error {
    match error.is_users() {
        true => UsageError(error.to_string()).into(),
        false => error.into(),
    }
}

/// A new file named after the suites and the time.
fn create_in_results(suites: &[Suite], format: RowFormat) -> anyhow::Result<Journal<Row>> {
    fs::create_dir_all(RESULTS).with_context(|| format!("cannot write {RESULTS}"))?;
    let names: Vec<&str> = suites.iter().map(|suite| suite.name.as_str()).collect();
    let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let name = format!("{}-{}", names.join("+"), time.replace(':', "-"));
    let name = name.replace('/', "_");
    for attempt in 1.. {
        let suffix = if attempt == 1 {
            String::new()
        } else {
            format!("-{attempt}")
        };
        let path = Path::new(RESULTS).join(format!("{name}{suffix}.{format}"));
        match Journal::create(&path, format) {
            // Another run began in the same second.
            Err(JournalError::Exists(_) | JournalError::Locked(_)) => {}
            created => return created.map_err(journal_error),
        }
    }
    unreachable!("some number is free")
}

/// Adds this process to the sidecar. Rows name neither engine nor machine before they run, so a
/// file is only gone on with in the way it was begun.
fn begin_session(
    mut meta: Meta,
    args: &Args,
    plan: &Plan,
    orders: &Orders<'_>,
) -> Result<Meta, UsageError> {
    let names: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let mut configurations: Vec<String> = plan
        .runs
        .iter()
        .map(|run| plan.key(run).configuration.to_string())
        .collect();
    configurations.sort();
    configurations.dedup();
    let session = Session {
        suites: plan.suites.iter().map(|suite| suite.name.clone()).collect(),
        configurations,
        engine: args.engine.to_string(),
        prune: args.prune.map(|prune| prune.to_string()),
        repeat: args.repeat,
        seed: args.seed,
        ..Session::start(names, orders)
    };
    if let Some(last) = meta.sessions.last() {
        let way = |session: &Session| match &session.prune {
            Some(prune) => format!("--engine {} --prune {prune}", session.engine),
            None => format!("--engine {}", session.engine),
        };
        if way(last) != way(&session) {
            let told = format!("the file was begun with {}; go on with the same", way(last));
            return Err(UsageError(told));
        }
    }
    meta.sessions.push(session);
    Ok(meta)
}

/// Opens the file of thresholds. Those at its end whose run has no row are dropped: the process
/// ended between the two.
fn open_iterations(
    path: &Path,
    args: &Args,
    rows: &[Row],
) -> anyhow::Result<Journal<IterationRow>> {
    if !args.resume {
        return Journal::create(path, args.format).map_err(journal_error);
    }
    let (mut journal, iterations) =
        Journal::<IterationRow>::resume(path, args.format).map_err(journal_error)?;
    let has_row = |iteration: &IterationRow| rows.iter().rev().any(|row| iteration.belongs_to(row));
    let kept = iterations
        .iter()
        .rposition(has_row)
        .map_or(0, |last| last + 1);
    if kept < iterations.len() {
        journal.keep(kept).map_err(journal_error)?;
    }
    Ok(journal)
}

fn write_histogram(path: &Path, rows: &[Row]) -> anyhow::Result<()> {
    let cannot_write = || format!("cannot write {}", path.display());
    let file = File::create(path).with_context(cannot_write)?;
    write_time_log(rows, file).with_context(cannot_write)
}

/// The summary, on stdout unless the rows are there.
fn report(
    journal: &Journal<Row>,
    summary: &Summary,
    ended: Ended,
    left: &[Planned],
) -> anyhow::Result<()> {
    let mut text = summary::text(summary);
    if !left.is_empty() {
        let why = match ended {
            Ended::Interrupted => "interrupted",
            _ => "out of time",
        };
        text += &format!(
            "{why}: {} left; go on with --resume\n",
            counted(left.len(), "run")
        );
    }
    if journal.path() == Path::new("-") {
        // Where stderr cannot be written there is nobody to tell.
        let _ = io::stderr().write_all(text.as_bytes());
        return Ok(());
    }
    text += &format!("rows: {}\n", journal.path().display());
    print(&text)
}
