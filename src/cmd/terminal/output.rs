//! Where data goes, a file or stdout, and how a command ends after it.

use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cmd::terminal::message::escape_sequences_shown;
use crate::cmd::{Exit, UsageError};
use crate::harness::record::Destination;
use crate::report::GENERATOR;
use crate::search::{Outcome, Stop};
use crate::sys::atomic_file::{AtomicFile, write_whole};

/// Where the answer for one board goes, as a flag.
#[derive(clap::Args)]
pub struct OutputArg {
    /// Write to this new file; - is stdout. It is made before the search starts.
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    output: PathBuf,
}

impl OutputArg {
    pub fn path(&self) -> &Path {
        &self.output
    }

    pub fn create(&self) -> anyhow::Result<Output> {
        create_new(&self.output)
    }
}

/// A file that is ready to be written, or stdout for `-`.
///
/// It is made before a search starts: a path that cannot be written is told at once. It is written
/// in one piece when there is something to say.
pub struct Output(Place);

enum Place {
    Stdout,
    /// A file that keeps its name, a pipe or a device.
    Open(PathBuf, File),
    /// One that comes to its name whole.
    New(PathBuf, AtomicFile),
}

impl Output {
    /// Empties a file that is there.
    pub fn create(path: &Path) -> anyhow::Result<Output> {
        if path == Path::new("-") {
            return Ok(Output(Place::Stdout));
        }
        let file = File::create(path).with_context(|| cannot_write(path))?;
        Ok(Output(Place::Open(path.to_owned(), file)))
    }

    pub fn is_stdout(&self) -> bool {
        matches!(self.0, Place::Stdout)
    }

    /// Writes the whole of what there is; of a file that has no room for it nothing is left.
    pub fn write(self, text: &str) -> anyhow::Result<()> {
        match self.0 {
            Place::Stdout => print(text),
            Place::New(path, mut file) => file
                .write_all(text.as_bytes())
                .and_then(|()| file.finish())
                .with_context(|| cannot_write(&path)),
            Place::Open(path, mut file) => file
                .write_all(text.as_bytes())
                .inspect_err(|_| {
                    // Pipes and devices have no length to set, and keep no half either.
                    let _ = file.set_len(0);
                })
                .with_context(|| cannot_write(&path)),
        }
    }
}

/// Writes a page whole: a failure leaves what was there. `-` is stdout.
pub fn replace_page(path: &Path, text: &str) -> anyhow::Result<()> {
    let is_own = fs::metadata(path).map_or(true, |meta| meta.is_file());
    if path == Path::new("-") || !is_own {
        // A pipe or a device has no other name to be written under.
        return Output::create(path)?.write(text);
    }
    write_whole(path, text).with_context(|| cannot_write(path))
}

/// A page is made again and again, so one that is there may go; anything else may not.
pub fn refuse_other_than_page(path: &Path, flag: &str) -> Result<(), UsageError> {
    refuse_other_than(path, GENERATOR, "page of slidebench", flag)
}

/// Refuses a file that is there and has no such mark in its begin.
pub fn refuse_other_than(
    path: &Path,
    mark: &str,
    what: &str,
    flag: &str,
) -> Result<(), UsageError> {
    let mut begin = Vec::new();
    if holds_something(path) {
        let file = File::open(path).map(|file| file.take(1 << 10));
        let _ = file.and_then(|mut file| file.read_to_end(&mut begin));
        if !String::from_utf8_lossy(&begin).contains(mark) {
            let path = path.display();
            let refused = format!("exists and is no {what}; write to another file");
            return Err(UsageError(format!("{path} {refused} ({flag})")));
        }
    }
    Ok(())
}

/// A new file, never in the place of another one; a process that is killed leaves none.
pub fn create_new(path: &Path) -> anyhow::Result<Output> {
    if holds_something(path) {
        let path = path.display();
        let refused = format!("{path} is there; write to another file, or remove it first");
        return Err(UsageError(refused).into());
    }
    // A pipe or a device has no other name, what a link leads to keeps its own, and a folder that
    // is not there is told at once.
    let is_other = fs::metadata(path).is_ok_and(|meta| !meta.is_file());
    let is_folder = path.as_os_str().to_string_lossy().ends_with('/');
    if path == Path::new("-") || is_other || is_folder || path.is_symlink() {
        return Output::create(path);
    }
    let file = AtomicFile::begin(path).with_context(|| cannot_write(path))?;
    Ok(Output(Place::New(path.to_owned(), file)))
}

fn holds_something(path: &Path) -> bool {
    let meta = fs::metadata(path);
    path != Path::new("-") && meta.is_ok_and(|meta| meta.is_file() && meta.len() > 0)
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Where rows go that a path names; `-` is stdout.
pub fn destination(path: &Path) -> Destination {
    match path == Path::new("-") {
        true => Destination::Stream {
            name: "stdout",
            writer: match io::stdout().is_terminal() {
                true => Box::new(Terminal),
                false => Box::new(io::stdout()),
            },
        },
        false => Destination::Path(path.to_owned()),
    }
}

/// Stdout where people look at it: control characters of rows are shown, and not sent.
struct Terminal;

impl Write for Terminal {
    fn write(&mut self, rows: &[u8]) -> io::Result<usize> {
        let shown = escape_sequences_shown(&String::from_utf8_lossy(rows));
        io::stdout().write_all(shown.as_bytes())?;
        Ok(rows.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// Writes data to stdout. A reader that has gone away has what it wanted, as in `… | head`: the
/// command goes on, and ends as it would have.
pub fn print(text: &str) -> anyhow::Result<()> {
    print_while_read(text).map(drop)
}

/// The same; says whether somebody reads. Who prints nothing but data may end where nobody does.
pub fn print_while_read(text: &str) -> anyhow::Result<bool> {
    let mut stdout = io::stdout().lock();
    // Nothing that was read becomes a command to a terminal.
    let shown = match stdout.is_terminal() {
        true => escape_sequences_shown(text),
        false => text.to_owned(),
    };
    let written = stdout.write_all(shown.as_bytes());
    match written.and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        written => written.context("cannot write stdout").map(|()| true),
    }
}

/// Writes to stderr what a reader should know beside the data on stdout. Where stderr cannot be
/// written there is nobody to tell.
pub fn print_aside(text: &str) {
    let _ = io::stderr().write_all(escape_sequences_shown(text).as_bytes());
}

/// Names and values, one of each on a line.
pub fn table(lines: &[(&str, String)]) -> String {
    lines
        .iter()
        .map(|(name, value)| format!("{name:<11}{value}\n"))
        .collect()
}

/// A path that does not replay is a wrong answer; a limit is a result like any other.
pub fn exit(outcome: Option<&Outcome>) -> Exit {
    match outcome.map(|outcome| &outcome.result) {
        Some(Ok(solution)) if !solution.verified => Exit::WrongAnswer,
        Some(Err(Stop::Cancelled)) => Exit::Interrupted,
        Some(Ok(_)) if outcome.is_some_and(|it| it.stats.stopped_by == Some(Stop::Cancelled)) => {
            Exit::Interrupted
        }
        _ => Exit::Done,
    }
}
