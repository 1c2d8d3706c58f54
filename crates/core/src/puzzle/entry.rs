//! A state and a small tag in one word.

use bytemuck::Pod;

use super::packed::WIDE_BITS;
use super::{Packed, Size, Wide, Word};

/// A word that holds a whole board and a tag beside it.
///
/// The last cell of a full word is implied by the others, so its bits are free: 4 in a
/// `u64`, 8 in a `u128`, 6 in a [`Wide`] board. The closed list of A* tags the layer of f there, its open list the
/// last move, an endgame table half the distance. No entry is 0, which marks an empty slot.
pub(crate) trait Entry: Word + Pod {
    /// How many values a tag can take.
    const LAYERS: u32;

    fn pack(cells: Self, tag: u8) -> Self;

    fn tag(self) -> u8;

    /// The same state with another tag.
    fn with_tag(self, tag: u8) -> Self;

    /// The board; its gap is found, since there is no room to carry it.
    fn state(self, size: Size) -> Packed<Self>;

    /// Whether two entries name the same state, whatever their tags.
    fn same_state(self, other: Self) -> bool;

    /// A hash of the state alone.
    fn hash(self) -> u64;

    /// An entry as it stands in a file, lowest byte first.
    fn from_bytes(bytes: &[u8]) -> Self;

    /// The word whose bytes in memory are those of a file.
    fn to_le(self) -> Self;
}

/// Odd, with well mixed bits: the fraction of the golden ratio.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline(always)]
fn mix(word: u64) -> u64 {
    let product = word.wrapping_mul(MIX);
    (product ^ product >> 32).wrapping_mul(MIX)
}

/// What both words do alike; they differ in how an empty cell is found, and in their hash.
macro_rules! impl_entry {
    ($word:ty, $tag_bits:literal, $state:path, $hash:path) => {
        impl Entry for $word {
            const LAYERS: u32 = 1 << $tag_bits;

            #[inline(always)]
            fn pack(cells: $word, tag: u8) -> $word {
                cells << $tag_bits | <$word>::from(tag)
            }

            #[inline(always)]
            fn tag(self) -> u8 {
                (self & (Self::LAYERS - 1) as $word) as u8
            }

            #[inline(always)]
            fn with_tag(self, tag: u8) -> $word {
                self & !((Self::LAYERS - 1) as $word) | <$word>::from(tag)
            }

            #[inline(always)]
            fn state(self, size: Size) -> Packed<$word> {
                $state(self >> $tag_bits, size)
            }

            #[inline(always)]
            fn same_state(self, other: $word) -> bool {
                (self ^ other) < Self::LAYERS as $word
            }

            #[inline(always)]
            fn hash(self) -> u64 {
                $hash(self >> $tag_bits)
            }

            #[inline(always)]
            fn from_bytes(bytes: &[u8]) -> $word {
                <$word>::from_le_bytes(bytes.try_into().expect("the bytes of a word"))
            }

            fn to_le(self) -> $word {
                self.to_le()
            }
        }
    };
}

impl_entry!(u64, 4, state_of_u64, mix);
impl_entry!(u128, 8, state_of_u128, mix_halves);

#[inline(always)]
fn mix_halves(cells: u128) -> u64 {
    mix(cells as u64 ^ mix((cells >> 64) as u64))
}

#[inline(always)]
fn state_of_u64(mut cells: u64, size: Size) -> Packed<u64> {
    if size.cells() == 16 {
        // The exclusive or of 0 … 15 is 0, so that of fifteen cells is the last one.
        let mut others = cells ^ cells >> 32;
        others ^= others >> 16;
        others ^= others >> 8;
        others ^= others >> 4;
        cells |= others << 60;
    }
    let bits = cells | cells >> 1;
    let empty = !(bits | bits >> 2) & 0x1111_1111_1111_1111;
    let gap = (empty.trailing_zeros() / 4) as u8;
    Packed { cells, gap }
}

/// Every fifth bit: the lowest of each cell of a `u128`.
const FIFTHS: u128 = ((1 << 125) - 1) / 31;

