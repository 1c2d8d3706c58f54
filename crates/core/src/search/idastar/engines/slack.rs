//! Slack: how much f may still grow, in steps of two.
//!
//! A move changes an estimate by one, up or down, so f = g + h grows by 2 or not at all. A node
//! needs neither g nor h, only (threshold − f) / 2, and a move costs 0 or 1 of it.

use std::sync::OnceLock;

use super::square::{DOWN, Square, UP, farther, neighbour};
use crate::heuristic::line_table;
use crate::puzzle::Tile;

/// What a path may still spend.
pub(super) trait Budget: Copy {
    /// Whether paths end at a perimeter.
    const HAS_PERIMETER: bool;
    /// What is left after a move of this cost, which is where slack is; true if it was too much.
    fn after(self, cost: u32) -> (Self, bool);

    /// Whether a path ends here.
    fn is_at_perimeter(self) -> bool;

    /// What is handed on to the children.
    fn below(self) -> Self;
}

/// Slack alone.
#[derive(Clone, Copy)]
pub(super) struct Slack(pub u32);

impl Budget for Slack {
    const HAS_PERIMETER: bool = false;

    #[inline(always)]
    fn after(self, cost: u32) -> (Slack, bool) {
        let (slack, is_overspent) = self.0.overflowing_sub(cost);
        (Slack(slack), is_overspent)
    }

    #[inline(always)]
    fn is_at_perimeter(self) -> bool {
        false
    }

    #[inline(always)]
    fn below(self) -> Slack {
        self
    }
}

/// Where slack is in a [`SlackToPerimeter`].
pub(super) const PERIMETER_SHIFT: u32 = 8;

/// Slack, and in the low byte the moves to the perimeter. Slack is above, so that a subtraction
/// still tells whether there was enough.
#[derive(Clone, Copy)]
pub(super) struct SlackToPerimeter(u32);

impl SlackToPerimeter {
    /// For a node at most 255 moves above the perimeter: no board of 5x5 takes more than 208.
    pub fn new(slack: u32, moves: u32) -> SlackToPerimeter {
        SlackToPerimeter((slack << PERIMETER_SHIFT) | moves)
    }
}

impl Budget for SlackToPerimeter {
    const HAS_PERIMETER: bool = true;

    #[inline(always)]
    fn after(self, cost: u32) -> (SlackToPerimeter, bool) {
        let (left, is_overspent) = self.0.overflowing_sub(cost);
        (SlackToPerimeter(left), is_overspent)
    }

    #[inline(always)]
    fn is_at_perimeter(self) -> bool {
        self.0 as u8 == 0
    }

    #[inline(always)]
    fn below(self) -> SlackToPerimeter {
        SlackToPerimeter(self.0 - 1)
    }
}

/// What a move costs in slack.
pub(crate) trait SlackCost<W>: Sync {
    /// 0 or 1, moved up by `SHIFT`, for a move `MV` of the gap from cell `GAP`.
    fn of<const GAP: usize, const MV: usize, const SHIFT: u32>(
        &self,
        before: W,
        after: W,
        tile: Tile,
    ) -> u32;
}

/// Taxicab: one bit of a mask, indexed by the tile.
pub(crate) struct TaxicabCost;

impl<W: Square> SlackCost<W> for TaxicabCost {
    #[inline(always)]
    fn of<const GAP: usize, const MV: usize, const SHIFT: u32>(
        &self,
        _: W,
        _: W,
        tile: Tile,
    ) -> u32 {
        let farther = const { farther(W::SIDE, GAP, neighbour(W::SIDE, GAP, MV)) << SHIFT };
        (farther >> tile) as u32 & 1 << SHIFT
    }
}

/// Linear conflict on 4x4: the taxicab's cost, turned round where the tile brings or takes a conflict.
///
/// A line's four tiles are 16 bits of the board, for a column gathered by a multiplication.
/// Relative to the line's own tiles all rows are alike, and all columns: two tables of 64 kB. A
/// line is read when the gap is not in it, so that 0 is a tile where there is such a tile.
pub(crate) struct LinearConflictCost {
    flags: &'static [u8; 2 * LINES],
}

/// Contents of a line: 16 bits.
const LINES: usize = 1 << 16;

impl LinearConflictCost {
    pub fn new() -> LinearConflictCost {
        static FLAGS: OnceLock<Box<[u8; 2 * LINES]>> = OnceLock::new();
        let flags = FLAGS.get_or_init(|| {
            let flags: Vec<u8> = (0..2 * LINES).map(flags_of).collect();
            flags.try_into().expect("there are so many lines")
        });
        LinearConflictCost { flags }
    }
}

/// The flags of an entry: bit c if taking the tile in cell c out takes a conflict with it.
fn flags_of(entry: usize) -> u8 {
    let is_column = entry >= LINES;
    let mut places = [0; 4];
    for (cell, place) in places.iter_mut().enumerate() {
        let tile = (entry >> (4 * cell)) as u8 & 15;
        let (line, own) = match is_column {
            true => (tile % 4, tile / 4),
            false => (tile / 4, tile % 4),
        };
        if line == 0 {
            *place = own + 1;
        }
    }
    (0..4).fold(0, |flags, cell| {
        flags | u8::from(line_table::is_in_conflict(&mut places.clone(), cell)) << cell
    })
}

/// The entry of a row: its 16 bits, relative to its own tiles.
#[inline(always)]
fn row_entry(board: u64, row: usize) -> usize {
    let content = (board >> (16 * row)) as u16 ^ (0x4444 * row) as u16;
    usize::from(content)
}

/// The entry of a column: four nibbles 16 bits apart, brought together by a multiplication that
/// moves each by 12 bits more than the next, relative to the column's own tiles.
#[inline(always)]
fn column_entry(board: u64, column: usize) -> usize {
    const TOGETHER: u64 = 1 << 48 | 1 << 36 | 1 << 24 | 1 << 12;
    let apart = board >> (4 * column) & 0x000f_000f_000f_000f;
    let content = (apart.wrapping_mul(TOGETHER) >> 48) as u16 ^ (0x1111 * column) as u16;
    usize::from(content) + LINES
}

impl SlackCost<u64> for LinearConflictCost {
    #[inline(always)]
    fn of<const GAP: usize, const MV: usize, const SHIFT: u32>(
        &self,
        before: u64,
        after: u64,
        tile: Tile,
    ) -> u32 {
        let from = const { neighbour(4, GAP, MV) };
        // A tile that leaves its line was in it before; one that enters it is in it after; and
        // one that does neither has no flag in either line.
        let (entry, cell) = if MV == UP || MV == DOWN {
            let leaves = usize::from(tile) / 4 == from / 4;
            let (left, entered) = (row_entry(before, from / 4), row_entry(after, GAP / 4));
            (if leaves { left } else { entered }, GAP % 4)
        } else {
            let leaves = usize::from(tile) % 4 == from % 4;
            let (left, entered) = (column_entry(before, from % 4), column_entry(after, GAP % 4));
            (if leaves { left } else { entered }, GAP / 4)
        };
        let turns = u32::from(self.flags[entry]) << SHIFT >> cell & 1 << SHIFT;
        TaxicabCost.of::<GAP, MV, SHIFT>(before, after, tile) ^ turns
    }
}
