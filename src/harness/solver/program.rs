//! Any program, called once: what it printed, and how it ended.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, setrlimit};

use super::caller::{Failure, ending};
use super::guard::Guard;
use super::process::{Bounds, MOST_OUTPUT, Process, Watched};
use crate::search::Limits;

/// Calls programs, limits them, and leaves none of their processes behind.
#[derive(Debug)]
pub struct Programs {
    guard: Guard,
}

/// What came of one call.
#[derive(Clone, Debug)]
pub struct Printed {
    /// What it wrote to stdout.
    pub stdout: Vec<u8>,
    /// The end of what it wrote to stderr.
    pub stderr: String,
    /// From its start to its end.
    pub time: Duration,
    /// Why it did not end by itself, and well.
    pub failure: Option<Failure>,
}

impl Programs {
    /// The most bytes that a program may print, and that a file of it may have.
    pub const MOST_OUTPUT: usize = MOST_OUTPUT;

    /// Starts what ends the programs if this process dies.
    pub fn new() -> Programs {
        Programs {
            guard: Guard::start(),
        }
    }

    /// Calls a program and waits until it has ended, or has come to a limit. Its stdin is empty. An
    /// error says that it does not start.
    pub fn call(
        &self,
        mut command: Command,
        limits: &Limits,
        cancel: &AtomicBool,
    ) -> io::Result<Printed> {
        let longest_file = Rlimit {
            current: Some(MOST_OUTPUT as u64),
            maximum: Some(MOST_OUTPUT as u64),
        };
        let before_exec = move || Ok(setrlimit(Resource::Fsize, longest_file)?);
        // SAFETY: between fork and exec this is one system call, and nothing is allocated. Once the
        // program runs it would be too late: its children have the limits of their birth.
        unsafe { command.pre_exec(before_exec) };
        let since = Instant::now();
        let mut process = Process::start(command, &self.guard)?;
        process.give("", true);
        let watched = process.watch(Bounds::new(since, limits, cancel), false);
        let time = since.elapsed();
        let stdout = std::mem::take(&mut process.output);
        let (end, stderr) = process.end(watched != Watched::Ended);
        Ok(Printed {
            stdout,
            stderr,
            time,
            failure: ending(watched, &end).err(),
        })
    }
}

impl Default for Programs {
    fn default() -> Programs {
        Programs::new()
    }
}
