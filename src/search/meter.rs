//! Counts what a search does and stops it at its limits.
//!
//! A [`Watch`] is shared by the threads of one search; each thread counts in a [`Meter`] of
//! its own, without atomics, and hands its counts to the watch every few thousand nodes.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::{Control, Event, Iteration, Progress, Stats, Stop};

/// Nodes between two looks at the clock: 0.05 ms for the fastest engine, 10 ms for the slowest.
const CHECK_EVERY: u64 = 1 << 14;
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Limits, cancel flag and listener of one search, shared by its threads.
pub(crate) struct Watch<'a> {
    control: &'a Control<'a>,
    started: Instant,
    expanded: AtomicU64,
    generated: AtomicU64,
    threshold: AtomicU32,
    /// When the next progress report is due, in nanoseconds since the start.
    next_report: AtomicU64,
    /// Why the search has to stop, as `Stop as u8 + 1`; 0 while it may go on.
    stop: AtomicU8,
}

impl<'a> Watch<'a> {
    pub fn new(control: &'a Control<'a>) -> Watch<'a> {
        Watch {
            control,
            started: Instant::now(),
            expanded: AtomicU64::new(0),
            generated: AtomicU64::new(0),
            threshold: AtomicU32::new(0),
            next_report: AtomicU64::new(REPORT_EVERY.as_nanos() as u64),
            stop: AtomicU8::new(0),
        }
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub fn report(&self, iteration: Iteration) {
        if let Some(listener) = self.control.listener {
            listener(Event::Iteration(iteration));
        }
    }

    /// Takes over counts of one thread and says whether the search has to stop.
    fn check(&self, expanded: u64, generated: u64) -> Result<(), Stop> {
        let expanded = self.expanded.fetch_add(expanded, Relaxed) + expanded;
        let generated = self.generated.fetch_add(generated, Relaxed) + generated;
        let elapsed = self.elapsed();
        let limits = &self.control.limits;
        if self.control.cancel.is_some_and(|flag| flag.load(Relaxed)) {
            return Err(self.stop_all(Stop::Cancelled));
        }
        if limits.time.is_some_and(|limit| elapsed >= limit) {
            return Err(self.stop_all(Stop::Time));
        }
        if limits.nodes.is_some_and(|limit| generated >= limit) {
            return Err(self.stop_all(Stop::Nodes));
        }
        if let Some(stop) = self.stopped() {
            return Err(stop);
        }
        self.report_progress(elapsed, expanded, generated);
        Ok(())
    }

    fn stop_all(&self, stop: Stop) -> Stop {
        self.stop.store(stop as u8 + 1, Relaxed);
        stop
    }

    /// Why another thread stopped the search, if one did.
    fn stopped(&self) -> Option<Stop> {
        let all = [Stop::Time, Stop::Nodes, Stop::Memory, Stop::Cancelled];
        let stop = self.stop.load(Relaxed);
        all.into_iter().find(|&reason| reason as u8 + 1 == stop)
    }

    fn report_progress(&self, elapsed: Duration, expanded: u64, generated: u64) {
        let Some(listener) = self.control.listener else {
            return;
        };
        let now = elapsed.as_nanos() as u64;
        let due = self.next_report.load(Relaxed);
        let next = now + REPORT_EVERY.as_nanos() as u64;
        // One thread wins the exchange, and it alone reports.
        if now >= due
            && self
                .next_report
                .compare_exchange(due, next, Relaxed, Relaxed)
                .is_ok()
        {
            listener(Event::Progress(Progress {
                elapsed,
                expanded,
                generated,
                threshold: self.threshold.load(Relaxed),
            }));
        }
    }
}

/// One thread's counts, checked against the limits as they grow.
pub(crate) struct Meter<'a> {
    watch: &'a Watch<'a>,
    pub stats: Stats,
    /// The counts that the watch knows of.
    seen: (u64, u64),
    /// The count of generated nodes at which the watch is asked again.
    next_check: u64,
    held: u64,
}

impl<'a> Meter<'a> {
    pub fn new(watch: &'a Watch<'a>) -> Meter<'a> {
        let mut meter = Meter {
            watch,
            stats: Stats::default(),
            seen: (0, 0),
            next_check: 0,
            held: 0,
        };
        meter.plan_check();
        meter
    }

    pub fn watch(&self) -> &'a Watch<'a> {
        self.watch
    }

    /// Counts a node whose children are about to be made.
    #[inline(always)]
    pub fn expand(&mut self) -> Result<(), Stop> {
        self.pulse()?;
        self.stats.expanded += 1;
        Ok(())
    }

    /// Asks the watch, if it is time to.
    #[inline(always)]
    pub fn pulse(&mut self) -> Result<(), Stop> {
        if self.stats.generated >= self.next_check {
            self.check()?;
        }
        Ok(())
    }

    /// Hands the counts to the watch, whatever their number.
    #[cold]
    pub fn check(&mut self) -> Result<(), Stop> {
        let (expanded, generated) = (self.stats.expanded, self.stats.generated);
        let news = (expanded - self.seen.0, generated - self.seen.1);
        self.seen = (expanded, generated);
        let verdict = self.watch.check(news.0, news.1);
        self.plan_check();
        verdict
    }

    fn plan_check(&mut self) {
        let nodes = self.watch.control.limits.nodes.unwrap_or(u64::MAX);
        let left = nodes.saturating_sub(self.watch.generated.load(Relaxed));
        self.next_check = self.stats.generated.saturating_add(left.min(CHECK_EVERY));
    }

    /// Says what depth or f is searched now.
    pub fn threshold(&mut self, threshold: u32) {
        self.watch.threshold.store(threshold, Relaxed);
    }

    /// Notes the depth of a node that was kept.
    #[inline(always)]
    pub fn depth(&mut self, depth: u32) {
        self.stats.max_depth = self.stats.max_depth.max(depth);
    }

    #[inline(always)]
    pub fn frontier(&mut self, nodes: usize) {
        self.stats.max_frontier = self.stats.max_frontier.max(nodes as u64);
    }

    pub fn memory_limit(&self) -> Option<u64> {
        self.watch.control.limits.memory
    }

    /// Accounts for a container that is about to grow from `old` to `new` bytes.
    ///
    /// Both are held while it moves, so the sum has to fit the limit.
    pub fn grow(&mut self, old: usize, new: usize) -> Result<(), Stop> {
        let peak = self.held + new as u64;
        if self.memory_limit().is_some_and(|limit| peak > limit) {
            return Err(Stop::Memory);
        }
        self.stats.peak_memory = self.stats.peak_memory.max(peak);
        self.held = peak - old as u64;
        Ok(())
    }
}
