//! A folder of tables, each found by what it is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::create::{check_room, create, refuse_foreign, remove_leftovers};
use super::{Description, Kind, TableError, TableFile, TableProblem};
use crate::puzzle::Size;
use crate::sys::mapped_file::MappedFile;

/// A folder of tables; it need not exist before the first one is made.
///
/// ```
/// use slidebench::lookup::{Collection, Directory, PatternTable};
///
/// let directory = Directory::new("pdb");
/// let collection = Collection::parse("7-8", "4x4".parse()?)?;
/// for pattern in collection.patterns() {
///     let path = directory.path_of(pattern.kind(), pattern.size());
///     match PatternTable::open(&directory, &pattern)? {
///         Some(table) => println!("{}: {} bytes", path.display(), table.bits().as_ref().len()),
///         None => println!("{} was not built yet", path.display()),
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directory {
    path: PathBuf,
}

/// A file of the folder: a table, or why it is none.
#[derive(Debug)]
pub struct Listed {
    /// The file.
    pub path: PathBuf,
    /// What it holds, or why it cannot be read.
    pub table: Result<TableFile<MappedFile>, TableError>,
}

/// Ends the name of a table's file.
const EXTENSION: &str = "pdb";

impl Directory {
    /// A folder, which need not be there.
    pub fn new(path: impl Into<PathBuf>) -> Directory {
        Directory { path: path.into() }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What a table is called: `pattern-4x4-1.4.5.8`, `endgame-4x4-22`, `wd-5x5`.
    pub fn name_of(kind: Kind, size: Size) -> String {
        match kind {
            Kind::Patterns { .. } => {
                let tiles: Vec<String> = kind.tiles().iter().map(u32::to_string).collect();
                format!("pattern-{size}-{}", tiles.join("."))
            }
            Kind::Endgame { depth } => format!("endgame-{size}-{depth}"),
            Kind::Walking => format!("wd-{size}"),
        }
    }

    /// The table that is called so; `None` where no table is.
    pub fn named(name: &str) -> Option<(Kind, Size)> {
        let mut parts = name.splitn(3, '-');
        let (what, size) = (parts.next()?, parts.next()?.parse().ok()?);
        let with_tile =
            |tiles: u32, tile: &str| Some(tiles | 1u32.checked_shl(tile.parse().ok()?)?);
        let kind = match (what, parts.next()) {
            ("pattern", Some(tiles)) => Kind::Patterns {
                tiles: tiles.split('.').try_fold(0, with_tile)?,
            },
            ("endgame", Some(depth)) => Kind::Endgame {
                depth: depth.parse().ok()?,
            },
            ("wd", None) => Kind::Walking,
            _ => return None,
        };
        (Directory::name_of(kind, size) == name).then_some((kind, size))
    }

    /// Where a table is, or would be.
    pub fn path_of(&self, kind: Kind, size: Size) -> PathBuf {
        let name = Directory::name_of(kind, size);
        self.path.join(format!("{name}.{EXTENSION}"))
    }

    /// Opens a table; `None` where there is no such file.
    pub fn open(
        &self,
        kind: Kind,
        size: Size,
    ) -> Result<Option<TableFile<MappedFile>>, TableError> {
        let path = self.path_of(kind, size);
        let table = match TableFile::open(&path) {
            Err(TableError {
                problem: TableProblem::Read(error),
                ..
            }) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let table = table.expect(kind, size);
        table
            .map(Some)
            .map_err(|error| TableError::new(path, TableProblem::Format(error)))
    }

    /// Every file that has a table's name, in the order of the names.
    pub fn list(&self) -> Result<Vec<Listed>, TableError> {
        let fail = |error| TableError::new(&self.path, TableProblem::Read(error));
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(fail)?,
        };
        let mut paths = Vec::new();
        for entry in entries {
            let path = entry.map_err(fail)?.path();
            let is_named = path.extension().is_some_and(|ending| ending == EXTENSION);
            // To open a pipe is to wait for who writes into it.
            let opens = |meta: fs::Metadata| meta.is_file() || meta.is_dir();
            if is_named && fs::metadata(&path).map_or(true, opens) {
                paths.push(path);
            }
        }
        paths.sort();
        Ok(paths
            .into_iter()
            .map(|path| Listed {
                table: TableFile::open(&path),
                path,
            })
            .collect())
    }

    /// Refuses a table that the disk has no room for, what killed builders left removed first.
    pub fn check_room(&self, kind: Kind, size: Size, payload_len: u64) -> Result<(), TableError> {
        remove_leftovers(&self.path);
        check_room(&self.path_of(kind, size), payload_len)
    }

    /// Refuses a table whose name another file has, which is no table.
    pub fn refuse_foreign(&self, kind: Kind, size: Size) -> Result<(), TableError> {
        refuse_foreign(&self.path_of(kind, size))
    }

    /// Removes a file that has a table's name and is no table.
    pub fn remove_foreign(&self, kind: Kind, size: Size) -> Result<(), TableError> {
        let path = self.path_of(kind, size);
        match refuse_foreign(&path) {
            Ok(()) => Ok(()),
            Err(_) => fs::remove_file(&path)
                .map_err(|error| TableError::new(&path, TableProblem::Write(error))),
        }
    }

    /// Writes a table under its name, in place of one that is there; returns its path.
    pub fn create(
        &self,
        table: &Description,
        payload: &[u8],
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<PathBuf, TableError> {
        let path = self.path_of(table.kind, table.size);
        create(&path, table, payload, is_cancelled)?;
        Ok(path)
    }
}
