//! `slidebench course`: the interfaces of classroom assignments.

mod check;
mod verdicts;

use std::path::PathBuf;
use std::time::Duration;

use super::{Exit, UsageError, catch_interrupt};
use crate::cmd::args::board::{input_name, read_board, read_board_file, read_file};
use crate::cmd::args::goal::GoalArg;
use crate::cmd::args::limits::LimitArgs;
use crate::cmd::terminal::animate;
use crate::cmd::terminal::interrupt::is_interrupted;
use crate::cmd::terminal::output::{Output, exit, print};
use crate::course::driver::{self, Method, Report};
use crate::course::lines::Codes;
use crate::course::successors::{self, successors};
use crate::course::trace::{Popped, trace};
use crate::course::{lines, puz, reason};
use crate::puzzle::{Board, Problem, Size};
use crate::search::{Control, Stop};
use crate::sys::machine;

/// Answer as a classroom assignment asks, byte for byte; check programs that should.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    interface: Interface,
}

#[derive(clap::Subcommand)]
enum Interface {
    Driver(DriverArgs),
    Lines(LinesArgs),
    Puz(PuzArgs),
    Succ(SuccArgs),
    Trace(TraceArgs),
    Check(check::Args),
}

/// Search with bfs, dfs or ast and write seven lines to output.txt.
///
/// Nodes are removed, checked and expanded in that order, children in the order up, down,
/// left, right. In the queue of ast equal f goes by that order, then by insertion; a node
/// that is reached again by a shorter path moves up in the queue.
///
/// The file is emptied before the search starts. Where there is no solution, or a limit ends
/// the search, it says so in one line; after an interrupt it is empty.
#[derive(clap::Args)]
struct DriverArgs {
    /// bfs, dfs or ast (A* with the taxicab distance).
    method: Method,

    #[command(flatten)]
    board: BoardArgs,

    /// What the board is to become: first, last, spiral, snake, columns, or any board.
    #[arg(long, default_value_t = driver::GOAL.into())]
    goal: GoalArg,

    /// Write to this file; - is stdout.
    #[arg(short, long, default_value = "output.txt", value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    limits: LimitArgs,
}

/// Solve the boards of a file, one on a line.
///
/// A line is SIZE BOARD CODE, such as '3 87643.152 A', or a square board alone. The codes
/// are B (BFS), I (ID-DFS), A (A*), ! (all three) and D (BiBFS, which is ours); without a code A*
/// runs, or what --codes names. Lines are numbered from 0, blank ones included.
#[derive(clap::Args)]
struct LinesArgs {
    /// A file of such lines, or - for stdin.
    file: PathBuf,

    /// What the board is to become: first, last, spiral, snake, columns, or any board.
    #[arg(long, default_value_t = lines::GOAL.into())]
    goal: GoalArg,

    /// The searches for boards without a code, for example BI.
    #[arg(long, default_value = "A", conflicts_with = "heuristics")]
    codes: Codes,

    /// Print the taxicab distances and solve nothing.
    #[arg(long)]
    heuristics: bool,

    /// Print them as 'Line 0: 0', without the board.
    #[arg(long, requires = "heuristics")]
    bare: bool,

    #[command(flatten)]
    limits: LimitArgs,
}

/// Solve the board in a file and play the solution.
#[derive(clap::Args)]
struct PuzArgs {
    /// A file that holds the board, or - for stdin.
    file: PathBuf,

    /// What the board is to become: first, last, spiral, snake, columns, or any board.
    #[arg(long, default_value_t = puz::GOAL.into())]
    goal: GoalArg,

    /// Print the solution as a list of tile moves.
    #[arg(short, long)]
    nographics: bool,

    /// How long each board is shown, for example 300ms.
    #[arg(long, value_name = "TIME", default_value = "300ms", value_parser = humantime::parse_duration)]
    delay: Duration,

    /// ROWSxCOLS, where the board does not show it.
    #[arg(long)]
    size: Option<Size>,

    #[command(flatten)]
    limits: LimitArgs,
}

/// List the successors of a state with their taxicab distances.
#[derive(clap::Args)]
struct SuccArgs {
    #[command(flatten)]
    board: BoardArgs,

    /// What the board is to become: first, last, spiral, snake, columns, or any board.
    #[arg(long, default_value_t = successors::GOAL.into())]
    goal: GoalArg,
}

/// The state or board that an interface is asked about.
#[derive(clap::Args)]
struct BoardArgs {
    /// The board: numbers, letters, a file that holds it, or - for stdin.
    #[arg(required = true, value_name = "BOARD")]
    board: Vec<String>,

    /// ROWSxCOLS, where the board does not show it.
    #[arg(long)]
    size: Option<Size>,
}

/// List the states on the path that A* finds, and the length of its queue.
#[derive(clap::Args)]
struct TraceArgs {
    #[command(flatten)]
    board: BoardArgs,

    /// What the board is to become: first, last, spiral, snake, columns, or any board.
    #[arg(long, default_value_t = successors::GOAL.into())]
    goal: GoalArg,

    /// Close nothing: push every successor, as the assignment's sample was made.
    #[arg(long)]
    revisit: bool,

    #[command(flatten)]
    limits: LimitArgs,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    match &args.interface {
        Interface::Driver(args) => run_driver(args),
        Interface::Lines(args) => run_lines(args),
        Interface::Puz(args) => run_puz(args),
        Interface::Succ(args) => run_succ(args),
        Interface::Trace(args) => run_trace(args),
        Interface::Check(args) => check::run(args),
    }
}

