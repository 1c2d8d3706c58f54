//! The files that a run writes while it goes on: rows, thresholds, incumbents, and the sidecar.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::file_choices::{
    FileChoices, OtherPuzzle, RunFilesError, failures_beside, refuse_shared,
};
use super::format::RowFormat;
use super::incumbent_row::IncumbentRow;
use super::journal::{Destination, Journal, JournalError};
use super::lines::Record;
use super::puzzle_key::PuzzleKey;
use super::row::Row;
use super::sidecar::{Session, Sidecar};
use super::solver_record::OtherSolver;
use super::threshold_file::ThresholdFile;
use super::threshold_row::{SearchKey, ThresholdRow};
use crate::harness::solver::Failure;
use crate::search::ResumePoint;
use crate::sys::atomic_file::write_whole;

/// Where rows go unless the caller says otherwise.
const RESULTS: &str = "results";

/// Bytes of reasons that are kept for who reads rows from a stream.
const MOST_REASONS: usize = 1 << 16;

/// What is worth a record as soon as it is there.
#[derive(Clone, Copy, Debug)]
pub enum Recorded<'a> {
    /// A threshold of a run that goes on.
    Threshold(&'a ThresholdRow),
    /// A better solution of a run that goes on.
    Incumbent(&'a IncumbentRow),
    /// Why a program of others has no answer; its row follows.
    Failure {
        /// The row.
        row: &'a Row,
        /// What happened.
        failure: &'a Failure,
        /// The end of what the program wrote to stderr.
        stderr: &'a str,
    },
    /// A run that has ended.
    Run(&'a Row),
}

/// The open files.
pub struct RunFiles {
    rows: Journal<Row>,
    /// None where rows go to a stream and no file of thresholds is asked for.
    thresholds: Option<ThresholdFile>,
    /// None where no file of incumbents is asked for.
    incumbents: Option<Journal<IncumbentRow>>,
    sidecar: Option<(PathBuf, Sidecar)>,
    /// Reasons of failures, where there is no file beside the rows.
    reasons: String,
}

/// What earlier processes left in the files.
#[derive(Debug)]
pub struct Earlier {
    /// Rows that are there already.
    pub rows: Vec<Row>,
    /// How far runs got that did not end.
    pub resume_points: HashMap<SearchKey, ResumePoint>,
    /// All processes that wrote to them, this one last.
    pub sessions: Vec<Session>,
}

impl RunFiles {
    /// Opens them and returns what is there already. The sidecar is there before the first row.
    ///
    /// `puzzles` are those of the plan: rows of other ones answer another question.
    pub fn open(
        choices: FileChoices,
        puzzles: &Puzzles,
        session: Session,
    ) -> Result<(RunFiles, Earlier), RunFilesError> {
        let choices = choices.checked()?;
        let format = choices.format;
        let (mut journal, rows) = match choices.rows {
            Some(rows) if choices.resume => Journal::resume(rows, format)?,
            Some(rows) => (Journal::create(rows, format)?, Vec::new()),
            None => (create_in_results(&session.suites, format)?, Vec::new()),
        };
        refuse_other_puzzles(journal.name(), &rows, puzzles)?;
        let mut sidecar = None;
        if journal.is_file() {
            let path = Sidecar::path(journal.name());
            let begun = match choices.resume {
                true => Sidecar::read(&path)?,
                false => Sidecar::default(),
            };
            refuse_other_solvers(journal.name(), &begun, &session)?;
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
        let incumbents = choices.incumbents;
        let incumbents = incumbents.map(|to| open_incumbents(to, format, earlier));
        let sessions = sidecar
            .as_ref()
            .map(|(_, sidecar)| sidecar.sessions.clone());
        let files = RunFiles {
            rows: journal,
            thresholds,
            incumbents: incumbents.transpose()?,
            sidecar,
            reasons: String::new(),
        };
        let earlier = Earlier {
            rows,
            resume_points: resume_points.unwrap_or_default(),
            sessions: sessions.unwrap_or_default(),
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
            (Recorded::Incumbent(incumbent), _) => match &mut self.incumbents {
                Some(journal) => journal.append(std::slice::from_ref(incumbent)),
                None => Ok(()),
            },
            (
                Recorded::Failure {
                    row,
                    failure,
                    stderr,
                },
                _,
            ) => self.note_failure(row, failure, stderr),
            (Recorded::Run(row), file) => {
                if let Some(file) = file {
                    file.end(row);
                }
                self.rows.append(std::slice::from_ref(row))
            }
        }
    }

    /// Where the reasons of failures are: beside the rows.
    pub fn failures(&self) -> Option<PathBuf> {
        let is_file = self.rows.is_file();
        is_file.then(|| failures_beside(self.rows.name()))
    }

    /// The reasons of failures where rows go to a stream; the first ones, if there are many.
    pub fn reasons(&self) -> &str {
        &self.reasons
    }

    fn note_failure(
        &mut self,
        row: &Row,
        failure: &Failure,
        stderr: &str,
    ) -> Result<(), JournalError> {
        let (suite, instance) = (&row.suite, &row.instance);
        let (program, time) = (row.configuration(), &row.started_at);
        let mut text = format!("{suite} {instance}, {program}, {time}: {failure}\n");
        text.extend(stderr.lines().map(|line| format!("    {line}\n")));
        // Whoever looks at the file sees what a program wrote, and does not obey it.
        let text: String = text.chars().map(without_control).collect();
        let Some(path) = self.failures() else {
            if self.reasons.len() < MOST_REASONS {
                self.reasons += &text;
            }
            return Ok(());
        };
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|source| JournalError::Io { path, source })
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
        if let Some(incumbents) = &mut self.incumbents {
            incumbents.sync()?;
        }
        Ok(self.rows.sync()?)
    }
}

/// Begins a file of incumbents, or goes on with one. Those at its end are dropped whose run has no row:
/// it will be done again.
fn open_incumbents(
    to: Destination,
    format: RowFormat,
    earlier: Option<&[Row]>,
) -> Result<Journal<IncumbentRow>, JournalError> {
    let Some(rows) = earlier else {
        return Journal::create(to, format);
    };
    let (mut journal, incumbents) = Journal::<IncumbentRow>::resume(to, format)?;
    let has_row = |it: &IncumbentRow| rows.iter().rev().any(|row| it.belongs_to(row));
    let kept = incumbents.iter().rposition(has_row);
    let kept = kept.map_or(0, |last| last + 1);
    if kept < incumbents.len() {
        journal.keep(kept)?;
    }
    Ok(journal)
}

fn without_control(c: char) -> char {
    match c.is_control() && c != '\n' {
        true => char::REPLACEMENT_CHARACTER,
        false => c,
    }
}

/// The problem of each suite and instance.
pub type Puzzles = HashMap<(String, String), PuzzleKey>;

/// A suite may have changed since the file was begun, or be asked for with another goal.
fn refuse_other_puzzles(path: &Path, rows: &[Row], puzzles: &Puzzles) -> Result<(), RunFilesError> {
    for row in rows {
        let (suite, instance) = (row.suite.clone(), row.instance.clone());
        let names = (suite, instance);
        let (found, expected) = (row.puzzle_key(), puzzles.get(&names));
        let difference = expected.and_then(|expected| found.difference(expected));
        if let Some((column, found, expected)) = difference {
            let (suite, instance) = names;
            let other = OtherPuzzle {
                path: path.to_owned(),
                suite,
                instance,
                column,
                found: found.to_owned(),
                expected: expected.to_owned(),
            };
            return Err(Box::new(other).into());
        }
    }
    Ok(())
}

/// A program may have been defined otherwise since the file was begun.
fn refuse_other_solvers(
    path: &Path,
    begun: &Sidecar,
    session: &Session,
) -> Result<(), RunFilesError> {
    let earlier = || begun.sessions.iter().flat_map(|session| &session.solvers);
    for now in &session.solvers {
        let mut same_name = earlier().filter(|then| then.name == now.name);
        let difference = same_name.find_map(|then| then.difference(now));
        if let Some((field, found, expected)) = difference {
            let other = OtherSolver {
                path: path.to_owned(),
                name: now.name.clone(),
                field,
                found,
                expected,
            };
            return Err(Box::new(other).into());
        }
    }
    Ok(())
}

/// Writes rows that are all there, with their sidecar, to a new file or a stream. A process that
/// is killed leaves no file of rows, or all of it.
pub fn write_rows(
    to: Destination,
    format: RowFormat,
    rows: &[Row],
    sidecar: &Sidecar,
) -> Result<(), RunFilesError> {
    let path = match to {
        Destination::Path(path) if fs::metadata(&path).is_ok_and(|it| !it.is_file()) => {
            Journal::create(Destination::Path(path), format)?.append(rows)?;
            return Ok(());
        }
        Destination::Path(path) => path,
        stream => return Ok(Journal::create(stream, format)?.append(rows)?),
    };
    if path.exists() {
        return Err(JournalError::Exists(path).into());
    }
    refuse_shared(&path, format)?;
    let beside = Sidecar::path(&path);
    Sidecar::read(&beside)?;
    sidecar.write(&beside).map_err(cannot_write(&beside))?;
    write_records(&path, format, rows)
}

/// Writes thresholds that are all there to a new file.
pub fn write_thresholds(
    path: &Path,
    format: RowFormat,
    rows: &[ThresholdRow],
) -> Result<(), RunFilesError> {
    if path.exists() {
        return Err(JournalError::Exists(path.to_owned()).into());
    }
    write_records(path, format, rows)
}

fn write_records<R: Record>(
    path: &Path,
    format: RowFormat,
    records: &[R],
) -> Result<(), RunFilesError> {
    let lines = records.iter().map(|record| format.line(record));
    let text: String = std::iter::once(format.header::<R>()).chain(lines).collect();
    write_whole(path, &text).map_err(cannot_write(path))
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
    let name = format!("{}-{}", short_name(suites), time.replace(':', "-"));
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

/// The suites of a file in its name: as many as fit, and how many more.
fn short_name(suites: &[String]) -> String {
    const LONGEST: usize = 60;
    let mut name = String::new();
    for (number, suite) in suites.iter().enumerate() {
        let longer = format!("{name}{}{suite}", if number > 0 { "+" } else { "" });
        if longer.len() > LONGEST && number > 0 {
            return format!("{name}+{}-more", suites.len() - number);
        }
        name = longer;
    }
    name.chars().take(2 * LONGEST).collect()
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
