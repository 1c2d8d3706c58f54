//! What a board is to become, what a move is on the way, and what it costs.

use super::{Board, Cost, Costs, Goal, Metric, Move, Size};

/// What a puzzle is beside its board.
///
/// Searches, engines and tables are made for one tile a move, and a cost of one; a goal alone is
/// rules of that kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// What the board is to become.
    pub goal: Goal,
    /// What counts as a move.
    pub metric: Metric,
    /// What it costs to move a tile.
    pub costs: Costs,
}

impl Rules {
    /// Whether a move is of one tile and costs one, as in the puzzle that most programs know.
    pub fn are_plain(&self) -> bool {
        self.metric == Metric::Single && self.costs == Costs::Unit
    }

    /// Whether tables know the goal and count what these rules count, on boards of a size.
    pub fn have_tables(&self, size: Size) -> bool {
        self.are_plain() && !size.is_wide() && self.goal.has_gap_in_corner(size)
    }

    /// What a path of the gap costs that begins at a board; what follows a move off the board is not
    /// counted.
    pub fn cost(&self, board: &Board, moves: &[Move]) -> Cost {
        match (self.costs, self.metric) {
            (Costs::Unit, Metric::Single) => moves.len().into(),
            // The gap goes on in one direction: all tiles on its way move at once.
            (Costs::Unit, Metric::Multi) => moves.chunk_by(|a, b| a == b).count().into(),
            (costs, _) => {
                let mut board = *board;
                let cost = moves.iter().map_while(|&mv| {
                    let to = board.size().neighbour(board.gap(), mv)?;
                    let tile = board.tiles()[usize::from(to)];
                    board = board.after(mv)?;
                    Some(costs.of(tile, board.size()))
                });
                cost.sum()
            }
        }
    }

    /// The solved board of a size.
    pub fn solved(&self, size: Size) -> Board {
        Board::solved(size, self.goal)
    }
}

/// One tile a move, each move of cost one.
impl From<Goal> for Rules {
    fn from(goal: Goal) -> Rules {
        Rules {
            goal,
            metric: Metric::Single,
            costs: Costs::Unit,
        }
    }
}
