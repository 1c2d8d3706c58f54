//! What a process and its children take, as `/proc` tells.

use std::fs;
use std::time::Duration;

/// A process, those of its kin that left their parents, and all that descend from them.
pub(super) fn family(root: u32, mark: &str) -> Vec<u32> {
    let mut family = vec![root];
    family.extend(orphans(root, mark));
    let mut place = 0;
    while place < family.len() {
        family.extend(children(family[place]));
        place += 1;
    }
    family
}

/// Processes that left their parents and are children of this one now, known by the mark in their
/// environment.
pub(super) fn orphans(root: u32, mark: &str) -> Vec<u32> {
    let is_marked = |process: &u32| {
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        let mut entries = environment.split(|&byte| byte == 0);
        entries.any(|entry| entry == mark.as_bytes())
    };
    let mut orphans = children(std::process::id());
    orphans.retain(|process| *process != root && is_marked(process));
    orphans
}

fn children(process: u32) -> Vec<u32> {
    let mut all = Vec::new();
    let tasks = fs::read_dir(format!("/proc/{process}/task"));
    for task in tasks.into_iter().flatten().flatten() {
        let children = fs::read_to_string(task.path().join("children"));
        let children = children.unwrap_or_default();
        let children = children.split(' ').filter_map(|child| child.parse().ok());
        all.extend(children.collect::<Vec<u32>>());
    }
    all
}

/// The resident memory of processes, in bytes. Pages that they share count for each.
pub(super) fn resident(family: &[u32]) -> u64 {
    let page = rustix::param::page_size() as u64;
    let pages = family.iter().filter_map(|process| {
        let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
        text.split(' ').nth(1)?.parse::<u64>().ok()
    });
    pages.sum::<u64>() * page
}

/// The time that processes were on a processor.
pub(super) fn cpu_time(family: &[u32]) -> Duration {
    let mut nanoseconds = 0;
    for process in family {
        let tasks = fs::read_dir(format!("/proc/{process}/task"));
        for task in tasks.into_iter().flatten().flatten() {
            let text = fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
            let first = text.split(' ').next().and_then(|it| it.parse::<u64>().ok());
            nanoseconds += first.unwrap_or(0);
        }
    }
    Duration::from_nanos(nanoseconds)
}
