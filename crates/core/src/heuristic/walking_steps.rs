//! Walking distance over a list of all steps of the abstract boards: a move is one look-up.

use std::sync::Arc;

use super::Heuristic;
use super::walking_distance::{axis_of, line_of, tallies};
use crate::lookup::{AbstractBoards, StepTable};
use crate::puzzle::{MAX_OPTIMAL_CELLS, Packed, Size, Tile, Word};

/// The walking distance, for boards of few abstract ones.
#[derive(Debug)]
pub struct SteppedWalks {
    boards: AbstractBoards,
    /// For the rows and for the columns.
    tables: [Arc<StepTable>; 2],
    /// `slots[axis][from_next][tile]`: which step of the table a move of this tile is.
    slots: [[[u8; MAX_OPTIMAL_CELLS]; 2]; 2],
}

/// What travels with a state: where its abstract boards are in the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SteppedWalk {
    /// Of rows, of columns.
    pub(crate) offsets: [u32; 2],
    pub(crate) distance: u32,
}

impl SteppedWalks {
    /// Lists the steps of `boards`.
    pub fn new(boards: AbstractBoards) -> SteppedWalks {
        let size = boards.size();
        let tables = boards.steps();
        let mut slots = [[[0; MAX_OPTIMAL_CELLS]; 2]; 2];
        for (axis, table) in tables.iter().enumerate() {
            for tile in 1..size.cells() as Tile {
                for from_next in [false, true] {
                    slots[axis][usize::from(from_next)][usize::from(tile)] =
                        table.slot(line_of(axis, size, tile), from_next);
                }
            }
        }
        SteppedWalks {
            boards,
            tables,
            slots,
        }
    }

    /// The abstract boards of its size.
    pub fn boards(&self) -> &AbstractBoards {
        &self.boards
    }
}

impl<W: Word> Heuristic<W> for SteppedWalks {
    type Carried = SteppedWalk;

    const STEP: u32 = 2;

    fn supports(&self, size: Size) -> bool {
        self.boards.size() == size
    }

    fn start(&self, state: Packed<W>) -> SteppedWalk {
        let tallies = tallies(&self.boards, state);
        let numbers = [0, 1].map(|axis| self.boards.number(axis, tallies[axis]));
        let distances = [0, 1].map(|axis| self.tables[axis].distance(numbers[axis]));
        SteppedWalk {
            offsets: [0, 1].map(|axis| self.tables[axis].offset(numbers[axis])),
            distance: distances.into_iter().map(u32::from).sum(),
        }
    }

    #[inline(always)]
    fn moved(
        &self,
        mut walk: SteppedWalk,
        before: Packed<W>,
        after: Packed<W>,
        tile: Tile,
    ) -> SteppedWalk {
        let axis = axis_of(before, after);
        let from_next = usize::from(after.gap > before.gap);
        let slot = self.slots[axis][from_next][usize::from(tile)];
        let (offset, is_farther) = self.tables[axis].step(walk.offsets[axis], slot);
        walk.offsets[axis] = offset;
        walk.distance = walk.distance + 2 * u32::from(is_farther) - 1;
        walk
    }

    #[inline(always)]
    fn value(&self, walk: SteppedWalk) -> u32 {
        walk.distance
    }
}
