//! What a board is to become: one of the goals of the field, or any arrangement.

use std::fmt;
use std::str::FromStr;

use super::{Board, Cell, ParseError, ParseProblem, Size, excerpt, parse_board};

/// The board that a puzzle is to become.
///
/// A name stands for a board of every size, a [`Goal::Board`] for itself alone.
///
/// ```
/// use slidebench::puzzle::{Board, Goal};
///
/// let spiral: Goal = "1 2 3 / 8 . 4 / 7 6 5".parse()?;
/// let size = "3x3".parse()?;
/// assert_eq!(Board::solved(size, spiral), Board::solved(size, Goal::Spiral));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Gap top left, then 1, 2, 3 … (Korf's goal).
    First,
    /// 1, 2, 3 …, gap bottom right.
    Last,
    /// 1, 2, 3 … clockwise from the top left inwards, the gap at the end.
    Spiral,
    /// 1, 2, 3 … to the right in the first row, to the left in the next, and so on, the gap at the
    /// end.
    Snake,
    /// 1, 2, 3 … down the first column, then down the next, gap bottom right.
    Columns,
    /// Any arrangement.
    Board(Board),
}

/// Why a text is no goal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GoalError {
    /// A word that is no name.
    #[error(
        "'{0}' is not a goal; write first (gap top left), last (gap bottom right), spiral, snake, \
         columns, or a board such as '1 2 3 / 8 . 4 / 7 6 5'"
    )]
    Unknown(String),
    /// A board that is none.
    #[error("the goal is no board: {0}")]
    Board(#[from] ParseError),
    /// A board of another size than those that are to become it.
    #[error("the goal is a board of {goal}, and the board to solve one of {board}")]
    OtherSize {
        /// The size of the goal.
        goal: Size,
        /// The size of a board.
        board: Size,
    },
}

impl Goal {
    /// Those that have a name.
    pub const NAMED: [Goal; 5] = [
        Goal::First,
        Goal::Last,
        Goal::Spiral,
        Goal::Snake,
        Goal::Columns,
    ];

    /// As a user names it, if it has a name.
    pub const fn name(&self) -> Option<&'static str> {
        match self {
            Goal::First => Some("first"),
            Goal::Last => Some("last"),
            Goal::Spiral => Some("spiral"),
            Goal::Snake => Some("snake"),
            Goal::Columns => Some("columns"),
            Goal::Board(_) => None,
        }
    }

    /// Reads a name or a board; `size` is what the caller knows about the boards.
    pub fn parse(text: &str, size: Option<Size>) -> Result<Goal, GoalError> {
        let text = text.trim();
        let mut named = Goal::NAMED.into_iter();
        if let Some(goal) = named.find(|goal| goal.name() == Some(text)) {
            return Ok(goal);
        }
        match parse_board(text, size) {
            Ok(board) => Ok(Goal::Board(board)),
            // A word of letters is more likely a name than a board.
            Err(_) if text.chars().all(|c| c.is_ascii_alphabetic() || c == '-') => {
                Err(GoalError::Unknown(excerpt(text)))
            }
            Err(ParseError {
                problem: ParseProblem::OtherSize { rows, asked },
                ..
            }) => Err(GoalError::OtherSize {
                goal: rows,
                board: asked,
            }),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether it is a goal for boards of a size.
    pub fn check(self, board: Size) -> Result<(), GoalError> {
        match self {
            Goal::Board(goal) if goal.size() != board => Err(GoalError::OtherSize {
                goal: goal.size(),
                board,
            }),
            _ => Ok(()),
        }
    }

    /// The one way to say this goal for boards of a size: [`Goal::First`], [`Goal::Last`], or a
    /// board. Two goals are the same where this is.
    pub fn of_size(self, size: Size) -> Goal {
        let board = Board::solved(size, self);
        let mut named = [Goal::First, Goal::Last].into_iter();
        let same = named.find(|&goal| Board::solved(board.size(), goal) == board);
        same.unwrap_or(Goal::Board(board))
    }

    /// Whether the gap belongs into a corner of boards of a size. Such a goal is turned to the one
    /// that tables know.
    pub fn has_gap_in_corner(self, size: Size) -> bool {
        size.is_corner(Board::solved(size, self).gap())
    }

    /// The cells of a board with the tiles 1, 2, 3 … and the gap at the end, in this order.
    pub(super) fn path(self, size: Size) -> Vec<Cell> {
        let (rows, cols) = (size.rows(), size.cols());
        let cell = |row: usize, col: usize| (row * cols + col) as Cell;
        let all = 0..size.cells();
        match self {
            Goal::Spiral => spiral(size),
            Goal::Snake => {
                let place = |place: usize| match (place / cols, place % cols) {
                    (row, col) if row % 2 == 0 => cell(row, col),
                    (row, col) => cell(row, cols - 1 - col),
                };
                all.map(place).collect()
            }
            Goal::Columns => all.map(|place| cell(place % rows, place / rows)).collect(),
            Goal::First | Goal::Last | Goal::Board(_) => all.map(|cell| cell as Cell).collect(),
        }
    }
}

/// All cells from the first one clockwise inwards: on as long as there is a new cell ahead, else
/// round the corner.
fn spiral(size: Size) -> Vec<Cell> {
    use super::Move::{Down, Left, Right, Up};
    let mut path: Vec<Cell> = vec![0];
    let (ways, mut corners) = ([Right, Down, Left, Up], 0);
    while path.len() < size.cells() {
        let ahead = size.neighbour(path[path.len() - 1], ways[corners % 4]);
        match ahead.filter(|cell| !path.contains(cell)) {
            Some(cell) => path.push(cell),
            None => corners += 1,
        }
    }
    path
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.name()) {
            (_, Some(name)) => f.write_str(name),
            (Goal::Board(board), None) => board.fmt(f),
            (_, None) => unreachable!("only a board has no name"),
        }
    }
}

/// A name, or a board that shows its size.
impl FromStr for Goal {
    type Err = GoalError;

    fn from_str(text: &str) -> Result<Goal, GoalError> {
        Goal::parse(text, None)
    }
}
