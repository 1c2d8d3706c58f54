//! The searches by their names.

use super::{Weight, Width};
use crate::puzzle::{MoveOrder, Size, Word};

/// A search by its name.
///
/// ```
/// use slidebench::search::Algorithm;
///
/// let weighted: Algorithm = "wastar:1.5".parse()?;
/// assert!(!weighted.is_optimal());
/// assert!(Algorithm::ALL.iter().any(|search| search.to_string() == "idastar"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// A*, and then IDA* from its open list.
    AStarIdaStar,
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
    /// Weighted A*.
    WAStar {
        /// How much the estimate counts.
        weight: Weight,
        /// Whether a state is expanded again where a shorter path to it is found.
        reopen: bool,
    },
    /// Greedy best-first search.
    Greedy,
    /// Weighted IDA*.
    WIdaStar(Weight),
    /// Beam search.
    Beam(Width),
    /// Explicit estimation search.
    Ees(Weight),
    /// Anytime repairing A*, from this weight down to 1.
    AraStar(Weight),
    /// Recursive best-first search.
    Rbfs,
    /// Row by row, without a search for a short solution.
    Rows,
}

impl Algorithm {
    /// What is fastest on most boards of a size, with the strongest heuristic at hand: searches of
    /// boards of more than 16 cells are long enough for A*'s list to pay.
    pub fn fastest_on(size: Size) -> Algorithm {
        match size.cells() > <u64 as Word>::CELLS {
            true => Algorithm::AStarIdaStar,
            false => Algorithm::IdaStar,
        }
    }

    /// Whether its solutions are shortest ones.
    pub const fn is_optimal(self) -> bool {
        !matches!(self, Algorithm::Dfs | Algorithm::Rows) && !self.is_suboptimal()
    }

    /// Whether it reads a heuristic and takes a solution that may not be a shortest one.
    pub const fn is_suboptimal(self) -> bool {
        matches!(
            self,
            Algorithm::WAStar { .. }
                | Algorithm::Greedy
                | Algorithm::WIdaStar(_)
                | Algorithm::Beam(_)
                | Algorithm::Ees(_)
                | Algorithm::AraStar(_)
        )
    }

    /// Whether it tells of one solution after the other, each better than the last, and ends with the
    /// best one at a limit.
    pub const fn is_anytime(self) -> bool {
        matches!(self, Algorithm::AraStar(_))
    }

    /// The factor within which its solutions are of the shortest ones, if it promises one.
    pub const fn promise(self) -> Option<Weight> {
        match self {
            Algorithm::WAStar { weight, .. }
            | Algorithm::WIdaStar(weight)
            | Algorithm::Ees(weight) => Some(weight),
            _ if self.is_optimal() => Some(Weight::ONE),
            _ => None,
        }
    }

    /// Whether it is for boards of a size: optimal searches, and breadth-first search's kin, are for
    /// boards of up to 25 cells.
    pub fn supports(self, size: Size) -> bool {
        !size.is_wide() || self.is_suboptimal() || matches!(self, Algorithm::Rows)
    }

    /// Whether it reads a heuristic.
    pub const fn is_informed(self) -> bool {
        self.raises_f() || self.is_suboptimal() || matches!(self, Algorithm::Rbfs)
    }

    /// Whether its iterations are values of f, from the estimate of the start on in steps: each that
    /// has ended says that no solution is as short.
    pub const fn raises_f(self) -> bool {
        self.is_bidirectional() || self.has_layers() || self.has_thresholds()
    }

    /// Whether it searches with a heuristic from both ends.
    pub const fn is_bidirectional(self) -> bool {
        matches!(self, Algorithm::Bae | Algorithm::Nbs | Algorithm::Mm)
    }

    /// Whether its branches can end in an endgame table.
    pub const fn has_endgame(self) -> bool {
        matches!(self.forward(), Algorithm::AStar | Algorithm::IdaStar)
    }

    /// Whether it tells of thresholds, depths or lower bounds, one after the other.
    pub const fn has_iterations(self) -> bool {
        matches!(self, Algorithm::Iddfs) || self.has_thresholds() || self.is_bidirectional()
    }

    /// Whether it searches thresholds of f, one after the other: it has the engines and the pruning
    /// of IDA*, and can be resumed behind a threshold.
    pub const fn has_thresholds(self) -> bool {
        matches!(self.forward(), Algorithm::IdaStar | Algorithm::AStarIdaStar)
    }

    /// Whether its thresholds can be split into units.
    pub const fn has_units(self) -> bool {
        matches!(self, Algorithm::IdaStar | Algorithm::AStarIdaStar)
    }

    /// The share of its last threshold that it searches until it comes to a solution, about. A*+IDA*
    /// begins with the most promising states, and needs next to nothing of it.
    pub const fn share_of_last_threshold(self) -> f64 {
        match self {
            Algorithm::AStarIdaStar => 0.02,
            _ => 0.5,
        }
    }

    /// Whether A*'s lists keep its states by their layer of f.
    pub const fn has_layers(self) -> bool {
        matches!(self.forward(), Algorithm::AStar | Algorithm::AStarIdaStar)
    }

    /// Whether it may expand a state again, if that is asked for.
    pub const fn can_reopen(self) -> bool {
        matches!(self, Algorithm::WAStar { .. })
    }

    /// The same search, which expands states again if `reopen` says so and it can.
    pub const fn reopening(self, reopen: bool) -> Algorithm {
        match self {
            Algorithm::WAStar {
                weight,
                reopen: named,
            } => Algorithm::WAStar {
                weight,
                reopen: reopen || named,
            },
            other => other,
        }
    }

    /// Whether it runs on several threads.
    pub const fn has_threads(self) -> bool {
        self.has_layers() || self.has_thresholds() || matches!(self, Algorithm::Beam(_))
    }

    /// Whether there is such a search where a row of tiles is one move.
    pub const fn has_metric_multi(self) -> bool {
        super::variant::has_multi(self)
    }

    /// Whether there is such a search where tiles have costs of their own.
    pub const fn has_tile_costs(self) -> bool {
        super::variant::has_costs(self)
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
            Algorithm::IdaStar | Algorithm::AStarIdaStar => MoveOrder::ULRD,
            _ => MoveOrder::UDLR,
        }
    }
}
