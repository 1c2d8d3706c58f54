//! A file of records that only grows: what is in it survives a crash.
//!
//! A record is a line and is handed to the system whole, when its run has ended; nothing waits
//! in the process. What a crash leaves of a line has no end, and is dropped when the file is
//! opened again. One process at a time holds the file's lock.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::format::RowFormat;
use super::lines::{Record, RowsError};

/// The disk is told with the first row after this time: until then rows are known to the system
/// alone, and lost with its power.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// What a file may have that is gone on with: half a million rows. It is held in memory whole.
pub(super) const MOST_BYTES: u64 = 256 << 20;

/// Why records cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file is there already.
    #[error("{0} exists")]
    Exists(PathBuf),
    /// Another process writes it.
    #[error("{0} is being written by another process")]
    Locked(PathBuf),
    #[error("{path}:{error}", path = .path.display())]
    /// It holds something else than rows.
    Rows {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        error: RowsError,
    },
    /// It is no text.
    #[error("{path} is not text; expected the rows of a run", path = .0.display())]
    NotText(PathBuf),
    /// The file is not what it was.
    #[error(
        "{path} was removed, replaced or cut while the run wrote it; rows are lost", path = .0.display()
    )]
    Gone(PathBuf),
    /// It has more than is held in memory.
    #[error("{path} has more than {most}", path = .0.display(), most = bytesize::ByteSize(MOST_BYTES))]
    TooLong(PathBuf),
    /// Nobody reads the stream any more.
    #[error("the reader of {path} has gone", path = .0.display())]
    Closed(PathBuf),
    #[error("cannot write {path}", path = .path.display())]
    /// It cannot be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl JournalError {
    /// Whether the wrong file was chosen, and the machine did nothing wrong.
    pub fn is_usage(&self) -> bool {
        !matches!(
            self,
            JournalError::Io { .. } | JournalError::Gone(_) | JournalError::Closed(_)
        )
    }
}

/// Where records are to go.
pub enum Destination {
    /// A file of their own, or a pipe or a device.
    Path(PathBuf),
    /// A stream of the caller's, such as stdout.
    Stream {
        /// What it is called in messages.
        name: &'static str,
        /// Where rows go.
        writer: Box<dyn Write + Send>,
    },
}

impl Destination {
    /// The path, or what the stream is called.
    pub fn name(&self) -> &Path {
        match self {
            Destination::Path(path) => path,
            Destination::Stream { name, .. } => Path::new(name),
        }
    }
}

/// An open file of records, or a stream of them.
pub struct Journal<R> {
    name: PathBuf,
    format: RowFormat,
    sink: Sink,
    records: PhantomData<fn(R)>,
}

enum Sink {
    /// A file of this journal's own, so many bytes of it whole.
    File {
        file: File,
        whole: u64,
        synced: Instant,
        /// The disk is told while runs go on: one that is busy takes 20 ms, and nobody waits.
        syncing: Option<JoinHandle<io::Result<()>>>,
    },
    /// Stdout, a pipe or a device: nothing can be taken back.
    Stream(Box<dyn Write + Send>),
}

