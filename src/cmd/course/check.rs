//! `slidebench course check`: a student's program, line by line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bytesize::ByteSize;

use super::verdicts::{Count, CsvRows, text};
use crate::cmd::args::board::{input_name, read_file};
use crate::cmd::args::goal::GoalArg;
use crate::cmd::args::limits::{memory, time};
use crate::cmd::terminal::interrupt::{catch_interrupt, is_interrupted};
use crate::cmd::terminal::output::print;
use crate::cmd::{Exit, UsageError, advice, examples};
use crate::course::check::{
    Assignment, CheckError, Interface, Student, Task, TaskError, TaskProblem, check,
};
use crate::course::trace::Popped;
use crate::harness::run::limits_of_each;
use crate::harness::solver::Programs;
use crate::search::{Control, Limits, Stop};

/// Check a student's program on boards, line by line.
///
/// The program is called for each board in a new folder, as its assignment calls it:
/// 'COMMAND METHOD BOARD' for driver, which writes output.txt; 'COMMAND FILE' for lines, once for
/// all boards; 'COMMAND -n FILE' for puz; 'COMMAND STATE' for succ and trace. Words {method},
/// {board} and {file} in the command say that it is called in another way. Words that name files
/// here are given to the program as whole paths.
///
/// A line is right if it is what slidebench course itself writes, to the byte, but: a path is
/// replayed, and is right if it leads to the goal in the right number of moves; times and memory
/// are shown, and their numbers are not judged. For a wrong line the right one stands below it. What the
/// program prints beside its output.txt is not judged; an exit code other than 0 is wrong.
///
/// The exit code is 0 if all is right, and 1 if not.
#[derive(clap::Args)]
#[command(after_help = examples::COURSE_CHECK)]
pub struct Args {
    /// The assignment: driver, lines, puz, succ or trace.
    interface: Interface,

    /// The list that puz prints, which is what is checked of it; may be left out.
    #[arg(short, long)]
    nographics: bool,

    /// Check on the boards of this file, one on each line (- is stdin), and not on those built in.
    /// For driver a method may stand before a board; for lines it is the file that the program gets.
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,

    /// What boards are to become, if not what the assignment says: first, last, spiral, snake,
    /// columns, or any board.
    #[arg(long)]
    goal: Option<GoalArg>,

    /// Let the trace close nothing, as the assignment's sample was made.
    #[arg(long)]
    revisit: bool,

    /// Text for people, or a CSV with a row for each line.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// What the CSV calls the program, for example the student; by default the command.
    #[arg(long)]
    name: Option<String>,

    /// End the program after this long for each board, for example 10s.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time, allow_hyphen_values = true, help_heading = "Limits")]
    time_limit: Duration,

    /// Let the program hold at most this much memory, for example 1GiB; by default 80 % of what is
    /// free.
    #[arg(long, value_name = "BYTES", value_parser = memory, allow_hyphen_values = true, help_heading = "Limits")]
    max_memory: Option<ByteSize>,

    /// The program, for example python3 driver.py.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Csv,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    refuse_flags_of_others(args)?;
    let cancel = catch_interrupt()?;
    let limits = limits_of_each(
        Limits {
            time: Some(args.time_limit),
            nodes: None,
            memory: args.max_memory.map(|most| most.as_u64()),
        },
        1,
    );
    let control = Control {
        limits,
        cancel: Some(cancel),
        ..Control::default()
    };
    let Some(tasks) = tasks(args, &control)? else {
        return Ok(Exit::Interrupted);
    };
    let student = Student::new(&args.command);
    let programs = Programs::new();
    let name = args.name.clone();
    let name = name.unwrap_or_else(|| args.command.join(" "));
    let csv = CsvRows::new(&name, args.interface);
    let mut count = Count::default();
    if args.format == Format::Csv {
        print(&CsvRows::header())?;
    }
    for task in &tasks {
        let checked = check(task, &student, &programs, &limits, cancel).map_err(of_check)?;
        if is_interrupted() {
            return Ok(Exit::Interrupted);
        }
        count.add(&checked);
        print(&match args.format {
            Format::Text => text(task, &checked),
            Format::Csv => csv.of(task, &checked),
        })?;
    }
    if args.format == Format::Text {
        print(&format!("{count}\n"))?;
    }
    Ok(match count.is_right() {
        true => Exit::Done,
        false => Exit::Rejected,
    })
}

/// The tasks; none after an interrupt.
fn tasks(args: &Args, control: &Control<'_>) -> anyhow::Result<Option<Vec<Task>>> {
    let assignment = Assignment::new(args.interface);
    let assignment = Assignment {
        goal: match &args.goal {
            Some(goal) => goal.read(None)?,
            None => assignment.goal,
        },
        popped: match args.revisit {
            true => Popped::Revisited,
            false => Popped::Closed,
        },
        ..assignment
    };
    let (name, boards) = match &args.boards {
        Some(path) => (input_name(path), read_file(path)?),
        None => {
            let boards = args.interface.built_in_boards();
            ("the boards built in".to_owned(), boards.into())
        }
    };
    match assignment.tasks(&boards, control) {
        Err(error) if error.problem == TaskProblem::Stopped(Stop::Cancelled) => Ok(None),
        tasks => Ok(Some(tasks.map_err(|error| of_tasks(&name, &error))?)),
    }
}

/// A flag that would have no effect must not look as if it had one.
fn refuse_flags_of_others(args: &Args) -> Result<(), UsageError> {
    let interface = args.interface;
    let message = match interface {
        _ if args.nographics && interface != Interface::Puz => "--nographics goes with puz only",
        _ if args.revisit && interface != Interface::Trace => "--revisit goes with trace only",
        _ => return Ok(()),
    };
    Err(UsageError(message.to_owned()))
}

fn of_tasks(name: &str, error: &TaskError) -> UsageError {
    let problem = match &error.problem {
        TaskProblem::Board(board) => advice::of_board_line(board),
        TaskProblem::Stopped(_) => format!("{error}; give an easier board, or a higher limit"),
        _ => error.to_string(),
    };
    UsageError(format!("{name}:{}: {problem}", error.place))
}

/// A command that is not there is the user's to mend.
fn of_check(error: CheckError) -> anyhow::Error {
    match &error {
        CheckError::Start(program, cause) => {
            let hint = match Path::new(program).exists() {
                true if !program.contains('/') => format!("; write ./{program} for the file here"),
                _ => String::new(),
            };
            UsageError(format!("{program} does not start: {cause}{hint}")).into()
        }
        CheckError::Folder(_) => error.into(),
    }
}
