//! What a board is to become, and what a move is on the way.

use super::{Board, Goal, Metric, Move, Size};

/// What a puzzle is beside its board.
///
/// Searches, engines and tables are made for one tile a move; a goal alone is rules of that kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// What the board is to become.
    pub goal: Goal,
    /// What counts as a move.
    pub metric: Metric,
}

impl Rules {
    /// Whether a move is of one tile, as in the puzzle that most programs know.
    pub fn are_plain(&self) -> bool {
        self.metric == Metric::Single
    }

    /// Whether tables know the goal and count what these rules count, on boards of a size.
    pub fn have_tables(&self, size: Size) -> bool {
        self.are_plain() && self.goal.has_gap_in_corner(size)
    }

    /// What a path of the gap costs.
    pub fn cost(&self, moves: &[Move]) -> usize {
        match self.metric {
            Metric::Single => moves.len(),
            // The gap goes on in one direction: all tiles on its way move at once.
            Metric::Multi => moves.chunk_by(|a, b| a == b).count(),
        }
    }

    /// The solved board of a size.
    pub fn solved(&self, size: Size) -> Board {
        Board::solved(size, self.goal)
    }
}

/// One tile a move.
impl From<Goal> for Rules {
    fn from(goal: Goal) -> Rules {
        Rules {
            goal,
            metric: Metric::Single,
        }
    }
}
