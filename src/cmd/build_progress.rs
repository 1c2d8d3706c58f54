//! One line on stderr about a table that is being built.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::HumanCount;
use slidebench::lookup::Layer;

use super::progress::{PLAIN_EVERY, When};

/// The line: depth, states and rate, after each layer.
pub struct BuildProgress {
    term: Term,
    is_shown: bool,
    begun: Instant,
    /// When the next line is due, since the build began.
    due: Mutex<Duration>,
}

impl BuildProgress {
    pub fn new(when: When) -> BuildProgress {
        let term = Term::stderr();
        BuildProgress {
            is_shown: when.is_shown(&term),
            term,
            begun: Instant::now(),
            due: Mutex::default(),
        }
    }

    /// For builds on the way to something else: nothing is shown of those that take a moment.
    pub fn patient(when: When) -> BuildProgress {
        BuildProgress {
            due: Mutex::new(PLAIN_EVERY),
            ..BuildProgress::new(when)
        }
    }

    /// Shows how far the build is. A stderr that cannot be written must not end it.
    pub fn hear(&self, layer: Layer) {
        let elapsed = self.begun.elapsed();
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_shown || elapsed < *due {
            return;
        }
        let rate = layer.reached as f64 / elapsed.as_secs_f64() / 1e6;
        let line = format!(
            "depth {}, {} states, {} in all, {rate:.1} million/s, {:.1?}",
            layer.depth,
            HumanCount(layer.states),
            HumanCount(layer.reached),
            Duration::from_millis(elapsed.as_millis() as u64)
        );
        if self.term.is_term() {
            self.clear();
            let _ = self.term.write_str(&line);
        } else {
            *due = elapsed + PLAIN_EVERY;
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }

    /// Takes the line away from a terminal.
    pub fn clear(&self) {
        if self.is_shown && self.term.is_term() {
            let _ = self.term.clear_line();
        }
    }
}
