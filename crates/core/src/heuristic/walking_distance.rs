//! Walking distance (Takahashi): the vertical moves and the horizontal ones, each
//! counted exactly on a board where only the tiles' lines matter.
//!
//! Each move is a step of one of two abstract boards, and changes its distance by exactly one.
//! There are two things to carry: where the boards are in a list of all steps
//! ([`SteppedWalks`]), or the boards themselves ([`TalliedWalks`]), where such a list would be
//! too long.

use std::hash::{Hash, Hasher};

use super::walking_steps::SteppedWalks;
use super::walking_tallies::TalliedWalks;
use crate::lookup::{AbstractBoards, BuildControl, Tally, Unbuilt, WalkingTable};
use crate::puzzle::{Cell, Packed, Size, Word};

/// The walking distance of a size.
#[derive(Debug)]
pub enum WalkingDistance {
    /// All transitions are listed: small boards.
    Stepped(SteppedWalks),
    /// A table of distances: larger boards.
    Tallied(TalliedWalks),
}

impl WalkingDistance {
    /// Lists the steps, or builds a table in memory.
    pub fn build(
        boards: AbstractBoards,
        control: &BuildControl<'_>,
    ) -> Result<WalkingDistance, Unbuilt> {
        Ok(match boards.are_listed() {
            true => WalkingDistance::Stepped(SteppedWalks::new(boards)),
            false => {
                let table = WalkingTable::build(boards, control)?;
                WalkingDistance::Tallied(TalliedWalks::new(table))
            }
        })
    }

    /// The boards that it is for.
    pub fn size(&self) -> Size {
        match self {
            WalkingDistance::Stepped(walks) => walks.boards().size(),
            WalkingDistance::Tallied(walks) => walks.table().boards().size(),
        }
    }

    /// The table, where one is read.
    pub fn table(&self) -> Option<&WalkingTable> {
        match self {
            WalkingDistance::Stepped(_) => None,
            WalkingDistance::Tallied(walks) => Some(walks.table()),
        }
    }
}

/// Walking distances differ by their size alone.
impl PartialEq for WalkingDistance {
    fn eq(&self, other: &WalkingDistance) -> bool {
        self.size() == other.size()
    }
}

impl Eq for WalkingDistance {}

impl Hash for WalkingDistance {
    fn hash<S: Hasher>(&self, state: &mut S) {
        self.size().hash(state);
    }
}

/// The row of a cell for axis 0, its column for axis 1.
pub(super) fn line_of(axis: usize, size: Size, cell: Cell) -> u8 {
    match axis {
        0 => size.row_of(cell),
        _ => size.col_of(cell),
    }
}

/// The axis of a move: 0 for a vertical one.
#[inline(always)]
pub(super) fn axis_of<W>(before: Packed<W>, after: Packed<W>) -> usize {
    // Rows have at least two cells: only cells of one row are adjacent in number.
    usize::from(before.gap.abs_diff(after.gap) == 1)
}

/// A state's tallies, of rows and of columns.
pub(super) fn tallies<W: Word>(boards: &AbstractBoards, state: Packed<W>) -> [Tally; 2] {
    let size = boards.size();
    [0, 1].map(|axis| {
        let cells = (0..size.cells() as Cell).filter(|&cell| cell != state.gap);
        let line = |cell| line_of(axis, size, cell);
        let lines = cells.map(|cell| (line(cell), line(state.cells.tile(cell))));
        boards.tally(axis, lines)
    })
}
