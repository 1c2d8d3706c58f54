//! Runs a plan: limits for each run and for all, instances side by side, events as it goes.

use std::collections::{HashMap, HashSet};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::contender::Contender;
use super::failures::{Failures, LeftOut};
use super::plan::Planned;
use super::ready::Ready;
use crate::harness::record::{
    Earlier, Entrant, IncumbentRow, JournalError, Recorded, Row, RunFacts, RunFiles, SearchKey,
    Status, ThresholdRow,
};
use crate::harness::solver::{Call, Caller, Guard};
use crate::puzzle::Problem;
use crate::search::{Control, Event, Limits, Outcome, ResumePoint, search_unit, solve};
use crate::sys::machine;

/// How a plan is to be run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions<'a> {
    /// What is asked for, for each run.
    pub asked: Limits,
    /// What each run has; see [`limits_of_each`].
    pub limits: Limits,
    /// Bytes that the process holds for all runs: each run has its share of them less.
    pub held: u64,
    /// For all runs together.
    pub total_time: Option<Duration>,
    /// Runs side by side.
    pub jobs: usize,
    /// Runs of each instance with each configuration that are not recorded, before the first
    /// one that is.
    pub warmup: u32,
    /// A configuration has no more runs once so many of its own have failed: a limit or an error
    /// ended them.
    pub stop_after_failures: Option<u32>,
    /// Ends the current runs as `interrupted` once it is true. The runner sets it, too, when
    /// nothing can be recorded any more.
    pub cancel: &'a AtomicBool,
}

impl<'a> RunOptions<'a> {
    /// One run after the other, each with these limits.
    pub fn new(asked: Limits, cancel: &'a AtomicBool) -> RunOptions<'a> {
        RunOptions {
            asked,
            limits: limits_of_each(asked, 1),
            held: 0,
            total_time: None,
            jobs: 1,
            warmup: 0,
            stop_after_failures: None,
            cancel,
        }
    }
}

impl RunOptions<'_> {
    /// What is asked for, for each run: those side by side share the memory.
    pub fn asked_of_each(&self) -> Limits {
        Limits {
            memory: self.asked.memory.map(|all| all / self.jobs as u64),
            ..self.asked
        }
    }

    /// The memory of each run: its share, and what the process holds for all is taken from that.
    fn memory_of_each(&self) -> Option<u64> {
        let share = self.asked_of_each().memory.or(self.limits.memory)?;
        Some(share.saturating_sub(self.held / self.jobs as u64))
    }
}

/// The limits of some searches side by side: what is asked for, of memory for all of them; where no limit
/// of memory is, the share of each in four fifths of what is free.
pub fn limits_of_each(asked: Limits, jobs: usize) -> Limits {
    let share = |free: u64| free / 5 * 4 / jobs as u64;
    Limits {
        memory: asked.memory.or_else(|| machine::free_memory().map(share)),
        ..asked
    }
}

/// What happens while a plan runs; `job` tells runs side by side apart.
#[derive(Clone, Copy, Debug)]
pub enum RunEvent<'a> {
    /// A run begins.
    Started {
        /// Which of those side by side.
        job: usize,
        /// The run.
        run: &'a Planned,
    },
    /// Its search says something.
    Search {
        /// Which of those side by side.
        job: usize,
        /// What it says.
        event: Event,
    },
    /// It has ended.
    Finished {
        /// Which of those side by side.
        job: usize,
        /// What came of it.
        row: &'a Row,
    },
}

/// Why there are no more runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Everything was run.
    AllDone,
    /// The time for all runs is up.
    OutOfTime,
    /// The user stopped it.
    Interrupted,
    /// Rows go to a stream whose reader has gone.
    NobodyReads,
}

/// What there is after a plan was run.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// Of all runs, those of earlier processes first.
    pub rows: Vec<Row>,
    /// Why there are no more runs.
    pub ended: Ended,
    /// Runs that are still to do.
    pub left: usize,
    /// Runs that are not, because their configurations have failed often enough.
    pub left_out: Vec<LeftOut>,
}

