//! The board as people see it: a grid of tiles, always a permutation.

use std::fmt;

use super::size::counted;
use super::{Cell, Goal, MAX_CELLS, Move, Size, Tile};

/// A permutation of the tiles 0 … cells−1 on a grid; 0 is the gap.
///
/// This is the type at the door: it is parsed, printed and replayed. Searches walk on
/// [`Packed`](super::Packed) boards, so a replay on this type checks them with code of
/// its own.
///
/// ```
/// use slidebench::puzzle::{Board, Goal, Move};
///
/// let board: Board = "1 2 3 / 4 . 6 / 7 5 8".parse()?;
/// assert!(board.is_solvable(Goal::Last));
/// let solved = board.replay(&[Move::Down, Move::Right]).expect("the gap stays on the board");
/// assert_eq!(solved, Board::solved(board.size(), Goal::Last));
/// # Ok::<(), slidebench::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    size: Size,
    /// The cells in reading order; those past the size are 0.
    tiles: [Tile; MAX_CELLS],
}

/// Why a list of tiles is not a [`Board`].
///
/// The `cell` fields count from 0 in reading order and say which entry is at fault.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    /// Too few or too many cells.
    #[error("{} cannot fill a board of {size}, which has {}", counted(*.found), size.cells())]
    CellCount {
        /// How many there are.
        found: usize,
        /// The size that they should fill.
        size: Size,
    },
    /// A tile that no board of the size has.
    #[error(
        "tile {tile} is out of range; a board of {size} has the tiles 1 to {} and one gap",
        size.cells() - 1
    )]
    OutOfRange {
        /// What stands there.
        tile: u32,
        /// Where it stands.
        cell: usize,
        /// The size of the board.
        size: Size,
    },
    /// A tile that appears twice.
    #[error(
        "tile {tile} appears twice, and tile {missing} is missing; each tile of {size} appears once"
    )]
    Twice {
        /// The one that there are two of.
        tile: Tile,
        /// One that there is none of.
        missing: Tile,
        /// Where the second one stands.
        cell: usize,
        /// The size of the board.
        size: Size,
    },
    /// Two gaps.
    #[error("there are two gaps, and tile {missing} is missing; a board has exactly one gap")]
    TwoGaps {
        /// A tile that there is none of.
        missing: Tile,
        /// Where the second gap is.
        cell: usize,
    },
    /// No gap.
    #[error("there is no gap, and tile {twice} appears twice; write the gap as 0, . or _")]
    NoGap {
        /// A tile that there are two of.
        twice: Tile,
        /// Where the second one stands.
        cell: usize,
    },
}

impl BoardError {
    /// The cell at fault, in reading order.
    pub fn cell(&self) -> Option<usize> {
        match *self {
            BoardError::CellCount { .. } => None,
            BoardError::OutOfRange { cell, .. }
            | BoardError::Twice { cell, .. }
            | BoardError::TwoGaps { cell, .. }
            | BoardError::NoGap { cell, .. } => Some(cell),
        }
    }
}

impl Board {
    /// Checks that `tiles` has each of 0 … cells−1 once.
    pub fn new(size: Size, tiles: &[u32]) -> Result<Board, BoardError> {
        let cells = size.cells();
        if tiles.len() != cells {
            return Err(BoardError::CellCount {
                found: tiles.len(),
                size,
            });
        }
        let mut board = [0; MAX_CELLS];
        let mut seen = 0u64;
        let mut repeated = None;
        for (cell, &tile) in tiles.iter().enumerate() {
            if tile as usize >= cells {
                return Err(BoardError::OutOfRange { tile, cell, size });
            }
            if seen & (1 << tile) != 0 && repeated.is_none() {
                repeated = Some((tile as Tile, cell));
            }
            seen |= 1 << tile;
            board[cell] = tile as Tile;
        }
        let Some((tile, cell)) = repeated else {
            return Ok(Board { size, tiles: board });
        };
        let missing = (!seen).trailing_zeros() as Tile;
        Err(match (tile, missing) {
            (0, _) => BoardError::TwoGaps { missing, cell },
            (twice, 0) => BoardError::NoGap { twice, cell },
            _ => BoardError::Twice {
                tile,
                missing,
                cell,
                size,
            },
        })
    }

    /// The solved board. That of a goal which is a board has the size of that one.
    pub fn solved(size: Size, goal: Goal) -> Board {
        let mut tiles = [0; MAX_CELLS];
        match goal {
            Goal::Board(board) => return board,
            Goal::First | Goal::Last => {
                let first = usize::from(goal == Goal::Last);
                for (cell, tile) in tiles[..size.cells()].iter_mut().enumerate() {
                    *tile = ((cell + first) % size.cells()) as Tile;
                }
            }
            Goal::Spiral | Goal::Snake | Goal::Columns => {
                for (place, cell) in goal.path(size).into_iter().enumerate() {
                    tiles[usize::from(cell)] = ((place + 1) % size.cells()) as Tile;
                }
            }
        }
        Board { size, tiles }
    }

