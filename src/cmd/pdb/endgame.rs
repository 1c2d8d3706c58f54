//! Endgame tables on the command line.

use std::time::Duration;

use bytesize::ByteSize;

use super::making::{Making, command, is_whole, tell_it_is_there, whole_memory};
use super::wanted::WantedEndgame;
use super::{BuildArgs, print};
use crate::cmd::{Exit, UsageError, advice};
use crate::lookup::endgame::{BuildError, Builder, EndgamePlan, Until};
use crate::lookup::{Directory, Endgame, Kind};
use crate::sys::machine;

/// What a table takes.
pub fn plan(wanted: &WantedEndgame, directory: &Directory) -> anyhow::Result<Exit> {
    let size = wanted.size;
    let Some(depth) = wanted.depth else {
        return Err(UsageError(format!("a plan needs a depth; write endgame:{size}:DEPTH")).into());
    };
    let plan = EndgamePlan::new(size, depth);
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
        whole_memory(plan.memory),
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
        let path = directory.path_of(kind, size);
        let is_there = || directory.open(kind, size).is_ok_and(|file| file.is_some());
        if !args.force && is_there() && is_whole(&path) {
            tell_it_is_there(&path)?;
            return Ok(Exit::Done);
        }
        if !args.force {
            let foreign = directory.refuse_foreign(kind, size);
            foreign.map_err(advice::of_failed_table)?;
        }
        directory
            .check_room(kind, size, EndgamePlan::new(size, depth).bytes)
            .map_err(advice::of_failed_table)?;
    }
    let (making, built) = Making::build(args.progress, |control| {
        let memory = machine::free_memory();
        let builder = Builder {
            size,
            until,
            memory,
            control,
        };
        builder.build()
    })?;
    let built = match built {
        Err(BuildError::Cancelled) => return Ok(Exit::Interrupted),
        built => built?,
    };
    let table = built.description(&command());
    let what = format!("{size} {}, {} states", table.kind, table.entries);
    making.write(&directory, &table, built.payload(), &what, args.force)
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
