//! The engines, and which there are for a word and an estimate:
//!
//! - [`recursion`]: the textbook's page, for every board, estimate and order of moves;
//! - [`unrolled`]: the same recursion for 4x4 and 5x5, the gap's cell known at compile time, on
//!   the numbers of [`square`] and [`slack`];
//! - [`batched`]: 4x4 with taxicab, thousands of nodes of one kind at a time, in vector registers;
//! - [`pattern_batches`]: pattern databases, their cache misses side by side.

mod batched;
mod pattern_batches;
mod recursion;
mod slack;
mod square;
mod unrolled;

use super::engine::Engines;
use super::fsm::Fsm;
use crate::heuristic::{Heuristic, LinearConflict, Patterns, Taxicab};
use crate::puzzle::{Entry, Grid};
use batched::Batched;
use pattern_batches::PatternBatches;
use recursion::Recursion;
use slack::{LinearConflictCost, SlackCost, TaxicabCost};
use square::Square;
use unrolled::Unrolled;

/// Says which engines there are for a heuristic on a grid, with an fsm.
pub(crate) type EnginesFor<W, H> = fn(&H, &Grid, &Fsm) -> Engines<W, H>;

/// The recursion, which there is for every heuristic.
pub(crate) fn plain<W: Entry, H: Heuristic<W>>(_: &H, _: &Grid, _: &Fsm) -> Engines<W, H> {
    Engines::scalar(Recursion)
}

/// A word with engines of its own for some estimates.
pub(crate) trait TunedEngines: Entry {
    fn for_taxicab(taxicab: &Taxicab, grid: &Grid, fsm: &Fsm) -> Engines<Self, Taxicab>;

    fn for_linear_conflict(
        conflict: &LinearConflict,
        grid: &Grid,
        fsm: &Fsm,
    ) -> Engines<Self, LinearConflict> {
        plain(conflict, grid, fsm)
    }

    fn for_patterns(patterns: &Patterns, _: &Grid, _: &Fsm) -> Engines<Self, Patterns> {
        // Batches take less than half the recursion's time from a few hundred nodes on.
        Engines::scalar(Recursion).or_batched(PatternBatches::new(patterns), 0)
    }
}

impl TunedEngines for u128 {
    fn for_taxicab(_: &Taxicab, grid: &Grid, fsm: &Fsm) -> Engines<u128, Taxicab> {
        unrolled(TaxicabCost, grid, fsm)
    }
}

impl TunedEngines for u64 {
    fn for_taxicab(_: &Taxicab, grid: &Grid, fsm: &Fsm) -> Engines<u64, Taxicab> {
        let batched = fills::<u64>(grid, fsm).then(|| Batched::new(grid.order()));
        unrolled(TaxicabCost, grid, fsm).or_batched(batched.flatten(), batched::PAYS_FROM)
    }

    fn for_linear_conflict(
        _: &LinearConflict,
        grid: &Grid,
        fsm: &Fsm,
    ) -> Engines<u64, LinearConflict> {
        unrolled(LinearConflictCost::new(), grid, fsm)
    }
}

/// The unrolled recursion where there is one, the plain one elsewhere.
fn unrolled<W: Square, H: Heuristic<W>>(
    cost: impl SlackCost<W> + 'static,
    grid: &Grid,
    fsm: &Fsm,
) -> Engines<W, H> {
    match Unrolled::new(grid.order(), cost) {
        Some(unrolled) if fills::<W>(grid, fsm) => Engines::scalar(unrolled),
        _ => Engines::scalar(Recursion),
    }
}

/// Whether the board is the word's square, and only to take back the last move is forbidden.
fn fills<W: Square>(grid: &Grid, fsm: &Fsm) -> bool {
    let (rows, cols) = (grid.size().rows(), grid.size().cols());
    (rows, cols) == (W::SIDE, W::SIDE) && fsm.is_no_return()
}
