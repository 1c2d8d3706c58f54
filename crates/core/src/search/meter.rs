//! Counts what a search does and stops it at its limits.
//!
//! A [`Watch`] is shared by the threads of one search; each thread counts in a [`Meter`] of
//! its own, without atomics, and hands its counts to the watch every few thousand nodes.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::{Control, Event, Incumbent, Iteration, NodeCounts, Progress, ResumePoint, Stats, Stop};
use crate::puzzle::Cost;
use crate::sys::cpu_time::thread_cpu_time;

/// Nodes between two looks at the clock: 0.05 ms for the fastest engine, 10 ms for the slowest.
const CHECK_EVERY: u64 = 1 << 14;
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// When a clock was started, by the wall and by the CPU time of the thread that started it.
struct Start {
    wall: Instant,
    cpu_time: Option<Duration>,
}

/// Limits, cancel flag and listener of one search, shared by its threads.
pub struct Watch<'a> {
    control: &'a Control<'a>,
    /// Whether a table that the search reads went away.
    is_lost: Option<&'a (dyn Fn() -> bool + Sync)>,
    started: OnceLock<Start>,
    /// CPU time of the threads that did not start the clock, in nanoseconds.
    workers_cpu_time: AtomicU64,
    expanded: AtomicU64,
    generated: AtomicU64,
    threshold: AtomicU32,
    /// When the next progress report is due, in nanoseconds since the start.
    next_report: AtomicU64,
    /// Bytes that all threads hold.
    held: AtomicU64,
    /// Bytes of tables that the search has built for itself.
    tables: AtomicU64,
    /// Why the search has to stop, as `Stop as u8 + 1`; 0 while it may go on.
    stop: AtomicU8,
}

