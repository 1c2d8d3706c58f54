//! A board as a row of bytes, one for each cell, on which the tiles of a pattern are found.
//!
//! Where the tiles of a pattern are is asked anew for every state that is popped. With AVX2 a state is
//! spread into bytes, these are put into the order in which a reflection reads them, and one
//! comparison finds the tiles of a pattern; `pext` then puts their numbers side by
//! side. A node takes 1,140 instructions with `7-8`, where it took 1,560 cell by cell (callgrind).
//! (AMD's processors before Zen 3 have a slow `pext`; what it costs there was not measured.)

#[cfg(target_arch = "x86_64")]
use super::line::Avx2;
use super::line::Single;
use crate::puzzle::{Cell, Entry, Tile};

/// A byte for each cell, and some more.
pub(crate) type ByteRow = [u8; ROW];
pub(super) const ROW: usize = 32;
/// The bytes that are shuffled together.
const HALF: usize = ROW / 2;
/// Bits of a tile's number among those of its pattern.
const NUMBER_BITS: u32 = 3;
const NUMBER: u8 = (1 << NUMBER_BITS) - 1;
/// What stands for the gap, and behind the last cell: no pattern has this number.
const NO_MEMBER: u8 = !NUMBER;

/// How a reflection reads a board.
pub(crate) struct Reading {
    /// For each place, the cell that is read there.
    cells: ByteRow,
    /// The same for a shuffle: places whose cell is in the same half of a row, and the others, each
    /// without the places of the other kind.
    own_half: ByteRow,
    other_half: ByteRow,
    /// For each tile the number of its pattern, and in the lowest bits its own among the tiles of that.
    members: ByteRow,
}

impl Reading {
    /// `cells` are the cells in the order in which they are read; `member` says for each tile which
    /// pattern it is in, and which of its tiles it is.
    pub fn new(cells: &[Cell], member: impl Fn(Tile) -> (u8, u8)) -> Reading {
        const NONE: u8 = 0x80;
        let mut reading = Reading {
            cells: std::array::from_fn(|place| place as u8),
            own_half: [NONE; ROW],
            other_half: [NONE; ROW],
            members: [NO_MEMBER; ROW],
        };
        reading.cells[..cells.len()].copy_from_slice(cells);
        for (place, &cell) in reading.cells.iter().enumerate() {
            let is_own = place / HALF == usize::from(cell) / HALF;
            let half = match is_own {
                true => &mut reading.own_half,
                false => &mut reading.other_half,
            };
            half[place] = cell % HALF as u8;
        }
        for tile in 1..cells.len() as Tile {
            let (pattern, number) = member(tile);
            reading.members[usize::from(tile)] = pattern << NUMBER_BITS | number;
        }
        reading
    }

    /// The number of a tile's pattern among those of the reflection.
    #[inline(always)]
    pub fn pattern(&self, tile: Tile) -> u8 {
        self.members[usize::from(tile) % ROW] >> NUMBER_BITS
    }
}

/// For each place, the pattern and the number of the tile that is read there.
#[derive(Clone, Copy, Default)]
pub(crate) struct Members {
    row: ByteRow,
    /// The numbers of each half of the row, three bits each, the first one lowest; where they are used.
    numbers: [u64; 2],
}

/// What is done with rows.
pub(crate) trait ByteRows: Copy {
    /// The tile of each cell.
    fn tiles<W: Entry>(self, cells: W) -> ByteRow;

    /// For each place, the pattern and the number of the tile that is read there.
    fn read<W: Entry>(self, tiles: &ByteRow, reading: &Reading) -> Members;

    /// The places of a pattern's tiles, and their numbers in the order of their places: three bits
    /// each, the first one lowest.
    fn find<W: Entry>(self, members: &Members, pattern: u8) -> (u32, u32);
}

impl ByteRows for Single {
    #[inline(always)]
    fn tiles<W: Entry>(self, cells: W) -> ByteRow {
        let mut row = [0; ROW];
        for (cell, tile) in row.iter_mut().enumerate().take(W::CELLS) {
            *tile = cells.tile(cell as Cell);
        }
        row
    }

    #[inline(always)]
    fn read<W: Entry>(self, tiles: &ByteRow, reading: &Reading) -> Members {
        let mut row = [NO_MEMBER; ROW];
        for (place, member) in row.iter_mut().enumerate().take(W::CELLS) {
            let tile = tiles[usize::from(reading.cells[place]) % ROW];
            *member = reading.members[usize::from(tile) % ROW];
        }
        let numbers = [0; 2];
        Members { row, numbers }
    }

