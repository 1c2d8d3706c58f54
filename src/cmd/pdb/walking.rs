//! Tables of walking distances on the command line.

use bytesize::ByteSize;
use slidebench::harness::machine;
use slidebench::heuristic::WalkingDistance;
use slidebench::lookup::{AbstractBoards, Directory, Kind};
use slidebench::puzzle::Size;

use super::making::{Making, command, tell_it_is_there};
use super::{BuildArgs, print};
use crate::cmd::{Exit, UsageError};

/// What a table takes.
pub fn plan(size: Size, directory: &Directory) -> anyhow::Result<Exit> {
    let boards = boards(size)?;
    let cores = machine::cores();
    print(&format!(
        "table      {size} {}\n\
         entries    {}\n\
         file       {}, {}\n\
         memory     about {}\n\
         time       about {:.1} s on {cores} cores\n",
        Kind::Walking,
        boards.count(),
        ByteSize(boards.bytes()),
        directory.path_of(Kind::Walking, size).display(),
        ByteSize(boards.memory()),
        boards.time(cores).as_secs_f64(),
    ))?;
    Ok(Exit::Done)
}

/// Builds a table into its file.
pub fn build(size: Size, args: &BuildArgs) -> anyhow::Result<Exit> {
    args.refuse_seconds()?;
    let boards = boards(size)?;
    let directory = args.tables.directory();
    let opened = directory.open_walking(boards.clone());
    if !args.force && opened.is_ok_and(|table| table.is_some()) {
        tell_it_is_there(&directory.path_of(Kind::Walking, size))?;
        return Ok(Exit::Done);
    }
    directory.check_room(Kind::Walking, size, boards.bytes())?;
    let (making, built) = Making::build(args.progress, |control| boards.build(&control))?;
    let Ok(built) = built else {
        return Ok(Exit::Interrupted);
    };
    let table = boards.description(&built, &command());
    let what = format!("{} abstract boards", table.entries);
    making.write(&directory, &table, &built.bits, &what)
}

fn boards(size: Size) -> Result<AbstractBoards, UsageError> {
    WalkingDistance::boards(size).map_err(|error| UsageError(error.to_string()))
}
