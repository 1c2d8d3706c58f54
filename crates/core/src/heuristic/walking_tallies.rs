//! Walking distance that carries abstract boards, and reads a bit for each from a table.

use super::Heuristic;
use super::walking_distance::{axis_of, line_of, tallies};
use crate::lookup::{Tally, WalkingTable};
use crate::puzzle::{Cell, MAX_OPTIMAL_CELLS, Packed, Size, Tile, Word};

/// The walking distance, read from a [`WalkingTable`].
#[derive(Debug)]
pub struct TalliedWalks {
    table: WalkingTable,
    /// `ones[axis][cell][tile]`: what the tile in that cell adds to the tally of the axis.
    ones: Box<[[[u64; MAX_OPTIMAL_CELLS]; MAX_OPTIMAL_CELLS]; 2]>,
}

/// What travels with a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TalliedWalk {
    /// Of rows, of columns.
    tallies: [Tally; 2],
    /// The distance of each, but for a multiple of four.
    residues: [u8; 2],
    /// Of both together.
    distance: u8,
}

impl TalliedWalks {
    /// Over a table of distances.
    pub fn new(table: WalkingTable) -> TalliedWalks {
        let boards = table.boards();
        let size = boards.size();
        let mut ones = Box::new([[[0; MAX_OPTIMAL_CELLS]; MAX_OPTIMAL_CELLS]; 2]);
        for (axis, ones) in ones.iter_mut().enumerate() {
            for cell in 0..size.cells() as Cell {
                for tile in 1..size.cells() as Tile {
                    let line = |cell| line_of(axis, size, cell);
                    ones[usize::from(cell)][usize::from(tile)] =
                        boards.one(axis, line(cell), line(tile));
                }
            }
        }
        TalliedWalks { table, ones }
    }

    /// The table of distances.
    pub fn table(&self) -> &WalkingTable {
        &self.table
    }
}

impl<W: Word> Heuristic<W> for TalliedWalks {
    type Carried = TalliedWalk;

    const STEP: u32 = 2;

    fn supports(&self, size: Size) -> bool {
        self.table.boards().size() == size
    }

    fn start(&self, state: Packed<W>) -> TalliedWalk {
        let tallies = tallies(self.table.boards(), state);
        let distances = [0, 1].map(|axis| self.table.distance(axis, tallies[axis]));
        TalliedWalk {
            tallies,
            residues: distances,
            distance: distances[0].wrapping_add(distances[1]),
        }
    }

    #[inline(always)]
    fn moved(
        &self,
        mut walk: TalliedWalk,
        before: Packed<W>,
        after: Packed<W>,
        tile: Tile,
    ) -> TalliedWalk {
        let axis = axis_of(before, after);
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
    fn value(&self, walk: TalliedWalk) -> u32 {
        walk.distance.into()
    }

    fn resume(&self, state: Packed<W>, value: u32) -> TalliedWalk {
        let tallies = tallies(self.table.boards(), state);
        TalliedWalk {
            tallies,
            residues: [0, 1].map(|axis| self.table.residue(axis, tallies[axis])),
            distance: value as u8,
        }
    }

    fn is_lost(&self) -> bool {
        self.table.bits().are_lost()
    }
}