    #[inline(always)]
    fn find<W: Entry>(self, members: &Members, pattern: u8) -> (u32, u32) {
        let (mut places, mut order, mut end) = (0, 0, 0);
        for (place, &member) in members.row.iter().enumerate().take(W::CELLS) {
            let is_in = member >> NUMBER_BITS == pattern;
            let longer = order | u32::from(member & NUMBER) << (end % 32);
            order = if is_in { longer } else { order };
            end += NUMBER_BITS * u32::from(is_in);
            places |= u32::from(is_in) << place;
        }
        (places, order)
    }
}

#[cfg(target_arch = "x86_64")]
impl ByteRows for Avx2 {
    #[inline(always)]
    fn tiles<W: Entry>(self, cells: W) -> ByteRow {
        // SAFETY: the processor has AVX2 wherever there is an `Avx2`.
        match size_of::<W>() {
            8 => unsafe { shuffles::fours(bytemuck::cast(cells)) },
            16 => unsafe { shuffles::fives(bytemuck::cast(cells)) },
            _ => Single.tiles(cells),
        }
    }

    #[inline(always)]
    fn read<W: Entry>(self, tiles: &ByteRow, reading: &Reading) -> Members {
        let is_half = W::CELLS <= HALF;
        // SAFETY: as above.
        let row = match is_half {
            true => unsafe { shuffles::read_half(tiles, reading) },
            false => unsafe { shuffles::read(tiles, reading) },
        };
        // SAFETY: the processor has BMI2 too.
        let numbers = unsafe { shuffles::numbers(&row, is_half) };
        Members { row, numbers }
    }

    #[inline(always)]
    fn find<W: Entry>(self, members: &Members, pattern: u8) -> (u32, u32) {
        // SAFETY: as above.
        unsafe { shuffles::find(members, pattern, W::CELLS <= HALF) }
    }
}

/// What AVX2 does with rows.
#[cfg(target_arch = "x86_64")]
mod shuffles {
    use std::arch::x86_64::*;

    use bytemuck::cast;

    use super::{ByteRow, HALF, Members, NO_MEMBER, NUMBER, NUMBER_BITS, Reading};

