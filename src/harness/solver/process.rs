//! One process of a program: started in a group of its own, watched, and ended with all its kin.

use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::control_group::ControlGroup;
use super::guard::Guard;
use super::kin::{End, Kin};
use super::spawn::{Program, spawn};
use crate::search::Limits;

/// What a program may print for one board.
pub(super) const MOST_OUTPUT: usize = 16 << 20;
/// How much of the end of its stderr is kept.
const KEPT_STDERR: usize = 4 << 10;
/// How long a program has to end once it is asked to.
const GRACE: Duration = Duration::from_millis(500);
/// Between two looks at a program's memory: soon for short ones, rarely for long ones.
const FIRST_LOOK: Duration = Duration::from_millis(1);
const LAST_LOOK: Duration = Duration::from_millis(10);

/// Until when a program may work, and what may end it before.
#[derive(Clone, Copy)]
pub(super) struct Bounds<'a> {
    pub deadline: Option<Instant>,
    pub memory: Option<u64>,
    pub cancel: &'a AtomicBool,
}

impl<'a> Bounds<'a> {
    /// Those of a program that was called at a time.
    pub fn new(since: Instant, limits: &Limits, cancel: &'a AtomicBool) -> Bounds<'a> {
        Bounds {
            deadline: limits.time.and_then(|time| since.checked_add(time)),
            memory: limits.memory,
            cancel,
        }
    }
}

/// Why a program was ended before it answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cut {
    Time,
    Memory,
    Cancelled,
    Output,
}

/// What made the watch end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Watched {
    /// A whole line is there.
    Line,
    /// The process has ended.
    Ended,
    Cut(Cut),
}

pub(super) struct Process<'g> {
    id: u32,
    kin: Kin,
    ended: OwnedFd,
    stdin: Option<PipeWriter>,
    stdout: Option<PipeReader>,
    stderr: Option<PipeReader>,
    /// What was printed and not taken yet.
    pub output: Vec<u8>,
    complaints: Vec<u8>,
    /// The most that was seen.
    seen_memory: u64,
    guard: &'g Guard,
}