    /// Its rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The tiles in reading order.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles[..self.size.cells()]
    }

    /// The rows, top to bottom.
    pub fn rows(&self) -> impl Iterator<Item = &[Tile]> {
        self.tiles().chunks(self.size.cols())
    }

    /// The gap's cell.
    pub fn gap(&self) -> Cell {
        let gap = self.tiles().iter().position(|&tile| tile == 0);
        gap.expect("a board has a gap") as Cell
    }

    /// The cell of each tile, and of the gap.
    pub(crate) fn homes(&self) -> [Cell; MAX_CELLS] {
        let mut homes = [0; MAX_CELLS];
        for (cell, &tile) in self.tiles().iter().enumerate() {
            homes[usize::from(tile)] = cell as Cell;
        }
        homes
    }

    /// The board after a move of the gap, or `None` at the border.
    pub fn after(&self, mv: Move) -> Option<Board> {
        let gap = self.gap();
        let to = self.size.neighbour(gap, mv)?;
        let mut board = *self;
        board.tiles.swap(gap.into(), to.into());
        Some(board)
    }

    /// The board after all `moves`, or `None` where one leaves the grid.
    pub fn replay(&self, moves: &[Move]) -> Option<Board> {
        moves.iter().try_fold(*self, |board, &mv| board.after(mv))
    }

    /// The board after two cells change places.
    pub fn swapped(&self, a: Cell, b: Cell) -> Board {
        let mut board = *self;
        board.tiles[..self.size.cells()].swap(a.into(), b.into());
        board
    }

    /// Turned by 180°, tiles renumbered: a board for one goal becomes one for the other.
    ///
    /// Each move becomes its opposite and solution lengths stay.
    pub fn turned(&self) -> Board {
        let cells = self.size.cells();
        let mut board = *self;
        for (cell, &tile) in self.tiles().iter().enumerate() {
            board.tiles[cells - 1 - cell] = match tile {
                0 => 0,
                _ => cells as Tile - tile,
            };
        }
        board
    }

    /// Whether the goal can be reached at all, by parity, with no search.
    ///
    /// Every move is one swap with the gap and moves the gap by one step, so the parity of
    /// the permutation plus that of the gap's distance from its goal never changes.
    pub fn is_solvable(&self, goal: Goal) -> bool {
        let goal = Board::solved(self.size, goal);
        let gap_is_odd = || self.size.distance(self.gap(), goal.gap()) % 2 == 1;
        goal.size == self.size
            && self.is_odd_permutation() ^ gap_is_odd() == goal.is_odd_permutation()
    }

    /// How many pairs of tiles stand in another order than their numbers, row by row.
    pub fn inversions(&self) -> usize {
        let tiles: Vec<Tile> = self.tiles().iter().copied().filter(|&it| it != 0).collect();
        let after = |place: usize| tiles[place + 1..].iter();
        let smaller = |place: usize| after(place).filter(|&&it| it < tiles[place]).count();
        (0..tiles.len()).map(smaller).sum()
    }

    /// Whether it takes an odd number of swaps to sort the cells.
    fn is_odd_permutation(&self) -> bool {
        let mut unseen = u64::MAX >> (MAX_CELLS - self.size.cells());
        let mut odd = false;
        while unseen != 0 {
            // A cycle of length n is n − 1 swaps.
            let start = unseen.trailing_zeros() as usize;
            let mut cell = start;
            loop {
                unseen &= !(1 << cell);
                cell = self.tiles[cell].into();
                if cell == start {
                    break;
                }
                odd = !odd;
            }
        }
        odd
    }

    /// One character a cell, `A` for tile 1, `.` for the gap; `None` where there are more tiles
    /// than letters.
    pub fn letters(&self) -> Option<String> {
        let letter = |&tile: &Tile| match tile {
            0 => Some('.'),
            1..=26 => Some(char::from(b'A' + tile - 1)),
            _ => None,
        };
        self.tiles().iter().map(letter).collect()
    }
}

/// Numbers separated by spaces, the gap as 0; rows separated by ` / ` where the board is no
/// square, so that what is printed parses to the same board.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, tile) in self.tiles().iter().enumerate() {
            let starts_row = cell % self.size.cols() == 0;
            match (cell, starts_row && !self.size.is_square()) {
                (0, _) => write!(f, "{tile}")?,
                (_, true) => write!(f, " / {tile}")?,
                (_, false) => write!(f, " {tile}")?,
            }
        }
        Ok(())
    }
}