impl<R: Record> Journal<R> {
    /// Begins a file; one that exists is refused.
    pub fn create(to: Destination, format: RowFormat) -> Result<Journal<R>, JournalError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        let mut journal = Journal::open(to, format, &options)?;
        journal.write(&format.header::<R>())?;
        Ok(journal)
    }

    /// Goes on with a file and returns what it holds; begins one where there is none.
    ///
    /// Nothing is changed in a file that holds something other than such records.
    pub fn resume(
        to: Destination,
        format: RowFormat,
    ) -> Result<(Journal<R>, Vec<R>), JournalError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut journal = Journal::open(to, format, &options)?;
        let text = journal.read()?;
        let header = format.header::<R>();
        // A half line at the end is dropped; of a file with no whole line all has to be ours.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole == 0 && !begins_like(&text, format, &header) {
            return Err(journal.rows_error(foreign(&text)));
        }
        let records = match whole {
            0 => Vec::new(),
            _ => format
                .own_records(&text[..whole])
                .map_err(|error| journal.rows_error(error))?,
        };
        journal.cut(whole as u64)?;
        if whole == 0 {
            journal.write(&header)?;
        }
        Ok((journal, records))
    }

    fn open(
        to: Destination,
        format: RowFormat,
        options: &OpenOptions,
    ) -> Result<Journal<R>, JournalError> {
        Ok(Journal {
            name: to.name().to_owned(),
            format,
            sink: open(to, options)?,
            records: PhantomData,
        })
    }

    /// The path, or what the stream is called.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Whether the records can be read again from [`Journal::name`].
    pub fn is_file(&self) -> bool {
        matches!(self.sink, Sink::File { .. })
    }

    /// Writes records, in one piece.
    pub fn append(&mut self, records: &[R]) -> Result<(), JournalError> {
        let lines: String = records
            .iter()
            .map(|record| self.format.line(record))
            .collect();
        self.write(&lines)
    }

    /// Drops the last records of a resumed file, all but the first `kept`.
    pub fn keep(&mut self, kept: usize) -> Result<(), JournalError> {
        let text = self.read()?;
        let mut left = kept + usize::from(!self.format.header::<R>().is_empty());
        let mut whole = 0;
        for line in text.split_inclusive('\n') {
            // Comments and empty lines are no records.
            let is_record = !line.starts_with('#') && !line.trim().is_empty();
            if is_record && left == 0 {
                break;
            }
            left -= usize::from(is_record);
            whole += line.len() as u64;
        }
        self.cut(whole)
    }

    /// Waits until the disk has everything.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.end_sync()?;
        self.refuse_other_file()?;
        match &self.sink {
            Sink::File { file, .. } => file
                .sync_data()
                .map_err(|error| io_error(&self.name, error)),
            _ => Ok(()),
        }
    }

    /// Has the disk take what there is by now, and does not wait for it. That it failed is told
    /// the next time.
    pub fn sync_behind(&mut self) -> Result<(), JournalError> {
        let is_syncing = |handle: &JoinHandle<_>| !handle.is_finished();
        if let Sink::File { syncing, .. } = &self.sink
            && syncing.as_ref().is_some_and(is_syncing)
        {
            return Ok(());
        }
        self.end_sync()?;
        if let Sink::File {
            file,
            synced,
            syncing,
            ..
        } = &mut self.sink
        {
            let file = file
                .try_clone()
                .map_err(|error| io_error(&self.name, error))?;
            *synced = Instant::now();
            *syncing = Some(thread::spawn(move || file.sync_data()));
        }
        Ok(())
    }

    /// Waits for a disk that has been told.
    fn end_sync(&mut self) -> Result<(), JournalError> {
        let Sink::File { syncing, .. } = &mut self.sink else {
            return Ok(());
        };
        let ended = syncing.take().map(JoinHandle::join);
        let ended = ended.map_or(Ok(()), |ended| ended.unwrap_or(Ok(())));
        ended.map_err(|error| io_error(&self.name, error))
    }

    fn write(&mut self, text: &str) -> Result<(), JournalError> {
        // Before, because a file that was cut would have a hole, and after, so that it is there.
        self.refuse_other_file()?;
        let written = match &mut self.sink {
            Sink::Stream(stream) => stream
                .write_all(text.as_bytes())
                .and_then(|()| stream.flush()),
            Sink::File { file, whole, .. } => match file.write_all(text.as_bytes()) {
                Ok(()) => {
                    *whole += text.len() as u64;
                    Ok(())
                }
                Err(error) => {
                    // The disk is full: the half that found room is taken back. Where even that
                    // fails, the next resume drops it.
                    let _ = file.set_len(*whole);
                    Err(error)
                }
            },
        };
        written.map_err(|error| match (&self.sink, error.kind()) {
            (Sink::Stream(_), io::ErrorKind::BrokenPipe) => JournalError::Closed(self.name.clone()),
            _ => io_error(&self.name, error),
        })?;
        self.refuse_other_file()?;
        match &self.sink {
            Sink::File { synced, .. } if synced.elapsed() >= SYNC_EVERY => self.sync_behind(),
            _ => Ok(()),
        }
    }

    /// What is written has to be found under the file's name, behind what was there.
    #[cfg(unix)]
    fn refuse_other_file(&self) -> Result<(), JournalError> {
        use std::os::unix::fs::MetadataExt;
        let Sink::File { file, whole, .. } = &self.sink else {
            return Ok(());
        };
        let own = file
            .metadata()
            .map_err(|error| io_error(&self.name, error))?;
        let named = fs::metadata(&self.name).map(|meta| (meta.dev(), meta.ino()));
        match named.ok() == Some((own.dev(), own.ino())) && own.len() == *whole {
            true => Ok(()),
            false => Err(JournalError::Gone(self.name.clone())),
        }
    }

    #[cfg(not(unix))]
    fn refuse_other_file(&self) -> Result<(), JournalError> {
        Ok(())
    }

    /// All of the file.
    fn read(&mut self) -> Result<String, JournalError> {
        let mut bytes = Vec::new();
        if let Sink::File { file, .. } = &mut self.sink {
            let length = file.seek(SeekFrom::End(0));
            if length.is_ok_and(|length| length > MOST_BYTES) {
                return Err(JournalError::TooLong(self.name.clone()));
            }
            file.seek(SeekFrom::Start(0))
                .and_then(|_| file.read_to_end(&mut bytes))
                .map_err(|error| io_error(&self.name, error))?;
        }
        String::from_utf8(bytes).map_err(|_| JournalError::NotText(self.name.clone()))
    }

    fn cut(&mut self, length: u64) -> Result<(), JournalError> {
        if let Sink::File { file, whole, .. } = &mut self.sink {
            file.set_len(length)
                .and_then(|()| file.seek(SeekFrom::Start(length)))
                .map_err(|error| io_error(&self.name, error))?;
            *whole = length;
        }
        Ok(())
    }

    fn rows_error(&self, error: RowsError) -> JournalError {
        let path = self.name.clone();
        JournalError::Rows { path, error }
    }
}

