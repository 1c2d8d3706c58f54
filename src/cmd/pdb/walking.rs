//! Tables of walking distances on the command line.

use bytesize::ByteSize;

use super::making::{Making, check_memory, command, is_whole, tell_it_is_there, whole_memory};
use super::{BuildArgs, print};
use crate::cmd::{Exit, UsageError, advice};
use crate::lookup::{AbstractBoards, Directory, Kind, Unbuilt, WalkingTable};
use crate::puzzle::Size;
use crate::sys::machine;

/// What a table takes.
pub fn plan(size: Size, directory: &Directory) -> anyhow::Result<Exit> {
    let boards = boards(size)?;
    let cores = machine::cores();
    let there = match is_there(directory, &boards) {
        true => ", is there",
        false => "",
    };
    print(&format!(
        "table      {size} {}\n\
         entries    {}\n\
         file       {}, {}{there}\n\
         memory     about {}\n\
         time       about {:.1} s on {cores} cores\n",
        Kind::Walking,
        boards.count(),
        ByteSize(boards.bytes()),
        directory.path_of(Kind::Walking, size).display(),
        whole_memory(boards.memory()),
        boards.time(cores).as_secs_f64(),
    ))?;
    Ok(Exit::Done)
}

/// Builds a table into its file.
pub fn build(size: Size, args: &BuildArgs) -> anyhow::Result<Exit> {
    args.refuse_seconds()?;
    let boards = boards(size)?;
    let directory = args.tables.directory();
    let path = directory.path_of(Kind::Walking, size);
    if !args.force && is_there(&directory, &boards) && is_whole(&path) {
        tell_it_is_there(&path)?;
        return Ok(Exit::Done);
    }
    if !args.force {
        let foreign = directory.refuse_foreign(Kind::Walking, size);
        foreign.map_err(advice::of_failed_table)?;
    }
    directory
        .check_room(Kind::Walking, size, boards.bytes())
        .map_err(advice::of_failed_table)?;
    check_memory(boards.memory(), "choose a smaller board")?;
    let (making, built) = Making::build(args.progress, |control| boards.build(&control))?;
    let built = match built {
        Err(Unbuilt::Cancelled) => return Ok(Exit::Interrupted),
        built => built?,
    };
    let table = boards.description(&built, &command());
    let what = format!("{} abstract boards", table.entries);
    making.write(&directory, &table, &built.bits, &what, args.force)
}

fn is_there(directory: &Directory, boards: &AbstractBoards) -> bool {
    WalkingTable::open(directory, boards).is_ok_and(|table| table.is_some())
}

/// The abstract boards of a size, if they have a table.
fn boards(size: Size) -> Result<AbstractBoards, UsageError> {
    let boards = AbstractBoards::new(size).map_err(|error| UsageError(error.to_string()))?;
    match boards.are_listed() {
        true => Err(UsageError(format!(
            "the walking distance of {size} needs no table: -H wd lists its {} abstract boards when \
             it starts",
            boards.count()
        ))),
        false => Ok(boards),
    }
}
