//! Which explorers there are for a word and an estimate.

use super::{Batched, Engine, Explorer, Machine, Recursion, Unrolled};
use crate::heuristic::{Heuristic, Taxicab};
use crate::puzzle::{Grid, Word};

/// An explorer, and its name for the reader of a report.
pub(crate) type Choice<W, H> = (Box<dyn Explorer<W, H>>, Engine);

/// The recursion, which there is for everything.
pub(crate) fn plain<W: Word, H: Heuristic<W>>() -> Choice<W, H> {
    (Box::new(Recursion), Engine::Scalar)
}

/// A word with explorers of its own for some estimates; the recursion serves all others.
pub(crate) trait Tuned: Word {
    fn for_taxicab(_engine: Engine, _grid: &Grid, _machine: &Machine) -> Choice<Self, Taxicab> {
        plain()
    }
}

impl Tuned for u128 {}

impl Tuned for u64 {
    fn for_taxicab(engine: Engine, grid: &Grid, machine: &Machine) -> Choice<u64, Taxicab> {
        if grid.size().rows() != 4 || grid.size().cols() != 4 || !machine.is_no_return() {
            return plain();
        }
        if engine != Engine::Scalar
            && let Some(batched) = Batched::new(grid.order())
        {
            return (Box::new(batched), Engine::Batched);
        }
        match Unrolled::new(grid.order()) {
            Some(unrolled) => (Box::new(unrolled), Engine::Scalar),
            None => plain(),
        }
    }
}
