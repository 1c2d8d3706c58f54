//! Taxicab distance: how far the tiles are from their cells, rows and columns added.

use super::Heuristic;
use super::slide_sets::SlideSets;
use crate::puzzle::{Board, Cell, Goal, MAX_CELLS, Packed, Size, Tile, Word};

/// The taxicab (Manhattan) distance to one board.
#[derive(Clone, Debug)]
pub struct Taxicab {
    size: Size,
    /// The cell that each tile belongs into.
    homes: [Cell; MAX_CELLS],
    /// The tiles that go away from their cell when they slide. A move changes the distance by one,
    /// so one bit says all.
    farther: SlideSets,
}

impl Taxicab {
    /// For boards of one size, to the goal that searches know: tile t belongs into cell t.
    pub fn new(size: Size) -> Taxicab {
        Taxicab::toward(&Board::solved(size, Goal::First))
    }

    /// To any board.
    pub fn toward(target: &Board) -> Taxicab {
        let (size, homes) = (target.size(), target.homes());
        let farther = SlideSets::new(size, |gap, from, tile| {
            let home = homes[usize::from(tile)];
            size.distance(gap, home) > size.distance(from, home)
        });
        Taxicab {
            size,
            homes,
            farther,
        }
    }

    /// Whether `tile` goes away from its cell when it slides from `from` into `gap`.
    #[inline(always)]
    pub(super) fn is_farther<W: Word>(&self, gap: Cell, from: Cell, tile: Tile) -> bool {
        self.farther.holds::<W>(gap, from, tile)
    }

    /// The taxicab distance of a board from a goal of its size.
    pub fn of(board: &Board, goal: Goal) -> u32 {
        let homes = Board::solved(board.size(), goal).homes();
        let tiles = board.tiles().iter().zip(0..);
        tiles
            .filter(|&(&tile, _)| tile != 0)
            .map(|(&tile, cell)| board.size().distance(cell, homes[usize::from(tile)]))
            .sum()
    }
}

impl<W: Word> Heuristic<W> for Taxicab {
    type Carried = u32;

    const STEP: u32 = 2;

    fn supports(&self, size: Size) -> bool {
        self.size == size
    }

    fn leads_to(&self, target: &Board) -> bool {
        self.homes == target.homes()
    }

    fn start(&self, state: Packed<W>) -> u32 {
        (0..self.size.cells() as Cell)
            .filter(|&cell| cell != state.gap)
            .map(|cell| (cell, self.homes[usize::from(state.cells.tile(cell))]))
            .map(|(cell, home)| self.size.distance(cell, home))
            .sum()
    }

    #[inline(always)]
    fn moved(&self, taxicab: u32, before: Packed<W>, after: Packed<W>, tile: Tile) -> u32 {
        let is_farther = self.is_farther::<W>(before.gap, after.gap, tile);
        taxicab + 2 * u32::from(is_farther) - 1
    }

    #[inline(always)]
    fn value(&self, taxicab: u32) -> u32 {
        taxicab
    }

    #[inline(always)]
    fn resume(&self, _state: Packed<W>, value: u32) -> u32 {
        value
    }
}
