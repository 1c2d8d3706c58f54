//! The file of thresholds: all of them where the caller asks for it, and otherwise those of runs
//! so long that a process which ends early should not lose them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::format::RowFormat;
use super::journal::{Destination, Journal, JournalError};
use super::resume::resume_points;
use super::row::Row;
use super::threshold_row::{SearchKey, ThresholdRow};
use crate::search::{Algorithm, ResumePoint};

/// A threshold that takes as long is worth a file.
const LONG: Duration = Duration::from_secs(10);

/// Where the thresholds of runs go.
pub struct ThresholdFile {
    path: PathBuf,
    format: RowFormat,
    journal: Option<Journal<ThresholdRow>>,
    /// Those of current runs that had no long threshold yet.
    short: Vec<ThresholdRow>,
}

impl ThresholdFile {
    /// A file that is asked for, which `earlier` rows belong to, if it is to be gone on with.
    pub fn open(
        to: Destination,
        format: RowFormat,
        earlier: Option<&[Row]>,
    ) -> Result<(ThresholdFile, HashMap<SearchKey, ResumePoint>), JournalError> {
        let (journal, thresholds) = match earlier {
            Some(rows) => resume(to, format, rows)?,
            None => (Journal::create(to, format)?, Vec::new()),
        };
        let path = journal.name().to_owned();
        let file = ThresholdFile {
            journal: Some(journal),
            ..ThresholdFile::none_yet(path, format)
        };
        Ok((file, resume_points(&thresholds)))
    }

    /// The file beside those of rows: `runs.csv` has `runs.thresholds.csv`, once a run is long.
    pub fn beside(
        rows: &Path,
        format: RowFormat,
        earlier: Option<&[Row]>,
    ) -> Result<(ThresholdFile, HashMap<SearchKey, ResumePoint>), JournalError> {
        let path = beside(rows, format);
        match earlier.is_some() && path.exists() {
            true => ThresholdFile::open(Destination::Path(path), format, earlier),
            false => Ok((ThresholdFile::none_yet(path, format), HashMap::new())),
        }
    }

    fn none_yet(path: PathBuf, format: RowFormat) -> ThresholdFile {
        ThresholdFile {
            path,
            format,
            journal: None,
            short: Vec::new(),
        }
    }

    /// Takes a threshold that has ended.
    pub fn add(&mut self, threshold: &ThresholdRow) -> Result<(), JournalError> {
        if let Some(journal) = &mut self.journal {
            return journal.append(std::slice::from_ref(threshold));
        }
        self.short.push(threshold.clone());
        if Duration::from_nanos(threshold.time_ns) < LONG {
            return Ok(());
        }
        let to = Destination::Path(self.path.clone());
        let journal = self.journal.insert(Journal::create(to, self.format)?);
        journal.append(&std::mem::take(&mut self.short))
    }

    /// Forgets what a run that has ended does not need any more.
    pub fn end(&mut self, row: &Row) {
        self.short.retain(|threshold| !threshold.belongs_to(row));
    }

    pub fn sync(&mut self) -> Result<(), JournalError> {
        match &mut self.journal {
            Some(journal) => journal.sync(),
            None => Ok(()),
        }
    }
}

/// The file of thresholds that belongs to one of rows. A name that does not end in the format's is
/// kept whole: `night.1` and `night.2` have a file each.
pub fn beside(rows: &Path, format: RowFormat) -> PathBuf {
    let ending = format!("thresholds.{format}");
    match rows.extension() {
        Some(own) if own == format.name() => rows.with_extension(ending),
        _ => rows.with_added_extension(ending),
    }
}

/// Opens a file to go on with it. Thresholds at its end that will be searched again are dropped:
/// those of runs without a row, but for what can be resumed behind.
fn resume(
    to: Destination,
    format: RowFormat,
    rows: &[Row],
) -> Result<(Journal<ThresholdRow>, Vec<ThresholdRow>), JournalError> {
    let (mut journal, mut thresholds) = Journal::<ThresholdRow>::resume(to, format)?;
    let counts = |threshold: &ThresholdRow| {
        let is_exhausted = threshold.complete
            && Algorithm::of_row(&threshold.algorithm).is_some_and(Algorithm::has_thresholds);
        is_exhausted || rows.iter().rev().any(|row| threshold.belongs_to(row))
    };
    let kept = thresholds.iter().rposition(counts);
    let kept = kept.map_or(0, |last| last + 1);
    if kept < thresholds.len() {
        journal.keep(kept)?;
        thresholds.truncate(kept);
    }
    Ok((journal, thresholds))
}