    /// The cells of four bits.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn fours(cells: u64) -> ByteRow {
        let low_bits = 0x0f0f_0f0f_0f0f_0f0f;
        let even = _mm_cvtsi64_si128((cells & low_bits) as i64);
        let odd = _mm_cvtsi64_si128((cells >> 4 & low_bits) as i64);
        cast([_mm_unpacklo_epi8(even, odd), _mm_setzero_si128()])
    }

    /// The cells of five bits. Each lies within two bytes: the bits above it are shifted out, then
    /// those below.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn fives(cells: u128) -> ByteRow {
        let bytes = _mm256_broadcastsi128_si256(cast(cells));
        let spread = |which: usize| {
            let pairs = _mm256_shuffle_epi8(bytes, cast(PAIRS[which]));
            let on_top = _mm256_mullo_epi16(pairs, cast(FACTORS[which]));
            _mm256_srli_epi16::<11>(on_top)
        };
        // Packing takes the lower halves of both first.
        let packed = _mm256_packus_epi16(spread(0), spread(1));
        cast(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed))
    }

    /// Each place's member, where cells, places and tiles are in the first half of a row.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn read_half(tiles: &ByteRow, reading: &Reading) -> ByteRow {
        // By value: a row of bytes may begin anywhere, and a reference to vectors may not.
        let half = |row: &ByteRow| cast::<ByteRow, [__m128i; 2]>(*row)[0];
        let tiles = _mm_shuffle_epi8(half(tiles), half(&reading.own_half));
        let members = _mm_shuffle_epi8(half(&reading.members), tiles);
        cast([members, _mm_set1_epi8(NO_MEMBER as i8)])
    }

    /// Each place's member.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn read(tiles: &ByteRow, reading: &Reading) -> ByteRow {
        let tiles: __m256i = cast(*tiles);
        let swapped = _mm256_permute2x128_si256::<1>(tiles, tiles);
        let own = _mm256_shuffle_epi8(tiles, cast(reading.own_half));
        let other = _mm256_shuffle_epi8(swapped, cast(reading.other_half));
        let tiles = _mm256_or_si256(own, other);
        let [lower, upper]: [__m128i; 2] = cast(reading.members);
        let of_lower = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(lower), tiles);
        let of_upper = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(upper), tiles);
        // A byte whose top bit is set comes from the upper ones; a tile has its bit of 16 there.
        cast(_mm256_blendv_epi8(
            of_lower,
            of_upper,
            _mm256_slli_epi16::<3>(tiles),
        ))
    }

    /// The numbers of each half of a row, or of the first one.
    #[target_feature(enable = "avx2,bmi2")]
    #[inline]
    pub fn numbers(row: &ByteRow, is_half: bool) -> [u64; 2] {
        let eights: [u64; 4] = cast(*row);
        let of_eight = |bytes: u64| _pext_u64(bytes, u64::from_ne_bytes([NUMBER; 8]));
        let of_half = |half: usize| {
            of_eight(eights[2 * half]) | of_eight(eights[2 * half + 1]) << (8 * NUMBER_BITS)
        };
        [of_half(0), if is_half { 0 } else { of_half(1) }]
    }

    /// The places of a pattern's tiles and their numbers; of the first half of a row, or of all.
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    #[inline]
    pub fn find(members: &Members, pattern: u8, is_half: bool) -> (u32, u32) {
        let halves: [__m128i; 2] = cast(members.row);
        let of_half = |half: usize| {
            let patterns = _mm_and_si128(halves[half], _mm_set1_epi8(!NUMBER as i8));
            let wanted = _mm_set1_epi8((pattern << NUMBER_BITS) as i8);
            let places = _mm_movemask_epi8(_mm_cmpeq_epi8(patterns, wanted)) as u32;
            // A bit for each place, then all bits of its number.
            let bits = _pdep_u64(u64::from(places), LOWEST_BITS) * u64::from(NUMBER);
            (places, _pext_u64(members.numbers[half], bits) as u32)
        };
        let (mut places, mut order) = of_half(0);
        if !is_half {
            let (more, last) = of_half(1);
            order |= last << (NUMBER_BITS * places.count_ones() % 32);
            places |= more << HALF;
        }
        (places, order)
    }

    /// The lowest bit of each number of a half.
    const LOWEST_BITS: u64 = 0o1111_1111_1111_1111;

    /// For each cell of five bits, the two bytes that it lies in.
    static PAIRS: [[u8; 32]; 2] = {
        let mut pairs = [[0; 32]; 2];
        let mut cell = 0;
        while cell < 25 {
            let byte = (5 * cell / 8) as u8;
            // The last cell is within the last byte.
            pairs[cell / 16][cell % 16 * 2] = byte;
            pairs[cell / 16][cell % 16 * 2 + 1] = if byte < 15 { byte + 1 } else { 0x80 };
            cell += 1;
        }
        pairs
    };

    /// What shifts the highest bit of each cell to the highest of its two bytes.
    static FACTORS: [[u16; 16]; 2] = {
        let mut factors = [[0; 16]; 2];
        let mut cell = 0;
        while cell < 25 {
            factors[cell / 16][cell % 16] = 1 << (11 - 5 * cell % 8);
            cell += 1;
        }
        factors
    };
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is found on a board in any order, read in any order, with patterns of up to eight tiles.
    fn lanes_agree<W: Entry>(
        tiles: &[Tile],
        cells: &[Cell],
        first: u8,
    ) -> Result<(), TestCaseError> {
        let Some(lanes) = Avx2::new() else {
            return Ok(());
        };
        let word = (0..)
            .zip(tiles)
            .fold(W::default(), |word, (cell, &tile)| word.with(tile, cell));
        let reading = Reading::new(cells, |tile| ((tile + first) / 8, (tile + first) % 8));
        let row = lanes.tiles(word);
        prop_assert_eq!(row, Single.tiles(word));
        prop_assert_eq!(&row[..tiles.len()], tiles);
        let members = lanes.read::<W>(&row, &reading);
        prop_assert_eq!(members.row, Single.read::<W>(&row, &reading).row);
        for pattern in 0..5 {
            let found = lanes.find::<W>(&members, pattern);
            prop_assert_eq!(found, Single.find::<W>(&members, pattern));
            let count = (1..tiles.len() as u8)
                .filter(|tile| (tile + first) / 8 == pattern)
                .count();
            prop_assert_eq!(found.0.count_ones() as usize, count);
        }
        Ok(())
    }

    fn shuffled(cells: usize) -> impl Strategy<Value = Vec<u8>> {
        Just((0..cells as u8).collect::<Vec<_>>()).prop_shuffle()
    }

    proptest! {
        #[test]
        fn rows_of_sixteen(tiles in shuffled(16), cells in shuffled(16), first in 0..8u8) {
            lanes_agree::<u64>(&tiles, &cells, first)?;
        }

        #[test]
        fn rows_of_twelve(tiles in shuffled(12), cells in shuffled(12), first in 0..8u8) {
            lanes_agree::<u64>(&tiles, &cells, first)?;
        }

        #[test]
        fn rows_of_twenty_five(tiles in shuffled(25), cells in shuffled(25), first in 0..8u8) {
            lanes_agree::<u128>(&tiles, &cells, first)?;
        }

        #[test]
        fn rows_of_twenty(tiles in shuffled(20), cells in shuffled(20), first in 0..8u8) {
            lanes_agree::<u128>(&tiles, &cells, first)?;
        }
    }
}
