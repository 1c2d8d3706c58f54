//! Starts a program in a process group of its own and, where there is one, in a control group.
//!
//! The standard library cannot start a process inside a control group: it can only be moved there, and
//! a move waits for all processors, 6 to 22 ms where no other move was made just before. `clone3`
//! starts it there, in 0.5 ms.

use std::collections::BTreeMap;
use std::ffi::{CString, OsString, c_char};
use std::io::{self, PipeReader, PipeWriter, Read, pipe};
use std::mem::{size_of, zeroed};
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::ptr;

use super::guard::{Guard, begins};

/// From the header of the kernel; the crate has no name for it.
const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;

/// What is to be started.
pub(super) struct Program<'a> {
    /// The program and its arguments.
    pub words: &'a [OsString],
    /// Added to the environment of this process.
    pub environment: &'a BTreeMap<String, String>,
    /// Where it runs.
    pub directory: Option<&'a Path>,
    /// The most bytes that a file of it may have.
    pub longest_file: Option<u64>,
}

/// A process that runs a program, and the other ends of its streams.
pub(super) struct Spawned {
    pub id: u32,
    pub stdin: PipeWriter,
    pub stdout: PipeReader,
    pub stderr: PipeReader,
}

/// Starts a program. It is told to `guard` before it runs: it can start others at once. `mark` is a
/// variable of its environment, which those others inherit.
pub(super) fn spawn(
    program: &Program<'_>,
    mark: &str,
    guard: &Guard,
    group: Option<BorrowedFd<'_>>,
) -> io::Result<Spawned> {
    let (their_stdin, stdin) = pipe()?;
    let (stdout, their_stdout) = pipe()?;
    let (stderr, their_stderr) = pipe()?;
    let (mut problem, their_problem) = pipe()?;
    let words = c_strings(program.words.iter().cloned())?;
    let environment = c_strings(environment(program, mark))?;
    let directory = program.directory.map(|it| it.as_os_str().to_owned());
    let directory = c_strings(directory.into_iter())?;
    let (word_list, environment_list) = (pointers(&words), pointers(&environment));
    let child = Child {
        words: &word_list,
        environment: &environment_list,
        directory: directory.first().map_or(ptr::null(), |it| it.as_ptr()),
        parent: std::process::id() as i32,
        streams: [
            their_stdin.as_raw_fd(),
            their_stdout.as_raw_fd(),
            their_stderr.as_raw_fd(),
        ],
        longest_file: program.longest_file,
        guard: guard.pipe(),
        problem: their_problem.as_raw_fd(),
    };
    // SAFETY: the child calls nothing but `run`, which makes system calls, allocates nothing and does
    // not return. What it reads was made before, and the child has a copy of it.
    let id = unsafe {
        match fork(group)? {
            0 => child.run(),
            id => id,
        }
    };
    drop((their_stdin, their_stdout, their_stderr, their_problem));
    // Ends at once when the program runs: its end of this pipe is closed then.
    let mut code = [0; 4];
    if problem.read_exact(&mut code).is_ok() {
        // SAFETY: the child is ours, and nobody else waits for it.
        unsafe { libc::waitpid(id, ptr::null_mut(), 0) };
        guard.ends(id as u32);
        return Err(io::Error::from_raw_os_error(i32::from_ne_bytes(code)));
    }
    Ok(Spawned {
        id: id as u32,
        stdin,
        stdout,
        stderr,
    })
}

/// The environment of this process with what the program's definition adds, and the mark.
fn environment(program: &Program<'_>, mark: &str) -> impl Iterator<Item = OsString> {
    let mut all: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
    let more = program.environment.iter();
    all.extend(more.map(|(name, value)| (name.into(), value.into())));
    let entries = all.into_iter().map(|(mut name, value)| {
        name.push("=");
        name.push(value);
        name
    });
    entries.chain([OsString::from(mark)])
}

