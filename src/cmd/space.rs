//! `slidebench space`: every state of a board, by its distance from the goal.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bytesize::ByteSize;

use super::{Exit, UsageError, catch_interrupt};
use crate::cmd::examples;
use crate::cmd::terminal::message;
use crate::cmd::terminal::output::{create_new, print, table};
use crate::cmd::terminal::progress::When;
use crate::cmd::terminal::space_progress::SpaceProgress;
use crate::harness::humanize::{count, counted, duration};
use crate::harness::suite::generate::suite_text;
use crate::harness::suite::{Instance, Suite};
use crate::puzzle::{Costs, Goal, Metric, Size};
use crate::space::{
    Space, SpaceControl, SpaceError, SpacePlan, counts_text, explore, remove_files,
};
use crate::sys::machine;

/// Explore a whole space: the states at each distance from the goal, and the hardest boards.
///
/// Counts are for a goal with the gap in a corner; which corner does not matter.
#[derive(clap::Args)]
#[command(after_help = examples::SPACE)]
pub struct Args {
    /// ROWSxCOLS, up to 16 cells, for example 3x4.
    size: Size,

    /// What counts as a move: single (one tile) or multi (a row of tiles).
    #[arg(long, default_value = "single")]
    metric: Metric,

    /// How to print the counts.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Write the hardest boards to this new file, a suite for the goal first; - is stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Keep bitmaps in files of this folder, which are mapped. The same command goes on behind the
    /// last layer if it was stopped, and removes them when all is done.
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,

    /// Take at most this much memory, for example 12GiB, or do not begin; by default what is free.
    /// Bitmaps in files do not count: these are the system's to keep or to write.
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<ByteSize>,

    /// Say what it will take, and end.
    #[arg(long)]
    plan: bool,

    /// Threads, by default one for each core.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// When to show how far it is.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    progress: When,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A table for people.
    Text,
    /// size,metric,depth,count.
    Csv,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let plan = SpacePlan::new(args.size, args.metric);
    refuse_large(&plan)?;
    if args.plan {
        print(&plan_text(&plan, args))?;
        return Ok(Exit::Done);
    }
    check_memory(&plan, args)?;
    let output = args.output.as_deref().map(create_new).transpose()?;
    if output.as_ref().is_some_and(|output| output.is_stdout()) && args.format == Format::Csv {
        let refused = "-o - and --format csv would both go to stdout; write one of them to a file";
        return Err(UsageError(refused.to_owned()).into());
    }
    let begun = Instant::now();
    let space = match explored(args)? {
        Some(space) => space,
        None => return Ok(Exit::Interrupted),
    };
    if let Some(output) = output {
        output.write(&hardest(&space))?;
    }
    print(&match args.format {
        Format::Text => text(&space, begun.elapsed()),
        Format::Csv => counts_text(&space),
    })?;
    if let Some(folder) = &args.dir
        && let Err(error) = remove_files(folder, args.size, args.metric)
    {
        let folder = folder.display();
        message::tell(&format!(
            "cannot remove the bitmaps in {folder}, which are done with: {error}"
        ));
    }
    Ok(Exit::Done)
}

/// The space; `None` where the user did not wait.
fn explored(args: &Args) -> anyhow::Result<Option<Space>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or(0).into());
    let pool = pool.build()?;
    let cancel = catch_interrupt()?;
    let progress = SpaceProgress::new(args.size, args.metric, args.progress);
    let listener = |event| progress.on_event(event);
    let control = SpaceControl {
        cancel: Some(cancel),
        listener: Some(&listener),
    };
    let folder = args.dir.as_deref();
    let space = pool.install(|| explore(args.size, args.metric, folder, control));
    progress.clear();
    match space {
        Ok(space) => Ok(Some(space)),
        Err(SpaceError::Cancelled) => {
            message::tell(match args.dir {
                Some(_) => "stopped; the same command goes on behind the last layer",
                None => "stopped; with --dir FOLDER the same command would go on later",
            });
            Ok(None)
        }
        Err(error) => Err(advised(error)),
    }
}

