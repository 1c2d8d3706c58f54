//! Values of which a table keeps one bit each.
//!
//! Where a step changes a value by exactly one and its parity is known, one bit tells which of
//! two values it is, v - 1 or v + 1, if the value v of a neighbour is known: the bit that is
//! worth two. A search carries values along.

use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use super::TableFile;

/// Where the bits of a table lie.
#[derive(Debug)]
pub enum Bits {
    Built(Vec<u8>),
    Mapped(Box<TableFile<Mmap>>),
}

impl AsRef<[u8]> for Bits {
    #[inline(always)]
    fn as_ref(&self) -> &[u8] {
        match self {
            Bits::Built(bits) => bits,
            Bits::Mapped(file) => file.payload(),
        }
    }
}

impl Bits {
    /// Has all of them in memory.
    pub fn read_in(&self) {
        if let Bits::Mapped(file) = self {
            file.read_in();
        }
    }

    /// Whether this process built them, and no file has them.
    pub fn is_built(&self) -> bool {
        matches!(self, Bits::Built(_))
    }

    /// Their checksum, as a file's header has it.
    pub fn checksum(&self) -> u64 {
        match self {
            Bits::Built(bits) => xxh3_64(bits),
            Bits::Mapped(file) => file.header().payload_checksum,
        }
    }
}

/// The bit of a state, by its rank.
#[inline(always)]
pub(crate) fn bit_at(bits: &[u8], rank: usize) -> u8 {
    bits[rank / 8] >> (rank % 8) & 1
}

/// The value whose bit worth two is this one, of the two next to a value.
#[inline(always)]
pub(crate) fn next_value(before: u8, bit: u8) -> u8 {
    let larger = before.wrapping_add(1);
    larger.wrapping_sub((larger >> 1 & 1 ^ bit) << 1)
}
