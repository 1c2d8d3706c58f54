//! Walking distance (Takahashi): the vertical moves and the horizontal ones, each
//! counted exactly on a board where only the tiles' lines matter.

use super::Heuristic;
use super::walking_table::{MOST_BOARDS, WalkingTable, abstract_boards};
use crate::puzzle::{Cell, MAX_CELLS, Packed, Size, Tile, Word};

/// The walking distance.
///
/// A vertical move takes some tile of a goal row j from one row to the next, into the gap's
/// row. How many tiles of each goal row are in each row is an abstract board; a table of all
/// of them says how many vertical moves are left, and where each one leads. Columns likewise.
///
/// Each abstract move changes the parity of the gap's line, so it changes the abstract
/// distance by exactly one.
#[derive(Clone)]
pub struct WalkingDistance {
    size: Size,
    /// For the rows and for the columns; the same one where the board is square.
    tables: [&'static WalkingTable; 2],
    /// `slots[axis][from_next][tile]`: which step of the table a move of this tile is.
    slots: [[[u8; MAX_CELLS]; 2]; 2],
}

/// What travels with a state: where its abstract boards are in the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Of rows, of columns.
    offsets: [u32; 2],
    distance: u32,
}

/// The walking distance of a board has too many abstract boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there is no walking distance for {size}: it has {boards} abstract boards, and more than \
     {MOST_BOARDS} are not built in memory; use lc (linear conflict)"
)]
pub struct Unsupported {
    size: Size,
    boards: u128,
}

impl Unsupported {
    fn new(size: Size) -> Unsupported {
        let [rows, cols] = WalkingDistance::abstract_boards(size);
        Unsupported {
            size,
            boards: rows.max(cols),
        }
    }
}

/// The row of a cell for axis 0, its column for axis 1.
fn line_of(axis: usize, size: Size, cell: Cell) -> u8 {
    match axis {
        0 => size.row_of(cell),
        _ => size.col_of(cell),
    }
}

impl WalkingDistance {
    /// Builds the tables, where no one in this process did before.
    pub fn new(size: Size) -> Result<WalkingDistance, Unsupported> {
        let rows = WalkingTable::of(size.rows(), size.cols());
        let cols = WalkingTable::of(size.cols(), size.rows());
        let (Some(rows), Some(cols)) = (rows, cols) else {
            return Err(Unsupported::new(size));
        };
        let tables = [rows, cols];
        let mut slots = [[[0; MAX_CELLS]; 2]; 2];
        for tile in 1..size.cells() as Tile {
            for (axis, table) in tables.into_iter().enumerate() {
                let goal_line = line_of(axis, size, tile);
                for from_next in [false, true] {
                    slots[axis][usize::from(from_next)][usize::from(tile)] =
                        table.slot(goal_line, from_next);
                }
            }
        }
        Ok(WalkingDistance {
            size,
            tables,
            slots,
        })
    }

    /// How many abstract boards there are for the rows and for the columns.
    pub fn abstract_boards(size: Size) -> [u128; 2] {
        [
            abstract_boards(size.rows(), size.cols()),
            abstract_boards(size.cols(), size.rows()),
        ]
    }

    /// Whether [`WalkingDistance::new`] can build the tables; builds nothing.
    pub fn supports(size: Size) -> Result<(), Unsupported> {
        let refused = Unsupported::new(size);
        match refused.boards <= MOST_BOARDS {
            true => Ok(()),
            false => Err(refused),
        }
    }
}

impl<W: Word> Heuristic<W> for WalkingDistance {
    type Carried = Walk;

    fn start(&self, state: Packed<W>) -> Walk {
        let tiles = |axis| {
            (0..self.size.cells() as Cell)
                .filter(move |&cell| cell != state.gap)
                .map(move |cell| {
                    let line = |cell| line_of(axis, self.size, cell);
                    (line(cell), line(state.cells.tile(cell)))
                })
        };
        let located = [0, 1].map(|axis| self.tables[axis].locate(tiles(axis)));
        Walk {
            offsets: located.map(|(offset, _)| offset),
            distance: located.iter().map(|&(_, distance)| distance).sum(),
        }
    }

    #[inline(always)]
    fn moved(&self, walk: Walk, before: Packed<W>, after: Packed<W>, tile: Tile) -> Walk {
        // Rows have at least two cells: only cells of one row are adjacent in number.
        let axis = usize::from(before.gap.abs_diff(after.gap) == 1);
        let from_next = usize::from(after.gap > before.gap);
        let slot = self.slots[axis][from_next][usize::from(tile)];
        let (offset, is_farther) = self.tables[axis].step(walk.offsets[axis], slot);
        let mut walk = walk;
        walk.offsets[axis] = offset;
        walk.distance = walk.distance + 2 * u32::from(is_farther) - 1;
        walk
    }

    #[inline(always)]
    fn value(&self, walk: Walk) -> u32 {
        walk.distance
    }
}
