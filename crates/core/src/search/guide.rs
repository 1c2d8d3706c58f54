//! What a search can be guided by, and the code that is compiled for it.

use super::astar::{self, AStarFor, OtherEndFor};
use super::engine_of::batches_on;
use super::idastar::{EnginesFor, TunedEngines, plain};
use super::solve::solve_guided;
use super::{Control, EngineChoice, Outcome, Settings};
use crate::heuristic::{Estimate, Heuristic, LinearConflict, Taxicab, WalkingDistance, Zero};
use crate::puzzle::{Board, Entry, Goal, MoveOrder, Problem, Size, Word};

/// What a search can be guided by: an [`Estimate`], or any [`Heuristic`] for both words.
///
/// Nothing else implements it. For estimates a search has tuned code; for any other heuristic it
/// is compiled together with that.
pub trait Guide: Dispatch {}

impl<G: Dispatch> Guide for G {}

/// The way from a guide to a [`Heuristic`], and to the engines of IDA* that there are for it.
pub trait Dispatch: Sync + Sized {
    /// Whether it knows boards of this size.
    fn supports(&self, size: Size) -> bool;

    /// Whether it estimates distances to this board.
    fn leads_to(&self, target: &Board) -> bool;

    /// The estimate of the way back from the goal in a search from both ends: one of the same kind
    /// where it is computed, otherwise taxicab.
    fn backward(&self) -> Estimate<'static> {
        Estimate::Taxicab
    }

    /// The estimate that it is, if it is one at hand.
    fn estimate(&self) -> Option<Estimate<'_>> {
        None
    }

    /// The steps in which f can grow.
    fn step(&self) -> u32;

    /// Whether a file that it reads was cut off.
    fn is_lost(&self) -> bool;

    /// Whether there is code for boards of this size in a `u64`.
    fn fits_u64(&self, size: Size) -> bool {
        size.cells() <= <u64 as Word>::CELLS
    }

    /// Does a task with the heuristic for distances to `target`, on boards in a `u64`, where it
    /// [fits](Dispatch::fits_u64).
    fn with_u64<T: WithHeuristic<u64>>(&self, target: &Board, task: T) -> T::Output;

    /// The same, on boards in a `u128`.
    fn with_u128<T: WithHeuristic<u128>>(&self, target: &Board, task: T) -> T::Output;

    /// Searches. Without type parameters for an [`Estimate`], so that its engines are compiled
    /// once, with this crate.
    fn solve(problem: &Problem, settings: &Settings<'_, Self>, control: &Control<'_>) -> Outcome;

    /// The engine that there is where batches are asked for, with an fsm of a depth. Without type
    /// parameters too: it names all searches, so who calls it would compile them again.
    fn batches_on(&self, size: Size, order: MoveOrder, depth: u32) -> EngineChoice;
}

/// What can be done with any heuristic, and the engines that there are for it.
#[expect(
    private_bounds,
    private_interfaces,
    reason = "public for the compiler alone: no other crate can name it"
)]
pub trait WithHeuristic<W> {
    type Output;

    fn with<H: Heuristic<W>>(self, heuristic: &H, code: Code<W, H>) -> Self::Output
    where
        W: Entry;
}

/// States on the open list of A*+IDA*. On 5x5 with pattern databases 30,000 and 300,000 take longer on five of
/// six boards of korf24.
const OPEN: usize = 1 << 17;
/// With pattern databases trees of up to 16 cells are small: a list as long as on 5x5 takes a quarter longer with
/// `7-8` on korf100, and a third on hardest4x4.
const OPEN_OF_SMALL_TREES: usize = 1 << 9;

/// The code that there is for a heuristic.
pub(super) struct Code<W, H> {
    pub engines: EnginesFor<W, H>,
    pub astar: AStarFor<W, H>,
    /// A*+IDA* from the goal, where there is such a search.
    pub other_end: Option<OtherEndFor<W, H>>,
    /// How many states the open list of A*+IDA* has, unless the caller says otherwise.
    pub open: usize,
}

impl<W: Entry, H: Heuristic<W>> Code<W, H> {
    /// What there is for all heuristics.
    fn plain() -> Code<W, H> {
        Code::of(plain)
    }

    /// With engines of its own.
    fn of(engines: EnginesFor<W, H>) -> Code<W, H> {
        Code {
            engines,
            astar: astar::with_heuristic,
            other_end: None,
            open: OPEN,
        }
    }
}

/// A word that searches walk on.
pub(super) trait SearchWord: TunedEngines {
    /// Does a task with the guide's heuristic for this word.
    fn dispatch<T: WithHeuristic<Self>>(
        guide: &impl Dispatch,
        target: &Board,
        task: T,
    ) -> T::Output;
}

impl SearchWord for u64 {
    fn dispatch<T: WithHeuristic<u64>>(
        guide: &impl Dispatch,
        target: &Board,
        task: T,
    ) -> T::Output {
        guide.with_u64(target, task)
    }
}

impl SearchWord for u128 {
    fn dispatch<T: WithHeuristic<u128>>(
        guide: &impl Dispatch,
        target: &Board,
        task: T,
    ) -> T::Output {
        guide.with_u128(target, task)
    }
}

