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

/// Bytes of memory that are free for new work: of the machine, or of the control group if
/// that has less. `None` where the system does not say.
pub fn free_memory() -> Option<u64> {
    let available = memory_info("MemAvailable:")?;
    let group = control_group_memory();
    Some(group.map_or(available, |group| group.min(available)))
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
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let kibibytes = info.lines().find_map(|line| {
        let kibibytes = line.strip_prefix(name)?.trim();
        kibibytes.strip_suffix(" kB")?.parse::<u64>().ok()
    })?;
    Some(kibibytes * 1024)
}

/// The most bytes of memory that this process has had in use at one time, code and libraries
/// included. `None` where the system does not say.
pub fn peak_rss() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kibibytes = status.lines().find_map(|line| {
        let peak = line.strip_prefix("VmHWM:")?.trim();
        peak.strip_suffix(" kB")?.parse::<u64>().ok()
    })?;
    Some(kibibytes * 1024)
}

/// Bytes that the process's control group, and those it lies in, may still take, where one of
/// them has a limit.
fn control_group_memory() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let number = |file: &Path| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let left = |folder: &Path| {
        let most = number(&folder.join("memory.max"))?;
        let taken = number(&folder.join("memory.current")).unwrap_or(0);
        Some(most.saturating_sub(taken))
    };
    let own = Path::new("/sys/fs/cgroup").join(path);
    own.ancestors()
        .take_while(|folder| folder.starts_with("/sys/fs/cgroup"))
        .filter_map(left)
        .min()
}
