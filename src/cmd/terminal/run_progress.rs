//! One bar on stderr about a running plan.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cmd::terminal::progress::{News, PLAIN_EVERY, When, outlook, room};
use crate::harness::analysis::{Growth, Workload};
use crate::harness::humanize::{rate, rough};
use crate::harness::record::{Row, Status};
use crate::harness::run::{Plan, Planned, RunEvent, RunOptions};
use crate::search::{Event, Progress};

/// How often the bar is drawn, at most.
const HERTZ: u8 = 12;
/// What takes longer in all is told.
const LONG_PLAN: Duration = Duration::from_secs(60);
/// From so many columns on there is a bar that is so wide. Words are worth more than that.
const BARS: [(u16, usize); 2] = [(100, 24), (72, 10)];

/// Runs done, and what the last event came from: instance, threshold, nodes/s, solved.
pub struct RunProgress<'a> {
    plan: &'a Plan,
    bar: ProgressBar,
    /// Columns of the bar itself, with the space behind it.
    bar_columns: usize,
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
    workload: Workload,
    due: Instant,
}

/// A run, and how its thresholds grow.
#[derive(Clone, Default)]
struct Job {
    instance: String,
    optimal: Option<u32>,
    known_nodes: Option<u64>,
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
        let width = BARS.iter().find(|(from, _)| columns >= *from);
        let width = width.map_or(0, |(_, width)| *width);
        let style = ProgressStyle::with_template(&match width {
            0 => "{pos}/{len} {wide_msg}".to_owned(),
            _ => format!("{{bar:{width}}} {{pos}}/{{len}} {{wide_msg}}"),
        });
        let bar = ProgressBar::with_draw_target(Some(plan.runs.len() as u64), target)
            .with_style(style.expect("the template is right"))
            .with_position(done as u64);
        RunProgress {
            plan,
            bar,
            bar_columns: if width == 0 { 0 } else { width + 1 },
            plain,
            shown,
            limit: options.asked.time,
            state: Mutex::new(State {
                jobs: vec![Job::default(); options.jobs],
                solved: solved.count(),
                workload: workload(plan, runs, rows),
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
                    known_nodes: instance.known_nodes,
                    growth: Growth::default(),
                    share_of_last: (self.plan.configuration(run).search())
                        .map_or(1.0, |search| search.algorithm.share_of_last_threshold()),
                };
            }
            RunEvent::Finished { job, row } => {
                state.solved += usize::from(row.status == Status::Solved);
                let known = state.jobs[job].known_nodes;
                state.workload.finish(known, time_of(row));
                self.bar.inc(1);
                let news = News {
                    places: vec![format!("instance {}", row.instance), row.instance.clone()],
                    outlook: None,
                    details: row.nodes_per_s.map(rate).into_iter().collect(),
                };
                self.show(&mut state, news);
            }
            RunEvent::Search {
                job,
                event: Event::Progress(progress),
            } => {
                let news = state.jobs[job].news(&progress, self.limit);
                self.show(&mut state, news);
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

    fn show(&self, state: &mut State, mut news: News) {
        let (done, all) = (self.bar.position(), self.plan.runs.len());
        news.details.insert(0, format!("{} solved", state.solved));
        let left = state.workload.left(state.jobs.len());
        if let Some(left) = left.filter(|&left| left >= LONG_PLAN && done < all as u64) {
            let in_all = format!("all in about {}", rough(left));
            news.details.insert(0, in_all);
        }
        if !self.plain {
            let before = self.bar_columns + format!("{done}/{all} ").len();
            let room = room(&Term::stderr()).saturating_sub(before);
            self.bar.set_message(news.line(room));
        } else if Instant::now() >= state.due {
            state.due = Instant::now() + PLAIN_EVERY;
            let _ = writeln!(io::stderr(), "{done}/{all} {}", news.line(usize::MAX));
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// What is to do, where all runs are of one configuration: others take other times.
fn workload(plan: &Plan, runs: &[Planned], rows: &[Row]) -> Workload {
    if plan.configurations.len() > 1 {
        return Workload::default();
    }
    let mut workload = Workload::new(runs.iter().map(|run| plan.instance(run).known_nodes));
    for row in rows {
        let suites = plan.suites.iter().filter(|suite| suite.name == row.suite);
        let mut instances = suites.flat_map(|suite| &suite.instances);
        let known = instances.find(|it| it.name == row.instance);
        if let (Some(known), Some(time)) = (known, time_of(row)) {
            workload.add(known.known_nodes, time);
        }
    }
    workload
}

/// How long a run took that was solved.
fn time_of(row: &Row) -> Option<Duration> {
    let is_solved = row.status == Status::Solved;
    is_solved.then(|| Duration::from_nanos(row.time_ns))
}

impl Job {
    /// Where the search is, how long it goes on if that is long, and how fast it is.
    fn news(&self, progress: &Progress, limit: Option<Duration>) -> News {
        let instance = &self.instance;
        let left = (self.growth).left(progress, self.optimal, self.share_of_last);
        let per_second = progress.generated as f64 / progress.elapsed.as_secs_f64();
        News {
            places: vec![
                format!("instance {instance}, threshold {}", progress.threshold),
                format!("instance {instance}"),
                instance.clone(),
            ],
            outlook: outlook(left, progress.elapsed, limit),
            details: vec![rate(per_second)],
        }
    }
}