#[inline(always)]
fn state_of_u128(mut cells: u128, size: Size) -> Packed<u128> {
    if size.cells() == 25 {
        // The exclusive or of 0 … 24 is 24: each group of four from 0, 4, 8 … gives 0.
        let mut others = cells ^ cells >> 60;
        others ^= others >> 30;
        others ^= others >> 15;
        others ^= others >> 10 ^ others >> 5;
        cells |= (others & 31 ^ 24) << 120;
    }
    let bits = cells | cells >> 1 | cells >> 2;
    let empty = !(bits | bits >> 2) & FIFTHS;
    let gap = (empty.trailing_zeros() / 5) as u8;
    Packed { cells, gap }
}

/// The last cell's bit in each word of a [`Wide`] board.
const LAST: u64 = 1 << 63;

impl Entry for Wide {
    const LAYERS: u32 = 1 << WIDE_BITS;

    #[inline(always)]
    fn pack(cells: Wide, tag: u8) -> Wide {
        cells.with_tag(tag)
    }

    #[inline(always)]
    fn tag(self) -> u8 {
        self.tile(63)
    }

    #[inline(always)]
    fn with_tag(self, tag: u8) -> Wide {
        self.map(|word| word & !LAST).with(tag, 63)
    }

    #[inline(always)]
    fn state(self, size: Size) -> Packed<Wide> {
        let mut cells = self.map(|word| word & !LAST);
        if size.cells() == 64 {
            // The exclusive or of 0 … 63 is 0, so that of 63 cells is the last one.
            cells = cells.map(|word| word | u64::from(word.count_ones()) << 63);
        }
        let tiles = cells.iter().fold(0, |tiles, word| tiles | word);
        let gap = tiles.trailing_ones() as u8;
        Packed { cells, gap }
    }

    #[inline(always)]
    fn same_state(self, other: Wide) -> bool {
        let words = self.iter().zip(other);
        words.fold(0, |differ, (word, other)| differ | word ^ other) & !LAST == 0
    }

    #[inline(always)]
    fn hash(self) -> u64 {
        let words = self.map(|word| word & !LAST);
        words.iter().fold(0, |hash, word| mix(word ^ hash))
    }

    fn from_bytes(bytes: &[u8]) -> Wide {
        bytemuck::pod_read_unaligned::<Wide>(bytes).map(u64::from_le)
    }

    fn to_le(self) -> Wide {
        self.map(u64::to_le)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Board, Goal};

    /// What goes into an entry comes out of it, whatever the gap's cell and the tag.
    fn keeps<W: Entry>(size: &str) {
        let size: Size = size.parse().unwrap();
        let solved = Board::solved(size, Goal::First);
        for gap in 0..size.cells() as u8 {
            let state = Packed::<W>::new(&solved.swapped(0, gap));
            let bare = W::pack(state.cells, 0);
            for tag in 0..W::LAYERS as u8 {
                let entry = W::pack(state.cells, tag);
                assert_ne!(entry, W::default());
                assert_eq!((entry.state(size), entry.tag()), (state, tag));
                assert_eq!((entry.with_tag(0), entry.hash()), (bare, bare.hash()));
                assert!(entry.same_state(bare));
                assert_eq!(W::from_bytes(bytemuck::bytes_of(&entry.to_le())), entry);
            }
            let other = W::pack(Packed::<W>::new(&solved.swapped(0, (gap + 1) % 4)).cells, 0);
            assert_eq!(other.same_state(bare), gap == (gap + 1) % 4);
        }
    }

    #[test]
    fn an_entry_keeps_a_state_and_a_tag() {
        ["2x2", "3x5", "4x4"].into_iter().for_each(keeps::<u64>);
        ["2x2", "4x4", "3x8", "5x5"]
            .into_iter()
            .for_each(keeps::<u128>);
        ["2x2", "5x5", "6x6", "7x9", "8x8", "2x32"]
            .into_iter()
            .for_each(keeps::<Wide>);
    }
}
