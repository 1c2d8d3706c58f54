//! One line on stderr about a table that is being built.

use std::io::Write;
use std::time::{Duration, Instant};

use console::Term;
use indicatif::HumanCount;
use slidebench::lookup::Layer;

use super::progress::When;

/// The line: depth, states and rate, after each layer.
pub struct BuildProgress {
    term: Term,
    is_shown: bool,
    begun: Instant,
}

impl BuildProgress {
    pub fn new(when: When) -> BuildProgress {
        let term = Term::stderr();
        BuildProgress {
            is_shown: match when {
                When::Auto => term.is_term(),
                When::Always => true,
                When::Never => false,
            },
            term,
            begun: Instant::now(),
        }
    }

    /// Shows how far the build is. A stderr that cannot be written must not end it.
    pub fn hear(&self, layer: Layer) {
        if !self.is_shown {
            return;
        }
        let elapsed = self.begun.elapsed();
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
