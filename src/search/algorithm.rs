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
    /// A* from the goal to the board.
    ReverseAStar,
    /// Iterative-deepening A* from the goal to the board.
    ReverseIdaStar,
    /// BAE*, from both ends.
    Bae,
    /// Near-optimal bidirectional search, NBS.
    Nbs,
    /// MM, which meets in the middle.
    Mm,
}

impl Algorithm {
    /// Whether its solutions are shortest ones.
    pub const fn is_optimal(self) -> bool {
        !matches!(self, Algorithm::Dfs)
    }

    /// Whether it reads a heuristic.
    pub const fn is_informed(self) -> bool {
        self.is_bidirectional() || matches!(self.forward(), Algorithm::AStar | Algorithm::IdaStar)
    }

    /// Whether it searches with a heuristic from both ends.
    pub const fn is_bidirectional(self) -> bool {
        matches!(self, Algorithm::Bae | Algorithm::Nbs | Algorithm::Mm)
    }

    /// Whether its branches can end in an endgame table.
    pub const fn has_endgame(self) -> bool {
        self.is_informed() && !self.is_bidirectional()
    }

    /// Whether it tells of thresholds, depths or lower bounds, one after the other.
    pub const fn has_iterations(self) -> bool {
        matches!(self.forward(), Algorithm::IdaStar | Algorithm::Iddfs) || self.is_bidirectional()
    }

    /// Whether there are several engines for it.
    pub const fn has_engines(self) -> bool {
        matches!(self.forward(), Algorithm::IdaStar)
    }

    /// Whether it runs on several threads.
    pub const fn has_threads(self) -> bool {
        matches!(self.forward(), Algorithm::AStar | Algorithm::IdaStar)
    }

    /// Whether it goes from the goal to the board.
    pub const fn is_reverse(self) -> bool {
        matches!(self, Algorithm::ReverseAStar | Algorithm::ReverseIdaStar)
    }

    /// The same search from the board to the goal.
    pub const fn forward(self) -> Algorithm {
        match self {
            Algorithm::ReverseAStar => Algorithm::AStar,
            Algorithm::ReverseIdaStar => Algorithm::IdaStar,
            forward => forward,
        }
    }

    /// The order in which it tries moves unless told otherwise.
    pub const fn default_order(self) -> MoveOrder {
        match self.forward() {
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
    ReverseAStar "reverse-astar",
    ReverseIdaStar "reverse-idastar",
    Bae "bae",
    Nbs "nbs",
    Mm "mm",
);
