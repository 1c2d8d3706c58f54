//! Which files a run writes, and which of them it must not.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::format::RowFormat;
use super::journal::{Destination, FIRST_OF_JSON, JournalError};
use super::sidecar::{Sidecar, SidecarError};
use super::solver_record::OtherSolver;
use super::threshold_file::beside;
use crate::sys::same_file::{followed, is_same_file};

/// Which files a run shall have.
#[derive(Default)]
pub struct FileChoices {
    /// Where rows go; by default a new file under `results/`, named after the suites and the time.
    pub rows: Option<Destination>,
    /// How rows are written.
    pub format: RowFormat,
    /// Go on with files that are there.
    pub resume: bool,
    /// Where all thresholds go; by default those of long runs go beside the rows.
    pub thresholds: Option<Destination>,
    /// Where the better and better solutions of anytime searches go, if anywhere.
    pub incumbents: Option<Destination>,
    /// Where the caller will write the histogram of times.
    pub histogram: Option<PathBuf>,
    /// Whether programs of others run, whose failures go beside the rows.
    pub programs: bool,
}

/// A file that a run writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Companion {
    /// The rows themselves.
    Rows,
    /// The sidecar.
    Sidecar,
    /// The file of thresholds.
    Thresholds,
    /// The file of incumbents.
    Incumbents,
    /// Why programs of others have no answer.
    Failures,
    /// The file of times.
    Histogram,
}

/// A row of a file is of another problem than the run has under that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{path} has the {column} '{found}' for {suite} {instance}, which is '{expected}' in this run",
    path = .path.display()
)]
pub struct OtherPuzzle {
    /// The file.
    pub path: PathBuf,
    /// The suite.
    pub suite: String,
    /// The instance.
    pub instance: String,
    /// The first column that differs.
    pub column: &'static str,
    /// What the row says.
    pub found: String,
    /// What the run would say.
    pub expected: String,
}

