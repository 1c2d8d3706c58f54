//! The folder of an exploration that can be stopped: its bitmaps, and how far they are.
//!
//! The journal is lines of a name and what it stands for:
//!
//! ```text
//! format 2
//! size 3x4
//! metric single
//! counts 1 2 4 9
//! rows-are-next no
//! slot 0
//! ```

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::bitmaps::Bitmaps;
use super::explore::SpaceError;
use super::index::Index;
use super::plan::SpacePlan;
use crate::puzzle::{Metric, Size};
use crate::sys::atomic_file::write_whole;

/// How far an exploration is. It is written when the disk has the bitmaps that it speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Journal {
    size: String,
    metric: String,
    /// States at each distance that is known.
    pub counts: Vec<u64>,
    /// With a row of tiles a move: whether rows are next, of a step whose columns are done.
    pub rows_are_next: bool,
    /// And which column classes are those before the step.
    pub slot: usize,
}

/// How bitmaps are laid and journals written; another number is another program's.
const FORMAT: &str = "2";

/// The files of one size and metric in a folder, locked.
pub(super) struct Folder {
    stem: PathBuf,
    /// Whether an earlier process left something to go on with.
    pub journal: Option<Journal>,
    lock: File,
}

fn stem(folder: &Path, size: Size, metric: Metric) -> PathBuf {
    folder.join(format!("space-{size}-{metric}"))
}

impl Drop for Folder {
    /// Gives the files back. To close the lock's file is not enough: a child of this process that was
    /// begun meanwhile, and has not come to its own program yet, holds it too.
    fn drop(&mut self) {
        // Without it the lock ends a moment later.
        let _ = self.lock.unlock();
    }
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
            lock,
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
        write_whole(&path, journal.to_text()).map_err(|error| SpaceError::file(&path, error))
    }
}

impl Journal {
    pub fn new(plan: &SpacePlan, counts: Vec<u64>) -> Journal {
        Journal {
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
        let is_own = |journal: &Journal| {
            let begun = Journal::new(plan, Vec::new());
            let states: u128 = journal.counts.iter().map(|&count| u128::from(count)).sum();
            let is_same = (&journal.size, &journal.metric) == (&begun.size, &begun.metric);
            is_same && journal.slot < 2 && !journal.counts.is_empty() && states <= plan.states
        };
        match Journal::from_text(&text).filter(is_own) {
            Some(journal) => Ok(Some(journal)),
            None => Err(SpaceError::Foreign(path.to_owned())),
        }
    }

    fn to_text(&self) -> String {
        let counts: Vec<String> = self.counts.iter().map(u64::to_string).collect();
        let rows_are_next = if self.rows_are_next { "yes" } else { "no" };
        format!(
            "format {FORMAT}\nsize {}\nmetric {}\ncounts {}\nrows-are-next {rows_are_next}\nslot {}\n",
            self.size,
            self.metric,
            counts.join(" "),
            self.slot,
        )
    }

    /// `None` for what [`Journal::to_text`] does not write.
    fn from_text(text: &str) -> Option<Journal> {
        let mut lines = text.lines();
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        if value("format")? != FORMAT {
            return None;
        }
        let journal = Journal {
            size: value("size")?.to_owned(),
            metric: value("metric")?.to_owned(),
            counts: (value("counts")?.split(' '))
                .map(|count| count.parse().ok())
                .collect::<Option<_>>()?,
            rows_are_next: match value("rows-are-next")? {
                "yes" => true,
                "no" => false,
                _ => return None,
            },
            slot: value("slot")?.parse().ok()?,
        };
        lines.next().is_none().then_some(journal)
    }
}

fn journal_path(stem: &Path) -> PathBuf {
    stem.with_added_extension("journal")
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
