//! The searches by their names.

use crate::puzzle::{MoveOrder, named};

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

    /// Whether it runs on several threads.
    pub const fn has_threads(self) -> bool {
        matches!(self, Algorithm::AStar | Algorithm::IdaStar)
    }

    /// The order in which it tries moves unless told otherwise.
    pub const fn default_order(self) -> MoveOrder {
        match self {
            Algorithm::IdaStar => MoveOrder::ULRD,
            _ => MoveOrder::UDLR,
        }
    }
}

named!(
    Algorithm,
    "an algorithm":
    Bfs "bfs",
    BiBfs "bibfs",
    Dfs "dfs",
    Iddfs "iddfs",
    AStar "astar",
    IdaStar "idastar",
);
