//! How an exploration is watched and stopped.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// How an exploration is watched.
#[derive(Clone, Copy, Default)]
pub struct SpaceControl<'a> {
    /// The exploration ends soon after this becomes true.
    pub cancel: Option<&'a AtomicBool>,
    /// Called with what happens, from any thread.
    pub listener: Option<&'a (dyn Fn(SpaceEvent) + Sync)>,
}

/// What happens in an exploration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SpaceEvent {
    /// It goes on where an earlier process was stopped: so many layers are known.
    Resumed {
        /// The last of them.
        depth: usize,
    },
    /// A layer is being made by passes over all states.
    Layer {
        /// Its distance from the goal.
        depth: usize,
        /// States that are nearer.
        reached: u64,
        /// How much of it is done, from 0 to 1.
        part: f64,
    },
}

/// The caller wants no more of it.
pub(super) struct Cancelled;

/// What is told about one layer while passes make it.
pub(super) struct Watch<'a> {
    control: SpaceControl<'a>,
    pub depth: usize,
    pub reached: u64,
    /// Groups of chunks that are done, of those in all passes.
    done: AtomicUsize,
    groups: usize,
}

impl<'a> Watch<'a> {
    pub fn new(control: SpaceControl<'a>, depth: usize, reached: u64, groups: usize) -> Watch<'a> {
        Watch {
            control,
            depth,
            reached,
            done: AtomicUsize::new(0),
            groups,
        }
    }

    /// Whether there is reason to go on.
    pub fn goes_on(&self) -> bool {
        !self.control.is_cancelled()
    }

    /// What a pass comes to, unless it was stopped: then it has not seen everything.
    pub fn ended<T>(&self, end: T) -> Result<T, Cancelled> {
        match self.goes_on() {
            true => Ok(end),
            false => Err(Cancelled),
        }
    }

    pub fn group_done(&self) {
        let done = self.done.fetch_add(1, Relaxed) + 1;
        self.control.tell(SpaceEvent::Layer {
            depth: self.depth,
            reached: self.reached,
            part: done.min(self.groups) as f64 / self.groups as f64,
        });
    }
}

impl SpaceControl<'_> {
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|flag| flag.load(Relaxed))
    }

    pub(super) fn tell(&self, event: SpaceEvent) {
        if let Some(listener) = self.listener {
            listener(event);
        }
    }
}
