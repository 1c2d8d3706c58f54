//! Control groups (version 2): a folder of the system for each process of a program.
//!
//! Whatever a process starts is in its group, also what left its parent and its session. So the group
//! is killed as a whole, its CPU time is that of all its processes, and where it has the controller of
//! memory the system itself holds the limit.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Turns control groups off, with the value `never`.
const VARIABLE: &str = "SLIDEBENCH_CONTROL_GROUPS";
/// How long the processes of a group that was killed may take to be gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// The folder of this process's programs.
#[derive(Debug)]
pub(super) struct ControlGroups {
    folder: PathBuf,
    has_memory: bool,
    next: AtomicU64,
}

/// The group of one process and of all that it starts.
#[derive(Debug)]
pub(super) struct ControlGroup {
    path: PathBuf,
    folder: File,
    has_memory: bool,
}

/// Where the groups of this process's programs are to be, and what they will have.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub folder: PathBuf,
    pub has_memory: bool,
}

impl Place {
    /// Whether the system lets us make the folder. It is not tried: a process that is killed just then
    /// would leave it behind.
    pub fn may_be_made(&self) -> bool {
        let parent = self.folder.parent();
        parent.is_some_and(|it| rustix::fs::access(it, rustix::fs::Access::WRITE_OK).is_ok())
    }
}

/// The place, if the system has control groups at all. Nothing is there yet.
pub(super) fn place() -> Option<Place> {
    let is_off = std::env::var_os(VARIABLE).is_some_and(|value| value == "never");
    if is_off || !can_start_in_groups() {
        return None;
    }
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = own_folder(&mounts, &groups)?;
    let harness = format!("slidebench-harness-{}", std::process::id());
    let own = match own.ends_with(&harness) {
        true => own.parent()?.to_owned(),
        false => own,
    };
    Some(Place {
        folder: own.join(format!("slidebench-{}", std::process::id())),
        has_memory: passes_memory_on(&own),
    })
}

/// Whether processes can be started in a control group.
fn can_start_in_groups() -> bool {
    // SAFETY: without arguments nothing is started. A system that has the call says what is wrong.
    let answer = unsafe { libc::syscall(libc::SYS_clone3, std::ptr::null::<u8>(), 0usize) };
    answer < 0 && io::Error::last_os_error().raw_os_error() != Some(libc::ENOSYS)
}

/// The folder of this process's own group, by the lists of mounts and of groups.
fn own_folder(mounts: &str, groups: &str) -> Option<PathBuf> {
    let mount = mounts.lines().find_map(|line| {
        let mut fields = line.split(' ');
        let (_, place, kind) = (fields.next()?, fields.next()?, fields.next()?);
        (kind == "cgroup2").then_some(place)
    })?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    Some(Path::new(mount).join(own))
}

impl ControlGroups {
    /// Makes the folder; `None` where the system does not let us.
    pub fn create(place: Place) -> Option<ControlGroups> {
        let folder = place.folder;
        match fs::create_dir(&folder) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return None,
            _ => {}
        }
        let has_memory = place.has_memory && take_memory(&folder).is_ok();
        Some(ControlGroups {
            folder,
            has_memory,
            next: AtomicU64::new(0),
        })
    }

    /// A group for a process that is about to start, with at most so much memory.
    pub fn group(&self, memory: Option<u64>) -> io::Result<ControlGroup> {
        let number = self.next.fetch_add(1, Relaxed);
        let path = self.folder.join(number.to_string());
        fs::create_dir(&path)?;
        let group = ControlGroup {
            folder: File::open(&path)?,
            path,
            has_memory: self.has_memory,
        };
        if let (true, Some(memory)) = (self.has_memory, memory) {
            fs::write(group.path.join("memory.max"), memory.to_string())?;
            // A machine without swap has no such file. All processes of a group end together.
            let _ = fs::write(group.path.join("memory.swap.max"), "0");
            let _ = fs::write(group.path.join("memory.oom.group"), "1");
        }
        Ok(group)
    }
}

