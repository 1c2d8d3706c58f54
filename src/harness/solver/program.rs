//! Any program, called once: what it printed, and how it ended.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::caller::{Failure, ending};
use super::guard::Guard;
use super::process::{Bounds, MOST_OUTPUT, Process, Watched};
use super::spawn::Program;
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
        command: &Command,
        limits: &Limits,
        cancel: &AtomicBool,
    ) -> io::Result<Printed> {
        let program = [command.get_program()].into_iter();
        let words: Vec<OsString> = program
            .chain(command.get_args())
            .map(OsString::from)
            .collect();
        let text = |text: &OsStr| text.to_string_lossy().into_owned();
        let environment = command.get_envs();
        let environment: BTreeMap<String, String> = environment
            .filter_map(|(name, value)| Some((text(name), text(value?))))
            .collect();
        let program = Program {
            words: &words,
            environment: &environment,
            directory: command.get_current_dir(),
            longest_file: Some(MOST_OUTPUT as u64),
        };
        let since = Instant::now();
        let mut process = Process::start(&program, limits.memory, &self.guard)?;
        process.give_end();
        let watched = process.watch(Bounds::new(since, limits, cancel), false);
        let time = since.elapsed();
        let stdout = std::mem::take(&mut process.output);
        let (end, stderr) = process.end(watched != Watched::Ended);
        Ok(Printed {
            stdout,
            stderr,
            time,
            failure: ending(watched, &end, limits).err(),
        })
    }
}

impl Default for Programs {
    fn default() -> Programs {
        Programs::new()
    }
}
