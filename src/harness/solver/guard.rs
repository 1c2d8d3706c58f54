//! A process that outlives this one for a moment, and ends what it left behind.
//!
//! Whatever ends this process, `kill -9` included, its end of a pipe is closed. The guard waits for
//! that and then kills the control group, or the process groups it was told of and whatever has their
//! mark in its environment. It is a shell, because it must not be this program: a shell is small, there
//! wherever programs are run by name, and its work is a few lines.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use super::control_group::{ControlGroups, Place, place};

/// Its arguments: the folder of the control groups or nothing, what begins the mark, and the folder of
/// boards. A process that is found by its mark may start another one meanwhile, and one that becomes a
/// program has no environment for a moment: it looks until it has found none three times.
const SCRIPT: &str = r#"
alive=
while read -r what group; do
    rest=
    for it in $alive; do [ "$it" = "$group" ] || rest="$rest $it"; done
    alive=$rest
    [ "$what" = ends ] || alive="$alive $group"
done
for it in $alive; do kill -s KILL -- "-$it"; done
if [ -d "$1" ]; then
    echo 1 >"$1/cgroup.kill"
    for again in 1 2 3 4 5 6 7 8 9; do
        rmdir "$1"/*/
        rmdir "$1" && break
        sleep 0.0$again
    done
else
    round=0 none=0
    while [ $none -lt 3 ] && [ $round -lt 200 ]; do
        round=$((round + 1)) none=$((none + 1))
        for it in $(grep -alz "^$2" /proc/[0-9]*/environ); do
            none=0
            it=${it#/proc/}
            kill -s KILL "${it%/environ}"
        done
        sleep 0.02
    done
fi
[ -z "$3" ] || rm -rf "$3"
"#;

/// The variable by which the processes of a program are found, with a value for each start.
const MARK: &str = "SLIDEBENCH_PROGRAM";

/// What holds the processes of a program together, and what measures and limits their memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Containment {
    /// A control group that has the controller of memory.
    MemoryGroup,
    /// A control group; memory is sampled.
    Group,
    /// The process group, and the mark in the environment; memory is sampled.
    ProcessGroup,
}

impl Containment {
    /// What programs of this process will have.
    pub fn here() -> Containment {
        match place().filter(Place::may_be_made) {
            Some(place) if place.has_memory => Containment::MemoryGroup,
            Some(_) => Containment::Group,
            None => Containment::ProcessGroup,
        }
    }
}

/// As the sidecar has it.
impl std::fmt::Display for Containment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Containment::MemoryGroup => "control group, which limits memory",
            Containment::Group => "control group, memory sampled",
            Containment::ProcessGroup => "process group, memory sampled",
        })
    }
}

/// The guard of all programs that this process runs.
#[derive(Debug)]
pub(crate) struct Guard {
    child: Option<Child>,
    told: Mutex<Option<ChildStdin>>,
    groups: Option<ControlGroups>,
    boards: PathBuf,
    mark: String,
    next: AtomicU64,
}

impl Guard {
    /// Starts it. Where there is no shell, the death of this process still ends those that it started
    /// itself.
    pub fn start() -> Guard {
        let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let name = format!("{}-{}", std::process::id(), since.as_nanos());
        let boards = std::env::temp_dir().join(format!("slidebench-{name}"));
        let mark = format!("{MARK}={name}.");
        let place = place();
        let folder = place.as_ref().map(|it: &Place| it.folder.clone());
        let child = Command::new("sh")
            .args(["-c", SCRIPT, "slidebench-guard"])
            .arg(folder.map_or_else(OsString::new, PathBuf::into_os_string))
            .arg(&mark)
            .arg(&boards)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A group of its own: signals to ours are not for it.
            .process_group(0)
            .spawn();
        let mut child = child.ok();
        let told = child.as_mut().and_then(|child| child.stdin.take());
        let groups = place.and_then(ControlGroups::create);
        if groups.is_none() {
            // Who leaves its parent becomes a child of this process, and is found there.
            let _ = rustix::process::set_child_subreaper(rustix::process::Pid::from_raw(1));
        }
        Guard {
            child,
            told: Mutex::new(told),
            groups,
            boards,
            mark,
            next: AtomicU64::new(0),
        }
    }

    /// Where control groups are made, if they are.
    pub(super) fn groups(&self) -> Option<&ControlGroups> {
        self.groups.as_ref()
    }

    /// The entry of the environment by which the processes of the next program are found.
    pub fn mark(&self) -> String {
        format!("{}{}", self.mark, self.next.fetch_add(1, Relaxed))
    }

    /// A new file with a board. The guard removes what is left of them.
    pub fn board_file(&self, text: &str, ending: &str) -> io::Result<PathBuf> {
        fs::create_dir_all(&self.boards)?;
        let number = self.next.fetch_add(1, Relaxed);
        let path = self.boards.join(format!("board-{number}.{ending}"));
        fs::write(&path, text)?;
        Ok(path)
    }

    /// Where a process tells that its group begins, with [`begins`].
    pub fn pipe(&self) -> Option<RawFd> {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.as_ref().map(AsRawFd::as_raw_fd)
    }

    /// A group has ended, and its number may be another's soon.
    pub fn ends(&self, group: u32) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(told) = &mut *told {
            let _ = told.write_all(format!("ends {group}\n").as_bytes());
        }
    }
}

/// The line that says that the group of this process begins, and its length. Nothing is allocated:
/// it is written between fork and exec.
pub(super) fn begins(process: u32) -> ([u8; 18], usize) {
    let mut line = *b"begins \0\0\0\0\0\0\0\0\0\0\0";
    let digits = process.checked_ilog10().unwrap_or(0) as usize + 1;
    let mut rest = process;
    for place in (7..7 + digits).rev() {
        line[place] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    line[7 + digits] = b'\n';
    (line, 8 + digits)
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        drop(told.take());
        drop(told);
        if let Some(child) = &mut self.child {
            let _ = child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::begins;

    #[test]
    fn a_line_is_a_number() {
        for process in [1, 9, 10, 4_194_304, u32::MAX] {
            let (line, length) = begins(process);
            assert_eq!(line[..length], *format!("begins {process}\n").as_bytes());
        }
    }
}
