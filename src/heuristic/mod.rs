//! Estimates of the distance to the goal, carried along a path and changed by one move.
//!
//! Every estimate here is admissible and consistent: f = g + h never falls along a path. But for
//! [`Zero`] they have the parity of the true distance, and a move changes them by exactly one, so
//! f changes in steps of 2.

pub(crate) mod line_table;
mod linear_conflict;
mod name;
mod patterns;
mod tables;
mod taxicab;
mod walking_distance;
mod walking_steps;
mod walking_tallies;
mod zero;

pub use line_table::line_conflicts;
pub use linear_conflict::LinearConflict;
pub use name::HeuristicName;
pub use patterns::{Patterns, Placements};
pub use tables::{Prepared, Tables, TablesError};
pub use taxicab::Taxicab;
pub use walking_distance::WalkingDistance;
pub use walking_steps::{SteppedWalk, SteppedWalks};
pub use walking_tallies::{TalliedWalk, TalliedWalks};
pub use zero::Zero;

use std::fmt;

use crate::puzzle::{Packed, Tile, Word};

/// An estimate of the moves left to the goal with the gap in the first cell.
pub trait Heuristic<W: Word>: Sync {
    /// What travels with a state, so that a move need not compute the estimate anew.
    type Carried: Copy + Send + Sync;

    /// The steps in which f = g + h can grow along a path.
    const STEP: u32 = 2;

    /// What a path that starts at `state` carries.
    fn start(&self, state: Packed<W>) -> Self::Carried;

    /// What is carried on after one move: `tile` went from `after.gap` to `before.gap`.
    fn moved(
        &self,
        carried: Self::Carried,
        before: Packed<W>,
        after: Packed<W>,
        tile: Tile,
    ) -> Self::Carried;

    /// The estimate.
    fn value(&self, carried: Self::Carried) -> u32;

    /// What is carried at a state whose estimate is known: for searches that store states
    /// and not what they carry.
    fn resume(&self, state: Packed<W>, _value: u32) -> Self::Carried {
        self.start(state)
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
