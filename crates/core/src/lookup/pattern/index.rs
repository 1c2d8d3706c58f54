//! Where a pattern's tiles are, as a number: the one index of builders and readers.
//!
//! A [`Placement`] is the set of cells that the k tiles occupy and their order, read row by row.
//! Sets are ranked by their bits, orders lexicographically. A tile that slides inside its row
//! passes no other tile, so the order stays; one that slides inside its column passes at most
//! `cols - 1`, and what that does to the rank of the order is the same on every set: a table for
//! each (from, to). A place and the region that holds the gap ([`Regions`]) are a state.
//!
//! All sets with one order lie together, so half of a search's look-ups stay within a few lines
//! of memory. With all orders on one set together instead, korf100 with 7-8 takes longer: a new
//! page for nearly every look-up.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::puzzle::{Cell, MAX_OPTIMAL_CELLS, Size, Tile};

use super::permutations::{MOST_TILES, Permutations, rank};
use super::regions::Regions;

/// Where the tiles of a pattern are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Placement {
    /// Bit c: one of the tiles is in cell c.
    pub cells: u32,
    /// The rank of their order.
    pub order: u16,
}

/// A slide of a tile into an adjacent free cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slide {
    /// Both cells.
    cells: u32,
    from: Cell,
    to: Cell,
    keeps_order: bool,
}

impl Slide {
    /// From a cell into an adjacent one.
    pub fn new(from: Cell, to: Cell) -> Slide {
        Slide {
            cells: 1 << from | 1 << to,
            from,
            to,
            keeps_order: from.abs_diff(to) == 1,
        }
    }

    /// The cell that the tile leaves, where the gap is then.
    #[inline(always)]
    pub fn from(&self) -> Cell {
        self.from
    }

    /// Whether it is along a row: a tile passes no other there.
    pub fn keeps_order(&self) -> bool {
        self.keeps_order
    }
}

/// The ranks of all places and states of so many tiles, whichever they are.
#[derive(Debug)]
pub struct Index {
    sets: Sets,
    permutations: Permutations,
    regions: Regions,
}

impl Index {
    /// The index of so many tiles on boards of a size: made once, for all patterns.
    pub fn of(size: Size, tiles: usize) -> Arc<Index> {
        type Known = HashMap<(Size, usize), Arc<Index>>;
        static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let index = known.entry((size, tiles));
        index
            .or_insert_with(|| Arc::new(Index::new(size, tiles)))
            .clone()
    }

    fn new(size: Size, tiles: usize) -> Index {
        let sets = Sets::new(size.cells(), tiles);
        Index {
            regions: Regions::new(sets.all(), size),
            permutations: Permutations::new(tiles, size.cols() - 1),
            sets,
        }
    }

    /// The number of orders on one set of cells: k!.
    pub fn orders(&self) -> usize {
        self.permutations.count
    }

    /// The number of sets of cells.
    pub fn sets(&self) -> usize {
        self.sets.count
    }

    /// The number of places.
    pub fn places(&self) -> usize {
        self.sets() * self.orders()
    }

    /// The number of states: places with the gap in each of the regions.
    pub fn states(&self) -> usize {
        self.regions.blocks() * self.orders()
    }

    /// The bits of a table: those of an order fill whole words.
    pub fn bits(&self) -> usize {
        self.orders() * self.regions.row()
    }

    /// All sets of cells, in the order of their ranks.
    pub(super) fn all_sets(&self) -> impl Iterator<Item = u32> + use<> {
        self.sets.all()
    }

    pub(super) fn regions(&self) -> &Regions {
        &self.regions
    }

    /// The place of tiles, where `cell_of` says in which cell each one is.
    pub fn place(
        &self,
        tiles: impl Iterator<Item = Tile>,
        cell_of: impl Fn(Tile) -> Cell,
    ) -> Placement {
        let mut numbers = [0; MAX_OPTIMAL_CELLS];
        let mut cells = 0u32;
        for (tile, number) in tiles.zip(0..) {
            let cell = cell_of(tile);
            numbers[usize::from(cell)] = number;
            cells |= 1 << cell;
        }
        let mut order = [0; MOST_TILES];
        let occupied = (0..MAX_OPTIMAL_CELLS).filter(|cell| cells >> cell & 1 == 1);
        for (number, cell) in order.iter_mut().zip(occupied) {
            *number = numbers[cell];
        }
        Placement {
            cells,
            order: rank(&order[..cells.count_ones() as usize]) as u16,
        }
    }

    /// The place of tiles in these cells, in an order that was written down in full.
    #[inline(always)]
    pub fn place_of(&self, cells: u32, order: u32) -> Placement {
        Placement {
            cells,
            order: self.permutations.rank_of(order),
        }
    }

    /// Whether this is a place of as many tiles on the board.
    pub fn has(&self, place: Placement) -> bool {
        place.cells.count_ones() as usize == self.sets.tiles
            && place.cells >> self.sets.cells == 0
            && usize::from(place.order) < self.orders()
    }

    /// The place after one of the tiles has slid.
    #[inline]
    pub fn slid(&self, place: Placement, slide: &Slide) -> Placement {
        assert!(self.has(place) && (place.cells & slide.cells).is_power_of_two());
        // SAFETY: one of the tiles is in one of the two cells, and the other one is free.
        unsafe { self.slid_unchecked(place, slide) }
    }

