//! A state and a small tag in one word.

use bytemuck::Pod;

use super::{Packed, Size, Word};

/// A word that holds a whole board and a tag beside it.
///
/// The last cell of a full word is implied by the others, so its bits are free: 4 in a
/// `u64`, 8 in a `u128`. The closed list of A* tags the layer of f there, its open list the
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
