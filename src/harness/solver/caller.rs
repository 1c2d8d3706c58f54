//! One job's way to a program: calls it for one board after the other.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::answer::{Answer, AnswerError};
use super::board_text::Placeholders;
use super::definition::{Given, Mode, Solver};
use super::guard::Guard;
use super::process::{Bounds, Cut, End, Process, Watched};
use crate::puzzle::{Board, Goal};
use crate::search::Limits;

/// What came of one call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The answer, or why there is none.
    pub answer: Result<Answer, Failure>,
    /// From the board given to the answer read.
    pub time: Duration,
    /// Of the process and its children.
    pub cpu_time: Duration,
    /// Their resident memory at its peak; not known of a process that lived for a moment.
    pub peak_memory: Option<u64>,
    /// The end of what was written to stderr.
    pub stderr: String,
}

/// Why a program has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// The limit of time.
    #[error("it was ended at the limit of time")]
    Time,
    /// The limit of memory.
    #[error("it was ended at the limit of memory")]
    Memory,
    /// The user's wish.
    #[error("it was ended by the user")]
    Cancelled,
    /// It printed without end.
    #[error("it printed more than 16 MiB")]
    Output,
    /// It did not start.
    #[error("{0} does not start: {1}")]
    Start(String, String),
    /// It ended with another code than 0.
    #[error("it ended with exit code {0}")]
    Code(i32),
    /// A signal ended it.
    #[error("it was ended by signal {0}")]
    Signal(i32),
    /// It was there, and then it was not.
    #[error("it ended before it answered")]
    Ended,
    /// It said something else.
    #[error(transparent)]
    Answer(#[from] AnswerError),
}

/// A program as one job calls it.
pub struct Caller<'a> {
    solver: &'a Solver,
    guard: &'a Guard,
    cancel: &'a AtomicBool,
    /// The process that answers line by line, while it lives.
    running: Option<Process<'a>>,
}

impl<'a> Caller<'a> {
    pub(crate) fn new(solver: &'a Solver, guard: &'a Guard, cancel: &'a AtomicBool) -> Caller<'a> {
        Caller {
            solver,
            guard,
            cancel,
            running: None,
        }
    }

    /// Has the program solve a board.
    pub fn call(&mut self, board: &Board, goal: Goal, limits: &Limits) -> Call {
        let called = match self.solver.mode {
            Mode::Process => self.call_process(board, goal, limits),
            Mode::Lines => self.call_lines(board, goal, limits),
        };
        called.unwrap_or_else(|error| Call {
            answer: Err(Failure::Start(
                self.solver.command[0].clone(),
                error.to_string(),
            )),
            time: Duration::ZERO,
            cpu_time: Duration::ZERO,
            peak_memory: None,
            stderr: String::new(),
        })
    }

    fn bounds(&self, since: Instant, limits: &Limits) -> Bounds<'a> {
        Bounds::new(since, limits, self.cancel)
    }

