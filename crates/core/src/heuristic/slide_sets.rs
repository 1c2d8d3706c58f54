//! A set of tiles for each slide that a board has.

use crate::puzzle::{Cell, MAX_CELLS, MAX_OPTIMAL_CELLS, Move, Size, Tile, Word};

/// For each slide, from a cell into the gap beside it, the tiles of which something is true: a bit
/// each, so that a search asks with one load.
///
/// Boards of up to 25 cells have a `u32` for each pair of cells: 2.5 kB, and the address is that of
/// two indices. The same for 64 cells would be 32 kB, all of a fast cache; those have a `u64` for
/// each cell and direction.
#[derive(Clone, Debug)]
pub(super) struct SlideSets {
    /// By gap and cell.
    small: [[u32; MAX_OPTIMAL_CELLS]; MAX_OPTIMAL_CELLS],
    /// By gap and direction.
    wide: [[u64; 4]; MAX_CELLS],
}

impl SlideSets {
    /// The tiles for which `holds`, given the gap, the cell that slides into it, and the tile there.
    pub fn new(size: Size, holds: impl Fn(Cell, Cell, Tile) -> bool) -> SlideSets {
        let mut sets = SlideSets {
            small: [[0; MAX_OPTIMAL_CELLS]; MAX_OPTIMAL_CELLS],
            wide: [[0; 4]; MAX_CELLS],
        };
        let cells = size.cells() as Cell;
        for gap in 0..cells {
            for from in Move::ALL.iter().filter_map(|&mv| size.neighbour(gap, mv)) {
                let tiles = (1..cells).filter(|&tile| holds(gap, from, tile));
                let set = tiles.fold(0u64, |set, tile| set | 1 << tile);
                sets.wide[usize::from(gap)][direction(gap, from)] = set;
                if size.cells() <= MAX_OPTIMAL_CELLS {
                    sets.small[usize::from(gap)][usize::from(from)] = set as u32;
                }
            }
        }
        sets
    }

    /// Whether it is true of `tile` that it slides from `from` into `gap`.
    #[inline(always)]
    pub fn holds<W: Word>(&self, gap: Cell, from: Cell, tile: Tile) -> bool {
        if W::CELLS <= MAX_OPTIMAL_CELLS {
            self.small[usize::from(gap)][usize::from(from)] >> tile & 1 == 1
        } else {
            self.wide[usize::from(gap)][direction(gap, from)] >> tile & 1 == 1
        }
    }
}

/// Which of its neighbours slides into the gap. Rows have at least two cells: only cells of one row
/// are adjacent in number.
#[inline(always)]
fn direction(gap: Cell, from: Cell) -> usize {
    2 * usize::from(gap.abs_diff(from) != 1) + usize::from(from > gap)
}
