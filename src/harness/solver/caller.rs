//! One job's way to a program: calls it for one board after the other.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::answer::{Answer, AnswerError};
use super::board_text::{BoardForm, Given, Placeholders};
use super::definition::{Mode, Solver};
use super::guard::Guard;
use super::kin::End;
use super::process::{Bounds, Cut, Process, Watched};
use super::spawn::Program;
use crate::puzzle::{Board, Goal, Move, excerpt};
use crate::search::Limits;

/// How long a program that answers line by line may take to start.
const START_TIME: Duration = Duration::from_secs(600);

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

impl Call {
    /// One that was not made.
    fn failed(failure: Failure) -> Call {
        Call {
            answer: Err(failure),
            time: Duration::ZERO,
            cpu_time: Duration::ZERO,
            peak_memory: None,
            stderr: String::new(),
        }
    }
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
    /// It printed more than the line that it was asked for.
    #[error("it printed '{0}' before it had its board; expected a line for each board")]
    Unasked(String),
    /// Its boards pile up.
    #[error("it does not read its boards")]
    Unread,
    /// It failed at the board that is not timed.
    #[error("at its start, with a board one move from the goal: {0}")]
    AtStart(Box<Failure>),
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
    /// Why it is not started again.
    never_starts: Option<Failure>,
}

impl<'a> Caller<'a> {
    pub(crate) fn new(solver: &'a Solver, guard: &'a Guard, cancel: &'a AtomicBool) -> Caller<'a> {
        Caller {
            solver,
            guard,
            cancel,
            running: None,
            never_starts: None,
        }
    }

    /// Has the program solve a board.
    pub fn call(&mut self, board: &Board, goal: Goal, limits: &Limits) -> Call {
        let called = match self.solver.mode {
            Mode::Process => self.call_process(board, goal, limits),
            Mode::Lines => self.call_lines(board, goal, limits),
        };
        called.unwrap_or_else(|error| {
            let program = self.solver.command[0].clone();
            Call::failed(Failure::Start(program, error.to_string()))
        })
    }

    fn bounds(&self, since: Instant, limits: &Limits) -> Bounds<'a> {
        Bounds::new(since, limits, self.cancel)
    }

