//! The processes of a program: what holds them together, what they take, and how they are killed.

use std::io::{self, ErrorKind};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, waitpid};

use super::control_group::ControlGroup;
use super::meter::{cpu_time, family, orphans, resident};

/// A process of a program with all that it starts.
#[derive(Debug)]
pub(super) struct Kin {
    root: u32,
    mark: String,
    group: Option<ControlGroup>,
}

/// How the process that was started ended, and what all of them took.
pub(super) struct End {
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub cpu_time: Duration,
    /// At its peak, where the system tells that exactly.
    pub peak_memory: Option<u64>,
    /// The system ended it for want of memory.
    pub ran_out_of_memory: bool,
}

impl Kin {
    pub fn new(root: u32, mark: String, group: Option<ControlGroup>) -> Kin {
        Kin { root, mark, group }
    }

    /// Whether the system itself limits the memory of these processes.
    pub fn has_memory_limit(&self) -> bool {
        self.group.as_ref().is_some_and(ControlGroup::has_memory)
    }

    fn processes(&self) -> Vec<u32> {
        match &self.group {
            Some(group) => group.processes(),
            None => family(self.root, &self.mark),
        }
    }

    /// Their resident memory.
    pub fn resident(&self) -> u64 {
        resident(&self.processes())
    }

    /// The time that they have been on a processor so far.
    pub fn cpu_time(&self) -> Duration {
        let of_group = self.group.as_ref().and_then(ControlGroup::cpu_time);
        of_group.unwrap_or_else(|| cpu_time(&self.processes()))
    }

    /// Asks all of them to end.
    pub fn ask(&self) {
        self.signal(Signal::TERM);
    }

    fn signal(&self, signal: Signal) {
        let process = |id: u32| Pid::from_raw(id as i32);
        if let Some(root) = process(self.root) {
            let _ = kill_process_group(root, signal);
        }
        // Who left the group, too.
        for other in self.processes().into_iter().filter_map(process) {
            let _ = kill_process(other, signal);
        }
    }

    /// Kills what is left, and takes the process from the system's list.
    pub fn end(self) -> End {
        let Some(group) = &self.group else {
            // A process that is killed does not wait for its children, and their time would be lost.
            let living = self.cpu_time();
            self.signal(Signal::KILL);
            let end = wait_for(self.root);
            self.bury_orphans();
            return End {
                cpu_time: end.cpu_time.max(living),
                ..end
            };
        };
        if !group.kill() {
            self.signal(Signal::KILL);
        }
        let end = wait_for(self.root);
        group.wait();
        End {
            cpu_time: group.cpu_time().unwrap_or(end.cpu_time),
            peak_memory: group.peak_memory().or(end.peak_memory),
            ran_out_of_memory: group.ran_out_of_memory(),
            ..end
        }
    }

    /// Kills those that left their parents. Their own children are orphans then, and so on.
    fn bury_orphans(&self) {
        loop {
            let left = orphans(self.root, &self.mark);
            if left.is_empty() {
                return;
            }
            for process in left.into_iter().filter_map(|it| Pid::from_raw(it as i32)) {
                let _ = kill_process(process, Signal::KILL);
                let _ = waitpid(Some(process), WaitOptions::empty());
            }
        }
    }
}

/// Waits for a child and asks what it took with the children that it waited for itself.
fn wait_for(process: u32) -> End {
    let mut status = 0;
    // SAFETY: zeros are a value of this plain structure, and both places are ours to write. The
    // crates that are safe to call have no wait that tells what a child took.
    let (usage, own) = unsafe {
        let (mut usage, mut own): (libc::rusage, libc::rusage) =
            (std::mem::zeroed(), std::mem::zeroed());
        while libc::wait4(process as i32, &mut status, 0, &mut usage) < 0
            && io::Error::last_os_error().kind() == ErrorKind::Interrupted
        {}
        libc::getrusage(libc::RUSAGE_SELF, &mut own);
        (usage, own)
    };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    // The system counts what this process held, before the program took its place, as the program's.
    let is_its_own = usage.ru_maxrss > own.ru_maxrss;
    End {
        code: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
        cpu_time: time(usage.ru_utime) + time(usage.ru_stime),
        peak_memory: is_its_own.then(|| usage.ru_maxrss as u64 * 1024),
        ran_out_of_memory: false,
    }
}
