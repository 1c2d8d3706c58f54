//! An endgame as a user names it, and the way from there to the table: its file, or a build.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use super::{BuildError, Builder, Endgame, EndgamePlan, Until};
use crate::lookup::{BuildControl, Directory, Kind, TableError, TableFile, TableProblem};
use crate::puzzle::Size;
use crate::sys::mapped_file::MappedFile;

/// An endgame table by its depth, or by its file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum EndgameName {
    /// All states up to this distance.
    Depth(u32),
    /// What a file holds.
    File(PathBuf),
}

/// Every text is a name: what is no number is a file.
impl FromStr for EndgameName {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<EndgameName, Self::Err> {
        Ok(match text.parse() {
            Ok(depth) => EndgameName::Depth(depth),
            Err(_) => EndgameName::File(text.into()),
        })
    }
}

/// Why there is no such endgame.
#[derive(Debug, thiserror::Error)]
pub enum EndgameError {
    /// A file that was named cannot be read.
    #[error(transparent)]
    NoFile(TableError),
    /// It cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file holds another kind of table.
    #[error("{path} holds the {found_size} {found}, and is no endgame")]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: Kind,
        /// The boards that it is for.
        found_size: Size,
        /// The boards that are searched.
        size: Size,
    },
    /// The file is for other boards.
    #[error("{path} is the endgame of {found}, and the board is {size}")]
    OtherSize {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: Size,
        /// The boards that are searched.
        size: Size,
        /// Its depth.
        depth: u32,
    },
    /// It takes long to build, and there is no file.
    #[error("there is no endgame of {size} to depth {depth} in {folder}")]
    NotBuilt {
        /// The boards that are searched.
        size: Size,
        /// Its depth.
        depth: u32,
        /// Where it would be.
        folder: PathBuf,
    },
    /// It cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl EndgameError {
    /// Whether another name, or another command first, would have helped.
    pub fn is_usage(&self) -> bool {
        use EndgameError::{Build, NoFile, NotBuilt, OtherKind, OtherSize};
        matches!(
            self,
            NoFile(_)
                | OtherKind { .. }
                | OtherSize { .. }
                | NotBuilt { .. }
                | Build(BuildError::TooDeep { .. })
        )
    }
}

/// A table that takes longer to build is not built just for a search.
const LONGEST_BUILD: Duration = Duration::from_secs(10);

impl EndgameName {
    /// Where its file is, or would be.
    pub fn path(&self, size: Size, directory: &Directory) -> PathBuf {
        match self {
            EndgameName::File(path) => path.clone(),
            EndgameName::Depth(depth) => directory.path_of(Kind::Endgame { depth: *depth }, size),
        }
    }

    /// The table for boards of a size: from its file, or built into memory where that is a matter
    /// of seconds, in at most so many bytes.
    pub fn open_or_build(
        &self,
        size: Size,
        directory: &Directory,
        memory: Option<u64>,
        control: &BuildControl<'_>,
    ) -> Result<Endgame, EndgameError> {
        match self {
            EndgameName::File(path) => open_file(path, size),
            EndgameName::Depth(depth) => {
                let kind = Kind::Endgame { depth: *depth };
                match directory.open(kind, size)? {
                    Some(file) => Ok(endgame_of(file, &directory.path_of(kind, size))?),
                    None => build(size, *depth, directory, memory, control),
                }
            }
        }
    }
}

fn open_file(path: &Path, size: Size) -> Result<Endgame, EndgameError> {
    let file = TableFile::open(path).map_err(|error| match error.problem {
        TableProblem::Read(_) => EndgameError::NoFile(error),
        _ => EndgameError::Table(error),
    })?;
    let table = &file.header().table;
    if !matches!(table.kind, Kind::Endgame { .. }) {
        return Err(EndgameError::OtherKind {
            path: path.to_owned(),
            found: table.kind,
            found_size: table.size,
            size,
        });
    }
    let endgame = endgame_of(file, path)?;
    match endgame.size() == size {
        true => Ok(endgame),
        false => Err(EndgameError::OtherSize {
            path: path.to_owned(),
            found: endgame.size(),
            size,
            depth: endgame.depth(),
        }),
    }
}

fn endgame_of(file: TableFile<MappedFile>, path: &Path) -> Result<Endgame, TableError> {
    let changed_at = file.changed_at();
    let endgame =
        Endgame::new(file).map_err(|error| TableError::new(path, TableProblem::Format(error)))?;
    Ok(Endgame {
        changed_at,
        ..endgame
    })
}

fn build(
    size: Size,
    depth: u32,
    directory: &Directory,
    memory: Option<u64>,
    control: &BuildControl<'_>,
) -> Result<Endgame, EndgameError> {
    size.refuse_wide().map_err(BuildError::from)?;
    let is_known = depth <= Endgame::deepest(size);
    if is_known && EndgamePlan::new(size, depth).time > LONGEST_BUILD {
        return Err(EndgameError::NotBuilt {
            size,
            depth,
            folder: directory.path().to_owned(),
        });
    }
    let builder = Builder {
        size,
        until: Until::Depth(depth),
        memory,
        control: *control,
    };
    Ok(builder.build()?.into())
}