impl Drop for ControlGroups {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.folder);
    }
}

impl ControlGroup {
    /// Where a process is to be started.
    pub fn place(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    /// Whether the system itself limits its memory.
    pub fn has_memory(&self) -> bool {
        self.has_memory
    }

    /// All its processes.
    pub fn processes(&self) -> Vec<u32> {
        let list = fs::read_to_string(self.path.join("cgroup.procs")).unwrap_or_default();
        let processes = list.lines().filter_map(|line| line.parse().ok());
        processes.collect()
    }

    /// The time that its processes, those that have ended too, were on a processor.
    pub fn cpu_time(&self) -> Option<Duration> {
        Some(Duration::from_micros(
            self.number("cpu.stat", "usage_usec ")?,
        ))
    }

    /// What it held at its peak.
    pub fn peak_memory(&self) -> Option<u64> {
        self.number("memory.peak", "")
    }

    /// Whether the system ended a process because the memory was not enough.
    pub fn ran_out_of_memory(&self) -> bool {
        self.number("memory.events", "oom_kill ")
            .is_some_and(|it| it > 0)
    }

    /// Kills all its processes.
    pub fn kill(&self) -> bool {
        fs::write(self.path.join("cgroup.kill"), "1").is_ok()
    }

    /// Waits until the last of its processes is gone.
    pub fn wait(&self) {
        let since = Instant::now();
        let is_populated = || self.number("cgroup.events", "populated ") == Some(1);
        while is_populated() && since.elapsed() < PATIENCE {
            sleep(Duration::from_micros(100));
        }
    }

    /// The number behind a name in one of its files.
    fn number(&self, file: &str, name: &str) -> Option<u64> {
        let text = fs::read_to_string(self.path.join(file)).ok()?;
        let mut lines = text.lines();
        lines.find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.path);
    }
}

/// Whether groups inside this one have the controller of memory. Where this process is alone in its
/// group, as in a scope of systemd that was delegated to it, it sees to that: it moves into a group
/// beside those of its programs, because only a group without processes passes controllers on.
fn passes_memory_on(own: &Path) -> bool {
    let list = |name: &str| fs::read_to_string(own.join(name)).unwrap_or_default();
    let has_memory = |list: String| list.split_whitespace().any(|it| it == "memory");
    if has_memory(list("cgroup.subtree_control")) {
        return true;
    }
    let id = std::process::id().to_string();
    if !has_controller(own) || list("cgroup.procs").lines().any(|it| it != id) {
        return false;
    }
    let beside = own.join(format!("slidebench-harness-{id}"));
    let moved = fs::create_dir(&beside)
        .and_then(|()| fs::write(beside.join("cgroup.procs"), &id))
        .and_then(|()| take_memory(own));
    if moved.is_err() {
        let _ = fs::write(own.join("cgroup.procs"), &id);
        let _ = fs::remove_dir(&beside);
    }
    moved.is_ok()
}

fn has_controller(group: &Path) -> bool {
    let list = fs::read_to_string(group.join("cgroup.controllers")).unwrap_or_default();
    list.split_whitespace().any(|it| it == "memory")
}

fn take_memory(group: &Path) -> io::Result<()> {
    fs::write(group.join("cgroup.subtree_control"), "+memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_folder_is_found() {
        let mounts = "proc /proc proc rw 0 0\nnone /sys/fs/cgroup cgroup2 rw,nsdelegate 0 0\n";
        let groups = "4:memory:/x\n0::/user.slice/run.scope\n";
        let found = own_folder(mounts, groups);
        let expected = "/sys/fs/cgroup/user.slice/run.scope";
        assert_eq!(found.as_deref(), Some(Path::new(expected)));
        assert_eq!(own_folder("proc /proc proc rw 0 0\n", groups), None);
        assert_eq!(own_folder(mounts, "4:memory:/x\n"), None);
    }
}
