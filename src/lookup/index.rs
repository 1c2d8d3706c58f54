//! Where a pattern's tiles are, as a number: the one index of builders and readers.
//!
//! A [`Place`] is the set of cells that the k tiles occupy and their order, read row by row.
//! Sets are ranked by their bits, orders lexicographically. A tile that slides inside its row
//! passes no other tile, so the order stays; one that slides inside its column passes at most
//! `cols - 1`, and what that does to the rank of the order is the same on every set: a table for
//! each (from, to).
//!
//! All sets with one order lie together, so half of a search's look-ups stay within a few pages of
//! memory. With all orders on one set together instead, korf100 with 7-8 takes longer: a new page
//! for nearly every look-up.

use crate::puzzle::{Cell, MAX_CELLS, Tile};

use super::Pattern;

/// The most tiles of a pattern: the ranks of 8! orders fit 16 bits.
pub const MOST_TILES: usize = 8;

/// Where the tiles of a pattern are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Place {
    /// Bit c: one of the tiles is in cell c.
    pub cells: u32,
    /// The rank of their order.
    pub order: u16,
}

/// A slide of a tile into an adjacent free cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slide {
    /// The cells, as sets of one.
    from: u32,
    to: u32,
    /// The cells before them in reading order.
    before_from: u32,
    before_to: u32,
    keeps_order: bool,
}

impl Slide {
    pub fn new(from: Cell, to: Cell) -> Slide {
        Slide {
            from: 1 << from,
            to: 1 << to,
            before_from: (1 << from) - 1,
            before_to: (1 << to) - 1,
            keeps_order: from.abs_diff(to) == 1,
        }
    }

    /// Whether it is along a row: a tile passes no other there.
    pub fn keeps_order(&self) -> bool {
        self.keeps_order
    }
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

    /// The place after one of the tiles has slid.
    #[inline(always)]
    pub fn slid(&self, place: Place, slide: &Slide) -> Place {
        let rest = place.cells ^ slide.from;
        Place {
            cells: rest | slide.to,
            order: match slide.keeps_order {
                true => place.order,
                false => {
                    let i = (rest & slide.before_from).count_ones() as usize;
                    let j = (rest & slide.before_to).count_ones() as usize;
                    self.orders.shifted(place.order, i, j)
                }
            },
        }
    }

    /// For each order, its rank after the tile at position i went to position j.
    pub fn shift(&self, i: usize, j: usize) -> Vec<u16> {
        let orders = 0..self.orders() as u16;
        orders
            .map(|order| self.orders.shifted(order, i, j))
            .collect()
    }

    #[inline(always)]
    pub fn set_rank(&self, cells: u32) -> usize {
        self.sets.rank(cells)
    }

    /// The rank of a place among all.
    #[inline(always)]
    pub fn rank(&self, place: Place) -> usize {
        usize::from(place.order) * self.sets() + self.set_rank(place.cells)
    }
}

/// How many of a set's cells come before `cell` in reading order.
#[inline(always)]
pub fn position(set: u32, cell: Cell) -> usize {
    (set & ((1 << cell) - 1)).count_ones() as usize
}

/// Ranks of sets of as many cells: by their high bits, then by their low ones. Both tables
/// together take 32 kB for 25 cells, 1.5 kB for 16.
#[derive(Clone, Debug)]
struct Sets {
    cells: usize,
    count: usize,
    low_cells: u32,
    high: Vec<u32>,
    low: Vec<u16>,
}

impl Sets {
    fn new(cells: usize, tiles: usize) -> Sets {
        let low_cells = cells.div_ceil(2);
        let mut seen = vec![0u16; low_cells + 1];
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
            low_cells: low_cells as u32,
            high,
            low,
        }
    }

    #[inline(always)]
    fn rank(&self, set: u32) -> usize {
        let low = set & ((1 << self.low_cells) - 1);
        let high = self.high[(set >> self.low_cells) as usize];
        high as usize + usize::from(self.low[low as usize])
    }
}

/// Ranks of the orders of as many tiles, and how they change.
#[derive(Clone, Debug)]
struct Orders {
    count: usize,
    /// For each order: its new rank for each (i, j), at `i * MOST_TILES + j`. A search stays
    /// among few orders for a while, so those of one order lie together.
    shifts: Vec<[u16; MOST_TILES * MOST_TILES]>,
}

impl Orders {
    fn new(tiles: usize, reach: usize) -> Orders {
        let count = (1..=tiles).product();
        let swaps: Vec<Vec<u16>> = (1..tiles).map(|i| swap(tiles, i - 1)).collect();
        let shifts = (0..count).map(|order| {
            let mut shifts = [order as u16; MOST_TILES * MOST_TILES];
            for i in 0..tiles {
                // One place farther each time.
                for j in i + 1..(i + reach + 1).min(tiles) {
                    let nearer = shifts[i * MOST_TILES + j - 1];
                    shifts[i * MOST_TILES + j] = swaps[j - 1][usize::from(nearer)];
                }
                for j in (i.saturating_sub(reach)..i).rev() {
                    let nearer = shifts[i * MOST_TILES + j + 1];
                    shifts[i * MOST_TILES + j] = swaps[j][usize::from(nearer)];
                }
            }
            shifts
        });
        Orders {
            count,
            shifts: shifts.collect(),
        }
    }

    /// The rank of an order after the tile at position i went to position j.
    #[inline(always)]
    fn shifted(&self, order: u16, i: usize, j: usize) -> u16 {
        self.shifts[usize::from(order)][(i * MOST_TILES + j) % (MOST_TILES * MOST_TILES)]
    }
}

/// What it does to ranks if the tiles at positions i and i + 1 change places.
///
/// A rank's digit for a position says how many smaller tiles come after it, so a swap changes
/// two digits, and one of the two tiles gains or loses the other.
fn swap(tiles: usize, i: usize) -> Vec<u16> {
    let unit: usize = (1..tiles - i - 1).product();
    let (second, first) = (tiles - i - 1, tiles - i);
    let swapped = |order: usize| {
        let (a, b) = (order / unit / second % first, order / unit % second);
        let (new_a, new_b) = if a <= b { (b + 1, a) } else { (b, a - 1) };
        let rest = order - (a * second + b) * unit;
        (rest + (new_a * second + new_b) * unit) as u16
    };
    (0..(1..=tiles).product()).map(swapped).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_shift_moves_one_tile_past_others() {
        let pattern = Pattern::new("4x4".parse().unwrap(), 0b11_1111_0000).unwrap();
        let index = Index::new(&pattern);
        for (i, j) in (0..6usize).flat_map(|i| (0..6).map(move |j| (i, j))) {
            if i.abs_diff(j) > 3 {
                continue;
            }
            for order in 0..index.orders() {
                let mut tiles = unrank(order, 6);
                let tile = tiles.remove(i);
                tiles.insert(j, tile);
                assert_eq!(usize::from(index.shift(i, j)[order]), rank(&tiles));
            }
        }
    }
}
