//! A process that outlives this one for a moment, and ends what it left behind.
//!
//! Whatever ends this process, `kill -9` included, its end of a pipe is closed. The guard waits for
//! that and then kills the process groups it was told of. It is a shell, because it must not be this
//! program: a shell is small, there wherever programs are run by name, and its work is four lines.

use std::io::Write;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

const SCRIPT: &str = r#"
alive=
while read -r what group; do
    rest=
    for it in $alive; do [ "$it" = "$group" ] || rest="$rest $it"; done
    alive=$rest
    [ "$what" = ends ] || alive="$alive $group"
done
for it in $alive; do kill -s KILL -- "-$it" 2>/dev/null; done
"#;

/// The guard of all programs that this process runs.
#[derive(Debug)]
pub(crate) struct Guard {
    child: Option<Child>,
    told: Mutex<Option<ChildStdin>>,
}

impl Guard {
    /// Starts it. Where there is no shell, the death of this process still ends those that it started
    /// itself.
    pub fn start() -> Guard {
        let child = Command::new("sh")
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A group of its own: signals to ours are not for it.
            .process_group(0)
            .spawn();
        let mut child = child.ok();
        let told = child.as_mut().and_then(|child| child.stdin.take());
        Guard {
            child,
            told: Mutex::new(told),
        }
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
