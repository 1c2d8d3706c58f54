//! An endgame table for a search, as a flag.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use slidebench::lookup::endgame::{BuildError, Builder, EndgamePlan, Until};
use slidebench::lookup::{
    BuildControl, Directory, Endgame, FormatError, Kind, TableError, TableFile, TableProblem,
};
use slidebench::puzzle::Size;
use slidebench::sys::machine;

use crate::cmd::args::tables::folder_flag;
use crate::cmd::{UsageError, catch_interrupt};

/// An endgame table as a user names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EndgameArg {
    Depth(u32),
    File(PathBuf),
}

impl FromStr for EndgameArg {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<EndgameArg, Self::Err> {
        Ok(match text.parse() {
            Ok(depth) => EndgameArg::Depth(depth),
            Err(_) => EndgameArg::File(text.into()),
        })
    }
}

/// A table that takes longer to build is not built just for a search.
const LONGEST_BUILD: Duration = Duration::from_secs(10);

impl EndgameArg {
    /// The table: from its file, or built into memory where that is a matter of seconds. Also
    /// how long that took.
    pub fn load(
        &self,
        size: Size,
        directory: &Directory,
    ) -> anyhow::Result<Option<(Endgame, Duration)>> {
        let begun = Instant::now();
        let endgame = match self {
            EndgameArg::File(path) => Some(from_file(path, size)?),
            EndgameArg::Depth(depth) => {
                let kind = Kind::Endgame { depth: *depth };
                match directory.open(kind, size)? {
                    Some(file) => {
                        let path = directory.path_of(kind, size);
                        Some(Endgame::new(file).map_err(|error| unreadable(path, error))?)
                    }
                    None => in_memory(size, *depth, directory)?,
                }
            }
        };
        Ok(endgame.map(|endgame| (endgame, begun.elapsed())))
    }
}

fn from_file(path: &Path, size: Size) -> anyhow::Result<Endgame> {
    let file = TableFile::open(path).map_err(|error| match error.problem {
        TableProblem::Read(_) => anyhow::Error::from(UsageError(error.to_string())),
        _ => error.into(),
    })?;
    let table = &file.header().table;
    if !matches!(table.kind, Kind::Endgame { .. }) {
        return Err(UsageError(format!(
            "{} holds the {} {}, and is no endgame; build one with slidebench pdb build \
             endgame:{size}:DEPTH",
            path.display(),
            table.size,
            table.kind
        ))
        .into());
    }
    let endgame = Endgame::new(file).map_err(|error| unreadable(path.to_owned(), error))?;
    if endgame.size() != size {
        return Err(UsageError(format!(
            "{} is the endgame of {}, and the board is {size}; build one with slidebench pdb \
             build endgame:{size}:{}",
            path.display(),
            endgame.size(),
            endgame.depth()
        ))
        .into());
    }
    Ok(endgame)
}

fn unreadable(path: PathBuf, error: FormatError) -> TableError {
    TableError {
        path,
        problem: TableProblem::Format(error),
    }
}

/// `None` where the user interrupts it.
fn in_memory(size: Size, depth: u32, directory: &Directory) -> anyhow::Result<Option<Endgame>> {
    let deepest = Endgame::deepest(size);
    if depth <= deepest && EndgamePlan::new(size, depth).time > LONGEST_BUILD {
        return Err(UsageError(format!(
            "there is no endgame of {size} to depth {depth} in {}; run slidebench pdb build \
             endgame:{size}:{depth}{}",
            directory.path().display(),
            folder_flag(directory.path())
        ))
        .into());
    }
    let builder = Builder {
        size,
        until: Until::Depth(depth),
        memory: machine::free_memory(),
        control: BuildControl {
            cancel: Some(catch_interrupt()?),
            listener: None,
        },
    };
    match builder.build() {
        Ok(built) => Ok(Some(built.into())),
        Err(BuildError::Cancelled) => Ok(None),
        Err(error @ BuildError::TooDeep { .. }) => Err(UsageError(error.to_string()).into()),
        Err(error) => Err(error.into()),
    }
}
