//! One line on stderr about a running search.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::ValueEnum;
use console::Term;
use indicatif::HumanCount;
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

/// The line; nothing is shown before the search has run for a moment.
pub struct SearchProgress {
    term: Term,
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
}

impl SearchProgress {
    pub fn new(when: When) -> SearchProgress {
        let term = Term::stderr();
        let shown = when.is_shown(&term).then(Mutex::default);
        SearchProgress { term, shown }
    }

    /// Shows where the search is. A stderr that cannot be written must not end the search.
    pub fn on_event(&self, event: Event) {
        let (Event::Progress(progress), Some(mut shown)) = (event, self.shown()) else {
            return;
        };
        let line = Line(progress).to_string();
        if self.term.is_term() {
            shown.drawn = true;
            let _ = self.draw(&line);
        } else if progress.elapsed >= shown.due {
            shown.due = progress.elapsed + PLAIN_EVERY;
            let _ = writeln!(io::stderr(), "{line}");
        }
    }

    fn draw(&self, line: &str) -> io::Result<()> {
        let (_, cols) = self.term.size();
        let room = usize::from(cols).saturating_sub(ECHO);
        self.term.clear_line()?;
        self.term.write_str(&console::truncate_str(line, room, "…"))
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

struct Line(Progress);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress {
            elapsed,
            generated,
            threshold,
            ..
        } = self.0;
        let rate = generated as f64 / elapsed.as_secs_f64() / 1e6;
        let elapsed = Duration::from_millis(elapsed.as_millis() as u64);
        let generated = HumanCount(generated);
        write!(
            f,
            "threshold {threshold}, {generated} nodes, {rate:.1} million/s, {elapsed:.1?}"
        )
    }
}
