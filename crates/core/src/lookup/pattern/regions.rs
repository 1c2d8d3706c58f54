//! Blocks: a set of cells with the region of free cells that holds the gap.
//!
//! Only moves of a pattern's tiles cost, so where exactly the gap is does not matter, only which
//! tiles it can get at: the connected region of free cells that it is in. A set of cells cuts
//! the rest into one region or several, five at most on 5x5 with six tiles.

use std::hint::select_unpredictable;

use crate::puzzle::{Cell, MAX_OPTIMAL_CELLS, Size};

/// The blocks of so many tiles. The block with a set's largest region has the set's rank as its
/// number; those with the other regions are numbered behind them all.
#[derive(Debug)]
pub(super) struct Regions {
    /// For each block: the cells of its region.
    cells: Vec<u32>,
    /// For each rank of a set: the first of its other blocks, if it has any.
    others: Vec<u32>,
    /// For each rank of a set: what a search has to know of its blocks.
    hints: Hints,
    row: usize,
}

/// What a search has to know of the blocks of each set, by its rank.
#[derive(Debug)]
enum Hints {
    /// On boards of up to 16 cells: all of it.
    Small(Vec<SmallHint>),
    /// On larger ones: most of it, and for each [`GROUP`] of sets the first of their other blocks.
    Large(Vec<Hint>, Vec<u32>),
}

impl Regions {
    pub fn new(sets: impl Iterator<Item = u32>, size: Size) -> Regions {
        let flood = FloodFill::new(size);
        let (mut largest, mut other_cells, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for set in sets {
            others.push(other_cells.len() as u32);
            let first = other_cells.len();
            let mut free = flood.all & !set;
            while free != 0 {
                let region = flood.region(free, free & free.wrapping_neg());
                other_cells.push(region);
                free &= !region;
            }
            let own = (first..other_cells.len()).max_by_key(|&at| {
                let region: u32 = other_cells[at];
                region.count_ones()
            });
            largest.extend(own.map(|most| other_cells.swap_remove(most)));
        }
        let sets = largest.len() as u32;
        others.iter_mut().for_each(|other| *other += sets);
        let others_of = |rank: usize| {
            let first = others[rank];
            let end = others.get(rank + 1).copied();
            first..end.unwrap_or(sets + other_cells.len() as u32)
        };
        let ranks = 0..largest.len();
        let hints = if size.cells() <= SmallHint::CELLS {
            let hint = |rank| {
                let blocks = others_of(rank);
                let first = blocks.start - sets;
                SmallHint::new(
                    first,
                    blocks.map(|block| other_cells[(block - sets) as usize]),
                )
            };
            Hints::Small(ranks.map(hint).collect())
        } else {
            let hint = |rank| {
                let blocks = others_of(rank);
                let before = blocks.start - others[rank / GROUP * GROUP];
                Hint::new(largest[rank], before, blocks.len() as u32)
            };
            let groups = others.iter().copied().step_by(GROUP).collect();
            Hints::Large(ranks.map(hint).collect(), groups)
        };
        largest.append(&mut other_cells);
        Regions {
            row: largest.len().next_multiple_of(64),
            cells: largest,
            others,
            hints,
        }
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.cells.len()
    }

    /// How many bits the blocks of one order take in a table: whole words.
    #[inline(always)]
    pub fn row(&self) -> usize {
        self.row
    }

    /// The cells of a block's region.
    pub fn cells(&self, block: usize) -> u32 {
        self.cells[block]
    }

    /// The blocks of the set with this rank.
    pub fn of_set(&self, rank: usize) -> impl Iterator<Item = usize> {
        let end = self.others.get(rank + 1);
        let end = end.map_or(self.blocks(), |&next| next as usize);
        std::iter::once(rank).chain(self.others[rank] as usize..end)
    }

    /// The block of the set with this rank whose region holds `gap`.
    pub fn block_of(&self, rank: usize, gap: Cell) -> usize {
        assert!(rank < self.others.len(), "a set");
        // SAFETY: it is one.
        unsafe { self.block_of_unchecked(rank, gap) }
    }

    /// The same: mostly the block of the largest region.
    ///
    /// When it is another one no processor foresees, so both numbers are computed, and one is
    /// chosen without a branch.
    ///
    /// # Safety
    ///
    /// There is a set with this rank.
    #[inline(always)]
    pub unsafe fn block_of_unchecked(&self, rank: usize, gap: Cell) -> usize {
        // SAFETY: each set has a hint, and is in a group.
        let (hint, group) = unsafe {
            match &self.hints {
                Hints::Small(hints) => {
                    let (region, before) = hints.get_unchecked(rank).region_of(gap);
                    let other = self.others.len() + before + region - 1;
                    return select_unpredictable(region == 0, rank, other);
                }
                Hints::Large(hints, groups) => (
                    *hints.get_unchecked(rank),
                    *groups.get_unchecked(rank / GROUP),
                ),
            }
        };
        let other = group as usize + hint.others_before();
        let is_largest = hint.holds(gap);
        match hint.is_enough() | is_largest {
            true => select_unpredictable(is_largest, rank, other),
            false => self.other_block(rank, gap),
        }
    }

    #[inline(never)]
    fn other_block(&self, rank: usize, gap: Cell) -> usize {
        let mut block = self.others[rank] as usize;
        while self.cells[block] >> gap & 1 == 0 {
            block += 1;
        }
        block
    }
}

/// Sets whose other blocks are counted from the first one's.
const GROUP: usize = 8;

/// What mostly says where a set's blocks are, in 32 bits: for six tiles on 5x5 the hints take
/// 708 kB, which a large second-level cache holds.
///
/// Bit c: cell c is in the largest region. Above them, the number of other blocks of the sets
/// before it in its group; the highest bit, whether that does not do.
#[derive(Clone, Copy, Debug)]
struct Hint(u32);

impl Hint {
    const MOST_BEFORE: u32 = (1 << (31 - MAX_OPTIMAL_CELLS)) - 1;

