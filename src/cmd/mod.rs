//! The commands, one file each: what the user typed becomes a call of the library.

mod advice;
mod args;
mod board;
mod compare;
mod completions;
mod course;
mod estimate;
mod examples;
mod manual;
mod merge;
mod pdb;
mod report;
mod run;
mod signature;
mod solve;
mod space;
mod split;
mod suite;
mod summary;
mod terminal;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use terminal::interrupt::{self, catch_interrupt};
use terminal::{message, output};

/// Optimal search on sliding-tile puzzles: solve boards, count nodes, measure.
#[derive(Parser)]
#[command(name = "slidebench", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Args),
    Board(board::Args),
    Estimate(estimate::Args),
    Run(Box<run::Args>),
    Suite(suite::Args),
    Pdb(pdb::Args),
    Report(report::Args),
    Compare(compare::Args),
    Merge(merge::Args),
    Split(split::Args),
    Space(space::Args),
    Course(course::Args),
    Signature(signature::Args),
    /// Print a completion script for a shell.
    Completions {
        /// The shell that will read the script.
        shell: clap_complete::Shell,
    },
    /// Print the manual page: all commands with all their flags.
    Man,
}

/// How a command that did its work ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Exit {
    Done = 0,
    /// What was looked at is not as the user wants it: slower than allowed, or a wrong line of a
    /// student's program.
    Rejected = 1,
    /// A cost or a path that is wrong: a fault of this program.
    WrongAnswer = 3,
    /// By Ctrl-C or another signal, which makes the code: see [`interrupt::code`].
    Interrupted = 130,
}

/// The user's mistake: wrong usage or input.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct UsageError(String);

const FAILED: u8 = 1;
const WRONG_USAGE: u8 = 2;

pub fn main() -> ExitCode {
    interrupt::fail_at_file_limit();
    match parse(std::env::args_os()) {
        Ok(cli) => match run(cli.command) {
            Ok(Exit::Interrupted) => ExitCode::from(interrupt::code()),
            Ok(exit) => ExitCode::from(exit as u8),
            Err(error) => fail(&error),
        },
        Err(code) => code,
    }
}

/// Help and version go to stdout as clap writes them; a mistake is told in one line.
fn parse(args: impl Iterator<Item = OsString>) -> Result<Cli, ExitCode> {
    Cli::try_parse_from(args).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let code = if error.use_stderr() { WRONG_USAGE } else { 0 };
            match error.print() {
                Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                    fail(&anyhow::Error::new(error).context("cannot write stdout"))
                }
                _ => ExitCode::from(code),
            }
        }
        _ => {
            message::tell(&message::of_usage(error));
            ExitCode::from(WRONG_USAGE)
        }
    })
}

fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Solve(args) => solve::run(&args),
        Command::Board(args) => board::run(&args),
        Command::Estimate(args) => estimate::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Suite(args) => suite::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Split(args) => split::run(&args),
        Command::Space(args) => space::run(&args),
        Command::Pdb(args) => pdb::run(&args),
        Command::Course(args) => course::run(&args),
        Command::Signature(args) => signature::run(&args),
        Command::Completions { shell } => {
            output::print(&completions::script(Cli::command(), shell)?)?;
            Ok(Exit::Done)
        }
        Command::Man => {
            output::print(&manual::page(Cli::command())?)?;
            Ok(Exit::Done)
        }
    }
}

/// What the user typed; the program by its name: where it was installed is of no use to another
/// reader.
fn typed_command() -> Vec<String> {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    std::iter::once("slidebench".to_owned())
        .chain(words)
        .collect()
}

fn fail(error: &anyhow::Error) -> ExitCode {
    message::tell(&format!("{error:#}"));
    ExitCode::from(if error.is::<UsageError>() {
        WRONG_USAGE
    } else {
        FAILED
    })
}
