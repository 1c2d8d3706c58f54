//! The files that a run writes while it goes on: rows, thresholds, and the sidecar.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;
use slidebench::harness::record::{
    Journal, JournalError, Meta, Row, RowFormat, SearchKey, Session,
};
use slidebench::harness::run::Recorded;
use slidebench::harness::suite::Suite;

use slidebench::search::ResumePoint;

use super::UsageError;
use super::threshold_file::{ThresholdFile, beside};

/// Where rows go unless the user says otherwise.
const RESULTS: &str = "results";

/// What the user said about the files.
pub struct FileArgs {
    pub output: Option<PathBuf>,
    pub format: RowFormat,
    pub resume: bool,
    pub iterations: Option<PathBuf>,
    pub histogram: Option<PathBuf>,
}

impl FileArgs {
    /// Refuses files that would be lost, before any is made and any search is begun.
    fn refuse(&self) -> Result<(), UsageError> {
        let others = [
            ("--iterations", &self.iterations),
            ("--histogram", &self.histogram),
        ];
        for (flag, path) in others {
            let Some(path) = path else { continue };
            let shown = path.display();
            if self.output.as_ref() == Some(path) {
                return Err(UsageError(format!(
                    "{flag} and -o are both {shown}; they need a file each"
                )));
            }
            if path.is_file() && !self.resume {
                return Err(UsageError(format!(
                    "{shown} exists; name another file ({flag}), or go on with its run (--resume)"
                )));
            }
        }
        let beside = self.output.as_deref().map(|rows| beside(rows, self.format));
        match beside.filter(|path| path.is_file() && !self.resume) {
            Some(path) => Err(UsageError(format!(
                "{} is left from another run; remove it, go on with that run (--resume), or write \
                 to another file (-o)",
                path.display()
            ))),
            None => Ok(()),
        }
    }
}

/// The open files.
pub struct RunFiles {
    rows: Journal<Row>,
    /// None where rows go to a stream and no file of thresholds is asked for.
    thresholds: Option<ThresholdFile>,
    meta: Option<(PathBuf, Meta)>,
}

/// What earlier processes left in the files.
pub struct Earlier {
    pub rows: Vec<Row>,
    /// How far runs got that did not end.
    pub begun: HashMap<SearchKey, ResumePoint>,
}

impl RunFiles {
    /// Opens them and returns what is there already. The sidecar is there before the first row.
    pub fn open(
        args: &FileArgs,
        suites: &[Suite],
        session: Session,
    ) -> anyhow::Result<(RunFiles, Earlier)> {
        args.refuse()?;
        let (mut journal, rows) = match &args.output {
            Some(path) if args.resume => {
                Journal::resume(path, args.format).map_err(journal_error)?
            }
            Some(path) => {
                let created = Journal::create(path, args.format);
                (created.map_err(journal_error)?, Vec::new())
            }
            None => (create_in_results(suites, args.format)?, Vec::new()),
        };
        let mut meta = None;
        if journal.is_file() {
            let path = Meta::path(journal.path());
            let sessions = match args.resume {
                true => Meta::read(&path),
                false => Meta::default(),
            };
            let begun = begin_session(sessions, session)?;
            begun
                .write_ahead(&path)
                .with_context(|| cannot_write(&path))?;
            meta = Some((path, begun));
        }
        journal.sync_behind().map_err(journal_error)?;
        let (format, earlier) = (args.format, args.resume.then_some(&rows[..]));
        let thresholds = match &args.iterations {
            Some(path) => Some(ThresholdFile::open(path, format, earlier)),
            None if journal.is_file() => {
                Some(ThresholdFile::beside(journal.path(), format, earlier))
            }
            None => None,
        };
        let (thresholds, begun) = thresholds.transpose().map_err(journal_error)?.unzip();
        let files = RunFiles {
            rows: journal,
            thresholds,
            meta,
        };
        let begun = begun.unwrap_or_default();
        Ok((files, Earlier { rows, begun }))
    }

    /// Where the rows are; `-` for stdout.
    pub fn path(&self) -> &Path {
        self.rows.path()
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
    pub fn close(&mut self) -> anyhow::Result<()> {
        self.rows.sync_behind().map_err(journal_error)?;
        if let Some((path, meta)) = &mut self.meta {
            meta.end();
            write_meta(path, meta)?;
        }
        if let Some(thresholds) = &mut self.thresholds {
            thresholds.sync().map_err(journal_error)?;
        }
        self.rows.sync().map_err(journal_error)
    }
}

pub fn write_meta(path: &Path, meta: &Meta) -> anyhow::Result<()> {
    meta.write(path).with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// The user's mistake or the machine's failure: they have their own exit codes.
pub fn journal_error(error: JournalError) -> anyhow::Error {
    match error.is_users() {
        true => UsageError(error.to_string()).into(),
        false => error.into(),
    }
}

/// A new file named after the suites and the time.
fn create_in_results(suites: &[Suite], format: RowFormat) -> anyhow::Result<Journal<Row>> {
    fs::create_dir_all(RESULTS).with_context(|| format!("cannot write {RESULTS}"))?;
    let names: Vec<&str> = suites.iter().map(|suite| suite.name.as_str()).collect();
    let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let name = format!("{}-{}", names.join("+"), time.replace(':', "-"));
    let mut attempt = 1;
    loop {
        let suffix = match attempt {
            1 => String::new(),
            _ => format!("-{attempt}"),
        };
        let path = Path::new(RESULTS).join(format!("{name}{suffix}.{format}"));
        match Journal::create(&path, format) {
            // Another run began in the same second.
            Err(JournalError::Exists(_) | JournalError::Locked(_)) => attempt += 1,
            created => return created.map_err(journal_error),
        }
    }
}

/// Adds this process to the sidecar. A shard is only gone on with as a part of the same plan.
fn begin_session(mut meta: Meta, session: Session) -> Result<Meta, UsageError> {
    let plan = |session: &Session| Some(session.shard.as_ref()?.plan.fingerprint.clone());
    if let Some(last) = meta.sessions.last()
        && plan(last) != plan(&session)
    {
        let message =
            "the file was begun with another plan, shard or not; write to another file (-o)";
        return Err(UsageError(message.to_owned()));
    }
    meta.sessions.push(session);
    Ok(meta)
}