/// Why a run cannot have its files.
#[derive(Debug, thiserror::Error)]
pub enum RunFilesError {
    #[error("two files of the run are both {path}")]
    /// Two files that are one.
    SameFile {
        /// Which they are.
        files: [Companion; 2],
        /// The file.
        path: PathBuf,
    },
    #[error("{path} exists")]
    /// A file that would be lost.
    Exists {
        /// Which of them.
        other: Companion,
        /// The file.
        path: PathBuf,
    },
    /// Thresholds or failures of another run stand there.
    #[error("{0} is left from another run")]
    LeftOver(PathBuf),
    /// Two files of rows would have one sidecar, or one file of thresholds.
    #[error("{path} would belong to {other} too")]
    Shared {
        /// What both would write.
        path: PathBuf,
        /// The file of rows that is there.
        other: PathBuf,
    },
    /// A file in a folder that is not there.
    #[error("there is no folder {folder} for {path}", folder = .folder.display(), path = .path.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
        /// The file.
        path: PathBuf,
    },
    /// What stands there was not made by a run.
    #[error("{path} is no {expected} of a run; it is left as it is")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it should be.
        expected: &'static str,
    },
    /// A row of the file is of another problem.
    #[error(transparent)]
    OtherPuzzle(#[from] Box<OtherPuzzle>),
    /// Rows of the file are of another program under the same name.
    #[error(transparent)]
    OtherSolver(#[from] Box<OtherSolver>),
    /// The file was begun with another plan.
    #[error("the file was begun with another plan, shard or not")]
    OtherPlan,
    #[error("cannot write {path}")]
    /// It cannot be written.
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The sidecar is none.
    #[error(transparent)]
    Sidecar(#[from] SidecarError),
    /// Rows cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl RunFilesError {
    /// Whether the wrong file was chosen, and the machine did nothing wrong.
    pub fn is_usage(&self) -> bool {
        match self {
            RunFilesError::Write { .. } => false,
            RunFilesError::Journal(error) => error.is_usage(),
            _ => true,
        }
    }
}

impl FileChoices {
    /// The same, unless a file would be overwritten. [`RunFiles::open`](super::RunFiles::open) checks
    /// again; call this before a long preparation.
    pub fn checked(mut self) -> Result<FileChoices, RunFilesError> {
        // What stands beside the rows is where the rows are.
        if let Some(Destination::Path(rows)) = &mut self.rows {
            *rows = followed(rows);
        }
        self.refuse()?;
        Ok(self)
    }

    fn refuse(&self) -> Result<(), RunFilesError> {
        if let Some(Destination::Path(rows)) = &self.rows {
            refuse_shared(rows, self.format)?;
        }
        let files = self.files();
        if let Some((_, folder)) = files.iter().find(|(_, path)| path.is_dir()) {
            return Err(RunFilesError::Foreign {
                path: folder.clone(),
                expected: "file",
            });
        }
        for (_, path) in &files {
            let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|it| !it.exists()) {
                return Err(RunFilesError::NoFolder {
                    folder: folder.to_owned(),
                    path: path.clone(),
                });
            }
        }
        for (place, (second, path)) in files.iter().enumerate() {
            let same = |(_, it): &&(Companion, PathBuf)| is_same_file(it, path);
            if let Some((first, _)) = files[..place].iter().find(same) {
                return Err(RunFilesError::SameFile {
                    files: [*first, *second],
                    path: path.clone(),
                });
            }
        }
        for (file, path) in files {
            self.refuse_existing(file, path)?;
        }
        Ok(())
    }

    /// All files that the run will write, where their names are known by now.
    fn files(&self) -> Vec<(Companion, PathBuf)> {
        let mut files = Vec::new();
        let rows = match &self.rows {
            Some(Destination::Path(rows)) => Some(rows),
            _ => None,
        };
        if let Some(rows) = rows {
            files.push((Companion::Rows, rows.clone()));
            files.push((Companion::Sidecar, Sidecar::path(rows)));
        }
        match (&self.thresholds, rows) {
            (Some(to), _) => files.push((Companion::Thresholds, to.name().to_owned())),
            (None, Some(rows)) => files.push((Companion::Thresholds, beside(rows, self.format))),
            (None, None) => {}
        }
        let incumbents = self.incumbents.iter();
        files.extend(incumbents.map(|to| (Companion::Incumbents, to.name().to_owned())));
        let failures = rows.filter(|_| self.programs);
        files.extend(failures.map(|rows| (Companion::Failures, failures_beside(rows))));
        let histogram = self.histogram.iter();
        files.extend(histogram.map(|path| (Companion::Histogram, path.clone())));
        files
    }

    /// Nothing is written over but what an earlier process of the same run made.
    fn refuse_existing(&self, file: Companion, path: PathBuf) -> Result<(), RunFilesError> {
        if !path.is_file() {
            return Ok(());
        }
        match file {
            // Whether they are still as they are now is for the journal to say, which locks them.
            Companion::Rows if self.resume => return Ok(()),
            Companion::Rows => return Err(JournalError::Exists(path).into()),
            // That of rows which are gone says nothing any more.
            Companion::Sidecar => return Sidecar::read(&path).map(drop).map_err(Into::into),
            Companion::Histogram if self.resume && !is_time_log(&path) => {
                let expected = "histogram";
                return Err(RunFilesError::Foreign { path, expected });
            }
            _ if self.resume => return Ok(()),
            _ => {}
        }
        let is_named = matches!(file, Companion::Histogram | Companion::Incumbents)
            || file == Companion::Thresholds && self.thresholds.is_some();
        match is_named {
            true => Err(RunFilesError::Exists { other: file, path }),
            false => Err(RunFilesError::LeftOver(path)),
        }
    }
}

/// The file of failures that belongs to one of rows.
pub(super) fn failures_beside(rows: &Path) -> PathBuf {
    match rows.extension() {
        Some(ending) if ending == "csv" => rows.with_extension("errors.txt"),
        _ => rows.with_added_extension("errors.txt"),
    }
}

/// Refuses rows beside others whose companions have the same names: the sidecar of `c` would be
/// that of `c.csv`.
pub(super) fn refuse_shared(rows: &Path, format: RowFormat) -> Result<(), RunFilesError> {
    for other in RowFormat::ALL {
        let is_own = rows.extension().is_some_and(|own| own == other.name());
        let other = match is_own {
            true => rows.with_extension(""),
            false => rows.with_added_extension(other.name()),
        };
        let sidecars = [rows, &other].map(Sidecar::path);
        let thresholds = [rows, &other].map(|rows| beside(rows, format));
        let mut both = [sidecars, thresholds].into_iter();
        let shared = both.find(|[own, others]| own == others);
        if let Some([path, _]) = shared.filter(|_| holds_rows(&other)) {
            return Err(RunFilesError::Shared { path, other });
        }
    }
    Ok(())
}

/// How the file of times begins, behind a #.
pub(crate) const TIME_LOG: &str = "slidebench: nanoseconds of solved runs";

/// Whether a file is empty or one of times.
fn is_time_log(path: &Path) -> bool {
    let begin = beginning(path, TIME_LOG.len() + 1);
    begin.is_some_and(|it| it.is_empty() || it == format!("#{TIME_LOG}").as_bytes())
}

/// Whether a file begins as those of rows do, in either format.
fn holds_rows(path: &Path) -> bool {
    let starts = |start: &str| beginning(path, start.len()).as_deref() == Some(start.as_bytes());
    path.is_file() && (starts("suite,instance,") || starts(FIRST_OF_JSON))
}

/// The first bytes of a file, or all of a shorter one.
fn beginning(path: &Path, length: usize) -> Option<Vec<u8>> {
    let mut begin = Vec::new();
    let file = File::open(path).ok()?;
    file.take(length as u64).read_to_end(&mut begin).ok()?;
    Some(begin)
}
