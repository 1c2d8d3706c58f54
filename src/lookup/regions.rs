//! Blocks: a set of cells with the region of free cells that holds the gap.
//!
//! Only moves of a pattern's tiles cost, so where exactly the gap is does not matter, only which
//! tiles it can get at: the connected region of free cells that it is in. A set of cells cuts
//! the rest into one region or several, five at most on 5x5 with six tiles.

use crate::puzzle::{Cell, Size};

use super::Index;
use super::partition::neighbours;

/// The blocks of a pattern. Those of one set are numbered together, by their first cell; sets
/// of even parity come before those of odd parity, each in the order of their ranks.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    /// For each rank of a set: the first of its blocks.
    first: Vec<u32>,
    /// For each block: the cells of its region.
    cells: Vec<u32>,
    /// For each block: the set of cells that its tiles are in.
    sets: Vec<u32>,
    even: usize,
}

impl Regions {
    pub fn new(index: &Index, size: Size) -> Regions {
        let spread = Spread::new(size);
        let mut regions = Regions {
            first: vec![0; index.sets()],
            cells: Vec::new(),
            sets: Vec::new(),
            even: 0,
        };
        for parity in [0, 1] {
            let sets = index.all_sets().enumerate();
            for (rank, set) in sets.filter(|&(_, set)| spread.parity(set) == parity) {
                regions.first[rank] = regions.cells.len() as u32;
                let mut free = spread.all & !set;
                while free != 0 {
                    let region = spread.region(free, free.trailing_zeros() as Cell);
                    regions.cells.push(region);
                    regions.sets.push(set);
                    free &= !region;
                }
            }
            if parity == 0 {
                regions.even = regions.cells.len();
            }
        }
        regions
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.cells.len()
    }

    /// How many of them have a set of even parity.
    pub fn even_blocks(&self) -> usize {
        self.even
    }

    /// The tiles' cells and the region's cells of a block.
    pub fn block(&self, block: usize) -> (u32, u32) {
        (self.sets[block], self.cells[block])
    }

    /// The block of the set with this rank whose region holds `gap`.
    pub fn block_of(&self, rank: usize, gap: Cell) -> usize {
        let mut block = self.first[rank] as usize;
        while self.cells[block] >> gap & 1 == 0 {
            block += 1;
        }
        block
    }

    /// All blocks of the set with this rank.
    pub fn blocks_of(&self, rank: usize) -> impl Iterator<Item = usize> {
        let first = self.first[rank] as usize;
        let set = self.sets[first];
        let same = move |&block: &usize| self.sets.get(block) == Some(&set);
        (first..self.blocks()).take_while(same)
    }
}

/// How far the gap gets on its own.
pub(super) struct Spread {
    all: u32,
    neighbours: Vec<u32>,
    odd: u32,
}

impl Spread {
    pub fn new(size: Size) -> Spread {
        let touching = neighbours(size).into_iter();
        let is_odd = |cell: &u8| (size.row_of(*cell) + size.col_of(*cell)) % 2 == 1;
        let odd = (0..size.cells() as Cell).filter(is_odd);
        Spread {
            all: (1 << size.cells()) - 1,
            neighbours: touching
                .map(|cells| cells.iter().fold(0, |set, c| set | 1 << c))
                .collect(),
            odd: odd.fold(0, |set, cell| set | 1 << cell),
        }
    }

    /// Every move of a tile changes the parity of its pattern's set of cells.
    pub fn parity(&self, set: u32) -> u32 {
        (set & self.odd).count_ones() % 2
    }

    /// The cells next to `cell`.
    pub fn next_to(&self, cell: Cell) -> u32 {
        self.neighbours[usize::from(cell)]
    }

    /// The free cells that a gap in `from` can get to.
    pub fn region(&self, free: u32, from: Cell) -> u32 {
        let mut region = 1u32 << from;
        let mut fresh = region;
        while fresh != 0 {
            let reached = cells(fresh).fold(0, |set, cell| set | self.next_to(cell));
            fresh = reached & free & !region;
            region |= fresh;
        }
        region
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
