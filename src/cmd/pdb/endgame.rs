//! Endgame tables on the command line.

use std::time::{Duration, Instant};

use bytesize::ByteSize;
use slidebench::harness::machine;
use slidebench::lookup::endgame::{BuildError, Builder, Built, Plan, Until};
use slidebench::lookup::{BuildControl, Directory, Endgame, Kind};

use super::wanted::WantedEndgame;
use super::{BuildArgs, print};
use crate::cmd::build_progress::BuildProgress;
use crate::cmd::{Exit, UsageError, catch_interrupt};

/// What a table takes.
pub fn plan(wanted: &WantedEndgame, directory: &Directory) -> anyhow::Result<Exit> {
    let size = wanted.size;
    let Some(depth) = wanted.depth else {
        return Err(UsageError(format!("a plan needs a depth; write endgame:{size}:DEPTH")).into());
    };
    let plan = Plan::new(size, depth);
    let about = if plan.is_exact { "" } else { "about " };
    let kind = Kind::Endgame { depth };
    let path = directory.path_of(kind, size);
    print(&format!(
        "table      {size} {kind}\n\
         entries    {about}{}\n\
         file       {about}{}, {}\n\
         memory     about {}\n\
         time       about {:.1} s\n",
        plan.entries,
        ByteSize(plan.bytes),
        path.display(),
        ByteSize(plan.memory),
        plan.time.as_secs_f64()
    ))?;
    Ok(Exit::Done)
}

/// Builds a table into its file.
pub fn build(wanted: &WantedEndgame, args: &BuildArgs) -> anyhow::Result<Exit> {
    let size = wanted.size;
    let directory = args.tables.directory();
    let until = until(wanted, args.seconds())?;
    if let Until::Depth(depth) = until {
        let kind = Kind::Endgame { depth };
        if !args.force && directory.open(kind, size).is_ok_and(|file| file.is_some()) {
            let path = directory.path_of(kind, size);
            print(&format!(
                "{} is there; --force builds it again\n",
                path.display()
            ))?;
            return Ok(Exit::Done);
        }
        directory.check_room(kind, size, Plan::new(size, depth).bytes)?;
    }
    let begun = Instant::now();
    let progress = BuildProgress::new(args.progress);
    let listener = |layer| progress.hear(layer);
    let cancel = catch_interrupt()?;
    let builder = Builder {
        size,
        until,
        memory: machine::free_memory(),
        control: BuildControl {
            cancel: Some(cancel),
            listener: Some(&listener),
        },
    };
    let built = builder.build();
    progress.clear();
    match built {
        Ok(built) => write(built, &directory, cancel, begun),
        Err(BuildError::Cancelled) => Ok(Exit::Interrupted),
        Err(error) => Err(error.into()),
    }
}

fn until(wanted: &WantedEndgame, seconds: Option<Duration>) -> Result<Until, UsageError> {
    let size = wanted.size;
    match (wanted.depth, seconds) {
        (Some(depth), None) => Ok(Until::Depth(depth)),
        (None, Some(time)) => Ok(Until::Time(time)),
        (Some(_), Some(_)) => Err(UsageError(format!(
            "--seconds decides the depth itself; write endgame:{size} --seconds N"
        ))),
        (None, None) => Err(UsageError(format!(
            "how deep? write endgame:{size}:DEPTH or add --seconds N; the deepest is {}",
            Endgame::deepest(size)
        ))),
    }
}

fn write(
    built: Built,
    directory: &Directory,
    cancel: &std::sync::atomic::AtomicBool,
    begun: Instant,
) -> anyhow::Result<Exit> {
    let found = begun.elapsed();
    let command: Vec<String> = std::env::args().skip(1).collect();
    let table = built.description(&format!("slidebench {}", command.join(" ")));
    let is_cancelled = || cancel.load(std::sync::atomic::Ordering::Relaxed);
    let path = match directory.create(&table, built.payload(), &is_cancelled) {
        Err(error) if error.is_cancelled() => return Ok(Exit::Interrupted),
        created => created?,
    };
    print(&format!(
        "{}: {} {}, {} states, {}, {found:.1?} to build and {:.1?} to write\n",
        path.display(),
        table.size,
        table.kind,
        table.entries,
        ByteSize(built.payload().len() as u64),
        begun.elapsed() - found,
    ))?;
    Ok(Exit::Done)
}