    /// The hint of a set with this largest region and so many others, behind so many others.
    fn new(largest: u32, before: u32, others: u32) -> Hint {
        match others <= 1 && before <= Hint::MOST_BEFORE {
            true => Hint(largest | before << MAX_OPTIMAL_CELLS),
            false => Hint(largest | 1 << 31),
        }
    }

    #[inline(always)]
    fn holds(self, cell: Cell) -> bool {
        self.0 >> cell & 1 == 1
    }

    #[inline(always)]
    fn others_before(self) -> usize {
        (self.0 >> MAX_OPTIMAL_CELLS & Hint::MOST_BEFORE) as usize
    }

    /// Whether there is no more than one other block, and this says where.
    #[inline(always)]
    fn is_enough(self) -> bool {
        self.0 >> 31 == 0
    }
}

/// All that a search has to know of a set's blocks on a board of up to 16 cells, so that no branch is
/// left: with `7-8` a node of IDA* takes a quarter less time (AMD EPYC, Zen 5).
///
/// Three bits a cell: 0 in the largest region, otherwise the number of its region among the others, from 1
/// on. Above them, the number of other blocks of all sets before it.
#[derive(Clone, Copy, Debug)]
struct SmallHint(u64);

impl SmallHint {
    const CELLS: usize = 16;
    const BITS: usize = 3;

    /// The hint of a set with these other regions, behind so many of other sets.
    ///
    /// There are seven at most, which is as many as three bits tell apart, and fewer than 65,536 before
    /// them: eight tiles leave eight cells of 16, and a test looks at all sets.
    fn new(before: u32, others: impl Iterator<Item = u32>) -> SmallHint {
        let before = u64::from(before) << (SmallHint::BITS * SmallHint::CELLS);
        SmallHint((1..).zip(others).fold(before, |hint, (number, region)| {
            cells(region).fold(hint, |hint, cell| {
                hint | number << (SmallHint::BITS * usize::from(cell))
            })
        }))
    }

    /// The number of a cell's region, and that of other blocks before the set's own ones.
    #[inline(always)]
    fn region_of(self, cell: Cell) -> (usize, usize) {
        let region = self.0 >> (SmallHint::BITS * usize::from(cell)) & ((1 << SmallHint::BITS) - 1);
        let before = self.0 >> (SmallHint::BITS * SmallHint::CELLS);
        (region as usize, before as usize)
    }
}

/// How far the gap gets on its own.
pub(super) struct FloodFill {
    all: u32,
    cols: usize,
    /// All cells but those of the first, and of the last column.
    not_first: u32,
    not_last: u32,
    odd: u32,
}

impl FloodFill {
    pub fn new(size: Size) -> FloodFill {
        let those = |is_in: &dyn Fn(u8, u8) -> bool| {
            let cells = (0..size.cells() as Cell)
                .filter(|&cell| is_in(size.row_of(cell), size.col_of(cell)));
            cells.fold(0u32, |set, cell| set | 1 << cell)
        };
        let last = size.cols() as u8 - 1;
        FloodFill {
            all: (1 << size.cells()) - 1,
            cols: size.cols(),
            not_first: those(&|_, col| col > 0),
            not_last: those(&|_, col| col < last),
            odd: those(&|row, col| (row + col) % 2 == 1),
        }
    }

    /// Every move of a tile changes the parity of its pattern's set of cells.
    pub fn parity(&self, set: u32) -> u32 {
        (set & self.odd).count_ones() % 2
    }

    /// The cells next to those of a set.
    pub fn next_to(&self, set: u32) -> u32 {
        let along = (set & self.not_last) << 1 | (set & self.not_first) >> 1;
        (along | set << self.cols | set >> self.cols) & self.all
    }

    /// The free cells that a gap in one of `from` can get to.
    #[inline]
    pub fn region(&self, free: u32, from: u32) -> u32 {
        let mut region = from;
        loop {
            let larger = region | self.next_to(region) & free;
            if larger == region {
                return region;
            }
            region = larger;
        }
    }
}

/// The cells of a set.
pub(super) fn cells(mut set: u32) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (cell < 32).then_some(cell as Cell)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lookup::Index;

    #[test]
    fn the_regions_of_a_set_are_its_free_cells() {
        let small = ["4x4", "2x8", "3x5", "2x7", "8x2"];
        let small = small
            .iter()
            .flat_map(|&size| (1..=8).map(move |tiles| (size, tiles)));
        let others = [("5x5", 3), ("3x6", 4), ("2x5", 4), ("2x2", 3)];
        for (size, tiles) in others.into_iter().chain(small) {
            let size: Size = size.parse().unwrap();
            let index = Index::of(size, tiles);
            let regions = index.regions();
            let all = (1u32 << size.cells()) - 1;
            let mut blocks = 0;
            for (rank, set) in index.all_sets().enumerate() {
                let own: Vec<usize> = regions.of_set(rank).collect();
                let free = own.iter().fold(0, |free, &block| {
                    assert_eq!(free & regions.cells(block), 0);
                    free | regions.cells(block)
                });
                assert_eq!(free, all & !set);
                for gap in cells(free) {
                    let block = regions.block_of(rank, gap);
                    assert!(own.contains(&block) && regions.cells(block) >> gap & 1 == 1);
                }
                blocks += own.len();
            }
            assert_eq!(blocks, regions.blocks());
        }
    }
}
