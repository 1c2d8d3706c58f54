//! Boards in one machine word, or in six: what the searches walk on.

use std::fmt::Debug;
use std::hash::Hash;

use super::{Board, Cell, Goal, Size, Tile};

/// A machine word that holds a board, a fixed number of bits a cell, cell 0 lowest.
///
/// `u64` holds up to 16 cells of 4 bits, `u128` up to 25 cells of 5 bits, [`Wide`] up to 64 cells
/// of 6 bits. The gap is 0, so sliding a tile is two exclusive ors.
pub trait Word: Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// The most cells this word holds.
    const CELLS: usize;

    /// The word with `tile` put into an empty `cell`.
    fn with(self, tile: Tile, cell: Cell) -> Self;

    /// The tile in `cell`.
    fn tile(self, cell: Cell) -> Tile;

    /// The word after `tile` and the gap, in cells `from` and `gap`, change places.
    fn slid(self, tile: Tile, from: Cell, gap: Cell) -> Self;
}

macro_rules! impl_word {
    ($word:ty, $bits:literal, $cells:literal) => {
        impl Word for $word {
            const CELLS: usize = $cells;

            #[inline(always)]
            fn with(self, tile: Tile, cell: Cell) -> Self {
                self ^ <$word>::from(tile) << ($bits * u32::from(cell))
            }

            #[inline(always)]
            fn tile(self, cell: Cell) -> Tile {
                (self >> ($bits * u32::from(cell))) as Tile & ((1 << $bits) - 1)
            }

            #[inline(always)]
            fn slid(self, tile: Tile, from: Cell, gap: Cell) -> Self {
                self.with(tile, from).with(tile, gap)
            }
        }
    };
}

impl_word!(u64, 4, 16);
impl_word!(u128, 5, 25);

/// The bits of a cell of a [`Wide`] board.
pub(super) const WIDE_BITS: usize = 6;

/// A board of up to 64 cells: bit c of word b is bit b of the tile in cell c.
///
/// No cell lies across two words, and every word is at a place that the compiler knows: a board
/// stays in registers, and a move changes the same two bits of each word.
pub type Wide = [u64; WIDE_BITS];

impl Word for Wide {
    const CELLS: usize = 64;

    #[inline(always)]
    fn with(mut self, tile: Tile, cell: Cell) -> Wide {
        for (bit, word) in self.iter_mut().enumerate() {
            *word ^= u64::from(tile >> bit & 1) << cell;
        }
        self
    }

    #[inline(always)]
    fn tile(self, cell: Cell) -> Tile {
        let bits = self.iter().enumerate();
        bits.fold(0, |tile, (bit, word)| {
            tile | ((word >> cell & 1) as Tile) << bit
        })
    }

    #[inline(always)]
    fn slid(mut self, tile: Tile, from: Cell, gap: Cell) -> Wide {
        let both = 1 << from | 1 << gap;
        for (bit, word) in self.iter_mut().enumerate() {
            *word ^= both * u64::from(tile >> bit & 1);
        }
        self
    }
}

/// A packed board with the gap's cell carried along, never searched for.
///
/// Searches and heuristics know one goal: the gap in cell 0, tile t in cell t.
///
/// ```
/// use slidebench::puzzle::{Board, Packed, Word};
///
/// let board: Board = "1 0 2 3".parse()?;
/// let state = Packed::<u64>::new(&board);
/// let (after, tile) = state.slide(0);
/// assert_eq!((after.gap, tile), (0, 1));
/// assert_eq!(after.cells.tile(1), 1);
/// # Ok::<(), slidebench::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Packed<W> {
    /// The tiles, a fixed number of bits each.
    pub cells: W,
    /// Where the gap is.
    pub gap: Cell,
}

impl<W: Word> Packed<W> {
    /// Packs a board of at most [`Word::CELLS`] cells.
    pub fn new(board: &Board) -> Packed<W> {
        assert!(board.size().cells() <= W::CELLS, "the board fits the word");
        let mut packed = Packed {
            cells: W::default(),
            gap: board.gap(),
        };
        for (cell, &tile) in board.tiles().iter().enumerate() {
            packed.cells = packed.cells.with(tile, cell as Cell);
        }
        packed
    }

    /// The goal that searches know: gap in the first cell, tile t in cell t.
    pub fn solved(size: Size) -> Packed<W> {
        Packed::new(&Board::solved(size, Goal::First))
    }

    /// Moves the gap to the adjacent cell `to`; also says which tile that moves.
    #[inline(always)]
    pub fn slide(self, to: Cell) -> (Packed<W>, Tile) {
        let tile = self.cells.tile(to);
        let cells = self.cells.slid(tile, to, self.gap);
        (Packed { cells, gap: to }, tile)
    }
}
