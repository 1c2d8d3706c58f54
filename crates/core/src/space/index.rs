//! The number of a state: the gap's cell, and the rank of the tiles' order.

use crate::puzzle::{Board, Cell, Packed, Size, Tile, Word};

/// States of a word: the choices of the last digits, 5 · 4 · 3, so that no digit crosses words. Of
/// 64 bits four are empty.
pub(super) const WORD_STATES: usize = 60;
/// A word has the last five tiles; the digits of the last two are no choice.
const WORD_TILES: usize = 5;
/// A chunk has the last eight.
const CHUNK_TILES: usize = 8;
/// Words of a chunk, at most.
pub(super) const CHUNK: usize = words_of(CHUNK_TILES);

/// Words for the orders of so many tiles.
pub(super) const fn words_of(tiles: usize) -> usize {
    let mut words = 1;
    let mut more = WORD_TILES + 1;
    while more <= tiles {
        words *= more;
        more += 1;
    }
    words
}

/// Ranks of the states of a size.
///
/// Digit i of an order says how many tiles behind position i are smaller than the one there: with k
/// tiles it is one of k − i. The rank of an order is the number of its digits, the first one
/// highest. The last digit is 0. The one before says whether the last two tiles are in order, and
/// with it the whole permutation is odd or even. Which of these it has to be is known from the row
/// of the gap, so this digit is left out: with the gap in one cell there are k!/2 ranks, all of
/// them within reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Index {
    size: Size,
    laid: Size,
}

/// Where the bit of a state is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rank {
    pub gap: Cell,
    pub word: usize,
    pub bit: u32,
}

impl Index {
    /// The most cells: a state is one word of 64 bits.
    pub const MOST_CELLS: usize = <u64 as Word>::CELLS;

    pub fn new(size: Size) -> Index {
        let (rows, cols) = (size.rows(), size.cols());
        let laid = Size::new(rows.max(cols), rows.min(cols));
        Index {
            size,
            laid: laid.expect("a size that is turned is one"),
        }
    }

    /// The board as it is searched: no wider than it is high.
    pub fn laid(&self) -> Size {
        self.laid
    }

    pub fn tiles(&self) -> usize {
        self.laid.cells() - 1
    }

    /// Words for the states with the gap in one cell.
    pub fn words(&self) -> usize {
        words_of(self.tiles())
    }

    /// Words of a chunk; the digits before those of a chunk are its number.
    pub fn chunk(&self) -> usize {
        words_of(self.tiles().min(CHUNK_TILES))
    }

    pub fn chunks(&self) -> usize {
        self.words() / self.chunk()
    }

    /// The first position whose digits are inside of a chunk.
    pub fn first_inside(&self) -> usize {
        self.tiles().saturating_sub(CHUNK_TILES)
    }

    /// The bits of a word that are states. Boards of 2x2 have three orders.
    pub fn used(&self) -> u64 {
        match self.tiles() {
            3 => 0b111,
            _ => (1 << WORD_STATES) - 1,
        }
    }

    /// Whether orders are odd permutations while the gap is in a row. A move across rows is a tile
    /// that passes `cols - 1` others.
    pub fn is_odd(&self, row: usize) -> bool {
        row * (self.laid.cols() - 1) % 2 == 1
    }

    /// Whether the digits of a chunk's number have an odd sum.
    pub fn is_odd_chunk(&self, chunk: usize) -> bool {
        let (mut rest, mut sum) = (chunk, 0);
        for radix in CHUNK_TILES + 1..=self.tiles() {
            sum += rest % radix;
            rest /= radix;
        }
        sum % 2 == 1
    }

    /// The rank of a state of the laid board.
    pub fn rank(&self, state: Packed<u64>) -> Rank {
        let cells = (0..self.laid.cells() as Cell).filter(|&cell| cell != state.gap);
        let order: Vec<Tile> = cells.map(|cell| state.cells.tile(cell)).collect();
        let mut rank = 0;
        for (i, tile) in order[..order.len() - 2].iter().enumerate() {
            let digit = order[i..].iter().filter(|it| *it < tile).count();
            rank = rank * (order.len() - i) + digit;
        }
        Rank {
            gap: state.gap,
            word: rank / WORD_STATES,
            bit: (rank % WORD_STATES) as u32,
        }
    }

    /// The state of a rank.
    pub fn state(&self, rank: Rank) -> Packed<u64> {
        let tiles = self.tiles();
        let mut digits = vec![0; tiles];
        let mut rest = rank.word * WORD_STATES + rank.bit as usize;
        for i in (0..tiles - 2).rev() {
            digits[i] = rest % (tiles - i);
            rest /= tiles - i;
        }
        let is_odd = digits.iter().sum::<usize>() % 2 == 1;
        let row = usize::from(self.laid.row_of(rank.gap));
        digits[tiles - 2] = usize::from(is_odd != self.is_odd(row));
        let mut left: Vec<Tile> = (1..=tiles as Tile).collect();
        let mut state = Packed {
            cells: 0,
            gap: rank.gap,
        };
        let cells = (0..self.laid.cells() as Cell).filter(|&cell| cell != rank.gap);
        for (cell, digit) in cells.zip(digits) {
            state.cells = state.cells.with(left.remove(digit), cell);
        }
        state
    }

    /// The states of the bits of a word.
    pub fn states(&self, gap: Cell, word: usize, mut bits: u64) -> Vec<Packed<u64>> {
        let mut states = Vec::with_capacity(bits.count_ones() as usize);
        while bits != 0 {
            let bit = bits.trailing_zeros();
            states.push(self.state(Rank { gap, word, bit }));
            bits &= bits - 1;
        }
        states
    }

    /// A state of the laid board as a board of the size that was asked for.
    pub fn board(&self, state: Packed<u64>) -> Board {
        let cols = self.size.cols();
        let turned = |cell: usize| match self.size == self.laid {
            true => cell,
            false => cell % self.laid.cols() * cols + cell / self.laid.cols(),
        };
        let mut tiles = vec![0; self.size.cells()];
        for cell in 0..self.size.cells() {
            let tile = usize::from(state.cells.tile(cell as Cell));
            tiles[turned(cell)] = turned(tile) as u32;
        }
        Board::new(self.size, &tiles).expect("a turn keeps a permutation")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_have_ranks_of_their_own_with_no_gap_between() {
        for size in ["2x2", "2x3", "3x3", "2x4"] {
            let index = Index::new(size.parse().unwrap());
            let states = (1..=index.tiles()).product::<usize>() / 2;
            for gap in 0..index.laid().cells() as Cell {
                for rank in 0..states {
                    let rank = Rank {
                        gap,
                        word: rank / WORD_STATES,
                        bit: (rank % WORD_STATES) as u32,
                    };
                    let state = index.state(rank);
                    assert_eq!(index.rank(state), rank);
                    let board = index.board(state);
                    assert!(board.is_solvable(crate::puzzle::Goal::First), "{board}");
                }
            }
            assert!(states.div_ceil(WORD_STATES) == index.words());
        }
    }
}