/// What a user can do about a failure.
fn advised(error: SpaceError) -> anyhow::Error {
    match &error {
        SpaceError::Foreign(_) => {
            UsageError(format!("{error}; remove it, or choose another --dir")).into()
        }
        SpaceError::Locked(_) => UsageError(format!(
            "{error}, of the same size and metric; wait for it, or choose another --dir"
        ))
        .into(),
        SpaceError::NoRoom {
            folder,
            needed,
            free,
        } => UsageError(format!(
            "the bitmaps need {} in {}, where {} are free; choose another --dir",
            bytes(*needed),
            folder.display(),
            ByteSize(*free)
        ))
        .into(),
        SpaceError::NoMemory(_) => {
            anyhow::anyhow!("{error}; --dir FOLDER keeps bitmaps in files")
        }
        _ => error.into(),
    }
}

fn bytes(number: u128) -> ByteSize {
    ByteSize(number.try_into().unwrap_or(u64::MAX))
}

fn refuse_large(plan: &SpacePlan) -> Result<(), UsageError> {
    const MOST_CELLS: usize = 16;
    let (size, cells) = (plan.size, plan.size.cells());
    match cells > MOST_CELLS {
        true => Err(UsageError(format!(
            "{size} has {cells} cells and {:.1e} states, for which bitmaps would take {:.1e} bytes; \
             a space can have {MOST_CELLS} cells",
            plan.states as f64, plan.bitmaps as f64
        ))),
        false => Ok(()),
    }
}

fn check_memory(plan: &SpacePlan, args: &Args) -> Result<(), UsageError> {
    let needed = match args.dir {
        Some(_) => plan.lists,
        None => plan.memory(),
    };
    let free = machine::free_memory().unwrap_or(u64::MAX);
    let (most, what) = match args.max_memory {
        Some(most) if most.as_u64() < free => (most.as_u64(), "allowed (--max-memory)"),
        _ => (free, "free"),
    };
    if needed <= u128::from(most) {
        return Ok(());
    }
    let instead = match args.dir {
        Some(_) => String::new(),
        None => format!(
            "; --dir FOLDER keeps {} of it in files",
            bytes(plan.bitmaps)
        ),
    };
    Err(UsageError(format!(
        "{} needs {} of memory with the metric {}, and {} are {what}{instead}",
        plan.size,
        bytes(needed),
        plan.metric,
        ByteSize(most),
    )))
}

fn plan_text(plan: &SpacePlan, args: &Args) -> String {
    let (memory, disk) = match &args.dir {
        Some(folder) => {
            let disk = format!("{} in {}", bytes(plan.bitmaps), folder.display());
            (plan.lists, disk)
        }
        None => (
            plan.memory(),
            "none; --dir FOLDER has the bitmaps there".to_owned(),
        ),
    };
    table(&[
        ("space", format!("{} {}", plan.size, plan.metric)),
        ("states", states(plan.states)),
        ("bitmaps", bytes(plan.bitmaps).to_string()),
        ("lists", bytes(plan.lists).to_string()),
        ("memory", bytes(memory).to_string()),
        ("disk", disk),
    ])
}

fn states(number: u128) -> String {
    u64::try_from(number).map_or(number.to_string(), count)
}

fn text(space: &Space, time: Duration) -> String {
    let all: u64 = space.counts.iter().sum();
    let mut text = table(&[
        ("space", format!("{} {}", space.size, space.metric)),
        ("states", count(all)),
        ("radius", counted(space.radius(), "move")),
        ("hardest", counted(space.farthest.len(), "board")),
        ("time", duration(time)),
        ("memory", peak_memory()),
    ]);
    text += "\ndepth           states\n";
    for (depth, &states) in space.counts.iter().enumerate() {
        text += &format!("{depth:>5} {:>16}\n", count(states));
    }
    text
}

/// The most that the process had in use, with what it mapped.
fn peak_memory() -> String {
    let peak = machine::peak_rss().map(|bytes| ByteSize(bytes).to_string());
    peak.unwrap_or_else(|| "not known".to_owned())
}

/// The hardest boards as a suite.
fn hardest(space: &Space) -> String {
    let boards = space.farthest.iter().enumerate();
    let instances = boards.map(|(number, board)| Instance {
        optimal: Some(space.radius() as u32),
        ..Instance::new(number + 1, *board)
    });
    let suite = Suite {
        name: String::new(),
        goal: Goal::First,
        metric: space.metric,
        costs: Costs::Unit,
        instances: instances.collect(),
        split_for: None,
    };
    let version = env!("CARGO_PKG_VERSION");
    let source = format!(
        "slidebench {version}, space {} --metric {}",
        space.size, space.metric
    );
    suite_text(&suite, &source)
}
