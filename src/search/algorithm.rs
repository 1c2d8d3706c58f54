//! The searches by their names.

use std::fmt;
use std::str::FromStr;

use crate::puzzle::MoveOrder;

/// A search by its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Algorithm {
    /// Breadth-first.
    Bfs,
    /// Breadth-first from both ends.
    BiBfs,
    /// Depth-first with a set of seen states.
    Dfs,
    /// Iterative-deepening depth-first.
    Iddfs,
    /// A*.
    AStar,
    /// Iterative-deepening A*.
    IdaStar,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 6] = [
        Algorithm::Bfs,
        Algorithm::BiBfs,
        Algorithm::Dfs,
        Algorithm::Iddfs,
        Algorithm::AStar,
        Algorithm::IdaStar,
    ];

    /// As a user names it.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Bfs => "bfs",
            Algorithm::BiBfs => "bibfs",
            Algorithm::Dfs => "dfs",
            Algorithm::Iddfs => "iddfs",
            Algorithm::AStar => "astar",
            Algorithm::IdaStar => "idastar",
        }
    }

    /// Whether its solutions are shortest ones.
    pub const fn is_optimal(self) -> bool {
        !matches!(self, Algorithm::Dfs)
    }

    /// Whether it reads a heuristic.
    pub const fn is_informed(self) -> bool {
        matches!(self, Algorithm::AStar | Algorithm::IdaStar)
    }

    /// Whether there are several engines for it.
    pub const fn has_engines(self) -> bool {
        matches!(self, Algorithm::IdaStar)
    }

    /// The order in which it tries moves unless told otherwise.
    pub const fn default_order(self) -> MoveOrder {
        match self {
            Algorithm::IdaStar => MoveOrder::ULRD,
            _ => MoveOrder::UDLR,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Algorithm, String> {
        let known = Algorithm::ALL.map(Algorithm::name);
        Algorithm::ALL
            .into_iter()
            .find(|algorithm| algorithm.name() == text)
            .ok_or_else(|| {
                format!(
                    "'{text}' is not an algorithm; choose one of {}",
                    known.join(", ")
                )
            })
    }
}
