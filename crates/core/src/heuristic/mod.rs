//! Estimates of the distance to the goal, carried along a path and changed by one move.
//!
//! Every estimate here is admissible and consistent: f = g + h never falls along a path. But for
//! [`Zero`] they have the parity of the true distance, and a move changes them by exactly one, so
//! f changes in steps of 2.

mod eta;
pub(crate) mod line_table;
mod linear_conflict;
mod name;
mod of_tiles;
mod patterns;
mod slide_sets;
mod tables;
mod taxicab;
mod usable;
mod walking_distance;
mod walking_steps;
mod walking_tallies;
mod zero;

pub use eta::{Draw, Eta, Etas, branching_factor, etas};
pub use line_table::line_conflicts;
pub use linear_conflict::LinearConflict;
pub use name::{HeuristicName, HeuristicNameError};
pub use of_tiles::OfTiles;
pub(crate) use patterns::{MOST_REFLECTIONS, MOST_SLOTS, Reflection};
pub use patterns::{Patterns, Placements};
pub use tables::{Prepared, PreparedEndgame, Tables, TablesError};
pub use taxicab::Taxicab;
pub use usable::Usable;
pub use walking_distance::WalkingDistance;
pub use walking_steps::{SteppedWalk, SteppedWalks};
pub use walking_tallies::{TalliedWalk, TalliedWalks};
pub use zero::Zero;

use std::fmt;

use crate::puzzle::{Board, Goal, Packed, Size, Tile, Word};

/// An estimate of the moves left to the goal: gap in cell 0, tile t in cell t.
///
/// Shortest solutions need one that is never too high. A* also needs a consistent one, which no
/// move changes by more than one, and stops where it finds that it is not. All searches take any
/// heuristic; [`OfTiles`] makes one of a closure, and this is the longer way:
///
/// ```
/// use slidebench::heuristic::Heuristic;
/// use slidebench::puzzle::{Board, Cell, Goal, Packed, Problem, Size, Tile, Word};
/// use slidebench::search::{Control, Settings, solve};
///
/// /// How many tiles are not at home, carried along: a move changes one of them.
/// struct Misplaced(Size);
///
/// impl<W: Word> Heuristic<W> for Misplaced {
///     type Carried = u32;
///
///     fn start(&self, state: Packed<W>) -> u32 {
///         let is_away = |&cell: &Cell| cell != state.gap && state.cells.tile(cell) != cell;
///         (0..self.0.cells() as Cell).filter(is_away).count() as u32
///     }
///
///     fn moved(&self, away: u32, before: Packed<W>, after: Packed<W>, tile: Tile) -> u32 {
///         away + u32::from(tile == after.gap) - u32::from(tile == before.gap)
///     }
///
///     fn value(&self, away: u32) -> u32 {
///         away
///     }
/// }
///
/// let board: Board = "8 6 7 / 2 5 4 / 3 . 1".parse()?;
/// let problem = Problem::new(&board, Goal::Last)?;
/// let settings = Settings::astar(Misplaced(board.size()));
/// let outcome = solve(&problem, &settings, &Control::default());
/// assert_eq!(outcome.result?.moves.len(), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Heuristic<W: Word>: Sync {
    /// What travels with a state, so that a move need not compute the estimate anew.
    type Carried: Copy + Send + Sync;

    /// The steps in which f = g + h can grow along a path. 2 is for heuristics that every move
    /// changes by exactly one: they have the parity of the distance, and so has f.
    const STEP: u32 = 1;

    /// Whether it knows boards of this size. A search on others is refused.
    fn supports(&self, _size: Size) -> bool {
        true
    }

    /// Whether it estimates the way to this board, as it is searched: to the solved one, unless it says
    /// otherwise. A search to others is refused.
    fn leads_to(&self, target: &Board) -> bool {
        *target == Board::solved(target.size(), Goal::First)
    }

    /// What a path that starts at `state` carries.
    fn start(&self, state: Packed<W>) -> Self::Carried;

    /// What is carried on after one move: `tile` went from `after.gap` to `before.gap`.
    fn moved(
        &self,
        _carried: Self::Carried,
        _before: Packed<W>,
        after: Packed<W>,
        _tile: Tile,
    ) -> Self::Carried {
        self.start(after)
    }

    /// The estimate.
    fn value(&self, carried: Self::Carried) -> u32;

    /// What is carried at a state whose estimate is known: for searches that store states
    /// and not what they carry.
    fn resume(&self, state: Packed<W>, _value: u32) -> Self::Carried {
        self.start(state)
    }

    /// Whether what it reads went away while it was in use, so that its estimates are worth
    /// nothing: a table's file that was cut off. A search asks from time to time.
    fn is_lost(&self) -> bool {
        false
    }
}

/// A heuristic can be lent.
impl<W: Word, H: Heuristic<W>> Heuristic<W> for &H {
    type Carried = H::Carried;

    const STEP: u32 = H::STEP;

    fn supports(&self, size: Size) -> bool {
        H::supports(self, size)
    }

    fn leads_to(&self, target: &Board) -> bool {
        H::leads_to(self, target)
    }

    fn start(&self, state: Packed<W>) -> H::Carried {
        H::start(self, state)
    }

    #[inline(always)]
    fn moved(
        &self,
        carried: H::Carried,
        before: Packed<W>,
        after: Packed<W>,
        tile: Tile,
    ) -> H::Carried {
        H::moved(self, carried, before, after, tile)
    }

    #[inline(always)]
    fn value(&self, carried: H::Carried) -> u32 {
        H::value(self, carried)
    }

    #[inline(always)]
    fn resume(&self, state: Packed<W>, value: u32) -> H::Carried {
        H::resume(self, state, value)
    }

    fn is_lost(&self) -> bool {
        H::is_lost(self)
    }
}

/// An estimate at hand: what a name stands for once its tables are there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Estimate<'a> {
    /// No estimate: `zero`.
    Zero,
    /// Taxicab (Manhattan) distance: `md`.
    #[default]
    Taxicab,
    /// Taxicab distance with linear conflicts: `lc`.
    LinearConflict,
    /// Walking distance: `wd`.
    WalkingDistance(&'a WalkingDistance),
    /// Additive pattern databases: `pdb:NAME`.
    Patterns(&'a Patterns),
}

impl Estimate<'_> {
    /// Those that need no table of the caller's.
    pub const COMPUTED: [Estimate<'static>; 3] =
        [Estimate::Zero, Estimate::Taxicab, Estimate::LinearConflict];

    /// Bytes of the caller's tables.
    pub fn table_bytes(self) -> u64 {
        match self {
            Estimate::WalkingDistance(walking) => {
                walking.table().map_or(0, |table| table.boards().bytes())
            }
            Estimate::Patterns(patterns) => patterns.table_bytes(),
            _ => 0,
        }
    }
}

impl fmt::Display for Estimate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Estimate::Zero => f.write_str("zero"),
            Estimate::Taxicab => f.write_str("md"),
            Estimate::LinearConflict => f.write_str("lc"),
            Estimate::WalkingDistance(_) => f.write_str("wd"),
            Estimate::Patterns(patterns) => patterns.fmt(f),
        }
    }
}