fn io_error(path: &Path, source: io::Error) -> JournalError {
    let path = path.to_owned();
    JournalError::Io { path, source }
}

/// Opens what records go to, a file of their own with these options.
fn open(to: Destination, options: &OpenOptions) -> Result<Sink, JournalError> {
    let path = match to {
        Destination::Stream { writer, .. } => return Ok(Sink::Stream(writer)),
        Destination::Path(path) => path,
    };
    let is_stream = |kind: fs::FileType| !kind.is_file() && !kind.is_dir();
    if fs::metadata(&path).is_ok_and(|it| is_stream(it.file_type())) {
        let stream = OpenOptions::new().write(true).open(&path);
        let stream = stream.map_err(|error| io_error(&path, error))?;
        return Ok(Sink::Stream(Box::new(stream)));
    }
    open_file(&path, options)
}

/// Opens a file and takes its lock.
fn open_file(path: &Path, options: &OpenOptions) -> Result<Sink, JournalError> {
    let file = options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => JournalError::Exists(path.to_owned()),
        _ => io_error(path, error),
    })?;
    match file.try_lock() {
        Ok(()) => Ok(Sink::File {
            file,
            whole: 0,
            synced: Instant::now(),
            syncing: None,
        }),
        Err(TryLockError::WouldBlock) => Err(JournalError::Locked(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(io_error(path, error)),
    }
}

/// How a row of JSON begins.
pub(super) const FIRST_OF_JSON: &str = "{\"suite\":\"";

/// Whether a text without a whole line is what a crash left of this program's first one.
fn begins_like(text: &str, format: RowFormat, header: &str) -> bool {
    match format {
        RowFormat::Csv => header.starts_with(text),
        // The first column, or what there is of it.
        RowFormat::Jsonl => FIRST_OF_JSON.starts_with(text) || text.starts_with(FIRST_OF_JSON),
    }
}

fn foreign(text: &str) -> RowsError {
    RowsError::Broken {
        line: 1,
        problem: format!(
            "'{}' is no row of a run; nothing was changed",
            crate::puzzle::excerpt(text)
        ),
        source: None,
    }
}
