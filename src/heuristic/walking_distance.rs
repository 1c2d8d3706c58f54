//! Walking distance (Takahashi): the vertical moves and the horizontal ones, each
//! counted exactly on a board where only the tiles' lines matter.

use std::hash::{Hash, Hasher};

use super::Heuristic;
use super::walking_steps::{SteppedWalks, Steps};
use crate::lookup::{AbstractBoards, BuildControl, Cancelled, Tally, WalkingTable};
use crate::puzzle::{Cell, MAX_CELLS, Packed, Size, Tile, Word};

/// The walking distance, read from a [`WalkingTable`].
///
/// Each move is a step of one of two abstract boards, and changes its distance by exactly one.
#[derive(Debug)]
pub struct WalkingDistance {
    table: WalkingTable,
    /// `ones[axis][cell][tile]`: what the tile in that cell adds to the tally of the axis.
    ones: [[[u64; MAX_CELLS]; MAX_CELLS]; 2],
    /// Where they are few enough to list.
    steps: Option<Steps>,
}

/// What travels with a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Of rows, of columns.
    tallies: [Tally; 2],
    /// The distance of each, but for a multiple of four.
    residues: [u8; 2],
    /// Of both together.
    distance: u8,
}

/// There is no walking distance for a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there is no walking distance for {size}, which has too many abstract boards; it is there \
     for boards up to 5x5, 3x6 and 2x6; use lc (linear conflict)"
)]
pub struct Unsupported {
    size: Size,
}

/// The row of a cell for axis 0, its column for axis 1.
fn line_of(axis: usize, size: Size, cell: Cell) -> u8 {
    match axis {
        0 => size.row_of(cell),
        _ => size.col_of(cell),
    }
}

impl WalkingDistance {
    pub fn new(table: WalkingTable) -> WalkingDistance {
        let boards = table.boards();
        let size = boards.size();
        let mut ones = [[[0; MAX_CELLS]; MAX_CELLS]; 2];
        for (axis, ones) in ones.iter_mut().enumerate() {
            for cell in 0..size.cells() as Cell {
                for tile in 1..size.cells() as Tile {
                    let line = |cell| line_of(axis, size, cell);
                    ones[usize::from(cell)][usize::from(tile)] =
                        boards.one(axis, line(cell), line(tile));
                }
            }
        }
        let goal_line = |axis, tile| line_of(axis, size, tile);
        let steps = boards.steps();
        let steps = steps.map(|tables| Steps::new(tables, size.cells() - 1, goal_line));
        WalkingDistance { table, ones, steps }
    }

    /// Builds the table in memory.
    pub fn build(
        boards: AbstractBoards,
        control: &BuildControl<'_>,
    ) -> Result<WalkingDistance, Cancelled> {
        WalkingTable::build(boards, control).map(WalkingDistance::new)
    }

    /// The abstract boards of a size, which a table is about.
    pub fn boards(size: Size) -> Result<AbstractBoards, Unsupported> {
        AbstractBoards::new(size).ok_or(Unsupported { size })
    }

    pub fn table(&self) -> &WalkingTable {
        &self.table
    }

    pub fn size(&self) -> Size {
        self.table.boards().size()
    }

    /// The same with another thing to carry, where that is faster.
    pub fn stepped(&self) -> Option<SteppedWalks<'_>> {
        let steps = self.steps.as_ref()?;
        Some(SteppedWalks::new(self, steps))
    }

    pub(super) fn tallies<W: Word>(&self, state: Packed<W>) -> [Tally; 2] {
        let size = self.size();
        [0, 1].map(|axis| {
            let cells = (0..size.cells() as Cell).filter(|&cell| cell != state.gap);
            let line = |cell| line_of(axis, size, cell);
            let lines = cells.map(|cell| (line(cell), line(state.cells.tile(cell))));
            self.table.boards().tally(axis, lines)
        })
    }
}

/// A table is a matter of the size alone.
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

impl<W: Word> Heuristic<W> for WalkingDistance {
    type Carried = Walk;

    fn start(&self, state: Packed<W>) -> Walk {
        let tallies = self.tallies(state);
        let distances = [0, 1].map(|axis| self.table.distance(axis, tallies[axis]));
        Walk {
            tallies,
            residues: distances,
            distance: distances[0].wrapping_add(distances[1]),
        }
    }

    #[inline(always)]
    fn moved(&self, mut walk: Walk, before: Packed<W>, after: Packed<W>, tile: Tile) -> Walk {
        // Rows have at least two cells: only cells of one row are adjacent in number.
        let axis = usize::from(before.gap.abs_diff(after.gap) == 1);
        let one = |cell: Cell| self.ones[axis][usize::from(cell)][usize::from(tile)];
        let tally = walk.tallies[axis].moved(one(after.gap), one(before.gap));
        let residue = walk.residues[axis];
        let next = self.table.next_distance(axis, residue, tally);
        walk.tallies[axis] = tally;
        walk.residues[axis] = next;
        walk.distance = walk.distance.wrapping_add(next).wrapping_sub(residue);
        walk
    }

    #[inline(always)]
    fn value(&self, walk: Walk) -> u32 {
        walk.distance.into()
    }

    fn resume(&self, state: Packed<W>, value: u32) -> Walk {
        let tallies = self.tallies(state);
        Walk {
            tallies,
            residues: [0, 1].map(|axis| self.table.residue(axis, tallies[axis])),
            distance: value as u8,
        }
    }
}
