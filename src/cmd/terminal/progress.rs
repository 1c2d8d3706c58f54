//! One line on stderr about a running search.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::ValueEnum;
use console::Term;
use indicatif::HumanCount;
use slidebench::harness::analysis::{Growth, Left};
use slidebench::harness::humanize::rough;
use slidebench::search::{Event, Progress};

/// When the line is shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// Where stderr is a terminal.
    Auto,
    /// Everywhere; where stderr is no terminal, as plain lines, at most one a second.
    Always,
    /// Nowhere.
    Never,
}

impl When {
    pub fn is_shown(self, term: &Term) -> bool {
        match self {
            When::Auto => term.is_term(),
            When::Always => true,
            When::Never => false,
        }
    }
}

/// Columns that stay free at the end of the line: the terminal echoes Ctrl-C as `^C`, and on
/// a full line that would go to the next one and leave this one on the screen.
const ECHO: usize = 3;
/// The least time between two plain lines.
pub const PLAIN_EVERY: Duration = Duration::from_secs(1);

/// A search that goes on for less is not worth a forecast.
const LONG: Duration = Duration::from_secs(10);

/// How long a search goes on, where that is long: to its end, to that of its threshold, or to its
/// limit if that comes first.
pub fn outlook(left: Option<Left>, elapsed: Duration, limit: Option<Duration>) -> Option<String> {
    let until_limit = limit.map(|limit| limit.saturating_sub(elapsed));
    let is_cut = |left: Duration| until_limit.is_some_and(|until| until < left);
    match (left, until_limit) {
        (Some(Left::OfSearch(left) | Left::OfThreshold(left)), Some(until)) if is_cut(left) => {
            Some(format!("ends at the limit in {}", rough(until)))
        }
        (Some(Left::OfSearch(left)), _) if left >= LONG => {
            Some(format!("about {} left", rough(left)))
        }
        (Some(Left::OfThreshold(left)), _) if left >= LONG => {
            Some(format!("next threshold in about {}", rough(left)))
        }
        (None, Some(until)) if until >= LONG => {
            Some(format!("ends at the limit in {}", rough(until)))
        }
        _ => None,
    }
}

/// The line; nothing is shown before the search has run for a moment.
pub struct SearchProgress {
    term: Term,
    /// When the search is stopped.
    limit: Option<Duration>,
    /// `None` where nothing is to be shown. Reports come from any thread of the search.
    shown: Option<Mutex<Shown>>,
}

/// What the reader has seen so far.
#[derive(Default)]
struct Shown {
    /// Whether a line stands on the terminal.
    drawn: bool,
    /// When the next plain line is due, since the start of the search.
    due: Duration,
    /// What the thresholds so far tell of those to come.
    growth: Growth,
}

impl SearchProgress {
    pub fn new(when: When) -> SearchProgress {
        let term = Term::stderr();
        let shown = when.is_shown(&term).then(Mutex::default);
        SearchProgress {
            term,
            limit: None,
            shown,
        }
    }

    /// The same for a search that a limit of time may stop.
    pub fn until(self, limit: Option<Duration>) -> SearchProgress {
        SearchProgress { limit, ..self }
    }

    /// Shows where the search is. A stderr that cannot be written must not end the search.
    pub fn on_event(&self, event: Event) {
        let Some(mut shown) = self.shown() else {
            return;
        };
        let progress = match event {
            Event::Iteration(iteration) => return shown.growth.add(&iteration),
            Event::Incumbent(_) => return,
            Event::Progress(progress) => progress,
        };
        let left = shown.growth.left(&progress, None, 1.0);
        let outlook = outlook(left, progress.elapsed, self.limit);
        let has_outlook = outlook.is_some();
        let parts = parts(&progress, outlook);
        if self.term.is_term() {
            shown.drawn = true;
            let _ = self.draw(&parts, has_outlook);
        } else if progress.elapsed >= shown.due {
            shown.due = progress.elapsed + PLAIN_EVERY;
            let _ = writeln!(io::stderr(), "{}", parts.join(", "));
        }
    }

    /// As many parts as there is room for. How long it goes on is worth more than the threshold, where
    /// a narrow terminal has no room for both.
    fn draw(&self, parts: &[String], has_outlook: bool) -> io::Result<()> {
        let (_, cols) = self.term.size();
        let room = usize::from(cols).saturating_sub(ECHO);
        let first = parts
            .iter()
            .take(2)
            .map(|it| console::measure_text_width(it));
        let is_narrow = has_outlook && first.sum::<usize>() + 2 > room;
        let line = fitting(&parts[usize::from(is_narrow)..], room);
        self.term.clear_line()?;
        self.term
            .write_str(&console::truncate_str(&line, room, "…"))
    }

    /// Takes the line away from a terminal, and an echoed `^C` with it.
    pub fn clear(&self) {
        if self.shown().is_some_and(|shown| shown.drawn) {
            let _ = self.term.clear_line();
        }
    }

    fn shown(&self) -> Option<MutexGuard<'_, Shown>> {
        let shown = self.shown.as_ref()?;
        Some(shown.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Where a search is, what matters most first.
fn parts(progress: &Progress, outlook: Option<String>) -> Vec<String> {
    let Progress {
        elapsed,
        generated,
        threshold,
        ..
    } = *progress;
    let rate = generated as f64 / elapsed.as_secs_f64() / 1e6;
    let elapsed = Duration::from_millis(elapsed.as_millis() as u64);
    let mut parts = vec![format!("threshold {threshold}")];
    parts.extend(outlook);
    parts.push(format!("{elapsed:.1?}"));
    parts.push(format!("{} nodes", HumanCount(generated)));
    parts.push(format!("{rate:.1} million/s"));
    parts
}

/// The first parts, with commas between them, in so many columns; at least one.
pub fn fitting(parts: &[String], room: usize) -> String {
    let mut line = parts.first().cloned().unwrap_or_default();
    for part in parts.iter().skip(1) {
        if console::measure_text_width(&line) + 2 + console::measure_text_width(part) > room {
            break;
        }
        line += &format!(", {part}");
    }
    line
}
