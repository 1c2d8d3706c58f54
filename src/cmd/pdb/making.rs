//! What the builders have in common on the command line: they are watched, and write a file.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use bytesize::ByteSize;

use super::print;
use crate::cmd::terminal::build_progress::BuildProgress;
use crate::cmd::terminal::message;
use crate::cmd::terminal::progress::When;
use crate::cmd::{Exit, advice, catch_interrupt};
use crate::lookup::{BuildControl, Description, Directory, TableFile, TableProblem};
use crate::sys::machine;

/// A table that is being made.
pub struct Making {
    cancel: &'static AtomicBool,
    begun: Instant,
    /// The time until it was built.
    built: Duration,
}

impl Making {
    /// Builds it, with a line on stderr about how far that is.
    pub fn build<T>(
        when: When,
        build: impl FnOnce(BuildControl<'_>) -> T,
    ) -> anyhow::Result<(Making, T)> {
        let cancel = catch_interrupt()?;
        let begun = Instant::now();
        let progress = BuildProgress::new(when);
        let listener = |layer| progress.on_layer(layer);
        let table = build(BuildControl {
            cancel: Some(cancel),
            listener: Some(&listener),
        });
        progress.clear();
        let built = begun.elapsed();
        let making = Making {
            cancel,
            begun,
            built,
        };
        Ok((making, table))
    }

    /// Writes it into its file, and tells what it is; by force in place of a file that is no table.
    pub fn write(
        &self,
        directory: &Directory,
        table: &Description,
        payload: &[u8],
        what: &str,
        force: bool,
    ) -> anyhow::Result<Exit> {
        if force {
            let removed = directory.remove_foreign(table.kind, table.size);
            removed.map_err(advice::of_failed_table)?;
        }
        let path = match directory.create(table, payload, &|| self.cancel.load(Relaxed)) {
            Err(error) if error.is_cancelled() => return Ok(Exit::Interrupted),
            created => created.map_err(advice::of_failed_table)?,
        };
        print(&format!(
            "{}: {what}, {}, {:.1?} to build and {:.1?} to write\n",
            path.display(),
            ByteSize(payload.len() as u64),
            self.built,
            self.begun.elapsed() - self.built,
        ))?;
        Ok(Exit::Done)
    }
}

/// The command that makes the table, for its header.
pub fn command() -> String {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    format!("slidebench {}", arguments.join(" "))
}

/// The memory of a build as people see it, in the list of processes: with the program itself and
/// its threads, which take so much while they build a table of a few states.
pub fn whole_memory(build: u64) -> ByteSize {
    const PROGRAM: u64 = 23 << 19;
    ByteSize(PROGRAM + build)
}

/// Refuses a build that takes more memory than there is; `instead` says what to do.
pub fn check_memory(needed: u64, instead: &str) -> anyhow::Result<()> {
    let free = machine::free_memory().unwrap_or(u64::MAX);
    if needed > free {
        anyhow::bail!(
            "the build needs {} of memory, and {} are free; {instead}",
            ByteSize(needed),
            ByteSize(free)
        );
    }
    Ok(())
}

/// Whether a file is there and whole. One that is damaged is told of, and will be built again.
pub fn is_whole(path: &Path) -> bool {
    let Err(error) = TableFile::open_verified(path) else {
        return true;
    };
    if let TableProblem::Format(problem) = &error.problem {
        let path = path.display();
        message::tell(&format!("{path}: {problem}; it is built again"));
    }
    false
}

pub fn tell_it_is_there(path: &Path) -> anyhow::Result<()> {
    print(&format!(
        "{} is there; --force builds it again\n",
        path.display()
    ))?;
    Ok(())
}
