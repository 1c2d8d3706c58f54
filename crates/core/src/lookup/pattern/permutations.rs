//! Permutations of a pattern's tiles, as numbers.

use crate::sys::prefetch::prefetch;

/// The most tiles of a pattern: the ranks of 8! orders fit 16 bits.
pub const MOST_TILES: usize = 8;

/// Ranks of the orders of as many tiles, and how they change.
#[derive(Clone, Debug)]
pub(super) struct Permutations {
    pub count: usize,
    /// For each order: its new rank for each (i, j), at `i * MOST_TILES + j`. A search stays
    /// among few orders for a while, so those of one order lie together.
    shifts: Vec<[u16; MOST_TILES * MOST_TILES]>,
    /// What the first tiles of an order, and its last ones, add to its rank.
    first: Vec<u16>,
    last: Vec<u16>,
}

/// Bits of a tile's number in an order that is written as a number.
const TILE_BITS: usize = 3;
/// The tiles of the first part of an order: the half of the most that there are.
const FIRST_TILES: usize = MOST_TILES / 2;
const PARTS: usize = 1 << (TILE_BITS * FIRST_TILES);

impl Permutations {
    pub fn new(tiles: usize, reach: usize) -> Permutations {
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
        Permutations {
            count,
            shifts: shifts.collect(),
            first: (0..PARTS).map(|part| first_digits(part, tiles)).collect(),
            last: (0..PARTS).map(|part| last_digits(part, tiles)).collect(),
        }
    }

    /// The rank of an order that is written as a number: three bits for each tile, the first one
    /// lowest.
    #[inline(always)]
    pub fn rank_of(&self, order: u32) -> u16 {
        let order = order as usize;
        self.first[order % PARTS].wrapping_add(self.last[order / PARTS % PARTS])
    }

    /// The rank of an order after the tile at position i went to position j.
    ///
    /// # Safety
    ///
    /// It is the rank of an order, and both are below [`MOST_TILES`].
    #[inline(always)]
    pub unsafe fn shifted(&self, order: u16, i: usize, j: usize) -> u16 {
        // SAFETY: there is a row for each order, and a place in it for each two positions.
        unsafe {
            let shifts = self.shifts.get_unchecked(usize::from(order));
            *shifts.get_unchecked(i * MOST_TILES + j)
        }
    }

    /// Calls for what [`Permutations::shifted`] reads.
    #[inline(always)]
    pub fn prefetch(&self, order: u16, i: usize) {
        let shifts = &self.shifts[usize::from(order)];
        prefetch(shifts, i * MOST_TILES);
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

/// What the first tiles of an order add to its rank. A digit says how many smaller tiles come
/// after a tile: all of them but those that came before.
fn first_digits(part: usize, tiles: usize) -> u16 {
    let tiles_there = tiles.min(FIRST_TILES);
    let numbers = numbers_of(part);
    let digits = (0..tiles_there).map(|i| {
        let smaller = numbers[..i].iter().filter(|&&number| number < numbers[i]);
        // Not an order, if more than all of them came before.
        let digit = usize::from(numbers[i]).saturating_sub(smaller.count());
        digit * (1..tiles - i).product::<usize>()
    });
    digits.sum::<usize>() as u16
}

/// What the last tiles of an order add to its rank: their own, among themselves.
fn last_digits(part: usize, tiles: usize) -> u16 {
    let tiles_there = tiles.saturating_sub(FIRST_TILES);
    rank(&numbers_of(part)[..tiles_there]) as u16
}

/// The numbers of a part's tiles, the first one in the lowest bits.
fn numbers_of(part: usize) -> [u8; FIRST_TILES] {
    std::array::from_fn(|i| (part >> (TILE_BITS * i) & (MOST_TILES - 1)) as u8)
}

/// The place of a permutation in lexicographic order.
pub(super) fn rank(order: &[u8]) -> usize {
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
    fn the_parts_of_an_order_add_up_to_its_rank() {
        for tiles in 0..=MOST_TILES {
            let orders = Permutations::new(tiles, 1);
            for order in 0..orders.count {
                let numbers = unrank(order, tiles).into_iter().rev();
                let written =
                    numbers.fold(0, |order, number| order << TILE_BITS | u32::from(number));
                assert_eq!(usize::from(orders.rank_of(written)), order);
            }
        }
    }

    #[test]
    fn a_shift_moves_one_tile_past_others() {
        let orders = Permutations::new(6, 3);
        for (i, j) in (0..6usize).flat_map(|i| (0..6).map(move |j| (i, j))) {
            if i.abs_diff(j) > 3 {
                continue;
            }
            for order in 0..orders.count {
                let mut tiles = unrank(order, 6);
                let tile = tiles.remove(i);
                tiles.insert(j, tile);
                // SAFETY: an order and two of its positions.
                let shifted = unsafe { orders.shifted(order as u16, i, j) };
                assert_eq!(usize::from(shifted), rank(&tiles));
            }
        }
    }
}
