//! One line on stderr about a space that is being explored.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use console::Term;

use crate::cmd::terminal::progress::{News, PLAIN_EVERY, When, room};
use crate::harness::humanize::{count, rough};
use crate::puzzle::{Metric, Size};
use crate::space::{SpaceEvent, radius};

/// The least time between two drawings of the line.
const DRAWN_EVERY: Duration = Duration::from_millis(100);

/// The line: how far the layer is, and how long the rest takes.
pub struct SpaceProgress {
    term: Term,
    is_shown: bool,
    /// The last layer, where it is known.
    radius: Option<usize>,
    shown: Mutex<Shown>,
}

struct Shown {
    /// When the next line is due.
    due: Instant,
    /// When the first layer by passes began, and which it was.
    begun: Option<(Instant, usize)>,
    /// When this layer began.
    layer: Option<(Instant, usize)>,
}

impl SpaceProgress {
    pub fn new(size: Size, metric: Metric, when: When) -> SpaceProgress {
        let term = Term::stderr();
        SpaceProgress {
            is_shown: when.is_shown(&term),
            term,
            radius: radius(size, metric),
            shown: Mutex::new(Shown {
                due: Instant::now(),
                begun: None,
                layer: None,
            }),
        }
    }

    /// Shows how far the exploration is. A stderr that cannot be written must not end it.
    pub fn on_event(&self, event: SpaceEvent) {
        if !self.is_shown {
            return;
        }
        let now = Instant::now();
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let (depth, reached, part) = match event {
            SpaceEvent::Resumed { depth } => {
                let _ = writeln!(std::io::stderr(), "depth {depth} is done; it goes on there");
                return;
            }
            SpaceEvent::Layer {
                depth,
                reached,
                part,
            } => (depth, reached, part),
        };
        shown.begun.get_or_insert((now, depth));
        if shown.layer.is_none_or(|(_, of)| of != depth) {
            shown.layer = Some((now, depth));
        }
        if now < shown.due {
            return;
        }
        let last = self.radius.map_or(String::new(), |it| format!(" of {it}"));
        let percent = (part * 100.0) as u32;
        let news = News {
            places: vec![
                format!("depth {depth}{last}: {percent} %"),
                format!("depth {depth}"),
            ],
            outlook: self.left(&shown, now, depth, part),
            details: vec![format!("{} states are nearer", count(reached))],
        };
        if self.term.is_term() {
            shown.due = now + DRAWN_EVERY;
            let _ = self.term.clear_line();
            let _ = self.term.write_str(&news.line(room(&self.term)));
        } else {
            shown.due = now + PLAIN_EVERY;
            let _ = writeln!(std::io::stderr(), "{}", news.line(usize::MAX));
        }
    }

    /// How long the rest takes: each layer by passes takes as long as the others, and the last one
    /// is known of many sizes. Of others only the end of this layer is foreseen.
    fn left(&self, shown: &Shown, now: Instant, depth: usize, part: f64) -> Option<String> {
        let rest = |(begun, first): (Instant, usize), last: usize| {
            let done = (depth - first) as f64 + part;
            let left = (last.max(depth) - depth) as f64 + 1.0 - part;
            (done > 0.0).then(|| (now - begun).mul_f64(left / done))
        };
        let (time, of) = match self.radius {
            Some(radius) => (shown.begun.and_then(|begun| rest(begun, radius)), ""),
            None => (
                shown.layer.and_then(|layer| rest(layer, depth)),
                " of this layer",
            ),
        };
        time.map(|time| format!("{}{of} left", rough(time)))
    }

    /// Takes the line away from a terminal.
    pub fn clear(&self) {
        if self.is_shown && self.term.is_term() {
            let _ = self.term.clear_line();
        }
    }
}
