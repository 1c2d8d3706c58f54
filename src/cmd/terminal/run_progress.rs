//! One bar on stderr about a running plan.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use slidebench::harness::analysis::Growth;
use slidebench::harness::humanize::rate;
use slidebench::harness::record::{Row, Status};
use slidebench::harness::run::{Plan, Planned, RunEvent, RunOptions};
use slidebench::search::{Event, Progress};

use crate::cmd::terminal::progress::{When, fitting, outlook};

/// The least time between two plain lines.
const PLAIN_EVERY: Duration = Duration::from_secs(1);
/// How often the bar is drawn, at most.
const HERTZ: u8 = 12;
/// Where there are fewer columns, words are worth more than a bar.
const NARROW: u16 = 72;

/// Runs done, and what the last event came from: instance, threshold, nodes/s, solved.
pub struct RunProgress<'a> {
    plan: &'a Plan,
    bar: ProgressBar,
    /// Whether there is somebody to tell, and a terminal to draw on.
    plain: bool,
    shown: bool,
    /// When each run is stopped.
    limit: Option<Duration>,
    state: Mutex<State>,
}

struct State {
    /// What each job runs.
    jobs: Vec<Job>,
    solved: usize,
    due: Instant,
}

/// A run, and how its thresholds grow.
#[derive(Clone, Default)]
struct Job {
    instance: String,
    optimal: Option<u32>,
    growth: Growth,
    /// How much of its last threshold the search takes.
    share_of_last: f64,
}

impl<'a> RunProgress<'a> {
    /// `runs` are still to do, `rows` are there already.
    pub fn new(
        when: When,
        plan: &'a Plan,
        options: &RunOptions<'_>,
        runs: &[Planned],
        rows: &[Row],
    ) -> RunProgress<'a> {
        let done = plan.runs.len() - runs.len();
        let solved = rows.iter().filter(|row| row.status == Status::Solved);
        let term = Term::stderr();
        let plain = !term.is_term();
        let shown = when.is_shown(&term);
        let (_, columns) = term.size();
        let target = match shown && !plain {
            true => ProgressDrawTarget::term(term, HERTZ),
            false => ProgressDrawTarget::hidden(),
        };
        let style = ProgressStyle::with_template(match columns < NARROW {
            true => "{pos}/{len} {wide_msg}",
            false => "{bar:24} {pos}/{len} {wide_msg}",
        });
        let bar = ProgressBar::with_draw_target(Some(plan.runs.len() as u64), target)
            .with_style(style.expect("the template is right"))
            .with_position(done as u64);
        RunProgress {
            plan,
            bar,
            plain,
            shown,
            limit: options.asked.time,
            state: Mutex::new(State {
                jobs: vec![Job::default(); options.jobs],
                solved: solved.count(),
                due: Instant::now() + PLAIN_EVERY,
            }),
        }
    }

    /// A stderr that cannot be written must not end the run.
    pub fn on_event(&self, event: RunEvent<'_>) {
        if !self.shown {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            RunEvent::Started { job, run } => {
                let instance = self.plan.instance(run);
                state.jobs[job] = Job {
                    instance: instance.name.clone(),
                    optimal: instance.optimal,
                    growth: Growth::default(),
                    share_of_last: (self.plan.configuration(run).search())
                        .map_or(1.0, |search| search.algorithm.share_of_last_threshold()),
                };
            }
            RunEvent::Finished { row, .. } => {
                state.solved += usize::from(row.status == Status::Solved);
                self.bar.inc(1);
                let mut parts = vec![format!("instance {}", row.instance)];
                parts.extend(row.nodes_per_s.map(rate));
                self.show(&mut state, parts);
            }
            RunEvent::Search {
                job,
                event: Event::Progress(progress),
            } => {
                let parts = state.jobs[job].parts(&progress, self.limit);
                self.show(&mut state, parts);
            }
            RunEvent::Search {
                job,
                event: Event::Iteration(iteration),
            } => state.jobs[job].growth.add(&iteration),
            // What came of it is shown at its end.
            RunEvent::Search {
                event: Event::Incumbent(_),
                ..
            } => {}
        }
    }

    /// What matters most comes first, for narrow terminals.
    fn show(&self, state: &mut State, mut parts: Vec<String>) {
        parts.insert(parts.len() - 1, format!("{} solved", state.solved));
        let (done, all) = (self.bar.position(), self.plan.runs.len());
        if !self.plain {
            let (_, columns) = Term::stderr().size();
            let bar = if columns < NARROW { 0 } else { 25 };
            let before = bar + format!("{done}/{all} ").len();
            let room = usize::from(columns).saturating_sub(before);
            self.bar.set_message(fitting(&parts, room));
        } else if Instant::now() >= state.due {
            state.due = Instant::now() + PLAIN_EVERY;
            let _ = writeln!(io::stderr(), "{done}/{all} {}", parts.join(", "));
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Job {
    /// Where the search is, how long it goes on if that is long, and how fast it is.
    fn parts(&self, progress: &Progress, limit: Option<Duration>) -> Vec<String> {
        let mut parts = vec![
            format!("instance {}", self.instance),
            format!("threshold {}", progress.threshold),
        ];
        let left = (self.growth).left(progress, self.optimal, self.share_of_last);
        parts.extend(outlook(left, progress.elapsed, limit));
        parts.push(rate(
            progress.generated as f64 / progress.elapsed.as_secs_f64(),
        ));
        parts
    }
}
