//! Which estimates hold under the rules of a puzzle.

use super::{Estimate, HeuristicName};
use crate::puzzle::{Rules, Size};

/// Which estimates hold under some rules, on boards of a size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Usable {
    /// All, tables among them: moves are of one tile, and the gap belongs into a corner.
    All,
    /// Those that are computed for any goal: zero, taxicab and linear conflict.
    Computed,
    /// Zero, and the taxicab distance by what moves cost: a row of tiles is one move, or tiles have
    /// costs of their own.
    Taxicab,
}

impl Usable {
    /// Those that hold under these rules.
    pub fn under(rules: &Rules, size: Size) -> Usable {
        match rules.are_plain() {
            true if rules.have_tables(size) => Usable::All,
            true => Usable::Computed,
            false => Usable::Taxicab,
        }
    }

    /// What `auto` stands for where there are no tables.
    pub fn strongest_computed(self) -> HeuristicName {
        HeuristicName::Computed(match self {
            Usable::All | Usable::Computed => Estimate::LinearConflict,
            Usable::Taxicab => Estimate::Taxicab,
        })
    }

    /// Whether a heuristic is among them.
    pub fn has(self, name: &HeuristicName) -> bool {
        match self {
            Usable::All => true,
            Usable::Computed => matches!(name, HeuristicName::Computed(_)),
            Usable::Taxicab => matches!(
                name,
                HeuristicName::Computed(Estimate::Zero | Estimate::Taxicab)
            ),
        }
    }
}
