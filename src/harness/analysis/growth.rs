//! How the nodes of IDA* grow from threshold to threshold.

use std::time::Duration;

use crate::search::{Iteration, Progress};

/// The factor where fewer than two thresholds are known: korf100 with taxicab.
const USUAL: f64 = 6.0;
/// The steps between thresholds where fewer than two are known.
const USUAL_STEP: u32 = 2;

/// The last thresholds that were exhausted, and what they tell of those to come.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Growth {
    last: Option<Known>,
    before: Option<Known>,
}

/// How long a search goes on, and until when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    /// Until a solution.
    OfSearch(Duration),
    /// Until the threshold is exhausted.
    OfThreshold(Duration),
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Known {
    threshold: u32,
    generated: u64,
}

impl Growth {
    /// Takes a threshold in; one that ended at a solution tells nothing of its size.
    pub fn add(&mut self, iteration: &Iteration) {
        if !iteration.complete {
            return;
        }
        self.before = self.last;
        self.last = Some(Known {
            threshold: iteration.threshold,
            generated: iteration.generated.max(1),
        });
    }

    /// The moves from one threshold to the next.
    pub fn step(&self) -> u32 {
        match (self.before, self.last) {
            (Some(before), Some(last)) => last.threshold - before.threshold,
            _ => USUAL_STEP,
        }
    }

    /// By which factor the nodes grow with each step.
    pub fn factor(&self) -> f64 {
        match (self.before, self.last) {
            // Something grows, or the search would not go on.
            (Some(before), Some(last)) => {
                (last.generated as f64 / before.generated as f64).max(1.1)
            }
            _ => USUAL,
        }
    }

    /// The nodes of a threshold to come, or of what lies between two.
    pub fn nodes(&self, threshold: f64) -> f64 {
        let (from, generated) = self.origin();
        generated
            * self
                .factor()
                .powf((threshold - from) / f64::from(self.step()))
    }

    /// The nodes of all thresholds up to one to come.
    pub fn nodes_up_to(&self, threshold: f64) -> f64 {
        self.nodes(threshold) * self.factor() / (self.factor() - 1.0)
    }

    /// The nodes of all thresholds up to one to come, of that one only a share.
    pub fn nodes_with_last(&self, threshold: f64, share: f64) -> f64 {
        self.nodes_up_to(threshold) - (1.0 - share) * self.nodes(threshold)
    }

    /// How long a running search goes on at its speed so far: to the solution where its cost is
    /// known, of whose threshold it searches a share; otherwise to the end of the threshold. `None`
    /// before two thresholds are known.
    pub fn left(&self, progress: &Progress, optimal: Option<u32>, share: f64) -> Option<Left> {
        self.before?;
        let generated = progress.generated as f64;
        let until = |nodes: f64| {
            let left = (nodes - generated).max(0.0) / generated;
            Duration::try_from_secs_f64(progress.elapsed.as_secs_f64() * left).ok()
        };
        let current = self.nodes_up_to(f64::from(progress.threshold));
        match optimal.map(f64::from) {
            Some(optimal) => {
                let likely = self.nodes_with_last(optimal, share);
                // Past that share of the last threshold all of it may be needed.
                until(if generated < likely {
                    likely
                } else {
                    self.nodes_up_to(optimal)
                })
                .map(Left::OfSearch)
            }
            None => until(current).map(Left::OfThreshold),
        }
    }

    /// Which threshold has that many nodes.
    pub fn threshold_of(&self, nodes: f64) -> f64 {
        let (from, generated) = self.origin();
        from + f64::from(self.step()) * (nodes / generated).ln() / self.factor().ln()
    }

    /// The threshold that is nearest, counted from one that there is, and not below that.
    pub fn whole(&self, threshold: f64, from: u32) -> u32 {
        let step = f64::from(self.step());
        let steps = ((threshold - f64::from(from)) / step).round().max(0.0);
        from + (steps * step) as u32
    }

    fn origin(&self) -> (f64, f64) {
        let last = self.last.unwrap_or(Known {
            threshold: 0,
            generated: 1,
        });
        (f64::from(last.threshold), last.generated as f64)
    }
}
