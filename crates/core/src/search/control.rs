//! What a caller asks of a running search: limits, a cancel flag, events, a point to resume from.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::puzzle::{Cost, MAX_OPTIMAL_CELLS};

/// Bounds on one search; `None` is no bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Most time.
    pub time: Option<Duration>,
    /// Most nodes generated. A search stops at the first expansion past it, the engines of IDA*
    /// and searches on several threads within a few thousand nodes. The batched one may also reach it a little earlier: nodes to
    /// the right of the solution, which it does not report, count as work.
    pub nodes: Option<u64>,
    /// Most bytes held by the search's own containers, tables aside. The process has a few MB
    /// more, and the allocator may keep what breadth-first searches give back: up to a third.
    pub memory: Option<u64>,
}

/// How a caller steers a search and listens to it.
///
/// ```
/// use slidebench::puzzle::{Board, Goal, Problem};
/// use slidebench::search::{Algorithm, Control, Event, Limits, Settings, Stop, solve};
///
/// let board: Board = "14 13 15 7 / 11 12 9 5 / 6 . 2 1 / 4 8 10 3".parse()?;
/// let problem = Problem::new(&board, Goal::First)?;
/// let listener = |event: Event| {
///     if let Event::Iteration(it) = event {
///         println!("threshold {}: {} nodes", it.threshold, it.generated);
///     }
/// };
/// let control = Control {
///     limits: Limits { nodes: Some(100_000), ..Limits::default() },
///     listener: Some(&listener),
///     ..Control::default()
/// };
/// let outcome = solve(&problem, &Settings::new(Algorithm::IdaStar), &control);
/// assert_eq!(outcome.result, Err(Stop::Nodes));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Control<'a> {
    /// Where it ends without a solution.
    pub limits: Limits,
    /// The search ends as [`Stop::Cancelled`] soon after this becomes true.
    pub cancel: Option<&'a AtomicBool>,
    /// Called from time to time, from any of the search's threads.
    pub listener: Option<&'a (dyn Fn(Event) + Sync)>,
    /// Where an earlier IDA* or A*+IDA* of the same problem with the same settings ended. This one goes on
    /// from there, counts that one's work in, and has what it left of the limits.
    pub resume: Option<ResumePoint>,
}

/// The thresholds that an interrupted search exhausted: the next one can go on behind them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResumePoint {
    /// The last one.
    pub threshold: u32,
    /// What all of them took.
    pub iterations: u32,
    /// Nodes whose children were made.
    pub expanded: u64,
    /// The start and every child made.
    pub generated: u64,
    /// Wall time.
    pub time: Duration,
    /// `None` where it is not known.
    pub cpu_time: Option<Duration>,
}

impl Control<'_> {
    /// Whether the caller wants no more of it.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|flag| flag.load(Relaxed))
    }
}

impl Limits {
    /// What is left of them where so many bytes are held already.
    pub fn beside(self, held: u64) -> Limits {
        Limits {
            memory: self.memory.map(|most| most.saturating_sub(held)),
            ..self
        }
    }

    /// What is left of them.
    pub fn after(&self, done: &ResumePoint) -> Limits {
        Limits {
            time: self.time.map(|time| time.saturating_sub(done.time)),
            nodes: self.nodes.map(|nodes| nodes.saturating_sub(done.generated)),
            memory: self.memory,
        }
    }
}

/// Why a search ended without a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Stop {
    /// Its time was up.
    #[error("the time limit is reached")]
    Time,
    /// It generated as many nodes as it may.
    #[error("the limit of nodes is reached")]
    Nodes,
    /// It may have no more memory, or the system gives none.
    #[error("the memory limit is reached")]
    Memory,
    /// The caller's flag was set.
    #[error("the search was cancelled")]
    Cancelled,
    /// The endgame table contradicts itself; its checksum will say so.
    #[error("the endgame table is damaged")]
    DamagedTable,
    /// A file that was mapped, of a table, was cut off or cannot be read any more.
    #[error("a table's file went away while it was in use")]
    LostTable,
    /// The estimate falls by more than one with a move: a damaged table, or a heuristic that is
    /// not consistent.
    #[error("the heuristic is not consistent")]
    Inconsistent,
    /// The heuristic or the endgame is for boards of another size.
    #[error("the heuristic or the endgame is for boards of another size")]
    OtherSize,
    /// The search goes to a board whose gap is in no corner, the goal or in reverse the start, and the
    /// heuristic, mostly because it has tables, or the endgame leads to the solved board only.
    #[error("the heuristic or the endgame leads only to boards whose gap is in a corner")]
    OtherTarget,
    /// Moves are not of one tile that costs one, and there is no such search, or its heuristic or
    /// endgame counts such moves.
    #[error("the search or its heuristic counts moves of one tile, each of cost 1")]
    OtherMetric,
    /// A unit of a threshold has no solution within it.
    #[error("the unit has no solution")]
    Exhausted,
    /// A unit is not in the tree of this search: another estimate or pruning has split it.
    #[error("the unit was split for another search")]
    OtherTree,
    /// The search is for smaller boards.
    #[error("the search is for boards of up to {MAX_OPTIMAL_CELLS} cells")]
    WideBoard,
}

/// What a running search tells its listener.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// A few times a second.
    Progress(Progress),
    /// After each threshold of an iterative search.
    Iteration(Iteration),
    /// Whenever an anytime search has a better solution, or knows more of its best one.
    Incumbent(Incumbent),
}

/// The best solution that an anytime search has by now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Incumbent {
    /// Since the clock started.
    pub elapsed: Duration,
    /// Its cost.
    pub cost: Cost,
    /// No solution costs less, as far as is proven.
    pub lower_bound: Option<Cost>,
}

/// Where a running search is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Since the clock started.
    pub elapsed: Duration,
    /// Nodes whose children were made.
    pub expanded: u64,
    /// The start and every child made.
    pub generated: u64,
    /// The depth limit, f threshold or f layer that is being searched.
    pub threshold: u32,
}

/// One threshold of an iterative search, from its start to its end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Iteration {
    /// The depth limit, or the largest f.
    pub threshold: u32,
    /// Nodes whose children were made.
    pub expanded: u64,
    /// The start and every child made.
    pub generated: u64,
    /// Wall time.
    pub time: Duration,
    /// What the threads of the search used; `None` where the system does not say.
    pub cpu_time: Option<Duration>,
    /// Whether this threshold was exhausted; the last one ends at a solution.
    pub complete: bool,
    /// In a search from both ends the cost of the best solution known at the end of it.
    pub best: Option<u32>,
}
