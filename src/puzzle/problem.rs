//! A board and a goal that is known to be reachable.

use super::{Board, Goal, Move, MoveOrder, Size};

/// A solvable board, turned where need be so that its goal is [`Goal::First`].
///
/// Searches know this one goal; [`Problem::moves_as_given`] and
/// [`Problem::order_as_searched`] translate at the door.
///
/// ```
/// use slidebench::puzzle::{Board, Goal, Problem};
///
/// let board: Board = "1 2 3 / 4 5 6 / 8 7 .".parse()?;
/// assert!(Problem::new(&board, Goal::Last).is_err(), "7 and 8 cannot change places alone");
/// # Ok::<(), slidebench::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    board: Board,
    start: Board,
    goal: Goal,
}

/// The parity of the board says that no sequence of moves reaches the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no solution: the board's parity differs from that of the goal '{0}'")]
pub struct Unsolvable(pub Goal);

impl Problem {
    /// Takes a board whose parity is that of the goal.
    pub fn new(board: &Board, goal: Goal) -> Result<Problem, Unsolvable> {
        if !board.is_solvable(goal) {
            return Err(Unsolvable(goal));
        }
        let start = match goal {
            Goal::First => *board,
            Goal::Last => board.turned(),
        };
        Ok(Problem {
            board: *board,
            start,
            goal,
        })
    }

    /// The board as it was given.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The goal as it was given.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The rows and columns of the board.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// The board that is searched; its goal is [`Goal::First`].
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// An order of moves on the given board, as it is on the searched one.
    pub fn order_as_searched(&self, order: MoveOrder) -> MoveOrder {
        match self.goal {
            Goal::First => order,
            Goal::Last => order.turned(),
        }
    }

    /// A move on the searched board, as it is on the given one.
    pub fn move_as_given(&self, mv: Move) -> Move {
        match self.goal {
            Goal::First => mv,
            Goal::Last => mv.opposite(),
        }
    }

    /// Moves found on the searched board, as they are on the given one.
    pub fn moves_as_given(&self, mut moves: Vec<Move>) -> Vec<Move> {
        moves
            .iter_mut()
            .for_each(|mv| *mv = self.move_as_given(*mv));
        moves
    }

    /// Whether `moves`, played one by one on the given board, end on the goal.
    pub fn is_solved_by(&self, moves: &[Move]) -> bool {
        self.board.replay(moves) == Some(Board::solved(self.size(), self.goal))
    }
}
