//! One process of a program: started in a group of its own, watched, and ended with all its kin.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use super::guard::{Guard, begins};
use super::meter::{cpu_time, family, resident};
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
    child: Child,
    group: Pid,
    ended: OwnedFd,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// What was printed and not taken yet.
    pub output: Vec<u8>,
    complaints: Vec<u8>,
    pub peak_memory: u64,
    guard: &'g Guard,
}

/// How a process ended, and what it took with the children that it waited for.
pub(super) struct End {
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub cpu_time: Duration,
}

impl<'g> Process<'g> {
    pub fn start(mut command: Command, guard: &'g Guard) -> io::Result<Process<'g>> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let pipe = guard.pipe();
        let before_exec = move || {
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
            let (line, length) = begins(std::process::id());
            if let Some(pipe) = pipe {
                // SAFETY: the guard, and with it the pipe, lives until all processes have ended.
                let pipe = unsafe { BorrowedFd::borrow_raw(pipe) };
                rustix::io::write(pipe, &line[..length])?;
            }
            Ok(())
        };
        // SAFETY: between fork and exec only system calls are made, and nothing is allocated. The
        // program can start others as soon as it runs: the guard has to know of it before.
        unsafe { command.pre_exec(before_exec) };
        let mut child = command.spawn()?;
        let group = Pid::from_child(&child);
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        if let (Some(stdout), Some(stderr)) = (&stdout, &stderr) {
            fcntl_setfl(stdout, OFlags::NONBLOCK)?;
            fcntl_setfl(stderr, OFlags::NONBLOCK)?;
        }
        Ok(Process {
            group,
            ended: pidfd_open(group, PidfdFlags::empty())?,
            stdin: child.stdin.take(),
            stdout,
            stderr,
            output: Vec::new(),
            complaints: Vec::new(),
            peak_memory: 0,
            guard,
            child,
        })
    }

    /// Gives text to the program; one that does not read is not wrong for that alone.
    pub fn give(&mut self, text: &str, is_last: bool) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin
                .write_all(text.as_bytes())
                .and_then(|()| stdin.flush());
        }
        if is_last {
            self.stdin = None;
        }
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
                if bounds.memory.is_some_and(|most| self.peak_memory > most) {
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
    fn read(&mut self) {
        let room = MOST_OUTPUT + 1 - self.output.len().min(MOST_OUTPUT);
        if !drain(&mut self.stdout, &mut self.output, room) {
            self.stdout = None;
        }
        if !drain(&mut self.stderr, &mut self.complaints, MOST_OUTPUT) {
            self.stderr = None;
        }
        let surplus = self.complaints.len().saturating_sub(KEPT_STDERR);
        self.complaints.drain(..surplus);
    }

    pub fn look_at_memory(&mut self) {
        let held = resident(&family(self.child.id()));
        self.peak_memory = self.peak_memory.max(held);
    }

    /// What it held at its peak, if anyone looked. What the system itself notes of the peak is no
    /// help: it counts the memory of this process, before the program took its place.
    pub fn seen_memory(&self) -> Option<u64> {
        Some(self.peak_memory).filter(|&seen| seen > 0)
    }

    /// The time that it and its children have been on a processor so far.
    pub fn cpu_time(&self) -> Duration {
        cpu_time(&family(self.child.id()))
    }

    /// The end of what it wrote to stderr.
    pub fn complaints(&self) -> String {
        String::from_utf8_lossy(&self.complaints).into_owned()
    }

    /// Ends the process and all of its group: asks first, then kills.
    pub fn end(mut self, is_asked: bool) -> (End, String) {
        self.stdin = None;
        if is_asked && !self.has_ended() {
            let _ = kill_process_group(self.group, Signal::TERM);
            let until = Instant::now() + GRACE;
            while !self.has_ended() && Instant::now() < until {
                self.read();
                self.wait(until.saturating_duration_since(Instant::now()));
            }
        }
        self.read();
        (self.reap(), self.complaints())
    }

    /// Kills what is left, and takes the process from the system's list.
    fn reap(&mut self) -> End {
        // Who left the group, too, as far as the process is still there to name them.
        let kin = family(self.child.id());
        let _ = kill_process_group(self.group, Signal::KILL);
        for process in kin.into_iter().skip(1) {
            if let Some(process) = Pid::from_raw(process as i32) {
                let _ = rustix::process::kill_process(process, Signal::KILL);
            }
        }
        let end = wait_for(self.child.id());
        self.guard.ends(self.child.id());
        end
    }
}

/// Reads all that is there; false at the end of the stream.
fn drain(from: &mut Option<impl Read>, to: &mut Vec<u8>, most: usize) -> bool {
    let Some(stream) = from else { return true };
    match stream.take(most as u64).read_to_end(to) {
        Ok(_) => false,
        Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
    }
}

/// Waits for a child and asks what it took.
fn wait_for(process: u32) -> End {
    let mut status = 0;
    // SAFETY: zeros are a value of this plain structure, and both places are ours to write. The
    // crates that are safe to call have no wait that tells what a child took.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        while libc::wait4(process as i32, &mut status, 0, &mut usage) < 0
            && io::Error::last_os_error().kind() == ErrorKind::Interrupted
        {}
        usage
    };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    End {
        code: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
        cpu_time: time(usage.ru_utime) + time(usage.ru_stime),
    }
}
