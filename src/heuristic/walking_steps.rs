//! Walking distance where all steps of the abstract boards are listed: a move is one look-up.

use std::sync::Arc;

use super::{Heuristic, WalkingDistance};
use crate::lookup::StepTable;
use crate::puzzle::{MAX_CELLS, Packed, Tile, Word};

/// The steps of a size, for all walks on it.
#[derive(Debug)]
pub(super) struct Steps {
    /// For the rows and for the columns.
    tables: [Arc<StepTable>; 2],
    /// `slots[axis][from_next][tile]`: which step of the table a move of this tile is.
    slots: [[[u8; MAX_CELLS]; 2]; 2],
}

/// A [`WalkingDistance`] that carries offsets of steps, twice as fast.
#[derive(Clone, Copy, Debug)]
pub struct SteppedWalks<'a> {
    walking: &'a WalkingDistance,
    steps: &'a Steps,
}

/// What travels with a state: where its abstract boards are in the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SteppedWalk {
    /// Of rows, of columns.
    offsets: [u32; 2],
    distance: u32,
}

impl Steps {
    /// `goal_line` says in which line of an axis a tile belongs.
    pub fn new(
        tables: [Arc<StepTable>; 2],
        tiles: usize,
        goal_line: impl Fn(usize, Tile) -> u8,
    ) -> Steps {
        let mut slots = [[[0; MAX_CELLS]; 2]; 2];
        for (axis, table) in tables.iter().enumerate() {
            for tile in 1..=tiles as Tile {
                for from_next in [false, true] {
                    slots[axis][usize::from(from_next)][usize::from(tile)] =
                        table.slot(goal_line(axis, tile), from_next);
                }
            }
        }
        Steps { tables, slots }
    }
}

impl<'a> SteppedWalks<'a> {
    pub(super) fn new(walking: &'a WalkingDistance, steps: &'a Steps) -> SteppedWalks<'a> {
        SteppedWalks { walking, steps }
    }

    /// The numbers of a state's tallies, of rows and of columns.
    fn numbers<W: Word>(&self, state: Packed<W>) -> [usize; 2] {
        let tallies = self.walking.tallies(state);
        let boards = self.walking.table().boards();
        [0, 1].map(|axis| boards.number(axis, tallies[axis]))
    }
}

impl<W: Word> Heuristic<W> for SteppedWalks<'_> {
    type Carried = SteppedWalk;

    fn start(&self, state: Packed<W>) -> SteppedWalk {
        let numbers = self.numbers(state);
        let distances = [0, 1].map(|axis| self.steps.tables[axis].distance(numbers[axis]));
        SteppedWalk {
            offsets: [0, 1].map(|axis| self.steps.tables[axis].offset(numbers[axis])),
            distance: distances.iter().map(|&distance| u32::from(distance)).sum(),
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
        // Rows have at least two cells: only cells of one row are adjacent in number.
        let axis = usize::from(before.gap.abs_diff(after.gap) == 1);
        let from_next = usize::from(after.gap > before.gap);
        let slot = self.steps.slots[axis][from_next][usize::from(tile)];
        let (offset, is_farther) = self.steps.tables[axis].step(walk.offsets[axis], slot);
        walk.offsets[axis] = offset;
        walk.distance = walk.distance + 2 * u32::from(is_farther) - 1;
        walk
    }

    #[inline(always)]
    fn value(&self, walk: SteppedWalk) -> u32 {
        walk.distance
    }
}
