//! Square boards at compile time: cells and moves as numbers, tile t at home in cell t.

use crate::puzzle::{Entry, Move, Packed, Word};

pub(super) const UP: usize = Move::Up as usize;
pub(super) const DOWN: usize = Move::Down as usize;
pub(super) const LEFT: usize = Move::Left as usize;
pub(super) const RIGHT: usize = Move::Right as usize;

/// A word that is full with a square board: 4x4 in a `u64`, 5x5 in a `u128`.
pub(crate) trait Square: Entry {
    const SIDE: usize;
    /// The last cell, and the tile at home there.
    const LAST: u8 = (Self::SIDE * Self::SIDE - 1) as u8;
    /// The solved board with the gap in the first cell, and in the last one.
    const SOLVED: Self;
    const SOLVED_TURNED: Self;

    /// Cells in the reverse order, their tiles as well: tile t becomes [`Square::LAST`] - t.
    fn reversed(self) -> Self;
}

impl Square for u64 {
    const SIDE: usize = 4;
    const SOLVED: u64 = 0xfedc_ba98_7654_3210;
    const SOLVED_TURNED: u64 = 0x0edc_ba98_7654_3210;

    fn reversed(self) -> u64 {
        const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        let tiles = !self.swap_bytes();
        tiles >> 4 & LOW | (tiles & LOW) << 4
    }
}

impl Square for u128 {
    const SIDE: usize = 5;
    const SOLVED: u128 = {
        let (mut solved, mut cell) = (0, 0);
        while cell < 25 {
            solved |= cell << (5 * cell);
            cell += 1;
        }
        solved
    };
    const SOLVED_TURNED: u128 = u128::SOLVED ^ 24 << 120;

    fn reversed(self) -> u128 {
        (0..25).fold(0, |reversed, cell| {
            reversed.with(24 - self.tile(cell), 24 - cell)
        })
    }
}

/// The board turned by 180°, its tiles renamed so that tile t is at home in cell t again. Done
/// twice it changes nothing.
///
/// Where a solved board has its gap in the first cell there is no tile 0, and in the turned one
/// no last tile. The gap itself is 0 in both.
pub(super) fn turned<W: Square>(state: Packed<W>) -> Packed<W> {
    let gap = W::LAST - state.gap;
    Packed {
        cells: state.cells.reversed().with(W::LAST, gap),
        gap,
    }
}

/// No cell: the move leaves the board.
pub(super) const OFF: usize = usize::MAX;

/// Where a gap in `cell` comes to.
#[inline(always)]
pub(super) const fn neighbour(side: usize, cell: usize, mv: usize) -> usize {
    match mv {
        UP if cell >= side => cell - side,
        DOWN if cell + side < side * side => cell + side,
        LEFT if !cell.is_multiple_of(side) => cell - 1,
        RIGHT if !(cell + 1).is_multiple_of(side) => cell + 1,
        _ => OFF,
    }
}

/// Whether this last move can have led the gap to this cell.
#[inline(always)]
pub(super) const fn is_led_to(side: usize, gap: usize, last: usize) -> bool {
    let opposite = last ^ 1;
    gap < side * side && neighbour(side, gap, opposite) != OFF
}

/// Whether a node with this gap and last move has this child.
#[inline(always)]
pub(super) const fn has_child(side: usize, gap: usize, last: usize, mv: usize) -> bool {
    let opposite = last ^ 1;
    mv != opposite && neighbour(side, gap, mv) != OFF
}

#[inline(always)]
pub(super) const fn children(side: usize, gap: usize, last: usize) -> usize {
    has_child(side, gap, last, UP) as usize
        + has_child(side, gap, last, DOWN) as usize
        + has_child(side, gap, last, LEFT) as usize
        + has_child(side, gap, last, RIGHT) as usize
}

/// Bit t: tile t goes away from its cell when it slides from `from` into `gap`.
#[inline(always)]
pub(super) const fn farther(side: usize, gap: usize, from: usize) -> u64 {
    let mut mask = 0;
    let mut tile = 0;
    while tile < side * side {
        let (row, col) = (tile / side, tile % side);
        let before = (from / side).abs_diff(row) + (from % side).abs_diff(col);
        let after = (gap / side).abs_diff(row) + (gap % side).abs_diff(col);
        mask |= ((after > before) as u64) << tile;
        tile += 1;
    }
    mask
}
