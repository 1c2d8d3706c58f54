//! Which explorers there are for a word and an estimate.

use super::pattern_batches::PatternBatches;
use super::slack::{LinearConflictCost, SlackCost, TaxicabCost};
use super::square::Square;
use super::{Batched, Engine, Explorer, Machine, Recursion, Unrolled};
use crate::heuristic::{Heuristic, LinearConflict, Patterns, Taxicab};
use crate::puzzle::{Entry, Grid};

/// An explorer, and its name for the reader of a report.
pub(crate) type Choice<W, H> = (Box<dyn Explorer<W, H>>, Engine);

/// The recursion, which there is for everything.
pub(crate) fn plain<W: Entry, H: Heuristic<W>>(_: Engine, _: &Grid, _: &Machine) -> Choice<W, H> {
    (Box::new(Recursion), Engine::Scalar)
}

/// A word with explorers of its own for some estimates.
pub(crate) trait Tuned: Entry {
    fn for_taxicab(engine: Engine, grid: &Grid, machine: &Machine) -> Choice<Self, Taxicab> {
        plain(engine, grid, machine)
    }

    fn for_linear_conflict(
        engine: Engine,
        grid: &Grid,
        machine: &Machine,
    ) -> Choice<Self, LinearConflict> {
        plain(engine, grid, machine)
    }

    fn for_patterns(engine: Engine, _: &Grid, _: &Machine) -> Choice<Self, Patterns> {
        match engine {
            Engine::Scalar => (Box::new(Recursion), Engine::Scalar),
            _ => (Box::new(PatternBatches), Engine::Batched),
        }
    }
}

impl Tuned for u128 {
    fn for_taxicab(_: Engine, grid: &Grid, machine: &Machine) -> Choice<u128, Taxicab> {
        unrolled(TaxicabCost, grid, machine)
    }
}

impl Tuned for u64 {
    fn for_taxicab(engine: Engine, grid: &Grid, machine: &Machine) -> Choice<u64, Taxicab> {
        if engine != Engine::Scalar
            && fills::<u64>(grid, machine)
            && let Some(batched) = Batched::new(grid.order())
        {
            return (Box::new(batched), Engine::Batched);
        }
        unrolled(TaxicabCost, grid, machine)
    }

    fn for_linear_conflict(
        _: Engine,
        grid: &Grid,
        machine: &Machine,
    ) -> Choice<u64, LinearConflict> {
        unrolled(LinearConflictCost::new(), grid, machine)
    }
}

/// Whether the board is the word's square, and only to take back the last move is forbidden.
fn fills<W: Square>(grid: &Grid, machine: &Machine) -> bool {
    let (rows, cols) = (grid.size().rows(), grid.size().cols());
    (rows, cols) == (W::SIDE, W::SIDE) && machine.is_no_return()
}

fn unrolled<W: Square, H: Heuristic<W>>(
    cost: impl SlackCost<W> + 'static,
    grid: &Grid,
    machine: &Machine,
) -> Choice<W, H> {
    match Unrolled::new(grid.order(), cost) {
        Some(unrolled) if fills::<W>(grid, machine) => (Box::new(unrolled), Engine::Scalar),
        _ => (Box::new(Recursion), Engine::Scalar),
    }
}
