//! The sizes a puzzle can have, and which cells of a grid touch.

use std::fmt;
use std::str::FromStr;

use super::{Move, excerpt};

/// The largest grid: 64 cells of 6 bits fill six words.
pub const MAX_CELLS: usize = 64;

/// The largest grid for optimal searches and for tables: 25 cells of 5 bits fill a `u128`.
pub const MAX_OPTIMAL_CELLS: usize = 25;

/// A cell's number in reading order, from 0 at the top left.
pub type Cell = u8;

/// A number of cells, in words.
pub(super) fn counted(cells: usize) -> String {
    match cells {
        1 => "1 cell".to_owned(),
        _ => format!("{cells} cells"),
    }
}

/// Rows and columns of a grid: both at least 2, at most [`MAX_CELLS`] cells.
///
/// ```
/// use slidebench::puzzle::{Move, Size};
///
/// let size: Size = "3x4".parse()?;
/// assert_eq!(size.neighbour(0, Move::Down), Some(4));
/// assert_eq!(size.neighbour(0, Move::Up), None);
/// # Ok::<(), slidebench::puzzle::SizeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    rows: u8,
    cols: u8,
}

/// Why two numbers are not a [`Size`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SizeError {
    /// A text that is not two numbers.
    #[error("'{0}' is not a size; write ROWSxCOLS, for example 4x4 or 3x5")]
    Form(String),
    /// One row or column, or none.
    #[error("{0}x{1} is too small; a board has at least 2 rows and 2 columns")]
    TooSmall(usize, usize),
    /// More cells than a word holds.
    #[error("{0}x{1} is too large; a board has at most {MAX_CELLS} cells")]
    TooLarge(usize, usize),
}

/// A board too large for optimal searches and for tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "tables and optimal searches are for boards of up to {MAX_OPTIMAL_CELLS} cells, not for {0}"
)]
pub struct WideBoard(pub Size);

impl Size {
    /// Checks both numbers.
    pub fn new(rows: usize, cols: usize) -> Result<Size, SizeError> {
        if rows < 2 || cols < 2 {
            return Err(SizeError::TooSmall(rows, cols));
        }
        if rows.saturating_mul(cols) > MAX_CELLS {
            return Err(SizeError::TooLarge(rows, cols));
        }
        Ok(Size {
            rows: rows as u8,
            cols: cols as u8,
        })
    }

    /// The square board of `cells` cells, if there is one.
    pub fn square(cells: usize) -> Option<Size> {
        let side = cells.isqrt();
        (side * side == cells)
            .then(|| Size::new(side, side).ok())
            .flatten()
    }

    /// How many rows.
    pub fn rows(self) -> usize {
        self.rows.into()
    }

    /// How many columns.
    pub fn cols(self) -> usize {
        self.cols.into()
    }

    /// How many cells.
    pub fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// Whether there are as many rows as columns.
    pub fn is_square(self) -> bool {
        self.rows == self.cols
    }

    /// Whether there are more than [`MAX_OPTIMAL_CELLS`].
    pub fn is_wide(self) -> bool {
        self.cells() > MAX_OPTIMAL_CELLS
    }

    /// Refuses a size for which there are no tables and no optimal searches.
    pub fn refuse_wide(self) -> Result<(), WideBoard> {
        match self.is_wide() {
            true => Err(WideBoard(self)),
            false => Ok(()),
        }
    }

    /// The row of a cell, from 0 at the top.
    pub fn row_of(self, cell: Cell) -> u8 {
        cell / self.cols
    }

    /// The column of a cell, from 0 at the left.
    pub fn col_of(self, cell: Cell) -> u8 {
        cell % self.cols
    }

    /// Whether a cell is one of the four corners.
    pub fn is_corner(self, cell: Cell) -> bool {
        let (row, col) = (self.row_of(cell), self.col_of(cell));
        [0, self.rows - 1].contains(&row) && [0, self.cols - 1].contains(&col)
    }

    /// How many steps apart two cells are.
    pub fn distance(self, a: Cell, b: Cell) -> u32 {
        let rows = self.row_of(a).abs_diff(self.row_of(b));
        let cols = self.col_of(a).abs_diff(self.col_of(b));
        u32::from(rows) + u32::from(cols)
    }

    /// Where the gap comes to when it makes `mv` in `cell`: the one definition of a
    /// move. `None` at the border.
    pub fn neighbour(self, cell: Cell, mv: Move) -> Option<Cell> {
        match mv {
            Move::Up => cell.checked_sub(self.cols),
            Move::Down => Some(cell + self.cols).filter(|&c| usize::from(c) < self.cells()),
            Move::Left => (self.col_of(cell) > 0).then(|| cell - 1),
            Move::Right => (self.col_of(cell) + 1 < self.cols).then(|| cell + 1),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let form = || SizeError::Form(excerpt(text));
        let (rows, cols) = text.split_once(['x', 'X']).ok_or_else(form)?;
        let side = |side: &str| side.trim().parse().map_err(|_| form());
        Size::new(side(rows)?, side(cols)?)
    }
}
