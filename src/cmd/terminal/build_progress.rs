//! One line on stderr about a table that is being built.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::HumanCount;

use crate::cmd::terminal::progress::{News, PLAIN_EVERY, When, room};
use crate::lookup::Layer;

/// The line: depth, states and rate, after each layer.
pub struct BuildProgress {
    term: Term,
    is_shown: bool,
    shown: Mutex<Shown>,
}

/// What the reader has seen so far.
struct Shown {
    /// When the build of this table began.
    begun: Instant,
    /// States of it so far.
    reached: u64,
    /// When the next line is due.
    due: Instant,
}

impl BuildProgress {
    pub fn new(when: When) -> BuildProgress {
        BuildProgress::after(Duration::ZERO, when)
    }

    /// For builds on the way to something else: nothing is shown of those that take a moment.
    pub fn patient(when: When) -> BuildProgress {
        BuildProgress::after(PLAIN_EVERY, when)
    }

    fn after(wait: Duration, when: When) -> BuildProgress {
        let term = Term::stderr();
        let begun = Instant::now();
        BuildProgress {
            is_shown: when.is_shown(&term),
            term,
            shown: Mutex::new(Shown {
                begun,
                reached: 0,
                due: begun + wait,
            }),
        }
    }

    /// Shows how far the build is. A stderr that cannot be written must not end it.
    pub fn on_layer(&self, layer: Layer) {
        let now = Instant::now();
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if layer.reached < shown.reached {
            // Another table.
            shown.begun = now;
        }
        shown.reached = layer.reached;
        if !self.is_shown || now < shown.due {
            return;
        }
        let elapsed = now - shown.begun;
        let rate = layer.reached as f64 / elapsed.as_secs_f64() / 1e6;
        let news = News {
            places: vec![format!("depth {}", layer.depth)],
            outlook: None,
            details: vec![
                format!("{} states", HumanCount(layer.states)),
                format!("{} in all", HumanCount(layer.reached)),
                format!("{rate:.1} million/s"),
                format!("{:.1?}", Duration::from_millis(elapsed.as_millis() as u64)),
            ],
        };
        if self.term.is_term() {
            self.clear();
            let _ = self.term.write_str(&news.line(room(&self.term)));
        } else {
            shown.due = now + PLAIN_EVERY;
            let _ = writeln!(std::io::stderr(), "{}", news.line(usize::MAX));
        }
    }

    /// Takes the line away from a terminal.
    pub fn clear(&self) {
        if self.is_shown && self.term.is_term() {
            let _ = self.term.clear_line();
        }
    }
}
