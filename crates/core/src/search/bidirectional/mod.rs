//! Bidirectional heuristic search: from the board and from the goal, until no shorter path can be
//! left.
//!
//! [`bae`], [`nbs`] and [`mm`] are a textbook page each. They differ in what they expand next, and in
//! why no path is shorter than their bound; both [`Side`]s have the lists of A*, with a state in a
//! word, and all estimates are front to end: forward to the goal, backward to the board.
//!
//! All moves cost one, and that makes bounds tighter:
//! - a path that leads from a state of one open list to another one of the other has a move at
//!   least, ε = 1, since states that both sides have reached are found when the second one reaches
//!   them;
//! - all solutions have the same parity, that of the gap's way, so every bound is raised to it.

mod bae;
mod estimator;
mod mm;
mod nbs;
mod side;

use super::meter::{IterationStart, Meter};
use super::{Algorithm, Stop};
use crate::heuristic::{Estimate, Heuristic};
use crate::puzzle::{Board, Entry, Grid, Move, Packed};
use crate::search::astar::Bucket;
use estimator::{Estimator, Lifted, toward};
use side::{Best, Full, Layers, Side};

/// What is searched.
pub(crate) struct Query<'a, W> {
    pub algorithm: Algorithm,
    pub start: Packed<W>,
    /// The same as a board: the target of the way back.
    pub board: &'a Board,
    pub target: &'a Board,
    pub grid: &'a Grid,
    /// The estimate of the way back, one that is computed.
    pub backward: Estimate<'static>,
}

/// The moves, or `None` where the word has no room for the layers of the lists.
type Found = Result<Option<Vec<Move>>, Stop>;

/// Searches with any heuristic forward.
pub(crate) fn with_heuristic<W: Entry, H: Heuristic<W>>(
    query: &Query<'_, W>,
    heuristic: &H,
    meter: &mut Meter<'_>,
) -> Found {
    search(query, &Lifted::toward(query.target, heuristic), meter)
}

/// Compiled once for a word: estimates are asked for in batches.
fn search<W: Entry>(
    query: &Query<'_, W>,
    forward: &dyn Estimator<W>,
    meter: &mut Meter<'_>,
) -> Found {
    if query.board == query.target {
        return Ok(Some(Vec::new()));
    }
    let backward = toward(query.board, query.backward);
    let mut sides = Sides::new(query, [forward, &*backward], meter)?;
    let ended = match query.algorithm {
        Algorithm::Nbs => nbs::search(&mut sides),
        Algorithm::Mm => mm::search(&mut sides),
        _ => bae::search(&mut sides),
    };
    sides.end(ended.is_ok());
    match ended {
        Ok(()) => sides.path().map(Some),
        Err(Full::Layers) => Ok(None),
        Err(Full::Stopped(stop)) => Err(stop),
    }
}

/// The least move.
const EPSILON: u32 = 1;

/// One of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    Forward,
    Backward,
}

/// Both sides, and what is known of the solution.
struct Sides<'a, 'm, 'w, W: Entry> {
    forward: Side<'a, W>,
    backward: Side<'a, W>,
    best: Best<W>,
    /// No solution is shorter.
    bound: u32,
    since: IterationStart,
    meter: &'m mut Meter<'w>,
}

impl<'a, 'm, 'w, W: Entry> Sides<'a, 'm, 'w, W> {
    fn new(
        query: &Query<'a, W>,
        [forward, backward]: [&'a dyn Estimator<W>; 2],
        meter: &'m mut Meter<'w>,
    ) -> Result<Sides<'a, 'm, 'w, W>, Stop> {
        let layers = match query.algorithm {
            Algorithm::Bae => Layers::B,
            _ => Layers::F,
        };
        let goal = Packed::new(query.target);
        let (start, grid) = (query.start, query.grid);
        // The root of the backward side is generated too.
        meter.stats.generated += 1;
        let [of_forward, of_backward] = layers.empty_lists(meter)?;
        let forward = Side::new(start, grid, layers, [forward, backward], of_forward, meter)?;
        let backward = Side::new(
            goal,
            grid,
            layers,
            [backward, forward.ahead()],
            of_backward,
            meter,
        )?;
        let bound = forward.value(0).max(backward.value(0));
        let best = Best {
            cost: u32::MAX,
            meeting: None,
        };
        let mut sides = Sides {
            since: meter.begin_iteration(bound),
            forward,
            backward,
            best,
            bound,
            meter,
        };
        sides.begin();
        Ok(sides)
    }

    fn side(&self, direction: Direction) -> &Side<'a, W> {
        match direction {
            Direction::Forward => &self.forward,
            Direction::Backward => &self.backward,
        }
    }

    /// The least length of a solution that is not below this: estimates have its parity.
    fn of_parity(&self, length: u32) -> u32 {
        length + (length + self.forward.value(0)) % 2
    }

    /// Notes that no solution is shorter than this; true if that proves the best one.
    fn raise(&mut self, bound: u32) -> bool {
        let bound = self.of_parity(bound.min(self.best.cost));
        if bound > self.bound {
            self.tell(true);
            self.bound = bound;
            self.begin();
        }
        self.best.cost <= self.bound
    }

    /// Expands up to `most` states of a bucket; how many were taken.
    fn expand(&mut self, direction: Direction, bucket: Bucket, most: usize) -> Result<usize, Full> {
        let before = self.best.cost;
        let (side, other) = match direction {
            Direction::Forward => (&mut self.forward, &self.backward),
            Direction::Backward => (&mut self.backward, &self.forward),
        };
        let taken = side.expand(bucket, most, other, &mut self.best, self.meter)?;
        let waiting = self.forward.waiting() + self.backward.waiting();
        self.meter.frontier(waiting);
        if self.best.cost < before {
            self.tell(false);
            self.begin();
        }
        Ok(taken)
    }

    /// Tells the listener of what was done since the bound or the best solution changed.
    fn tell(&mut self, is_complete: bool) {
        let best = self.best.meeting.map(|_| self.best.cost);
        self.meter.end_step(self.since, is_complete, best);
    }

    fn begin(&mut self) {
        self.since = self.meter.begin_iteration(self.bound);
        // As in IDA*, whose first threshold is the estimate of the start, in steps of two.
        self.meter.stats.iterations = (self.bound - self.forward.value(0)) / 2 + 1;
    }

    /// Tells what is known at the end.
    fn end(&mut self, is_proven: bool) {
        let stored = self.forward.stored() + self.backward.stored();
        self.meter.stats.stored = stored as u64;
        if is_proven && self.best.meeting.is_some() {
            // Also where nothing that waits could be on a better one.
            self.raise(self.best.cost);
            self.tell(false);
        }
    }

    /// The best solution: forward to where the sides met, and from there the way back.
    fn path(&self) -> Result<Vec<Move>, Stop> {
        // A problem is solvable, so only a table can have cut off all paths.
        let meeting = self.best.meeting.ok_or(Stop::Inconsistent)?;
        let mut moves = self.forward.path_to(meeting)?;
        let back = self.backward.path_to(meeting)?;
        moves.extend(back.into_iter().rev().map(Move::opposite));
        Ok(moves)
    }
}