impl<'a> Watch<'a> {
    /// What a caller asked of one search.
    pub fn new(control: &'a Control<'a>) -> Watch<'a> {
        Watch {
            control,
            is_lost: None,
            started: OnceLock::new(),
            workers_cpu_time: AtomicU64::new(0),
            expanded: AtomicU64::new(0),
            generated: AtomicU64::new(0),
            threshold: AtomicU32::new(0),
            next_report: AtomicU64::new(REPORT_EVERY.as_nanos() as u64),
            held: AtomicU64::new(0),
            tables: AtomicU64::new(0),
            stop: AtomicU8::new(0),
        }
    }

    /// The same, for a search that is worth nothing once its tables are lost.
    pub fn over_tables(control: &'a Control<'a>, is_lost: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Watch {
            is_lost: Some(is_lost),
            ..Watch::new(control)
        }
    }

    /// What the search found, if its tables are still there.
    pub fn believe<T>(&self, found: Result<T, Stop>) -> Result<T, Stop> {
        match self.is_lost.is_some_and(|is_lost| is_lost()) {
            true => Err(Stop::LostTable),
            false => found,
        }
    }

    /// Where an earlier search of the same problem ended.
    pub fn resume_point(&self) -> Option<ResumePoint> {
        self.control.resume
    }

    /// Starts the clock, unless it runs: tables are built before that.
    pub fn start(&self) {
        self.started.get_or_init(|| Start {
            wall: Instant::now(),
            cpu_time: thread_cpu_time(),
        });
    }

    /// What depth, f or bound is searched now.
    pub fn threshold(&self) -> u32 {
        self.threshold.load(Relaxed)
    }

    /// Wall time since the clock was started.
    pub fn elapsed(&self) -> Duration {
        let started = self.started.get();
        started
            .map(|start| start.wall.elapsed())
            .unwrap_or_default()
    }

    /// What all threads have used; asked by the one that started the clock, while no other works.
    pub fn cpu_time(&self) -> Option<Duration> {
        let Some(start) = self.started.get() else {
            return thread_cpu_time().map(|_| Duration::ZERO);
        };
        let own = thread_cpu_time()?.saturating_sub(start.cpu_time?);
        Some(own + Duration::from_nanos(self.workers_cpu_time.load(Relaxed)))
    }

    /// Takes over the CPU time of another thread that has ended its work, by its own clock.
    pub fn add_cpu_time(&self, begun: Option<Duration>) {
        if let (Some(begun), Some(now)) = (begun, thread_cpu_time()) {
            let used = now.saturating_sub(begun).as_nanos() as u64;
            self.workers_cpu_time.fetch_add(used, Relaxed);
        }
    }

    /// Takes over counts of one thread and says whether the search has to stop.
    fn check(&self, work: NodeCounts, is_alone: bool) -> Result<(), Stop> {
        let expanded = self.expanded.fetch_add(work.expanded, Relaxed) + work.expanded;
        let generated = self.generated.fetch_add(work.generated, Relaxed) + work.generated;
        let elapsed = self.elapsed();
        let limits = &self.control.limits;
        self.believe(Ok(())).map_err(|stop| self.stop_all(stop))?;
        self.check_time(elapsed)?;
        if limits.nodes.is_some_and(|limit| generated >= limit) {
            return Err(self.stop_all(Stop::Nodes));
        }
        if !is_alone {
            self.proceed()?;
        }
        self.report_progress(elapsed, expanded, generated);
        Ok(())
    }

    /// Whether there is time, and the caller wants more: for work that counts no nodes.
    pub fn check_clock(&self) -> Result<(), Stop> {
        self.check_time(self.elapsed())
    }

    fn check_time(&self, elapsed: Duration) -> Result<(), Stop> {
        if self.control.is_cancelled() {
            return Err(self.stop_all(Stop::Cancelled));
        }
        let limit = self.control.limits.time;
        match limit.is_some_and(|limit| elapsed >= limit) {
            true => Err(self.stop_all(Stop::Time)),
            false => Ok(()),
        }
    }

    fn retract(&self, work: NodeCounts) {
        self.expanded.fetch_sub(work.expanded, Relaxed);
        self.generated.fetch_sub(work.generated, Relaxed);
    }

    fn stop_all(&self, stop: Stop) -> Stop {
        self.stop.store(stop as u8 + 1, Relaxed);
        stop
    }

    /// Whether a thread may go on, or why another one stopped the search.
    pub fn proceed(&self) -> Result<(), Stop> {
        let all = [
            Stop::Time,
            Stop::Nodes,
            Stop::Memory,
            Stop::Cancelled,
            Stop::DamagedTable,
            Stop::LostTable,
            Stop::Inconsistent,
        ];
        let stop = self.stop.load(Relaxed);
        match all.into_iter().find(|&reason| reason as u8 + 1 == stop) {
            Some(stop) => Err(stop),
            None => Ok(()),
        }
    }

    /// Ends the work of all threads: one has found what they look for. False if they end anyway.
    pub fn finish(&self) -> bool {
        let stop = Stop::Cancelled as u8 + 1;
        (self.stop)
            .compare_exchange(0, stop, Relaxed, Relaxed)
            .is_ok()
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

/// Where a search was when an iteration began.
#[derive(Clone, Copy)]
pub struct IterationStart {
    threshold: u32,
    counts: NodeCounts,
    elapsed: Duration,
    cpu_time: Option<Duration>,
}

impl IterationStart {
    /// Says that a larger threshold is searched at once.
    pub fn raise(&mut self, threshold: u32) {
        self.threshold = threshold;
    }
}

/// One thread's counts, checked against the limits as they grow.
pub struct Meter<'a> {
    watch: &'a Watch<'a>,
    /// What this thread has counted so far.
    pub stats: Stats,
    /// The counts that the watch was told of.
    reported: NodeCounts,
    /// The count of generated nodes at which the watch is asked again.
    next_check: u64,
    /// Whether the other threads have ended for this one.
    is_alone: bool,
    /// Bytes that this thread holds.
    held: u64,
    /// The cost and the lower bound that the listener was told of last.
    told: Option<(Cost, Option<Cost>)>,
}

