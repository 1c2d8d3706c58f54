//! From an estimate at hand to the code that is compiled for it.

use super::EngineChoice;
use super::astar::Entry;
use super::idastar::{BoxedEngine, Fsm, TunedEngines, plain};
use crate::heuristic::{Estimate, Heuristic, LinearConflict, Taxicab, WalkingDistance, Zero};
use crate::puzzle::{Grid, Size};

/// What can be done with any estimate, and the engines that there are for it.
pub(super) trait WithEstimate<W> {
    type Output;

    fn with<H: Heuristic<W>>(
        self,
        heuristic: &H,
        engine: fn(EngineChoice, &Grid, &Fsm) -> BoxedEngine<W, H>,
    ) -> Self::Output
    where
        W: Entry;
}

pub(super) fn with_estimate<W: Entry + TunedEngines, T: WithEstimate<W>>(
    estimate: Estimate<'_>,
    size: Size,
    task: T,
) -> T::Output {
    match estimate {
        Estimate::Zero => task.with(&Zero, plain),
        Estimate::Taxicab => task.with(&Taxicab::new(size), W::for_taxicab),
        Estimate::LinearConflict => task.with(&LinearConflict::new(size), W::for_linear_conflict),
        Estimate::WalkingDistance(WalkingDistance::Stepped(walks)) => task.with(walks, plain),
        Estimate::WalkingDistance(WalkingDistance::Tallied(walks)) => task.with(walks, plain),
        Estimate::Patterns(patterns) => task.with(patterns, W::for_patterns),
    }
}