impl<'g> Process<'g> {
    /// Starts a program that may have so much memory.
    pub fn start(
        program: &Program<'_>,
        memory: Option<u64>,
        guard: &'g Guard,
    ) -> io::Result<Process<'g>> {
        let group = guard.groups().map(|groups| groups.group(memory));
        let group = group.transpose()?;
        let mark = guard.mark();
        let place = group.as_ref().map(ControlGroup::place);
        let spawned = spawn(program, &mark, guard, place)?;
        // From here on there is a process to be ended.
        let kin = Kin::new(spawned.id, mark, group);
        let ready = (|| {
            fcntl_setfl(&spawned.stdin, OFlags::NONBLOCK)?;
            fcntl_setfl(&spawned.stdout, OFlags::NONBLOCK)?;
            fcntl_setfl(&spawned.stderr, OFlags::NONBLOCK)?;
            let id = Pid::from_raw(spawned.id as i32).ok_or(ErrorKind::NotFound)?;
            Ok(pidfd_open(id, PidfdFlags::empty())?)
        })();
        match ready {
            Ok(ended) => Ok(Process {
                id: spawned.id,
                kin,
                ended,
                stdin: Some(spawned.stdin),
                stdout: Some(spawned.stdout),
                stderr: Some(spawned.stderr),
                output: Vec::new(),
                complaints: Vec::new(),
                seen_memory: 0,
                guard,
            }),
            Err(error) => {
                kin.end();
                guard.ends(spawned.id);
                Err(error)
            }
        }
    }

    /// Gives text to the program; false where it has not read what it was given long ago. One that has
    /// closed its stdin is not wrong for that alone.
    pub fn give(&mut self, text: &str) -> bool {
        let Some(stdin) = &mut self.stdin else {
            return true;
        };
        let given = stdin.write_all(text.as_bytes());
        !given.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    }

    /// Tells the program that nothing more is given.
    pub fn give_end(&mut self) {
        self.stdin = None;
    }

    /// Waits until the process has ended, or has printed a line where that is enough.
    pub fn watch(&mut self, bounds: Bounds<'_>, until_line: bool) -> Watched {
        let mut look = FIRST_LOOK;
        let mut next_look = Instant::now() + look;
        loop {
            self.read();
            if self.output.len() > MOST_OUTPUT {
                return Watched::Cut(Cut::Output);
            }
            if until_line && self.output.contains(&b'\n') {
                return Watched::Line;
            }
            if self.has_ended() {
                self.read();
                return Watched::Ended;
            }
            let now = Instant::now();
            if bounds.cancel.load(Relaxed) {
                return Watched::Cut(Cut::Cancelled);
            }
            if bounds.deadline.is_some_and(|deadline| now >= deadline) {
                return Watched::Cut(Cut::Time);
            }
            if now >= next_look {
                self.look_at_memory();
                let is_above = bounds.memory.is_some_and(|most| self.seen_memory > most);
                if is_above && !self.kin.has_memory_limit() {
                    return Watched::Cut(Cut::Memory);
                }
                look = (look * 2).min(LAST_LOOK);
                next_look = now + look;
            }
            let until = bounds
                .deadline
                .map_or(next_look, |deadline| deadline.min(next_look));
            self.wait(until.saturating_duration_since(now));
        }
    }

    /// Waits for news: output, the end, or that so much time has passed.
    fn wait(&self, time: Duration) {
        let timeout = Timespec::try_from(time).ok();
        let mut news = vec![PollFd::new(&self.ended, PollFlags::IN)];
        news.extend(self.stdout.iter().map(|it| PollFd::new(it, PollFlags::IN)));
        news.extend(self.stderr.iter().map(|it| PollFd::new(it, PollFlags::IN)));
        // A signal ends the wait early, which is as good as news.
        let _ = poll(&mut news, timeout.as_ref());
    }

    fn has_ended(&self) -> bool {
        let mut ended = [PollFd::new(&self.ended, PollFlags::IN)];
        let now = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        poll(&mut ended, Some(&now)).is_ok_and(|ready| ready > 0)
    }

    /// Takes what was printed by now.
    pub fn read(&mut self) {
        let room = MOST_OUTPUT + 1 - self.output.len().min(MOST_OUTPUT);
        drain(&mut self.stdout, &mut self.output, room);
        drain(&mut self.stderr, &mut self.complaints, MOST_OUTPUT);
        let surplus = self.complaints.len().saturating_sub(KEPT_STDERR);
        self.complaints.drain(..surplus);
    }

    pub fn look_at_memory(&mut self) {
        self.seen_memory = self.seen_memory.max(self.kin.resident());
    }

    /// What it held at its peak, if anyone looked, and from now on another peak.
    pub fn take_seen_memory(&mut self) -> Option<u64> {
        let seen = std::mem::take(&mut self.seen_memory);
        Some(seen).filter(|&seen| seen > 0)
    }

    /// The time that it and its children have been on a processor so far.
    pub fn cpu_time(&self) -> Duration {
        self.kin.cpu_time()
    }

    /// The end of what it wrote to stderr.
    pub fn complaints(&self) -> String {
        String::from_utf8_lossy(&self.complaints).into_owned()
    }

    /// Ends the process and all that it started: asks first, then kills.
    pub fn end(mut self, is_asked: bool) -> (End, String) {
        self.stdin = None;
        if is_asked && !self.has_ended() {
            self.kin.ask();
            let until = Instant::now() + GRACE;
            while !self.has_ended() && Instant::now() < until {
                self.read();
                self.output.clear();
                self.wait(until.saturating_duration_since(Instant::now()));
            }
        }
        self.read();
        let complaints = self.complaints();
        let end = self.kin.end();
        self.guard.ends(self.id);
        (end, complaints)
    }
}

/// Takes what is there, about so much at most, and drops a stream that has ended.
fn drain(from: &mut Option<PipeReader>, to: &mut Vec<u8>, most: usize) {
    let Some(stream) = from else { return };
    let before = to.len();
    let read = stream.take(most as u64).read_to_end(to);
    let is_end = read.is_ok() && to.len() - before < most;
    let is_broken = read.is_err_and(|error| {
        !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
    });
    if is_end || is_broken {
        *from = None;
    }
}