    fn start(&self, placeholders: &Placeholders, limits: &Limits) -> io::Result<Process<'a>> {
        let solver = self.solver;
        let words = solver.command.iter().map(|it| placeholders.fill(it).into());
        let words: Vec<OsString> = words.collect();
        let program = Program {
            words: &words,
            environment: &solver.environment,
            directory: solver.directory.as_deref(),
            longest_file: None,
        };
        Process::start(&program, limits.memory, self.guard)
    }

    fn call_process(&self, board: &Board, goal: Goal, limits: &Limits) -> io::Result<Call> {
        let solver = self.solver;
        let text = solver.form.text(board) + "\n";
        let file = match solver.given {
            Given::File => Some(BoardFile::new(&text, solver.form, self.guard)?),
            _ => None,
        };
        let name = file.as_ref().map(|file| file.0.display().to_string());
        let name = name.unwrap_or_default();
        let placeholders = Placeholders::new(board, goal, solver.form, &name);
        let since = Instant::now();
        let mut process = self.start(&placeholders, limits)?;
        if solver.given == Given::Stdin {
            process.give(&text);
        }
        process.give_end();
        let watched = process.watch(self.bounds(since, limits), false);
        let time = since.elapsed();
        let output = std::mem::take(&mut process.output);
        let seen_memory = process.take_seen_memory();
        let (end, stderr) = process.end(watched != Watched::Ended);
        let answer = ending(watched, &end, limits).and_then(|()| self.read(&output, board));
        Ok(Call {
            answer,
            time,
            cpu_time: end.cpu_time,
            peak_memory: end.peak_memory.max(seen_memory),
            stderr,
        })
    }

    fn call_lines(&mut self, board: &Board, goal: Goal, limits: &Limits) -> io::Result<Call> {
        if let Some(failure) = &self.never_starts {
            return Ok(Call::failed(failure.clone()));
        }
        let running = match self.running.take() {
            Some(process) => process,
            None => match self.start_lines(board, goal, limits)? {
                Ok(process) => process,
                Err(call) => return Ok(*call),
            },
        };
        let (call, process) = self.ask(running, board, limits);
        self.running = process;
        Ok(call)
    }

    /// A program that answers line by line is started with a board that is not timed: it has read its
    /// tables when it has answered that. One that does not get so far has no second chance.
    fn start_lines(
        &mut self,
        board: &Board,
        goal: Goal,
        limits: &Limits,
    ) -> io::Result<Result<Process<'a>, Box<Call>>> {
        let placeholders = Placeholders::new(board, goal, self.solver.form, "");
        let process = self.start(&placeholders, limits)?;
        let patient = Limits {
            time: Some(START_TIME),
            ..*limits
        };
        let (call, process) = self.ask(process, &one_move_away(board, goal), &patient);
        if let Some(process) = process {
            return Ok(Ok(process));
        }
        let reason = call.answer.err().unwrap_or(Failure::Ended);
        let is_slow = reason == Failure::Time;
        let failure = Failure::AtStart(Box::new(reason));
        self.never_starts = is_slow.then(|| failure.clone());
        Ok(Err(Box::new(Call {
            answer: Err(failure),
            ..call
        })))
    }

    /// Gives a board to a program that answers line by line. A process that did not answer with one
    /// line is ended: whatever it prints later would be taken for the answer to another board.
    fn ask(
        &self,
        mut process: Process<'a>,
        board: &Board,
        limits: &Limits,
    ) -> (Call, Option<Process<'a>>) {
        process.read();
        process.take_seen_memory();
        let unasked = unasked(&process.output);
        let before = process.cpu_time();
        let since = Instant::now();
        let is_given = unasked.is_none() && process.give(&(self.solver.form.line(board) + "\n"));
        let watched = match is_given {
            true => process.watch(self.bounds(since, limits), true),
            false => Watched::Line,
        };
        let time = since.elapsed();
        process.look_at_memory();
        let (cpu_time, peak_memory) = (process.cpu_time(), process.take_seen_memory());
        if is_given && watched == Watched::Line {
            let bytes = process.output.iter();
            let end = bytes.take_while(|&&byte| byte != b'\n').count();
            let line: Vec<u8> = process.output.drain(..=end).collect();
            let call = Call {
                answer: self.read(&line, board),
                time,
                cpu_time: cpu_time.saturating_sub(before),
                peak_memory,
                stderr: process.complaints(),
            };
            return (call, Some(process));
        }
        let (end, stderr) = process.end(watched != Watched::Ended);
        let answer = match (unasked, is_given) {
            (Some(unasked), _) => Err(unasked),
            (None, false) => Err(Failure::Unread),
            (None, true) => ending(watched, &end, limits).and(Err(Failure::Ended)),
        };
        let call = Call {
            answer,
            time,
            cpu_time: end.cpu_time.saturating_sub(before),
            peak_memory,
            stderr,
        };
        (call, None)
    }

    fn read(&self, output: &[u8], board: &Board) -> Result<Answer, Failure> {
        let solver = self.solver;
        let output = String::from_utf8_lossy(output);
        let answer = Answer::read(&output, board, solver.answer, solver.expression.as_ref());
        Ok(answer?)
    }
}

/// Whether a process that has ended, or was ended, may have an answer.
pub(super) fn ending(watched: Watched, end: &End, limits: &Limits) -> Result<(), Failure> {
    let is_above = |peak: u64| limits.memory.is_some_and(|most| peak > most);
    match (watched, end.code, end.signal) {
        (Watched::Cut(Cut::Time), ..) => Err(Failure::Time),
        (Watched::Cut(Cut::Memory), ..) => Err(Failure::Memory),
        (Watched::Cut(Cut::Cancelled), ..) => Err(Failure::Cancelled),
        (Watched::Cut(Cut::Output), ..) => Err(Failure::Output),
        // Between two looks it can have had more than it may.
        _ if end.ran_out_of_memory || end.peak_memory.is_some_and(is_above) => Err(Failure::Memory),
        (_, _, Some(signal)) => Err(Failure::Signal(signal)),
        (_, Some(code), _) if code != 0 => Err(Failure::Code(code)),
        _ => Ok(()),
    }
}

/// What a program printed before it had a board to answer.
fn unasked(output: &[u8]) -> Option<Failure> {
    let text = String::from_utf8_lossy(output);
    let line = text.lines().next()?;
    Some(Failure::Unasked(excerpt(line)))
}

/// A board of the same size whose solution is one move.
fn one_move_away(board: &Board, goal: Goal) -> Board {
    let solved = Board::solved(board.size(), goal);
    let mut moves = Move::ALL.into_iter();
    moves.find_map(|mv| solved.replay(&[mv])).unwrap_or(solved)
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
    fn new(text: &str, form: BoardForm, guard: &Guard) -> io::Result<BoardFile> {
        let ending = match form {
            BoardForm::Puz => "puz",
            _ => "txt",
        };
        guard.board_file(text, ending).map(BoardFile)
    }
}

impl Drop for BoardFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