    /// The command for a board.
    fn command(&self, placeholders: &Placeholders) -> Command {
        let words: Vec<String> = self
            .solver
            .command
            .iter()
            .map(|it| placeholders.fill(it))
            .collect();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).envs(&self.solver.environment);
        if let Some(directory) = &self.solver.directory {
            command.current_dir(directory);
        }
        command
    }

    fn call_process(&self, board: &Board, goal: Goal, limits: &Limits) -> io::Result<Call> {
        let solver = self.solver;
        let file = match solver.given {
            Given::File => Some(BoardFile::new(&(solver.form.text(board) + "\n"))?),
            _ => None,
        };
        let name = file.as_ref().map(|file| file.0.display().to_string());
        let name = name.unwrap_or_default();
        let placeholders = Placeholders::new(board, goal, solver.form, &name);
        let command = self.command(&placeholders);
        let since = Instant::now();
        let mut process = Process::start(command, self.guard)?;
        if solver.given == Given::Stdin {
            process.give(&(solver.form.text(board) + "\n"), false);
        }
        process.give("", true);
        let watched = process.watch(self.bounds(since, limits), false);
        let time = since.elapsed();
        let output = std::mem::take(&mut process.output);
        let peak_memory = process.seen_memory();
        let (end, stderr) = process.end(watched != Watched::Ended);
        Ok(Call {
            answer: self.judge(watched, &end, &output, board),
            time,
            cpu_time: end.cpu_time,
            peak_memory,
            stderr,
        })
    }

    fn call_lines(&mut self, board: &Board, goal: Goal, limits: &Limits) -> io::Result<Call> {
        let mut process = match self.running.take() {
            Some(process) => process,
            None => {
                let placeholders = Placeholders::new(board, goal, self.solver.form, "");
                Process::start(self.command(&placeholders), self.guard)?
            }
        };
        process.peak_memory = 0;
        let before = process.cpu_time();
        let since = Instant::now();
        process.give(&(self.solver.form.line(board) + "\n"), false);
        let watched = process.watch(self.bounds(since, limits), true);
        let time = since.elapsed();
        process.look_at_memory();
        let (cpu_time, peak_memory) = (process.cpu_time(), process.seen_memory());
        if watched == Watched::Line {
            let end = process
                .output
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(0);
            let line: Vec<u8> = process.output.drain(..=end).collect();
            let stderr = process.complaints();
            self.running = Some(process);
            return Ok(Call {
                answer: self.read(&line, board),
                time,
                cpu_time: cpu_time.saturating_sub(before),
                peak_memory,
                stderr,
            });
        }
        let output = std::mem::take(&mut process.output);
        let (end, stderr) = process.end(watched != Watched::Ended);
        let judged = self.judge(watched, &end, &output, board);
        Ok(Call {
            answer: judged.and(Err(Failure::Ended)),
            time,
            cpu_time: end.cpu_time.saturating_sub(before),
            peak_memory,
            stderr,
        })
    }

    fn read(&self, output: &[u8], board: &Board) -> Result<Answer, Failure> {
        let solver = self.solver;
        let output = String::from_utf8_lossy(output);
        let answer = Answer::read(&output, board, solver.answer, solver.expression.as_ref());
        Ok(answer?)
    }

    /// What a process that has ended, or was ended, comes to.
    fn judge(
        &self,
        watched: Watched,
        end: &End,
        output: &[u8],
        board: &Board,
    ) -> Result<Answer, Failure> {
        ending(watched, end)?;
        self.read(output, board)
    }
}

/// Why what a process printed is no answer, if the way it ended says so.
pub(super) fn ending(watched: Watched, end: &End) -> Result<(), Failure> {
    match (watched, end.code, end.signal) {
        (Watched::Cut(Cut::Time), ..) => Err(Failure::Time),
        (Watched::Cut(Cut::Memory), ..) => Err(Failure::Memory),
        (Watched::Cut(Cut::Cancelled), ..) => Err(Failure::Cancelled),
        (Watched::Cut(Cut::Output), ..) => Err(Failure::Output),
        (_, _, Some(signal)) => Err(Failure::Signal(signal)),
        (_, Some(code), _) if code != 0 => Err(Failure::Code(code)),
        _ => Ok(()),
    }
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        if let Some(process) = self.running.take() {
            process.end(true);
        }
    }
}

/// A file with one board, removed behind the call.
struct BoardFile(PathBuf);

impl BoardFile {
    fn new(text: &str) -> io::Result<BoardFile> {
        static FILES: AtomicU32 = AtomicU32::new(0);
        let number = FILES.fetch_add(1, Relaxed);
        let name = format!("slidebench-{}-{number}.txt", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut file = fs::File::create_new(&path)?;
        io::Write::write_all(&mut file, text.as_bytes())?;
        Ok(BoardFile(path))
    }
}

impl Drop for BoardFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
