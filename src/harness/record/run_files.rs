//! The files that a run writes while it goes on: rows, thresholds, and the sidecar.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::format::RowFormat;
use super::journal::{Destination, Journal, JournalError};
use super::row::Row;
use super::sidecar::{Session, Sidecar};
use super::threshold_file::{ThresholdFile, beside};
use super::threshold_row::{SearchKey, ThresholdRow};
use crate::search::ResumePoint;

/// Where rows go unless the caller says otherwise.
const RESULTS: &str = "results";

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
    /// Where the caller will write the histogram of times.
    pub histogram: Option<PathBuf>,
}

/// A file beside that of the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Companion {
    /// The file of thresholds.
    Thresholds,
    /// The file of times.
    Histogram,
}

/// Why a run cannot have its files.
#[derive(Debug, thiserror::Error)]
pub enum RunFilesError {
    #[error("the rows and a file beside them are both {path}")]
    /// Two files that are one.
    SameFile {
        /// Which of them.
        other: Companion,
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
    /// Thresholds of another run stand there.
    #[error("{0} is left from another run")]
    LeftOver(PathBuf),
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
    /// Refuses files that would be lost, before any is made and any search is begun.
    fn refuse(&self) -> Result<(), RunFilesError> {
        let rows = self.rows.as_ref().map(Destination::name);
        let thresholds = self.thresholds.as_ref().map(Destination::name);
        let others = [
            (Companion::Thresholds, thresholds),
            (Companion::Histogram, self.histogram.as_deref()),
        ];
        for (other, path) in others {
            let Some(path) = path else { continue };
            if rows == Some(path) {
                let path = path.to_owned();
                return Err(RunFilesError::SameFile { other, path });
            }
            if path.is_file() && !self.resume {
                let path = path.to_owned();
                return Err(RunFilesError::Exists { other, path });
            }
        }
        let beside = rows.map(|rows| beside(rows, self.format));
        match beside.filter(|path| path.is_file() && !self.resume) {
            Some(path) => Err(RunFilesError::LeftOver(path)),
            None => Ok(()),
        }
    }
}

/// What is worth a record as soon as it is there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Recorded<'a> {
    /// A threshold of a run that goes on.
    Threshold(&'a ThresholdRow),
    /// A run that has ended.
    Run(&'a Row),
}

/// The open files.
pub struct RunFiles {
    rows: Journal<Row>,
    /// None where rows go to a stream and no file of thresholds is asked for.
    thresholds: Option<ThresholdFile>,
    sidecar: Option<(PathBuf, Sidecar)>,
}

/// What earlier processes left in the files.
#[derive(Debug)]
pub struct Earlier {
    /// Rows that are there already.
    pub rows: Vec<Row>,
    /// How far runs got that did not end.
    pub resume_points: HashMap<SearchKey, ResumePoint>,
}

impl RunFiles {
    /// Opens them and returns what is there already. The sidecar is there before the first row.
    pub fn open(
        choices: FileChoices,
        session: Session,
    ) -> Result<(RunFiles, Earlier), RunFilesError> {
        choices.refuse()?;
        let format = choices.format;
        let (mut journal, rows) = match choices.rows {
            Some(rows) if choices.resume => Journal::resume(rows, format)?,
            Some(rows) => (Journal::create(rows, format)?, Vec::new()),
            None => (create_in_results(&session.suites, format)?, Vec::new()),
        };
        let mut sidecar = None;
        if journal.is_file() {
            let path = Sidecar::path(journal.name());
            let begun = match choices.resume {
                true => Sidecar::read(&path),
                false => Sidecar::default(),
            };
            let begun = begin_session(begun, session)?;
            begun.write_ahead(&path).map_err(cannot_write(&path))?;
            sidecar = Some((path, begun));
        }
        journal.sync_behind()?;
        let earlier = choices.resume.then_some(&rows[..]);
        let thresholds = match choices.thresholds {
            Some(to) => Some(ThresholdFile::open(to, format, earlier)?),
            None if journal.is_file() => {
                Some(ThresholdFile::beside(journal.name(), format, earlier)?)
            }
            None => None,
        };
        let (thresholds, resume_points) = thresholds.unzip();
        let files = RunFiles {
            rows: journal,
            thresholds,
            sidecar,
        };
        let earlier = Earlier {
            rows,
            resume_points: resume_points.unwrap_or_default(),
        };
        Ok((files, earlier))
    }

    /// Where the rows go: a path, or what the stream is called.
    pub fn name(&self) -> &Path {
        self.rows.name()
    }

    /// Thresholds go first: where the run's own row is, they are.
    pub fn record(&mut self, record: Recorded<'_>) -> Result<(), JournalError> {
        match (record, &mut self.thresholds) {
            (Recorded::Threshold(threshold), Some(file)) => file.add(threshold),
            (Recorded::Threshold(_), None) => Ok(()),
            (Recorded::Run(row), file) => {
                if let Some(file) = file {
                    file.end(row);
                }
                self.rows.append(std::slice::from_ref(row))
            }
        }
    }

    /// Ends when the disk has everything; it takes all files at one time.
    pub fn close(&mut self) -> Result<(), RunFilesError> {
        self.rows.sync_behind()?;
        if let Some((path, sidecar)) = &mut self.sidecar {
            sidecar.end();
            sidecar.write(path).map_err(cannot_write(path))?;
        }
        if let Some(thresholds) = &mut self.thresholds {
            thresholds.sync()?;
        }
        Ok(self.rows.sync()?)
    }
}

/// Writes rows that are all there, with their sidecar, to a new file or a stream.
pub fn write_rows(
    to: Destination,
    format: RowFormat,
    rows: &[Row],
    sidecar: &Sidecar,
) -> Result<(), RunFilesError> {
    let mut journal = Journal::create(to, format)?;
    journal.append(rows)?;
    journal.sync()?;
    if journal.is_file() {
        let path = Sidecar::path(journal.name());
        sidecar.write(&path).map_err(cannot_write(&path))?;
    }
    Ok(())
}

fn cannot_write(path: &Path) -> impl FnOnce(io::Error) -> RunFilesError {
    let path = path.to_owned();
    |source| RunFilesError::Write { path, source }
}

/// A new file named after the suites and the time.
fn create_in_results(suites: &[String], format: RowFormat) -> Result<Journal<Row>, RunFilesError> {
    let folder = Path::new(RESULTS);
    fs::create_dir_all(folder).map_err(cannot_write(folder))?;
    let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let name = format!("{}-{}", suites.join("+"), time.replace(':', "-"));
    let mut attempt = 1;
    loop {
        let suffix = match attempt {
            1 => String::new(),
            _ => format!("-{attempt}"),
        };
        let path = folder.join(format!("{name}{suffix}.{format}"));
        match Journal::create(Destination::Path(path), format) {
            // Another run began in the same second.
            Err(JournalError::Exists(_) | JournalError::Locked(_)) => attempt += 1,
            created => return Ok(created?),
        }
    }
}

/// Adds this process to the sidecar. A shard is only gone on with as a part of the same plan.
fn begin_session(mut sidecar: Sidecar, session: Session) -> Result<Sidecar, RunFilesError> {
    let plan = |session: &Session| Some(session.shard.as_ref()?.plan.fingerprint.clone());
    match sidecar.sessions.last() {
        Some(last) if plan(last) != plan(&session) => Err(RunFilesError::OtherPlan),
        _ => {
            sidecar.sessions.push(session);
            Ok(sidecar)
        }
    }
}
