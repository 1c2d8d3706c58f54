//! One line on stderr about a running search.

use std::fmt;
use std::io::IsTerminal;
use std::time::Duration;

use clap::ValueEnum;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use slidebench::search::{Event, Progress};

/// When the line is shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// Where stderr is a terminal.
    Auto,
    Always,
    Never,
}

/// The line; nothing is drawn before the search has run for a moment.
pub struct SearchProgress(ProgressBar);

impl SearchProgress {
    pub fn new(when: When) -> SearchProgress {
        let shown = match when {
            When::Auto => std::io::stderr().is_terminal(),
            When::Always => true,
            When::Never => false,
        };
        let target = match shown {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let style = ProgressStyle::with_template("{spinner} {msg}").expect("the template is valid");
        let bar = ProgressBar::with_draw_target(None, target).with_style(style);
        SearchProgress(bar)
    }

    pub fn hear(&self, event: Event) {
        if let Event::Progress(progress) = event {
            self.0.set_message(Line(progress).to_string());
            self.0.tick();
        }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.0.finish_and_clear();
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
