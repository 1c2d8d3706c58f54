//! The folder of an exploration that can be stopped: its bitmaps, and how far they are.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::bitmaps::Bitmaps;
use super::explore::SpaceError;
use super::index::Index;
use super::plan::SpacePlan;
use crate::puzzle::{Metric, Size};
use crate::sys::atomic_file::write_whole;

/// How far an exploration is. It is written when the disk has the bitmaps that it speaks of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Journal {
    /// How bitmaps are laid; another number is another program's.
    format: u32,
    size: String,
    metric: String,
    /// States at each distance that is known.
    pub counts: Vec<u64>,
    /// With a row of tiles a move: whether rows are next, of a step whose columns are done.
    pub rows_are_next: bool,
    /// And which column classes are those before the step.
    pub slot: usize,
}

const FORMAT: u32 = 1;

/// The files of one size and metric in a folder, locked.
pub(super) struct Folder {
    stem: PathBuf,
    /// Whether an earlier process left something to go on with.
    pub journal: Option<Journal>,
    _lock: File,
}

fn stem(folder: &Path, size: Size, metric: Metric) -> PathBuf {
    folder.join(format!("space-{size}-{metric}"))
}

impl Folder {
    /// Takes the files of a plan, where no other process has them.
    pub fn open(folder: &Path, plan: &SpacePlan) -> Result<Folder, SpaceError> {
        let stem = stem(folder, plan.size, plan.metric);
        let fail = |error| SpaceError::file(folder, error);
        fs::create_dir_all(folder).map_err(fail)?;
        let lock = File::create(stem.with_added_extension("lock")).map_err(fail)?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(SpaceError::Locked(folder.to_owned())),
            locked => locked.map_err(|error| fail(error.into()))?,
        }
        let journal = Journal::read(&journal_path(&stem), plan)?;
        if journal.is_none() {
            let free = fs4::available_space(folder).map_err(fail)?;
            if plan.bitmaps > u128::from(free) {
                return Err(SpaceError::NoRoom {
                    folder: folder.to_owned(),
                    needed: plan.bitmaps,
                    free,
                });
            }
        }
        Ok(Folder {
            stem,
            journal,
            _lock: lock,
        })
    }

    /// The bitmaps of a number: as they were left, or empty ones.
    pub fn bitmaps(
        &self,
        number: usize,
        index: &Index,
        maps: usize,
    ) -> Result<Bitmaps, SpaceError> {
        let path = bitmaps_path(&self.stem, number);
        let bitmaps = Bitmaps::in_file(&path, index, maps, self.journal.is_none());
        bitmaps.map_err(|error| SpaceError::file(&path, error))
    }

    /// What a failure to write one of them is.
    pub fn failed(&self, error: io::Error) -> SpaceError {
        SpaceError::file(&self.stem, error)
    }

    /// Writes down how far the bitmaps are, which the disk has.
    pub fn save(&self, journal: &Journal) -> Result<(), SpaceError> {
        let path = journal_path(&self.stem);
        let text = serde_json::to_string(journal).map_err(io::Error::from);
        let saved = text.and_then(|text| write_whole(&path, text + "\n"));
        saved.map_err(|error| SpaceError::file(&path, error))
    }
}

impl Journal {
    pub fn new(plan: &SpacePlan, counts: Vec<u64>) -> Journal {
        Journal {
            format: FORMAT,
            size: plan.size.to_string(),
            metric: plan.metric.to_string(),
            counts,
            rows_are_next: false,
            slot: 0,
        }
    }

    fn read(path: &Path, plan: &SpacePlan) -> Result<Option<Journal>, SpaceError> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| SpaceError::file(path, error))?,
        };
        let journal: Option<Journal> = serde_json::from_str(&text).ok();
        let is_own = |journal: &Journal| {
            let begun = Journal::new(plan, Vec::new());
            let states: u128 = journal.counts.iter().map(|&count| u128::from(count)).sum();
            let is_same = (journal.format, &journal.size, &journal.metric)
                == (begun.format, &begun.size, &begun.metric);
            is_same && journal.slot < 2 && !journal.counts.is_empty() && states <= plan.states
        };
        match journal.filter(is_own) {
            Some(journal) => Ok(Some(journal)),
            None => Err(SpaceError::Foreign(path.to_owned())),
        }
    }
}

fn journal_path(stem: &Path) -> PathBuf {
    stem.with_added_extension("json")
}

fn bitmaps_path(stem: &Path, number: usize) -> PathBuf {
    stem.with_added_extension(format!("{number}.bits"))
}

/// Removes what explorations of a size left in a folder: once one has ended there is nothing to go
/// on with.
pub fn remove_files(folder: &Path, size: Size, metric: Metric) -> io::Result<()> {
    let stem = stem(folder, size, metric);
    // Without a journal nobody goes on with the rest.
    let bitmaps = (0..MOST_FILES).map(|number| bitmaps_path(&stem, number));
    let lock = stem.with_added_extension("lock");
    for path in [journal_path(&stem)]
        .into_iter()
        .chain(bitmaps)
        .chain([lock])
    {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Files with bitmaps, at most.
const MOST_FILES: usize = 5;
