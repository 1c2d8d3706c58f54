//! A row of tiles is one move: the gap goes over any number of cells of its row or column, and
//! all tiles on its way move by one cell.
//!
//! The estimate is the taxicab distance of this metric. Draw the lines between the rows of the
//! board. A tile whose goal lies beyond such a line has to cross it, and a vertical move brings at
//! most one tile across each line, since it moves tiles of one column by one cell each; a horizontal
//! move brings none. So as many vertical moves are needed as tiles have to cross any one line: the
//! most of all lines. It is the same with horizontal moves and the lines between columns, and no
//! move is of both kinds, so both are added. (The sum over all lines is the taxicab distance; the
//! most of them is at least the mean.)
//!
//! A vertical move changes the number of each line between rows by at most one and no other, so the
//! most of them changes by at most one: the estimate is consistent. It is zero at the goal alone.

use super::Variant;
use crate::puzzle::{Board, Cell, MAX_CELLS, Packed, Size, Tile, Word};

/// The most lines between rows, or between columns.
const MOST_LINES: usize = MAX_CELLS / 2 - 1;

/// How many tiles have to cross each line.
#[derive(Clone, Copy)]
pub(super) struct Crossings {
    rows: [u8; MOST_LINES],
    cols: [u8; MOST_LINES],
}

pub(super) struct Multi {
    size: Size,
    /// The cell that each tile belongs into.
    homes: [Cell; MAX_CELLS],
    /// Whether there is an estimate.
    is_guided: bool,
}

impl Multi {
    pub fn toward(target: &Board, is_guided: bool) -> Multi {
        Multi {
            size: target.size(),
            homes: target.homes(),
            is_guided,
        }
    }
}

impl<W: Word> Variant<W> for Multi {
    type Carried = Crossings;

    const GOES_ON: bool = true;

    fn start(&self, state: Packed<W>) -> Crossings {
        let mut crossings = Crossings {
            rows: [0; MOST_LINES],
            cols: [0; MOST_LINES],
        };
        let between = |a: u8, b: u8| usize::from(a.min(b))..usize::from(a.max(b));
        for cell in (0..self.size.cells() as Cell).filter(|&cell| cell != state.gap) {
            let home = self.homes[usize::from(state.cells.tile(cell))];
            let rows = between(self.size.row_of(cell), self.size.row_of(home));
            let cols = between(self.size.col_of(cell), self.size.col_of(home));
            crossings.rows[rows]
                .iter_mut()
                .for_each(|tiles| *tiles += 1);
            crossings.cols[cols]
                .iter_mut()
                .for_each(|tiles| *tiles += 1);
        }
        crossings
    }

    fn slid(&self, mut crossings: Crossings, tile: Tile, from: Cell, to: Cell) -> Crossings {
        let home = self.homes[usize::from(tile)];
        let is_vertical = self.size.col_of(from) == self.size.col_of(to);
        let [from, to, home] = [from, to, home].map(|cell| match is_vertical {
            true => self.size.row_of(cell),
            false => self.size.col_of(cell),
        });
        let lines = match is_vertical {
            true => &mut crossings.rows,
            false => &mut crossings.cols,
        };
        // Line i is between i and i + 1.
        let tiles = &mut lines[usize::from(from.min(to))];
        match to.abs_diff(home) < from.abs_diff(home) {
            true => *tiles -= 1,
            false => *tiles += 1,
        }
        crossings
    }

    fn value(&self, crossings: Crossings) -> u64 {
        let most = |lines: [u8; MOST_LINES]| lines.into_iter().max().unwrap_or(0);
        match self.is_guided {
            true => u64::from(most(crossings.rows)) + u64::from(most(crossings.cols)),
            false => 0,
        }
    }

    fn cost(&self, _: Tile) -> u64 {
        1
    }

    fn widest(&self) -> Option<u64> {
        None
    }
}
