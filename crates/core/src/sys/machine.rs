//! What the machine has: processor and memory.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::thread;

/// The processor's name, as the system gives it.
pub fn cpu_model() -> &'static str {
    /// Every row has it, and the system takes a while to write it down.
    static MODEL: LazyLock<String> = LazyLock::new(read_cpu_model);
    &MODEL
}

fn read_cpu_model() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_owned())
    });
    model.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// Bytes of memory that are free for new work: of the machine, or of the control group or the
/// process's own limit of address space (`ulimit -v`) if that has less. `None` where the system
/// does not say.
pub fn free_memory() -> Option<u64> {
    let limits = [control_group_memory(), address_space_left()];
    let available = memory_info("MemAvailable:")?;
    Some(limits.into_iter().flatten().fold(available, u64::min))
}

/// Bytes of addresses that the process may still take, where that is limited.
fn address_space_left() -> Option<u64> {
    #[cfg(unix)]
    {
        let mut limit = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: the system writes to a place that is this function's own.
        let failed = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
        if failed != 0 || limit.rlim_cur == libc::RLIM_INFINITY {
            return None;
        }
        let taken = status_bytes("VmSize:").unwrap_or(0);
        Some(limit.rlim_cur.saturating_sub(taken))
    }
    #[cfg(not(unix))]
    None
}

/// Bytes of memory that the machine has. `None` where the system does not say.
pub fn total_memory() -> Option<u64> {
    memory_info("MemTotal:")
}

/// Threads that run at one time.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The system's name and release.
pub fn os() -> String {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{} {}", std::env::consts::OS, release.trim())
        .trim_end()
        .to_owned()
}

fn memory_info(name: &str) -> Option<u64> {
    kibibytes("/proc/meminfo", name)
}

/// The bytes that a line of one of the system's lists tells in kibibytes.
fn kibibytes(list: &str, name: &str) -> Option<u64> {
    let list = fs::read_to_string(list).ok()?;
    let kibibytes = list.lines().find_map(|line| {
        let kibibytes = line.strip_prefix(name)?.trim();
        kibibytes.strip_suffix(" kB")?.parse::<u64>().ok()
    })?;
    Some(kibibytes * 1024)
}

/// The most bytes of memory that this process has had in use at one time, code and libraries
/// included. `None` where the system does not say.
pub fn peak_rss() -> Option<u64> {
    status_bytes("VmHWM:")
}

fn status_bytes(name: &str) -> Option<u64> {
    kibibytes("/proc/self/status", name)
}

/// Bytes that the process's control groups, and those they lie in, may still take, where one of
/// them has a limit.
fn control_group_memory() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    left_in_groups(&groups, Path::new("/sys/fs/cgroup"))
}

/// The same by the list of groups, `NUMBER:CONTROLLERS:/PATH` a line, and where they are mounted.
/// Version 2 has one group, number 0 without controllers; version 1 has one for each controller,
/// in a folder of its name. A machine may have both.
fn left_in_groups(groups: &str, root: &Path) -> Option<u64> {
    let left = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        let path = path.trim_start_matches('/');
        match controllers {
            "" => left_in_group(root, path, "memory.max", "memory.current"),
            all if all.split(',').any(|one| one == "memory") => left_in_group(
                &root.join("memory"),
                path,
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
            ),
            _ => None,
        }
    });
    left.min()
}

/// What a group may still take, and those it lies in, by the files of their limit and their use.
/// Inside a container the group's own path need not be there, and those above it are.
fn left_in_group(root: &Path, path: &str, limit: &str, taken: &str) -> Option<u64> {
    let number = |file: &Path| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let left = |folder: &Path| {
        // Version 2 has the word `max` for no limit, version 1 a number that nothing reaches.
        let most = number(&folder.join(limit))?;
        let taken = number(&folder.join(taken)).unwrap_or(0);
        Some(most.saturating_sub(taken))
    };
    let own = root.join(path);
    let groups = own.ancestors().take_while(|it| it.starts_with(root));
    groups.filter_map(left).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(root: &Path, path: &str, files: [(&str, &str); 2]) {
        let folder = root.join(path);
        fs::create_dir_all(&folder).unwrap();
        for (name, content) in files {
            fs::write(folder.join(name), content).unwrap();
        }
    }

    #[test]
    fn limits_of_both_versions_of_control_groups_count() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let one = |limit, taken| {
            [
                ("memory.limit_in_bytes", limit),
                ("memory.usage_in_bytes", taken),
            ]
        };
        let two = |limit, taken| [("memory.max", limit), ("memory.current", taken)];
        group(root, "memory", one("9223372036854771712\n", "1\n"));
        group(root, "memory/job", one("1000\n", "300\n"));
        group(
            root,
            "memory/job/step",
            one("9223372036854771712\n", "200\n"),
        );
        group(root, "slice", two("max\n", "5\n"));
        group(root, "slice/job", two("400\n", "100\n"));
        let left = |groups| left_in_groups(groups, root);
        let first = "12:cpu,cpuacct:/x\n4:memory:/job/step\n1:name=systemd:/x\n";
        assert_eq!(left(first), Some(700), "the parent's limit holds");
        assert_eq!(left("0::/slice/job\n"), Some(300));
        let both = "4:hugetlb,memory:/job/step\n0::/slice/job\n";
        assert_eq!(left(both), Some(300), "the smaller of the two");
        assert_eq!(left("0::/slice\n"), None);
        // A container sees its group by a path of the host.
        let hidden = left("4:memory:/docker/0123\n").unwrap();
        assert!(hidden > 1 << 60, "the root's: {hidden}");
        assert_eq!(left("no list of groups"), None);
    }
}