impl<'a> Meter<'a> {
    /// A thread that has done nothing yet.
    pub fn new(watch: &'a Watch<'a>) -> Meter<'a> {
        let mut meter = Meter {
            watch,
            stats: Stats::default(),
            reported: NodeCounts::default(),
            next_check: 0,
            is_alone: false,
            held: 0,
            told: None,
        };
        meter.plan_check();
        meter
    }

    /// What it shares with other threads.
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
        self.report(NodeCounts::default())
    }

    /// The nodes that this thread has counted.
    pub fn counts(&self) -> NodeCounts {
        NodeCounts {
            expanded: self.stats.expanded,
            generated: self.stats.generated,
        }
    }

    /// How many nodes may be generated before the next [`Meter::report`] is due.
    pub fn nodes_until_check(&self) -> u64 {
        self.next_check.saturating_sub(self.stats.generated)
    }

    /// Reports the counts to the watch, and besides them `work` that is not in the counts, or
    /// not yet; says whether the search has to stop.
    pub fn report(&mut self, work: NodeCounts) -> Result<(), Stop> {
        let counts = self.counts();
        let unreported = counts - self.reported;
        self.reported = counts;
        let verdict = self.watch.check(unreported + work, self.is_alone);
        self.plan_check();
        verdict
    }

    /// Takes back a report of work that is thrown away.
    pub fn retract(&mut self, work: NodeCounts) {
        self.watch.retract(work);
        self.plan_check();
    }

    /// Takes finished work into the counts: the watch was told of `reported`, and `counts` is
    /// what counts of it.
    pub fn commit(&mut self, reported: NodeCounts, counts: NodeCounts) {
        self.watch.retract(reported);
        self.watch.expanded.fetch_add(counts.expanded, Relaxed);
        self.watch.generated.fetch_add(counts.generated, Relaxed);
        self.count(counts);
        self.reported += counts;
        self.plan_check();
    }

    /// Counts nodes that nobody has reported.
    pub fn count(&mut self, nodes: NodeCounts) {
        self.stats.expanded += nodes.expanded;
        self.stats.generated += nodes.generated;
    }

    /// Takes nodes out of the counts that were counted ahead and never generated.
    pub fn uncount(&mut self, generated: u64) {
        self.stats.generated -= generated;
        self.reported.generated = self.reported.generated.min(self.stats.generated);
    }

    /// Forgets all that was counted since `mark`: it is searched again in another way.
    pub fn roll_back(&mut self, mark: NodeCounts) {
        let kept = NodeCounts {
            expanded: self.reported.expanded.min(mark.expanded),
            generated: self.reported.generated.min(mark.generated),
        };
        let retracted = self.reported - kept;
        self.reported = kept;
        self.stats.expanded = mark.expanded;
        self.stats.generated = mark.generated;
        self.retract(retracted);
    }

    /// Bytes that this thread holds.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Takes the counts of a thread that worked while the others did into these.
    pub fn absorb(&mut self, other: &Meter<'_>) {
        self.commit(other.counts(), other.counts());
        let (stats, of_other) = (&mut self.stats, &other.stats);
        stats.max_depth = stats.max_depth.max(of_other.max_depth);
        stats.peak_memory = stats.peak_memory.max(of_other.peak_memory);
        stats.iterations = stats.iterations.max(of_other.iterations);
    }

    /// Ends the work of the other threads: this one knows where a solution is, and goes on to it
    /// alone. An error if another one was first.
    pub fn go_on_alone(&mut self) -> Result<(), Stop> {
        self.is_alone |= self.watch.finish();
        if self.is_alone {
            return Ok(());
        }
        self.watch.proceed()
    }

    /// Reports the last counts; it is too late to stop.
    pub fn end(&mut self) {
        let _ = self.check();
    }

    fn plan_check(&mut self) {
        let nodes = self.watch.control.limits.nodes.unwrap_or(u64::MAX);
        let unreported = self.stats.generated - self.reported.generated;
        let spent = self.watch.generated.load(Relaxed) + unreported;
        let left = nodes.saturating_sub(spent);
        self.next_check = self.stats.generated.saturating_add(left.min(CHECK_EVERY));
    }

    /// Says what depth or f is searched now.
    pub fn threshold(&mut self, threshold: u32) {
        self.watch.threshold.store(threshold, Relaxed);
    }

    /// Begins an iteration: its counts and its time are those since now.
    pub fn begin_iteration(&mut self, threshold: u32) -> IterationStart {
        self.threshold(threshold);
        self.stats.iterations += 1;
        IterationStart {
            threshold,
            counts: self.counts(),
            elapsed: self.watch.elapsed(),
            cpu_time: self.watch.cpu_time(),
        }
    }

    /// Says how many iterations there are by now, those before a resume point among them.
    pub fn set_iterations(&mut self, iterations: u32) {
        let before = self.watch.resume_point().map_or(0, |it| it.iterations);
        self.stats.iterations = iterations.saturating_sub(before);
    }

    /// Tells the listener of an iteration that has ended; returns its counts.
    pub fn end_iteration(&mut self, start: IterationStart, complete: bool) -> NodeCounts {
        self.end_step(start, complete, None)
    }

    /// The same, with the cost of the best solution that is known by then.
    pub fn end_step(
        &mut self,
        start: IterationStart,
        complete: bool,
        best: Option<u32>,
    ) -> NodeCounts {
        let counts = self.counts() - start.counts;
        // One that is told of is gone on from: none that a lost table cut short.
        let is_believed = self.watch.believe(Ok(())).is_ok();
        if let Some(listener) = self.watch.control.listener.filter(|_| is_believed) {
            listener(Event::Iteration(Iteration {
                threshold: start.threshold,
                expanded: counts.expanded,
                generated: counts.generated,
                time: self.watch.elapsed() - start.elapsed,
                cpu_time: (self.watch.cpu_time())
                    .zip(start.cpu_time)
                    .map(|(now, begun)| now.saturating_sub(begun)),
                complete,
                best,
            }));
        }
        counts
    }

    /// Tells the listener of the best solution that an anytime search has, if it or its bound is new.
    pub fn incumbent(&mut self, cost: Cost, lower_bound: Option<Cost>) {
        if self.told.replace((cost, lower_bound)) == Some((cost, lower_bound)) {
            return;
        }
        if let Some(listener) = self.watch.control.listener {
            listener(Event::Incumbent(Incumbent {
                elapsed: self.watch.elapsed(),
                cost,
                lower_bound,
            }));
        }
    }

    /// Notes the depth of a node that was kept.
    #[inline(always)]
    pub fn depth(&mut self, depth: u32) {
        self.stats.max_depth = self.stats.max_depth.max(depth);
    }

    /// Notes how many nodes wait.
    #[inline(always)]
    pub fn frontier(&mut self, nodes: usize) {
        self.stats.max_frontier = self.stats.max_frontier.max(nodes as u64);
    }

    /// The most bytes that all threads may hold.
    pub fn memory_limit(&self) -> Option<u64> {
        self.watch.control.limits.memory
    }

    /// Whether little is left of the memory: an eighth.
    #[inline(always)]
    pub fn is_short_of_memory(&self) -> bool {
        let held = self.watch.held.load(Relaxed) + self.watch.tables.load(Relaxed);
        self.memory_limit()
            .is_some_and(|limit| held >= limit - limit / 8)
    }

    /// Accounts for tables that this search is about to build, which takes so many bytes more
    /// meanwhile, until the answer is dropped; `None` where the limit leaves no room for them. They are
    /// not in the peak, which is without tables.
    pub fn hold_tables(&self, bytes: u64, meanwhile: u64) -> Option<HeldTables<'a>> {
        let watch = self.watch;
        let all = watch.held.load(Relaxed) + watch.tables.load(Relaxed) + bytes + meanwhile;
        let fits = self.memory_limit().is_none_or(|limit| all <= limit);
        fits.then(|| {
            watch.tables.fetch_add(bytes, Relaxed);
            HeldTables { watch, bytes }
        })
    }

    /// Accounts for a container that is about to grow from `old` to `new` bytes.
    ///
    /// Both are held while it moves, so the sum has to fit the limit.
    pub fn grow(&mut self, old: usize, new: usize) -> Result<(), Stop> {
        let (old, new) = (old as u64, new as u64);
        let held = &self.watch.held;
        let peak = held.fetch_add(new, Relaxed) + new;
        let all = peak + self.watch.tables.load(Relaxed);
        if self.memory_limit().is_some_and(|limit| all > limit) {
            held.fetch_sub(new, Relaxed);
            return Err(Stop::Memory);
        }
        self.stats.peak_memory = self.stats.peak_memory.max(peak);
        held.fetch_sub(old, Relaxed);
        self.held = self.held + new - old;
        Ok(())
    }
}

/// The memory of tables that a search has built for itself.
pub struct HeldTables<'a> {
    watch: &'a Watch<'a>,
    bytes: u64,
}

impl Drop for HeldTables<'_> {
    fn drop(&mut self) {
        self.watch.tables.fetch_sub(self.bytes, Relaxed);
    }
}

/// What was accounted for is given back with the containers, which last as long as the meter.
impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.watch.held.fetch_sub(self.held, Relaxed);
    }
}
