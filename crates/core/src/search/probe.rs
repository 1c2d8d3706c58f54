//! Look-ups of pattern values, cut into steps: what a batch does in each step overlaps.
//!
//! A tile slides: first its pattern's new place is found and the line of the table that has the
//! value is prefetched; then it is read.

use crate::heuristic::{Patterns, Reflection};
use crate::lookup::{Index, PatternTable, Placement, Slide, next_value};
use crate::puzzle::{Cell, MAX_OPTIMAL_CELLS, Tile};
use crate::sys::prefetch::prefetch;

/// The cells of a board, and some more: one for each number of five bits, so that no tile and no
/// cell has to be checked.
pub(super) const CELLS: usize = MAX_OPTIMAL_CELLS.next_power_of_two();

/// A table, its parts at hand.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    pub index: &'a Index,
    pub bits: &'a [u8],
}

impl<'a> Table<'a> {
    pub fn new(table: &'a PatternTable) -> Table<'a> {
        Table {
            index: table.index(),
            bits: table.bits().as_ref(),
        }
    }
}

/// What holds a tile in a reflection: a table, and a slot of the node's places.
#[derive(Clone, Copy)]
pub(super) struct Holder<'a> {
    pub table: &'a Table<'a>,
    pub slot: u8,
}

/// For each tile, what holds it in a reflection.
pub(super) type Holders<'a> = [Holder<'a>; CELLS];

/// What holds the tiles in each reflection.
pub(super) fn holders<'a>(heuristic: &Patterns, tables: &'a [Table<'a>]) -> Vec<Holders<'a>> {
    let reflections = heuristic.reflections().iter();
    let holders = reflections.map(|reflection| {
        std::array::from_fn(|tile| {
            let holder = reflection.holders.get(tile).copied().unwrap_or_default();
            Holder {
                table: &tables[usize::from(holder.table)],
                slot: holder.slot,
            }
        })
    });
    holders.collect()
}

/// A tile that slides, as a reflection sees it.
#[derive(Clone, Copy)]
pub(super) struct Slid<'a> {
    pub holders: &'a Holders<'a>,
    pub slide: Slide,
    pub reflection: u8,
}

impl<'a> Slid<'a> {
    /// The gap goes from one cell to another, and the tile from there the other way.
    pub fn new(
        number: u8,
        reflection: &Reflection,
        holders: &'a Holders<'a>,
        (gap, to): (Cell, Cell),
    ) -> Slid<'a> {
        let seen = |cell: Cell| reflection.image[usize::from(cell)];
        Slid {
            holders,
            slide: Slide::new(seen(to), seen(gap)),
            reflection: number,
        }
    }

    /// What holds a tile.
    #[inline(always)]
    pub fn holder(&self, tile: Tile) -> &'a Holder<'a> {
        &self.holders[usize::from(tile) % CELLS]
    }
}

/// A value that is being looked up.
#[derive(Clone, Copy)]
pub(super) struct Probe<'a> {
    /// The byte that has the value's bit, and which one it is.
    byte: &'a u8,
    bit: u8,
    pub slot: u8,
    /// How much more the value is than the one before, once it is read: 1 or -1, wrapped.
    pub change: u8,
    pub place: Placement,
}

impl<'a> Probe<'a> {
    /// What stands where nothing is looked up yet.
    pub fn none() -> Probe<'a> {
        Probe {
            byte: &0,
            bit: 0,
            slot: 0,
            change: 0,
            place: Placement::default(),
        }
    }

    /// Finds the place after a slide, and prefetches the value.
    ///
    /// # Safety
    ///
    /// One of the holder's tiles slides so, and they are in that place before.
    #[inline(always)]
    pub unsafe fn new(holder: &Holder<'a>, before: Placement, slide: &Slide) -> Probe<'a> {
        let Table { index, bits } = holder.table;
        debug_assert!(index.has(before));
        // SAFETY: one of the tiles slides, so they are in a place of theirs afterwards, and a table
        // has a bit for each state.
        let (place, rank, byte) = unsafe {
            let place = index.slid_unchecked(before, slide);
            let rank = index.rank_unchecked(place, slide.from());
            (place, rank, bits.get_unchecked(rank / 8))
        };
        prefetch(std::slice::from_ref(byte), 0);
        Probe {
            byte,
            bit: rank as u8 % 8,
            slot: holder.slot,
            change: 0,
            place,
        }
    }

    /// Reads the value: how much more it is than that before the slide, of which the two lowest
    /// bits are enough.
    #[inline(always)]
    pub fn read(&mut self, before: u8) {
        let value = next_value(before, self.byte >> self.bit & 1);
        self.change = value.wrapping_sub(before);
    }
}
