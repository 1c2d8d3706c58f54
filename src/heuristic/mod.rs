//! Estimates of the distance to the goal, carried along a path and changed by one move.
//!
//! Every estimate here is admissible and consistent, and, but for [`Zero`], of the parity of
//! the true distance: a move changes it by exactly one, so f = g + h grows by 0 or by 2.

pub(crate) mod line_table;
mod linear_conflict;
mod taxicab;
mod walking_distance;
mod walking_table;
mod zero;

use std::fmt;
use std::str::FromStr;

pub use line_table::line_conflicts;
pub use linear_conflict::LinearConflict;
pub use taxicab::Taxicab;
pub use walking_distance::{Unsupported, Walk, WalkingDistance};
pub use zero::Zero;

use crate::puzzle::{Packed, Size, Tile, Word};

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
pub enum Estimate {
    /// No estimate: `zero`.
    Zero,
    /// Taxicab (Manhattan) distance: `md`.
    #[default]
    Taxicab,
    /// Taxicab distance with linear conflicts: `lc`.
    LinearConflict,
    /// Walking distance: `wd`.
    WalkingDistance,
}

impl Estimate {
    /// Those that need no table of the caller's.
    pub const ALL: [Estimate; 4] = [
        Estimate::Zero,
        Estimate::Taxicab,
        Estimate::LinearConflict,
        Estimate::WalkingDistance,
    ];

    const fn name(self) -> &'static str {
        match self {
            Estimate::Zero => "zero",
            Estimate::Taxicab => "md",
            Estimate::LinearConflict => "lc",
            Estimate::WalkingDistance => "wd",
        }
    }

    /// Whether there is such an estimate for boards of this size.
    pub fn supports(self, size: Size) -> Result<(), Unsupported> {
        match self {
            Estimate::WalkingDistance => WalkingDistance::supports(size),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A heuristic as a user names it, for boards of any size.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum HeuristicName {
    /// One that needs no table of the caller's.
    Computed(Estimate),
}

impl HeuristicName {
    /// The estimate of that name for boards of this size.
    pub fn estimate(&self, size: Size) -> Result<Estimate, Unsupported> {
        match self {
            HeuristicName::Computed(estimate) => estimate.supports(size).map(|()| *estimate),
        }
    }
}

impl Default for HeuristicName {
    fn default() -> HeuristicName {
        HeuristicName::Computed(Estimate::default())
    }
}

impl fmt::Display for HeuristicName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeuristicName::Computed(estimate) => estimate.fmt(f),
        }
    }
}

impl FromStr for HeuristicName {
    type Err = String;

    fn from_str(text: &str) -> Result<HeuristicName, String> {
        let known = Estimate::ALL.map(Estimate::name);
        Estimate::ALL
            .into_iter()
            .find(|estimate| estimate.name() == text)
            .map(HeuristicName::Computed)
            .ok_or_else(|| {
                format!(
                    "'{text}' is not a heuristic; choose one of {}",
                    known.join(", ")
                )
            })
    }
}
