//! Where a pattern's tiles are, as a number: the one index of builders and readers.
//!
//! A [`Place`] is the set of cells that the k tiles occupy and their order, read row by row.
//! Sets are ranked by their bits, orders lexicographically; all k! orders on one set of cells
//! lie together, a block. A tile that slides inside its row passes no other tile, so the order
//! stays; one that slides inside its column passes at most `cols - 1`, and what that does to
//! the rank of the order is the same on every set: a table for each (from, to).

use crate::puzzle::{Cell, MAX_CELLS, Tile};

use super::Pattern;

/// The most tiles of a pattern: the ranks of 8! orders fit 16 bits.
pub const MOST_TILES: usize = 8;

/// The cells of a set that the low table ranks; the high one takes the rest.
const LOW: u32 = 13;

/// Where the tiles of a pattern are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Place {
    /// Bit c: one of the tiles is in cell c.
    pub cells: u32,
    /// The rank of their order.
    pub order: u16,
}

/// The ranks of a pattern's places.
#[derive(Clone, Debug)]
pub struct Index {
    tiles: Vec<Tile>,
    sets: Sets,
    orders: Orders,
}

impl Index {
    pub fn new(pattern: &Pattern) -> Index {
        let tiles: Vec<Tile> = pattern.tiles().collect();
        let size = pattern.size();
        Index {
            sets: Sets::new(size.cells(), tiles.len()),
            orders: Orders::new(tiles.len(), size.cols() - 1),
            tiles,
        }
    }

    /// The number of orders on one set of cells: k!.
    #[inline(always)]
    pub fn orders(&self) -> usize {
        self.orders.count
    }

    /// The number of sets of cells.
    pub fn sets(&self) -> usize {
        self.sets.count
    }

    /// The number of places.
    pub fn places(&self) -> usize {
        self.sets() * self.orders()
    }

    /// All sets of cells, in the order of their ranks.
    pub fn all_sets(&self) -> impl Iterator<Item = u32> {
        let (cells, tiles) = (self.sets.cells, self.tiles.len());
        let first = (1u32 << tiles) - 1;
        let next = |&set: &u32| {
            // The next number with as many bits: Gosper's way.
            let lowest = set & set.wrapping_neg();
            let ripple = set + lowest;
            Some((((ripple ^ set) >> 2) / lowest) | ripple)
        };
        std::iter::successors(Some(first), next).take_while(move |set| set >> cells == 0)
    }

    /// The place of the tiles, where `cell_of` says in which cell each one is.
    pub fn place(&self, cell_of: impl Fn(Tile) -> Cell) -> Place {
        let mut numbers = [0; MAX_CELLS];
        let mut cells = 0u32;
        for (&tile, number) in self.tiles.iter().zip(0..) {
            let cell = cell_of(tile);
            numbers[usize::from(cell)] = number;
            cells |= 1 << cell;
        }
        let mut order = [0; MOST_TILES];
        let occupied = (0..MAX_CELLS).filter(|cell| cells >> cell & 1 == 1);
        for (number, cell) in order.iter_mut().zip(occupied) {
            *number = numbers[cell];
        }
        Place {
            cells,
            order: rank(&order[..self.tiles.len()]) as u16,
        }
    }

    /// The place after one of the tiles has slid from one cell to an adjacent free one.
    #[inline(always)]
    pub fn moved(&self, place: Place, from: Cell, to: Cell) -> Place {
        let rest = place.cells ^ 1 << from;
        let (i, j) = (position(rest, from), position(rest, to));
        Place {
            cells: rest | 1 << to,
            order: match i == j {
                true => place.order,
                false => self.shift(i, j)[usize::from(place.order)],
            },
        }
    }

    /// What it does to the rank of an order if the tile at position i goes to position j.
    #[inline(always)]
    pub fn shift(&self, i: usize, j: usize) -> &[u16] {
        &self.orders.shifts[i * MOST_TILES + j]
    }

    #[inline(always)]
    pub fn set_rank(&self, cells: u32) -> usize {
        self.sets.rank(cells)
    }

    /// The rank of a place among all.
    #[inline(always)]
    pub fn rank(&self, place: Place) -> usize {
        self.set_rank(place.cells) * self.orders() + usize::from(place.order)
    }
}

