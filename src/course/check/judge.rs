//! One call of a student's program, and what is said about each line of its output.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::align::align;
use super::folder::Folder;
use super::rule::{Mistake, Verdict};
use super::student::Student;
use super::tasks::Task;
use crate::harness::solver::{Failure, Printed, Programs};
use crate::search::Limits;

/// What came of one call.
#[derive(Clone, Debug)]
pub struct Checked {
    /// From the start of the program to its end.
    pub time: Duration,
    /// What is wrong beside the lines.
    pub trouble: Option<Trouble>,
    /// The end of what it wrote to stderr.
    pub stderr: String,
    /// The lines in their order, wanted and printed.
    pub lines: Vec<CheckedLine>,
    /// Lines that the assignment does not have, beyond the first few of them.
    pub more: usize,
}

/// A line, wanted or printed or both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedLine {
    /// What the program wrote.
    pub printed: Option<String>,
    /// What is right; a path is that of the student where that is right.
    pub right: Option<String>,
    /// What is said about it.
    pub verdict: Verdict,
}

/// What is wrong with a call as a whole.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Trouble {
    /// The program did not end well.
    #[error(transparent)]
    Ended(Failure),
    /// The answer should have been in a file.
    #[error("it wrote no {0}")]
    NoFile(&'static str),
    /// The answer is on the screen, and is judged there.
    #[error("it wrote no {0}; what it printed is judged instead")]
    OnScreen(&'static str),
    /// Something with the name of the file.
    #[error("{0} cannot be read: {1}")]
    Unreadable(&'static str, String),
}

/// Why a program cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// No folder for it.
    #[error("cannot make a folder to run the program in")]
    Folder(#[source] io::Error),
    /// No program.
    #[error("{0} does not start")]
    Start(String, #[source] io::Error),
}

impl Checked {
    /// Whether nothing is wrong.
    pub fn is_right(&self) -> bool {
        let is_right = |line: &CheckedLine| !matches!(line.verdict, Verdict::Wrong(_));
        self.trouble.is_none() && self.more == 0 && self.lines.iter().all(is_right)
    }
}

/// Calls a program for a task and judges what it writes. The limits are those of one board.
pub fn check(
    task: &Task,
    student: &Student,
    programs: &Programs,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<Checked, CheckError> {
    let folder = Folder::new().map_err(CheckError::Folder)?;
    let mut file = folder.path().to_owned();
    if let Some((name, text)) = &task.file {
        file.push(name);
        fs::write(&file, text).map_err(CheckError::Folder)?;
    }
    let limits = Limits {
        time: limits.time.map(|time| time.saturating_mul(task.boards)),
        ..*limits
    };
    let command = student.command(task, folder.path(), &file);
    let printed = programs
        .call(&command, &limits, cancel)
        .map_err(|error| CheckError::Start(student.program().to_owned(), error))?;
    let (output, trouble) = answer(task, &printed, folder.path());
    let (lines, more) = judged(task, &output);
    Ok(Checked {
        time: printed.time,
        trouble: printed.failure.map(Trouble::Ended).or(trouble),
        stderr: printed.stderr,
        lines,
        more,
    })
}

/// What the program wrote, wherever it did.
fn answer(task: &Task, printed: &Printed, folder: &Path) -> (Vec<u8>, Option<Trouble>) {
    let Some(name) = task.output else {
        return (printed.stdout.clone(), None);
    };
    match read(&folder.join(name)) {
        Ok(output) => (output, None),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            let trouble = Trouble::Unreadable(name, error.to_string());
            (Vec::new(), Some(trouble))
        }
        Err(_) if printed.stdout.is_empty() => (Vec::new(), Some(Trouble::NoFile(name))),
        Err(_) => (printed.stdout.clone(), Some(Trouble::OnScreen(name))),
    }
}

/// Reads a file, and nothing that only has the name of one: a pipe would never end.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    let mut output = Vec::new();
    let file = File::open(path)?;
    let most = Programs::MOST_OUTPUT as u64;
    file.take(most).read_to_end(&mut output)?;
    Ok(output)
}

/// So many lines are looked at beyond those that are wanted, and so many of them are told.
const MOST_SURPLUS: usize = 1000;
const TOLD_SURPLUS: usize = 5;

/// The lines with their verdicts, and how many there are that are not told.
fn judged(task: &Task, output: &[u8]) -> (Vec<CheckedLine>, usize) {
    let output = String::from_utf8_lossy(output);
    let is_ended = output.is_empty() || output.ends_with('\n');
    let printed: Vec<&str> = output.split_terminator('\n').collect();
    let looked_at = printed.len().min(task.wanted.len() + MOST_SURPLUS);
    let wanted_keys: Vec<&str> = task.wanted.iter().map(|it| (task.key)(&it.text)).collect();
    let printed_keys: Vec<&str> = printed[..looked_at]
        .iter()
        .map(|it| (task.key)(it))
        .collect();
    let mut before = None;
    let mut lines = Vec::new();
    let (mut surplus, mut more) = (0, printed.len() - looked_at);
    for (wanted, place) in align(&wanted_keys, &printed_keys) {
        let wanted = wanted.map(|wanted| &task.wanted[wanted]);
        let text = place.map(|place| printed[place]);
        let (right, mut verdict) = match (wanted, text) {
            (Some(wanted), Some(text)) => {
                let judged = wanted.judge(text, &mut before);
                (Some(judged.right), judged.verdict)
            }
            (Some(wanted), None) => (Some(wanted.text.clone()), Verdict::Wrong(Mistake::Missing)),
            _ if surplus == TOLD_SURPLUS => {
                more += 1;
                continue;
            }
            _ => {
                surplus += 1;
                (None, Verdict::Wrong(Mistake::Surplus))
            }
        };
        let is_last = place.is_some_and(|place| place + 1 == printed.len());
        if is_last && !is_ended && !matches!(verdict, Verdict::Wrong(_)) {
            verdict = Verdict::Wrong(Mistake::NoNewline);
        }
        lines.push(CheckedLine {
            printed: text.map(ToOwned::to_owned),
            right,
            verdict,
        });
    }
    (lines, more)
}