impl BoardArgs {
    fn read(&self) -> anyhow::Result<Board> {
        read_board(&self.board, self.size)
    }
}

fn control(limits: &LimitArgs) -> anyhow::Result<Control<'static>> {
    Ok(Control {
        limits: limits.limits(),
        cancel: Some(catch_interrupt()?),
        ..Control::default()
    })
}

/// Prints one line of data.
fn say(line: &str) -> anyhow::Result<()> {
    print(&format!("{line}\n"))
}

/// Says what there is instead of an answer, which is a result like any other.
fn say_instead(line: &str) -> anyhow::Result<Exit> {
    say(line)?;
    Ok(Exit::Done)
}

/// Says why there is no answer; an interrupt needs no words.
fn say_stopped(stop: Stop) -> anyhow::Result<Exit> {
    match stop {
        Stop::Cancelled => Ok(Exit::Interrupted),
        _ => say_instead(&stopped(stop)),
    }
}

/// The searches of assignments are for small boards.
fn refuse_wide(board: &Board) -> Result<(), UsageError> {
    let refused = board.size().refuse_wide();
    refused.map_err(|error| UsageError(error.to_string()))
}

fn stopped(stop: Stop) -> String {
    format!("no solution found: stopped {}", reason(stop))
}

fn run_driver(args: &DriverArgs) -> anyhow::Result<Exit> {
    let board = args.board.read()?;
    let goal = args.goal.of(board.size())?;
    let problem = driver::problem(&board, goal).map_err(|error| UsageError(error.to_string()))?;
    let output = Output::create(&args.output)?;
    let problem = match problem {
        Ok(problem) => problem,
        Err(unsolvable) => {
            write_instead(output, &unsolvable.to_string())?;
            return Ok(Exit::Done);
        }
    };
    let outcome = driver::search(&problem, args.method, &control(&args.limits)?);
    match &outcome.result {
        Ok(solution) => {
            let report = Report {
                solution,
                stats: &outcome.stats,
                // Where the system does not say, what the search itself held is the next best.
                peak_rss: machine::peak_rss().unwrap_or(outcome.stats.peak_memory),
            };
            output.write(&report.to_string())?;
        }
        // The file stays as it was made: empty.
        Err(Stop::Cancelled) => {}
        Err(stop) => write_instead(output, &stopped(*stop))?,
    }
    Ok(exit(Some(&outcome)))
}

/// Says what there is instead of seven lines, in the file too if there is one.
fn write_instead(output: Output, line: &str) -> anyhow::Result<()> {
    if !output.is_stdout() {
        output.write(&format!("{line}\n"))?;
    }
    say(line)
}

fn run_lines(args: &LinesArgs) -> anyhow::Result<Exit> {
    let name = input_name(&args.file);
    let lines = lines::parse(&read_file(&args.file)?, &args.codes)
        .map_err(|error| UsageError(format!("{name}:{}: {error}", error.place)))?;
    let control = control(&args.limits)?;
    if !args.heuristics {
        for line in &lines {
            refuse_wide(&line.board).map_err(|error| {
                UsageError(format!("{name}: line {}: {}", line.number, error.0))
            })?;
        }
    }
    for line in &lines {
        let goal = args.goal.of(line.board.size())?;
        if args.heuristics {
            say(&match args.bare {
                true => line.bare_taxicab(goal),
                false => line.taxicab(goal),
            })?;
            continue;
        }
        for answer in line.answers(goal, &control) {
            let exit = exit(answer.outcome.as_ref());
            // A short search can end before it looks at the flag.
            if exit == Exit::Interrupted || is_interrupted() {
                return Ok(Exit::Interrupted);
            }
            say(&answer.to_string())?;
            if exit != Exit::Done {
                return Ok(exit);
            }
        }
    }
    Ok(Exit::Done)
}

fn run_puz(args: &PuzArgs) -> anyhow::Result<Exit> {
    let board = read_board_file(&args.file, args.size)?;
    refuse_wide(&board)?;
    let goal = args.goal.of(board.size())?;
    let problem = match Problem::new(&board, goal) {
        Ok(problem) => problem,
        Err(_) if args.nographics => return say_instead(&puz::list(None)),
        Err(unsolvable) => return say_instead(&unsolvable.to_string()),
    };
    let outcome = puz::search(&problem, &control(&args.limits)?);
    let moves = match &outcome.result {
        Ok(solution) => &solution.moves,
        Err(stop) => return say_stopped(*stop),
    };
    match exit(Some(&outcome)) {
        Exit::Done if !args.nographics => animate::play(&board, moves, goal, args.delay),
        exit => {
            say(&puz::list(Some(moves)))?;
            Ok(exit)
        }
    }
}

fn run_succ(args: &SuccArgs) -> anyhow::Result<Exit> {
    let board = args.board.read()?;
    for successor in successors(&board, args.goal.of(board.size())?) {
        say(&successor.to_string())?;
    }
    Ok(Exit::Done)
}

fn run_trace(args: &TraceArgs) -> anyhow::Result<Exit> {
    let board = args.board.read()?;
    refuse_wide(&board)?;
    let problem = match Problem::new(&board, args.goal.of(board.size())?) {
        Ok(problem) => problem,
        Err(unsolvable) => return say_instead(&unsolvable.to_string()),
    };
    let popped = match args.revisit {
        true => Popped::Revisited,
        false => Popped::Closed,
    };
    match trace(&problem, popped, &control(&args.limits)?) {
        Ok(trace) => {
            print(&trace.to_string())?;
            Ok(Exit::Done)
        }
        Err(stop) => say_stopped(stop),
    }
}
