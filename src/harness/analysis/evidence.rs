//! Which answers are wrong: what their own row rules out, and what other rows of the same problem do.
//!
//! A path that replays is a fact, and so is a threshold that was exhausted. Whatever claims to be
//! shortest, or within a factor of that, has to agree with both, whoever found them.

use std::collections::HashMap;
use std::fmt;

use crate::harness::record::{PuzzleKey, Row, Status};
use crate::puzzle::Cost;

/// What the rows of one problem show together.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    /// The cost of the shortest path that replays.
    least: Option<Cost>,
    /// No solution has as few moves: the largest threshold that was exhausted.
    exhausted: Option<u32>,
    /// The optimum, where a row knows it.
    known: Option<u32>,
    /// The largest cost that a run calls shortest.
    claimed: Option<Cost>,
}

impl Shown {
    fn add(&mut self, row: &Row) {
        if row.status == Status::Solved && row.verified == Some(true) {
            self.least = [self.least, row.cost].into_iter().flatten().min();
        }
        self.exhausted = self.exhausted.max(row.last_threshold_finished());
        self.known = self.known.or(row.known_optimal);
        let is_solved = row.status == Status::Solved && row.verified != Some(false);
        if is_solved && row.claims_optimal() {
            self.claimed = self.claimed.max(row.cost);
        }
    }
}

/// What rows show about each other.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    shown: HashMap<Problem, Shown>,
}

/// The names count too: units of a threshold are parts of one board. Files of others may have
/// nothing but names; what a name stands for is then what any row says of it.
type Problem = (String, String, Option<PuzzleKey>);

fn problem(row: &Row) -> Problem {
    let puzzle = (!row.board.is_empty()).then(|| row.puzzle_key());
    (row.suite.clone(), row.instance.clone(), puzzle)
}

fn by_name(row: &Row) -> Problem {
    (row.suite.clone(), row.instance.clone(), None)
}

impl Evidence {
    /// What these rows show.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Evidence {
        let mut shown: HashMap<Problem, Shown> = HashMap::new();
        for row in rows {
            shown.entry(problem(row)).or_default().add(row);
            shown.entry(by_name(row)).or_default().add(row);
        }
        Evidence { shown }
    }

    /// What is false about a row, if anything is.
    pub fn against(&self, row: &Row) -> Option<Wrong> {
        let why = self.why(row)?;
        Some(Wrong {
            instance: row.instance.clone(),
            cost: row.cost,
            why,
        })
    }

    fn why(&self, row: &Row) -> Option<Why> {
        let shown = self.shown.get(&problem(row)).copied().unwrap_or_default();
        let known = row.known_optimal.or(shown.known);
        let (Status::Solved, Some(cost)) = (row.status, row.cost) else {
            let is_solvable = known.is_some() || shown.least.is_some();
            let denies = row.status == Status::Unsolvable && is_solvable;
            return denies.then_some(Why::Solvable);
        };
        let is_more_than = |optimum: Cost| row.breaks_promise(optimum);
        if row.verified == Some(false) {
            return Some(Why::DoesNotReplay);
        }
        if let Some(known) = known
            && (cost < known.into() || is_more_than(known.into()))
        {
            return Some(Why::Known(known));
        }
        if let Some(exhausted) = shown.exhausted
            && cost <= exhausted.into()
        {
            return Some(Why::Exhausted(exhausted));
        }
        if let Some(least) = shown.least.filter(|least| is_more_than(*least)) {
            return Some(Why::Shorter(least));
        }
        // A path that replays is believed rather than a claim; a mere cost is not.
        let is_below = |claimed: &Cost| cost < *claimed && row.verified != Some(true);
        shown.claimed.filter(is_below).map(Why::Claimed)
    }
}

/// A wrong answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// The instance.
    pub instance: String,
    /// The cost that was found.
    pub cost: Option<Cost>,
    /// What rules it out.
    pub why: Why,
}

/// What rules an answer out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Its moves do not lead to the goal.
    DoesNotReplay,
    /// The optimum that the suite knows.
    Known(u32),
    /// Another run exhausted this threshold.
    Exhausted(u32),
    /// Another run has a path of this cost.
    Shorter(Cost),
    /// Another run calls this cost the smallest, and nothing shows a path of less.
    Claimed(Cost),
    /// There is a solution.
    Solvable,
}

/// `7 (52 moves, known optimum 50)`
impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wrong { instance, why, .. } = self;
        let cost = self.cost.unwrap_or_default();
        match why {
            Why::DoesNotReplay => write!(f, "{instance} ({cost} moves that do not replay)"),
            Why::Known(known) => write!(f, "{instance} ({cost} moves, known optimum {known})"),
            Why::Exhausted(threshold) => write!(
                f,
                "{instance} ({cost} moves, another run exhausted threshold {threshold})"
            ),
            Why::Shorter(shorter) => {
                write!(f, "{instance} ({cost} moves, another run has {shorter})")
            }
            Why::Claimed(claimed) => write!(
                f,
                "{instance} ({cost} moves without a path, another run calls {claimed} shortest)"
            ),
            Why::Solvable => write!(f, "{instance} (called unsolvable)"),
        }
    }
}