fn c_strings(texts: impl Iterator<Item = OsString>) -> io::Result<Vec<CString>> {
    let texts = texts.map(|text| CString::new(text.into_vec()));
    let texts: Result<Vec<CString>, _> = texts.collect();
    Ok(texts?)
}

/// A list as C has it, with nothing at its end.
fn pointers(texts: &[CString]) -> Vec<*const c_char> {
    let texts = texts.iter().map(|text| text.as_ptr());
    texts.chain([ptr::null()]).collect()
}

/// Two processes of this one: 0 in the new one.
///
/// # Safety
///
/// The new process may make system calls and nothing else: another thread may hold any lock.
unsafe fn fork(group: Option<BorrowedFd<'_>>) -> io::Result<i32> {
    // SAFETY: zeros are a value of this plain structure; the system reads it and writes nothing.
    let id = unsafe {
        match group {
            Some(group) => {
                let mut arguments: libc::clone_args = zeroed();
                arguments.flags = CLONE_INTO_CGROUP;
                arguments.exit_signal = libc::SIGCHLD as u64;
                arguments.cgroup = group.as_raw_fd() as u64;
                let size = size_of::<libc::clone_args>();
                libc::syscall(libc::SYS_clone3, &raw const arguments, size) as i32
            }
            None => libc::fork(),
        }
    };
    match id {
        -1 => Err(io::Error::last_os_error()),
        id => Ok(id),
    }
}

/// What the new process has to know to become the program.
struct Child<'a> {
    words: &'a [*const c_char],
    environment: &'a [*const c_char],
    directory: *const c_char,
    parent: i32,
    streams: [RawFd; 3],
    longest_file: Option<u64>,
    guard: Option<RawFd>,
    problem: RawFd,
}

impl Child<'_> {
    /// Becomes the program, or tells why not and ends.
    ///
    /// # Safety
    ///
    /// Only for a process that [`fork`] has just made.
    unsafe fn run(&self) -> ! {
        // SAFETY: system calls with arguments that are alive; the lists end with nothing.
        unsafe {
            let is_ready = libc::setpgid(0, 0) == 0
                && libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) == 0
                // Its death may have come before it was asked for.
                && libc::getppid() == self.parent
                && self.takes_streams()
                && takes_signals()
                && self.limits_files()
                && (self.directory.is_null() || libc::chdir(self.directory) == 0);
            if is_ready {
                self.tell_guard();
                libc::execvpe(
                    self.words[0],
                    self.words.as_ptr(),
                    self.environment.as_ptr(),
                );
            }
            let code = (*libc::__errno_location()).to_ne_bytes();
            libc::write(self.problem, code.as_ptr().cast(), code.len());
            libc::_exit(127)
        }
    }

    unsafe fn takes_streams(&self) -> bool {
        let mut places = self.streams.iter().zip(0..);
        // SAFETY: a system call on numbers.
        places.all(|(&stream, place)| unsafe { libc::dup2(stream, place) } == place)
    }

    /// Once the program runs it would be too late: its children have the limits of their birth.
    unsafe fn limits_files(&self) -> bool {
        let Some(most) = self.longest_file else {
            return true;
        };
        let limit = libc::rlimit {
            rlim_cur: most,
            rlim_max: most,
        };
        // SAFETY: a system call; the limit is alive.
        unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) == 0 }
    }

    unsafe fn tell_guard(&self) {
        if let Some(guard) = self.guard {
            // SAFETY: system calls; the line is alive.
            unsafe {
                let (line, length) = begins(libc::getpid() as u32);
                libc::write(guard, line.as_ptr().cast(), length);
            }
        }
    }
}

/// A program finds signals as a shell would leave them; this process ignores a closed pipe.
unsafe fn takes_signals() -> bool {
    // SAFETY: system calls; zeros are an empty set, and it is alive.
    unsafe {
        let none: libc::sigset_t = zeroed();
        libc::signal(libc::SIGPIPE, libc::SIG_DFL) != libc::SIG_ERR
            && libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut()) == 0
    }
}
