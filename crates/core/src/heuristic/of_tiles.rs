//! A heuristic of one's own in a closure.

use super::Heuristic;
use crate::puzzle::{Cell, MAX_CELLS, Packed, Tile, Word};

/// A heuristic as a function of the tiles, in reading order, the gap as 0.
///
/// Tile t belongs into cell t, whatever goal the board was given with. The estimate is computed
/// anew for each node; where that is too slow, implement [`Heuristic`] and carry what a move
/// leaves unchanged.
///
/// ```
/// use slidebench::heuristic::{Heuristic, OfTiles};
/// use slidebench::puzzle::{Board, Packed};
///
/// let misplaced = OfTiles(|tiles: &[u8]| {
///     let cells = tiles.iter().enumerate();
///     cells.filter(|&(cell, &tile)| tile != 0 && usize::from(tile) != cell).count() as u32
/// });
/// let board: Board = "1 . 2 / 3 4 5".parse()?;
/// assert_eq!(misplaced.start(Packed::<u64>::new(&board)), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OfTiles<F>(pub F);

impl<W: Word, F: Fn(&[Tile]) -> u32 + Sync> Heuristic<W> for OfTiles<F> {
    type Carried = u32;

    fn start(&self, state: Packed<W>) -> u32 {
        let mut tiles = [0; MAX_CELLS];
        let mut last = 0;
        for (cell, tile) in tiles[..W::CELLS].iter_mut().enumerate() {
            *tile = state.cells.tile(cell as Cell);
            last = last.max(*tile);
        }
        // Cells past the board's are empty, and its last tile has the number of its last cell.
        (self.0)(&tiles[..=usize::from(last)])
    }

    fn value(&self, estimate: u32) -> u32 {
        estimate
    }

    fn resume(&self, _state: Packed<W>, value: u32) -> u32 {
        value
    }
}