/// Runs `runs` of a plan into its files; each row is in its file before it is among the others.
pub fn run_into_files(
    ready: &Ready<'_>,
    runs: &[Planned],
    earlier: Earlier,
    options: &RunOptions<'_>,
    on_event: &(dyn Fn(RunEvent<'_>) + Sync),
    files: &mut RunFiles,
) -> Result<Finished, JournalError> {
    let Earlier {
        mut rows,
        resume_points,
        sessions,
    } = earlier;
    let asked = options.asked_of_each();
    let failures = |rows: &[Row]| {
        Failures::of_rows(options.stop_after_failures, asked, ready, rows, &sessions)
    };
    let before = failures(&rows);
    let mut record = |record: Recorded<'_>| {
        let recorded = files.record(record);
        // What came of a run is judged even where nobody reads its row any more.
        if let (Recorded::Run(row), Ok(()) | Err(JournalError::Closed(_))) = (record, &recorded) {
            rows.push(row.clone());
        }
        recorded
    };
    let ended = run_from(
        ready,
        runs,
        &resume_points,
        before,
        options,
        on_event,
        &mut record,
    );
    let ended = match ended {
        Err(JournalError::Closed(_)) => Ended::NobodyReads,
        ended => ended?,
    };
    let remaining = ready.remaining(&rows, &sessions, &asked);
    let left_out = failures(&rows).left_out(ready, &remaining);
    Ok(Finished {
        left: remaining.len() - left_out.iter().map(|it| it.runs).sum::<usize>(),
        left_out,
        rows,
        ended,
    })
}

/// Runs `runs` of a plan, those that have a resume point from there. Each is recorded when it
/// ends, and its thresholds as they end, by one thread at a time; where that fails, the rest is
/// given up.
pub fn run_plan<E: Send>(
    ready: &Ready<'_>,
    runs: &[Planned],
    resume_points: &HashMap<SearchKey, ResumePoint>,
    options: &RunOptions<'_>,
    on_event: &(dyn Fn(RunEvent<'_>) + Sync),
    record: &mut (dyn FnMut(Recorded<'_>) -> Result<(), E> + Send),
) -> Result<Ended, E> {
    let failures = Failures::none(
        options.stop_after_failures,
        options.asked_of_each(),
        ready.plan.configurations.len(),
    );
    run_from(
        ready,
        runs,
        resume_points,
        failures,
        options,
        on_event,
        record,
    )
}

/// [`run_plan`], with the failures that there were before.
fn run_from<E: Send>(
    ready: &Ready<'_>,
    runs: &[Planned],
    resume_points: &HashMap<SearchKey, ResumePoint>,
    failures: Failures,
    options: &RunOptions<'_>,
    on_event: &(dyn Fn(RunEvent<'_>) + Sync),
    record: &mut (dyn FnMut(Recorded<'_>) -> Result<(), E> + Send),
) -> Result<Ended, E> {
    let is_program = |run: &Planned| matches!(ready.entrant(run), Entrant::Program(_));
    let has_programs = runs.iter().any(is_program);
    let runner = Runner {
        ready,
        resume_points,
        options,
        started: Instant::now(),
        queue: Mutex::new(Queue {
            runs,
            warm: HashSet::new(),
            failures,
        }),
        on_event,
        out_of_time: AtomicBool::new(false),
        guard: has_programs.then(Guard::start),
        recording: Mutex::new(Recording {
            record,
            failed: None,
        }),
    };
    thread::scope(|scope| {
        for job in 1..options.jobs {
            let runner = &runner;
            scope.spawn(move || runner.work(job));
        }
        runner.work(0);
    });
    let recording = runner.recording.into_inner();
    match recording.unwrap_or_else(PoisonError::into_inner).failed {
        Some(error) => Err(error),
        None if options.cancel.load(Relaxed) => Ok(Ended::Interrupted),
        None if runner.out_of_time.load(Relaxed) => Ok(Ended::OutOfTime),
        None => Ok(Ended::AllDone),
    }
}

struct Runner<'a, E> {
    ready: &'a Ready<'a>,
    resume_points: &'a HashMap<SearchKey, ResumePoint>,
    options: &'a RunOptions<'a>,
    started: Instant,
    queue: Mutex<Queue<'a>>,
    on_event: &'a (dyn Fn(RunEvent<'_>) + Sync),
    out_of_time: AtomicBool,
    /// Where programs of others run.
    guard: Option<Guard>,
    recording: Mutex<Recording<'a, E>>,
}

/// The programs that one job calls, by their configuration.
type Callers<'a> = HashMap<usize, Caller<'a>>;

/// Runs that no job has taken, what has been warmed up, and which configurations failed.
struct Queue<'a> {
    runs: &'a [Planned],
    warm: HashSet<(usize, usize, usize)>,
    failures: Failures,
}

impl<'a> Queue<'a> {
    /// The next run that is not left out, and whether it is the first of its instance and
    /// configuration.
    fn next(&mut self) -> Option<(&'a Planned, bool)> {
        let place = self
            .runs
            .iter()
            .position(|run| !self.failures.leave_out(run))?;
        let run = &self.runs[place];
        self.runs = &self.runs[place + 1..];
        let is_cold = self
            .warm
            .insert((run.suite, run.instance, run.configuration));
        Some((run, is_cold))
    }
}

struct Recording<'a, E> {
    record: &'a mut (dyn FnMut(Recorded<'_>) -> Result<(), E> + Send),
    failed: Option<E>,
}

impl<'a, E: Send> Runner<'a, E> {
    /// One job: takes runs until there are no more.
    fn work(&self, job: usize) {
        let mut callers = Callers::new();
        while let Some((run, is_cold)) = self.take() {
            let warmups = if is_cold { self.options.warmup } else { 0 };
            for _ in 0..warmups {
                let Some(limits) = self.limits() else { return };
                // What it comes to is the recorded run's to say.
                match self.ready.entrant(run) {
                    Entrant::Search(_) => drop(self.search(run, limits, None, &|_| {})),
                    Entrant::Program(_) => drop(self.call(run, limits, &mut callers)),
                }
            }
            let Some(limits) = self.limits() else { return };
            (self.on_event)(RunEvent::Started { job, run });
            let row = self.run(job, run, limits, &mut callers);
            self.record(Recorded::Run(&row));
            self.queue().failures.add(run.configuration, &row);
            (self.on_event)(RunEvent::Finished { job, row: &row });
        }
    }

    /// The next run, unless nobody waits for it.
    fn take(&self) -> Option<(&Planned, bool)> {
        match self.options.cancel.load(Relaxed) {
            true => None,
            false => self.queue().next(),
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue<'a>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The limits of a run that starts now, `None` where no time is left or nobody waits for it.
    fn limits(&self) -> Option<Limits> {
        if self.options.cancel.load(Relaxed) {
            return None;
        }
        let mut limits = self.options.limits;
        limits.memory = self.options.memory_of_each();
        if let Some(total) = self.options.total_time {
            let left = total.saturating_sub(self.started.elapsed());
            if left.is_zero() {
                self.out_of_time.store(true, Relaxed);
                return None;
            }
            limits.time = Some(limits.time.map_or(left, |limit| limit.min(left)));
        }
        Some(limits)
    }

    fn run<'r>(
        &'r self,
        job: usize,
        run: &Planned,
        limits: Limits,
        callers: &mut Callers<'r>,
    ) -> Row {
        let suite = self.ready.plan.suite(run);
        let instance = self.ready.plan.instance(run);
        let facts = RunFacts {
            suite: &suite.name,
            instance: &instance.name,
            board: &instance.board,
            rules: suite.rules(),
            entrant: self.ready.entrant(run),
            limits: &self.options.asked,
            known_optimal: instance.optimal,
            jobs: self.options.jobs,
            repeat: run.repeat,
            started_at: SystemTime::now(),
            tables: self.ready.mark(run),
        };
        if let Entrant::Program(_) = facts.entrant {
            return match self.call(run, limits, callers) {
                None => Row::new(&facts, None),
                Some(call) => self.row_of_call(&facts, &call),
            };
        }
        let thresholds = ThresholdRow::of_run(&facts);
        let listener = |event: Event| {
            if let Event::Iteration(iteration) = event {
                let threshold = thresholds.with(&iteration);
                self.record(Recorded::Threshold(&threshold));
            }
            if let Event::Incumbent(incumbent) = event {
                let incumbent = IncumbentRow::new(&facts, &incumbent);
                self.record(Recorded::Incumbent(&incumbent));
            }
            (self.on_event)(RunEvent::Search { job, event });
        };
        let resume = self.resume_points.get(&thresholds.search());
        match self.search(run, limits, resume.copied(), &listener) {
            Ok(outcome) => Row::new(&facts, outcome.as_ref()),
            Err(Crashed) => Row {
                status: Status::Error,
                ..Row::new(&facts, None)
            },
        }
    }

    /// Has a program of others solve the board; `None` where parity says that there is no solution.
    fn call<'r>(
        &'r self,
        run: &Planned,
        limits: Limits,
        callers: &mut Callers<'r>,
    ) -> Option<Call> {
        let goal = self.ready.plan.suite(run).goal;
        let board = &self.ready.plan.instance(run).board;
        let (Contender::Program(solver), Some(guard)) =
            (self.ready.plan.configuration(run), &self.guard)
        else {
            return None;
        };
        Problem::new(board, goal).ok()?;
        let caller = callers
            .entry(run.configuration)
            .or_insert_with(|| Caller::new(solver, guard, self.options.cancel));
        Some(caller.call(board, goal, &limits))
    }

    fn row_of_call(&self, facts: &RunFacts<'_>, call: &Call) -> Row {
        let row = Row::of_call(facts, call);
        if let (Err(failure), Status::Error) = (&call.answer, row.status) {
            self.record(Recorded::Failure {
                row: &row,
                failure,
                stderr: &call.stderr,
            });
        }
        row
    }

    /// Searches; `None` where parity says that there is no solution. A fault of the search is
    /// the run's, not the end of all.
    fn search(
        &self,
        run: &Planned,
        limits: Limits,
        resume: Option<ResumePoint>,
        listener: &(dyn Fn(Event) + Sync),
    ) -> Result<Option<Outcome>, Crashed> {
        let rules = self.ready.plan.suite(run).rules();
        let instance = self.ready.plan.instance(run);
        let Ok(problem) = Problem::new(&instance.board, rules) else {
            return Ok(None);
        };
        let control = Control {
            limits,
            cancel: Some(self.options.cancel),
            listener: Some(listener),
            resume,
        };
        let Entrant::Search(settings) = self.ready.entrant(run) else {
            return Ok(None);
        };
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| match &instance.unit {
            Some(unit) => search_unit(&problem, unit, settings, &control),
            None => solve(&problem, settings, &control),
        }));
        outcome.map(Some).map_err(|_| Crashed)
    }

    fn record(&self, record: Recorded<'_>) {
        let recording = &mut *self
            .recording
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if recording.failed.is_some() {
            return;
        }
        if let Err(error) = (recording.record)(record) {
            recording.failed = Some(error);
            self.options.cancel.store(true, Relaxed);
        }
    }
}

/// The search panicked.
struct Crashed;