/// How many of a set's cells come before `cell` in reading order.
#[inline(always)]
pub fn position(set: u32, cell: Cell) -> usize {
    (set & ((1 << cell) - 1)).count_ones() as usize
}

/// Ranks of sets of as many cells: by their high bits, then by their low ones. Both tables
/// together take 32 kB for 25 cells.
#[derive(Clone, Debug)]
struct Sets {
    cells: usize,
    count: usize,
    high: Vec<u32>,
    low: Vec<u16>,
}

impl Sets {
    fn new(cells: usize, tiles: usize) -> Sets {
        let low_cells = cells.min(LOW as usize);
        let mut seen = [0u16; LOW as usize + 1];
        let low = (0u32..1 << low_cells).map(|set| {
            let bits = set.count_ones() as usize;
            seen[bits] += 1;
            seen[bits] - 1
        });
        let low: Vec<u16> = low.collect();
        let mut count = 0;
        let high = (0u32..1 << (cells - low_cells)).map(|set| {
            let before = count;
            let rest = tiles.checked_sub(set.count_ones() as usize);
            count += rest.map_or(0, |rest| seen.get(rest).map_or(0, |&n| u32::from(n)));
            before
        });
        let high: Vec<u32> = high.collect();
        Sets {
            cells,
            count: count as usize,
            high,
            low,
        }
    }

    #[inline(always)]
    fn rank(&self, set: u32) -> usize {
        let low = set & ((1 << LOW) - 1);
        self.high[(set >> LOW) as usize] as usize + usize::from(self.low[low as usize])
    }
}

/// Ranks of the orders of as many tiles, and how they change.
#[derive(Clone, Debug)]
struct Orders {
    count: usize,
    /// For (i, j) at `i * MOST_TILES + j`: the new rank for each rank; empty if i and j are
    /// farther apart than a move takes a tile.
    shifts: Vec<Vec<u16>>,
}

impl Orders {
    fn new(tiles: usize, reach: usize) -> Orders {
        assert!(
            tiles <= MOST_TILES,
            "a pattern has at most {MOST_TILES} tiles"
        );
        let count = (1..=tiles).product();
        let mut shifts = vec![Vec::new(); MOST_TILES * MOST_TILES];
        for i in 0..tiles {
            for j in i.saturating_sub(reach)..(i + reach + 1).min(tiles) {
                if i != j {
                    let shift = |order: usize| {
                        let mut order = unrank(order, tiles);
                        let tile = order.remove(i);
                        order.insert(j, tile);
                        rank(&order) as u16
                    };
                    shifts[i * MOST_TILES + j] = (0..count).map(shift).collect();
                }
            }
        }
        Orders { count, shifts }
    }
}

/// The place of a permutation in lexicographic order.
fn rank(order: &[u8]) -> usize {
    let mut rank = 0;
    for (i, a) in order.iter().enumerate() {
        let smaller = order[i + 1..].iter().filter(|&b| b < a).count();
        rank = rank * (order.len() - i) + smaller;
    }
    rank
}

fn unrank(mut rank: usize, tiles: usize) -> Vec<u8> {
    let mut digits = Vec::with_capacity(tiles);
    for base in 1..=tiles {
        digits.push(rank % base);
        rank /= base;
    }
    let mut left: Vec<u8> = (0..tiles as u8).collect();
    digits
        .iter()
        .rev()
        .map(|&digit| left.remove(digit))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_ranked_as_a_dictionary_has_them() {
        for tiles in 0..=6 {
            let orders: Vec<_> = (0..(1..=tiles).product())
                .map(|r| unrank(r, tiles))
                .collect();
            assert!(orders.is_sorted());
            assert!(orders.iter().enumerate().all(|(r, order)| rank(order) == r));
        }
    }

    #[test]
    fn sets_are_ranked_by_their_bits() {
        for (size, tiles) in [("5x5", 3), ("4x4", 8), ("2x2", 3), ("3x5", 1)] {
            let pattern = Pattern::new(size.parse().unwrap(), ((1 << tiles) - 1) << 1).unwrap();
            let index = Index::new(&pattern);
            let ranks: Vec<usize> = index.all_sets().map(|set| index.set_rank(set)).collect();
            assert!(ranks.iter().copied().eq(0..index.sets()));
        }
    }
}