impl Dispatch for Estimate<'_> {
    fn supports(&self, size: Size) -> bool {
        match self {
            Estimate::Zero | Estimate::Taxicab | Estimate::LinearConflict => true,
            Estimate::WalkingDistance(walking) => walking.size() == size,
            Estimate::Patterns(patterns) => patterns.size() == size,
        }
    }

    fn leads_to(&self, target: &Board) -> bool {
        match self {
            Estimate::Zero | Estimate::Taxicab | Estimate::LinearConflict => true,
            Estimate::WalkingDistance(_) => is_solved(target),
            Estimate::Patterns(patterns) => patterns.lead_to(target),
        }
    }

    fn estimate(&self) -> Option<Estimate<'_>> {
        Some(*self)
    }

    fn backward(&self) -> Estimate<'static> {
        let computed = Estimate::COMPUTED.into_iter().find(|it| it == self);
        computed.unwrap_or(Estimate::Taxicab)
    }

    fn step(&self) -> u32 {
        match self {
            Estimate::Zero => <Zero as Heuristic<u64>>::STEP,
            _ => <Taxicab as Heuristic<u64>>::STEP,
        }
    }

    fn is_lost(&self) -> bool {
        match self {
            Estimate::WalkingDistance(WalkingDistance::Tallied(walks)) => {
                Heuristic::<u64>::is_lost(walks)
            }
            Estimate::Patterns(patterns) => Heuristic::<u64>::is_lost(*patterns),
            _ => false,
        }
    }

    /// Not where nobody waits for it: all searches that there are would be compiled once more. Without
    /// an estimate most of them take a `u128` anyway, for the layers of f, and only boards of over 16
    /// cells have tables of walking distances.
    fn fits_u64(&self, size: Size) -> bool {
        let has_code = !matches!(
            self,
            Estimate::Zero | Estimate::WalkingDistance(WalkingDistance::Tallied(_))
        );
        has_code && size.cells() <= <u64 as Word>::CELLS
    }

    fn with_u64<T: WithHeuristic<u64>>(&self, target: &Board, task: T) -> T::Output {
        with_estimate(*self, target, task).unwrap_or_else(|_| unreachable!("it fits no u64"))
    }

    fn with_u128<T: WithHeuristic<u128>>(&self, target: &Board, task: T) -> T::Output {
        let task = match with_estimate(*self, target, task) {
            Ok(done) => return done,
            Err(task) => task,
        };
        match self {
            Estimate::WalkingDistance(WalkingDistance::Tallied(walks)) => {
                task.with(walks, Code::plain())
            }
            _ => task.with(&Zero, Code::plain()),
        }
    }

    fn solve(problem: &Problem, settings: &Settings<'_, Self>, control: &Control<'_>) -> Outcome {
        solve_guided(problem, settings, control)
    }

    fn batches_on(&self, size: Size, order: MoveOrder, depth: u32) -> EngineChoice {
        batches_on(self, size, order, depth)
    }
}

/// Whether this is the board that tables lead to.
pub(super) fn is_solved(target: &Board) -> bool {
    *target == Board::solved(target.size(), Goal::First)
}

/// Does a task with an estimate that there is code for in every word; gives it back with others.
fn with_estimate<W: SearchWord, T: WithHeuristic<W>>(
    estimate: Estimate<'_>,
    target: &Board,
    task: T,
) -> Result<T::Output, T> {
    // Engines that are tuned have the solved board as a constant.
    let is_solved = is_solved(target);
    Ok(match estimate {
        Estimate::Taxicab => {
            let engines = if is_solved { W::for_taxicab } else { plain };
            task.with(&Taxicab::toward(target), Code::of(engines))
        }
        Estimate::LinearConflict => {
            let engines = match is_solved {
                true => W::for_linear_conflict,
                false => plain,
            };
            task.with(&LinearConflict::toward(target), Code::of(engines))
        }
        Estimate::WalkingDistance(WalkingDistance::Stepped(walks)) => {
            let astar = astar::with_walks;
            task.with(
                walks,
                Code {
                    astar,
                    ..Code::plain()
                },
            )
        }
        Estimate::Patterns(patterns) => {
            let code = Code {
                engines: W::for_patterns,
                astar: astar::with_patterns,
                other_end: Some(astar::with_patterns_from_goal),
                open: match patterns.size().cells() <= <u64 as Word>::CELLS {
                    true => OPEN_OF_SMALL_TREES,
                    false => OPEN,
                },
            };
            task.with(patterns, code)
        }
        Estimate::Zero | Estimate::WalkingDistance(WalkingDistance::Tallied(_)) => {
            return Err(task);
        }
    })
}

impl<H: Heuristic<u64> + Heuristic<u128>> Dispatch for H {
    fn supports(&self, size: Size) -> bool {
        <H as Heuristic<u64>>::supports(self, size)
    }

    fn leads_to(&self, target: &Board) -> bool {
        <H as Heuristic<u64>>::leads_to(self, target)
    }

    fn step(&self) -> u32 {
        <H as Heuristic<u64>>::STEP
    }

    fn is_lost(&self) -> bool {
        <H as Heuristic<u64>>::is_lost(self)
    }

    fn with_u64<T: WithHeuristic<u64>>(&self, _: &Board, task: T) -> T::Output {
        task.with(self, Code::plain())
    }

    fn with_u128<T: WithHeuristic<u128>>(&self, _: &Board, task: T) -> T::Output {
        task.with(self, Code::plain())
    }

    fn solve(problem: &Problem, settings: &Settings<'_, Self>, control: &Control<'_>) -> Outcome {
        solve_guided(problem, settings, control)
    }

    fn batches_on(&self, size: Size, order: MoveOrder, depth: u32) -> EngineChoice {
        batches_on(self, size, order, depth)
    }
}
