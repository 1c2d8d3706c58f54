//! One line on stderr about a running search.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::ValueEnum;
use console::Term;
use indicatif::HumanCount;

use crate::harness::analysis::{Growth, Left};
use crate::harness::humanize::rough;
use crate::search::{Event, Progress};

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

/// The columns that a line may take.
pub fn room(term: &Term) -> usize {
    let (_, columns) = term.size();
    usize::from(columns).saturating_sub(ECHO)
}

/// A search that goes on for less is not worth a forecast, unless it went on for as long already.
const LONG: Duration = Duration::from_secs(10);

/// How long a search goes on, where that is long: to its end, to that of its threshold, or to its
/// limit if that comes first.
pub fn outlook(left: Option<Left>, elapsed: Duration, limit: Option<Duration>) -> Option<String> {
    let until_limit = limit.map(|limit| limit.saturating_sub(elapsed));
    let is_long = |left: Duration| left.max(elapsed) >= LONG && left >= Duration::from_secs(1);
    let is_cut = |left: Duration| until_limit.is_some_and(|until| until < left);
    match (left, until_limit) {
        (Some(Left::OfSearch(left) | Left::OfThreshold(left)), Some(until)) if is_cut(left) => {
            Some(format!("ends at the limit in {}", rough(until)))
        }
        (Some(Left::OfSearch(left)), _) if is_long(left) => {
            Some(format!("about {} left", rough(left)))
        }
        (Some(Left::OfThreshold(left)), _) if is_long(left) => {
            Some(format!("next threshold in about {}", rough(left)))
        }
        (None, Some(until)) if until >= LONG => {
            Some(format!("ends at the limit in {}", rough(until)))
        }
        // Whether it comes to the limit is not known.
        (Some(Left::OfThreshold(_)), Some(until)) if until >= LONG => {
            Some(format!("limit in {}", rough(until)))
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
        let news = news(&progress, outlook(left, progress.elapsed, self.limit));
        if self.term.is_term() {
            shown.drawn = true;
            let _ = self.draw(&news);
        } else if progress.elapsed >= shown.due {
            shown.due = progress.elapsed + PLAIN_EVERY;
            let _ = writeln!(io::stderr(), "{}", news.line(usize::MAX));
        }
    }

    fn draw(&self, news: &News) -> io::Result<()> {
        let room = room(&self.term);
        let line = news.line(room);
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

/// Where a search is.
fn news(progress: &Progress, outlook: Option<String>) -> News {
    let Progress {
        elapsed,
        generated,
        threshold,
        ..
    } = *progress;
    let rate = generated as f64 / elapsed.as_secs_f64() / 1e6;
    let elapsed = Duration::from_millis(elapsed.as_millis() as u64);
    News {
        places: vec![format!("threshold {threshold}")],
        outlook,
        details: vec![
            format!("{elapsed:.1?}"),
            format!("{} nodes", HumanCount(generated)),
            format!("{rate:.1} million/s"),
        ],
    }
}

/// What a line may tell of a search. On a narrow terminal how long it goes on is worth more than
/// where it is, and both more than the rest.
pub struct News {
    /// Where it is, in ever fewer words.
    pub places: Vec<String>,
    /// How long it goes on, where that is known.
    pub outlook: Option<String>,
    /// The rest, what matters most first.
    pub details: Vec<String>,
}

impl News {
    /// As much as there is room for, with commas between the parts; at least one of them.
    pub fn line(&self, room: usize) -> String {
        let fits = |place: &&String| {
            let outlook = self.outlook.as_ref();
            console::measure_text_width(place)
                + outlook.map_or(0, |it| 2 + console::measure_text_width(it))
                <= room
        };
        let place = self.places.iter().find(fits);
        // Without an outlook there is nothing to make room for.
        let place = place.or(self.places.last().filter(|_| self.outlook.is_none()));
        let mut line = String::new();
        for part in place.into_iter().chain(&self.outlook).chain(&self.details) {
            let comma = if line.is_empty() { "" } else { ", " };
            let width = [&line, comma, part].map(console::measure_text_width);
            if !line.is_empty() && width.iter().sum::<usize>() > room {
                break;
            }
            line += comma;
            line += part;
        }
        line
    }
}