    /// The same where it is known that there is such a slide.
    ///
    /// # Safety
    ///
    /// The index has the place, and one of its tiles slides so.
    #[inline(always)]
    pub(crate) unsafe fn slid_unchecked(&self, place: Placement, slide: &Slide) -> Placement {
        let cells = place.cells ^ slide.cells;
        let order = match slide.keeps_order {
            true => place.order,
            false => {
                let (i, j) = (position(place.cells, slide.from), position(cells, slide.to));
                // SAFETY: fewer than all of the tiles are before the one that slides.
                unsafe { self.permutations.shifted(place.order, i, j) }
            }
        };
        Placement { cells, order }
    }

    /// Calls for what [`Index::slid`] reads.
    #[inline(always)]
    pub fn prefetch_slid(&self, place: Placement, slide: &Slide) {
        let i = position(place.cells, slide.from);
        self.permutations.prefetch(place.order, i);
    }

    /// For each order, its rank after the tile at position i went to position j.
    pub fn shift(&self, i: usize, j: usize) -> Vec<u16> {
        assert!(i.max(j) < MOST_TILES, "two positions");
        let orders = 0..self.orders() as u16;
        // SAFETY: these are the orders, and no order has more positions.
        let shifted = |order| unsafe { self.permutations.shifted(order, i, j) };
        orders.map(shifted).collect()
    }

    #[inline(always)]
    pub(super) fn set_rank(&self, cells: u32) -> usize {
        self.sets.rank(cells)
    }

    /// The rank of a state among the bits of a table.
    #[inline]
    pub fn rank(&self, place: Placement, gap: Cell) -> usize {
        assert!(self.has(place), "a place of these tiles");
        // SAFETY: it is.
        unsafe { self.rank_unchecked(place, gap) }
    }

    /// The same where it is known that this is a place.
    ///
    /// # Safety
    ///
    /// The index has the place.
    #[inline(always)]
    pub(crate) unsafe fn rank_unchecked(&self, place: Placement, gap: Cell) -> usize {
        // SAFETY: the place's cells are a set.
        let block = unsafe {
            self.regions
                .block_of_unchecked(self.set_rank(place.cells), gap)
        };
        usize::from(place.order) * self.regions.row() + block
    }

    /// The free cells that a gap in one of them can get to while the tiles stay.
    pub fn region(&self, place: Placement, gap: Cell) -> u32 {
        self.regions
            .cells(self.rank(place, gap) % self.regions.row())
    }
}

/// How many of a set's cells come before `cell` in reading order.
#[inline(always)]
pub fn position(set: u32, cell: Cell) -> usize {
    (set & ((1 << cell) - 1)).count_ones() as usize
}

/// Ranks of sets of as many cells: by their high bits, then by their low ones. Both tables
/// together take 32 kB.
#[derive(Debug)]
struct Sets {
    cells: usize,
    tiles: usize,
    count: usize,
    high: [u32; 1 << HIGH_CELLS],
    low: [u16; 1 << LOW_CELLS],
}

/// About half of the cells.
const LOW_CELLS: usize = MAX_OPTIMAL_CELLS.div_ceil(2);
const HIGH_CELLS: usize = MAX_OPTIMAL_CELLS - LOW_CELLS;

impl Sets {
    fn new(cells: usize, tiles: usize) -> Sets {
        let mut seen = [0u16; LOW_CELLS + 1];
        let low = std::array::from_fn(|set| {
            let bits = set.count_ones() as usize;
            seen[bits] += 1;
            seen[bits] - 1
        });
        let first_cells = LOW_CELLS.min(cells);
        let below = |tiles: usize| {
            (0u32..1 << first_cells)
                .filter(move |set| set.count_ones() as usize == tiles)
                .count() as u32
        };
        let ways: Vec<u32> = (0..=tiles).map(below).collect();
        let mut count = 0;
        let high = std::array::from_fn(|set| {
            let before = count;
            let is_there = set >> (cells - first_cells) == 0;
            let rest = tiles.checked_sub(set.count_ones() as usize);
            count += rest.filter(|_| is_there).map_or(0, |rest| ways[rest]);
            before
        });
        Sets {
            cells,
            tiles,
            count: count as usize,
            high,
            low,
        }
    }

    /// All sets, in the order of their ranks.
    fn all(&self) -> impl Iterator<Item = u32> + use<> {
        let first = (1u32 << self.tiles) - 1;
        let cells = self.cells;
        let next = |&set: &u32| {
            // The next number with as many bits: Gosper's way.
            let lowest = set & set.wrapping_neg();
            let ripple = set + lowest;
            Some((((ripple ^ set) >> 2) / lowest) | ripple)
        };
        std::iter::successors(Some(first), next).take_while(move |set| set >> cells == 0)
    }

    #[inline(always)]
    fn rank(&self, set: u32) -> usize {
        let low = self.low[set as usize % (1 << LOW_CELLS)];
        let high = self.high[(set >> LOW_CELLS) as usize % (1 << HIGH_CELLS)];
        high as usize + usize::from(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_ranked_by_their_bits() {
        for (cells, tiles) in [(25, 3), (16, 8), (4, 3), (15, 1)] {
            let sets = Sets::new(cells, tiles);
            assert!(sets.all().map(|set| sets.rank(set)).eq(0..sets.count));
        }
    }
}
