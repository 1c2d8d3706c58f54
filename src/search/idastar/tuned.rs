//! Which engines there are for a word and an estimate.

use super::pattern_batches::PatternBatches;
use super::slack::{LinearConflictCost, SlackCost, TaxicabCost};
use super::square::Square;
use super::{Batched, Engine, EngineChoice, Fsm, Recursion, Unrolled};
use crate::heuristic::{Heuristic, LinearConflict, Patterns, Taxicab};
use crate::puzzle::{Entry, Grid};

pub(crate) type BoxedEngine<W, H> = Box<dyn Engine<W, H>>;

/// The recursion, which there is for everything.
pub(crate) fn plain<W: Entry, H: Heuristic<W>>(
    _: EngineChoice,
    _: &Grid,
    _: &Fsm,
) -> BoxedEngine<W, H> {
    Box::new(Recursion)
}

/// A word with engines of its own for some estimates.
pub(crate) trait TunedEngines: Entry {
    fn for_taxicab(engine: EngineChoice, grid: &Grid, fsm: &Fsm) -> BoxedEngine<Self, Taxicab> {
        plain(engine, grid, fsm)
    }

    fn for_linear_conflict(
        engine: EngineChoice,
        grid: &Grid,
        fsm: &Fsm,
    ) -> BoxedEngine<Self, LinearConflict> {
        plain(engine, grid, fsm)
    }

    fn for_patterns(engine: EngineChoice, _: &Grid, _: &Fsm) -> BoxedEngine<Self, Patterns> {
        match engine {
            EngineChoice::Scalar => Box::new(Recursion),
            _ => Box::new(PatternBatches),
        }
    }
}

impl TunedEngines for u128 {
    fn for_taxicab(_: EngineChoice, grid: &Grid, fsm: &Fsm) -> BoxedEngine<u128, Taxicab> {
        unrolled(TaxicabCost, grid, fsm)
    }
}

impl TunedEngines for u64 {
    fn for_taxicab(engine: EngineChoice, grid: &Grid, fsm: &Fsm) -> BoxedEngine<u64, Taxicab> {
        if engine != EngineChoice::Scalar
            && fills::<u64>(grid, fsm)
            && let Some(batched) = Batched::new(grid.order())
        {
            return Box::new(batched);
        }
        unrolled(TaxicabCost, grid, fsm)
    }

    fn for_linear_conflict(
        _: EngineChoice,
        grid: &Grid,
        fsm: &Fsm,
    ) -> BoxedEngine<u64, LinearConflict> {
        unrolled(LinearConflictCost::new(), grid, fsm)
    }
}

/// Whether the board is the word's square, and only to take back the last move is forbidden.
fn fills<W: Square>(grid: &Grid, fsm: &Fsm) -> bool {
    let (rows, cols) = (grid.size().rows(), grid.size().cols());
    (rows, cols) == (W::SIDE, W::SIDE) && fsm.is_no_return()
}

fn unrolled<W: Square, H: Heuristic<W>>(
    cost: impl SlackCost<W> + 'static,
    grid: &Grid,
    fsm: &Fsm,
) -> BoxedEngine<W, H> {
    match Unrolled::new(grid.order(), cost) {
        Some(unrolled) if fills::<W>(grid, fsm) => Box::new(unrolled),
        _ => Box::new(Recursion),
    }
}
