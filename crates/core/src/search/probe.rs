//! Look-ups of pattern values, cut into steps: what a batch does in each step overlaps.
//!
//! A tile slides: first its pattern's new place is found; then the line of the table that has the
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
    table: &'a Table<'a>,
    /// The byte that has the value's bit, and which one it is.
    byte: &'a u8,
    bit: u8,
    pub slot: u8,
    /// How much more the value is than the one before, once it is read: 1 or -1, wrapped.
    pub change: u8,
    /// Where the holder's tiles are: before the slide, and then after it.
    pub place: Placement,
}

impl<'a> Probe<'a> {
    /// What stands where nothing is looked up yet.
    pub fn none(table: &'a Table<'a>) -> Probe<'a> {
        Probe::waiting(&Holder { table, slot: 0 }, Placement::default())
    }

    /// The place before a slide of a tile of this holder.
    #[inline(always)]
    pub fn waiting(holder: &Holder<'a>, before: Placement) -> Probe<'a> {
        Probe {
            table: holder.table,
            byte: &0,
            bit: 0,
            slot: holder.slot,
            change: 0,
            place: before,
        }
    }

    /// Finds the place after a slide.
    ///
    /// # Safety
    ///
    /// One of the holder's tiles slides so, and they are in the place where it waits.
    #[inline(always)]
    pub unsafe fn slide(&mut self, slide: &Slide) {
        debug_assert!(self.table.index.has(self.place));
        // SAFETY: as the caller says. Checks of this and of what follows take a seventh of the
        // instructions of a node.
        self.place = unsafe { self.table.index.slid_unchecked(self.place, slide) };
    }

    /// Prefetches the value.
    ///
    /// # Safety
    ///
    /// The place was found by [`Probe::slide`] after the same slide.
    #[inline(always)]
    pub unsafe fn prefetch(&mut self, slide: &Slide) {
        let Table { index, bits } = self.table;
        // SAFETY: a tile has slid, so its holder's tiles are in a place of theirs, and a table has a
        // bit for each state.
        let rank = unsafe { index.rank_unchecked(self.place, slide.from()) };
        self.byte = unsafe { bits.get_unchecked(rank / 8) };
        self.bit = rank as u8 % 8;
        prefetch(std::slice::from_ref(self.byte), 0);
    }

    /// Reads the value: how much more it is than that before the slide, of which the two lowest
    /// bits are enough.
    #[inline(always)]
    pub fn read(&mut self, before: u8) {
        let value = next_value(before, self.byte >> self.bit & 1);
        self.change = value.wrapping_sub(before);
    }
}
