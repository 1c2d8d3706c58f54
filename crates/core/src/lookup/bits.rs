//! Values of which a table keeps one bit each.
//!
//! Where a step changes a value by exactly one and its parity is known, one bit tells which of
//! two values it is, v - 1 or v + 1, if the value v of a neighbour is known: the bit that is
//! worth two. A search carries values along.

use std::time::SystemTime;

use xxhash_rust::xxh3::xxh3_64;

use super::{Directory, FormatError, Kind, TableError, TableFile, TableProblem, VALUES};
use crate::puzzle::Size;
use crate::sys::mapped_file::{MappedFile, is_lost};

/// Where the bits of a table lie.
#[derive(Debug)]
pub enum Bits {
    /// Built by this process.
    Built(Vec<u8>),
    /// Mapped from a file.
    Mapped(Box<TableFile<MappedFile>>),
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
    /// Opens the file of a table; `None` where there is none. It has to have that encoding and so
    /// many bytes.
    pub(super) fn open(
        directory: &Directory,
        (kind, size): (Kind, Size),
        encoding: u32,
        bytes: usize,
    ) -> Result<Option<Bits>, TableError> {
        let Some(file) = directory.open(kind, size)? else {
            return Ok(None);
        };
        let found = (file.header().table.encoding, file.payload().len());
        if found != (encoding, bytes) {
            let content = format!(
                "encoding {} in {} bytes, where encoding {encoding} in {bytes} is expected",
                found.0, found.1
            );
            let problem = TableProblem::Format(FormatError::Content(content));
            return Err(TableError::new(directory.path_of(kind, size), problem));
        }
        Ok(Some(Bits::Mapped(Box::new(file))))
    }

    /// Has all of them in memory.
    pub fn read_in(&self) {
        if let Bits::Mapped(file) = self {
            file.read_in();
        }
    }

    /// Reads all of them against the checksum of their file; what this process built has none.
    pub fn verify(&self) -> Result<(), FormatError> {
        match self {
            Bits::Built(_) => Ok(()),
            Bits::Mapped(file) => file.verify(),
        }
    }

    /// Whether a part of their file went away while it was in use.
    pub(crate) fn are_lost(&self) -> bool {
        is_lost(self.as_ref())
    }

    /// Whether this process built them, and no file has them.
    pub fn is_built(&self) -> bool {
        matches!(self, Bits::Built(_))
    }

    /// When their file last changed, if they are from one and the system says.
    pub fn changed_at(&self) -> Option<SystemTime> {
        match self {
            Bits::Built(_) => None,
            Bits::Mapped(file) => file.changed_at(),
        }
    }

    /// Their checksum, as a file's header has it.
    pub fn checksum(&self) -> u64 {
        match self {
            Bits::Built(bits) => xxh3_64(bits),
            Bits::Mapped(file) => file.header().payload_checksum,
        }
    }
}

/// The value of a state, by walking home: `nearer` finds a neighbour whose bit is this one.
/// `residue` is the value but for a multiple of four, which the steps add up to.
///
/// A table that is damaged may have no way home; then it is what the way was until it ended.
pub(super) fn steps_home<S>(
    mut state: S,
    mut residue: u8,
    is_home: impl Fn(&S) -> bool,
    nearer: impl Fn(&S, u8) -> Option<S>,
) -> u8 {
    let mut steps = 0;
    while !is_home(&state) && usize::from(steps) < VALUES {
        residue = residue.wrapping_sub(1) % 4;
        let Some(next) = nearer(&state, residue / 2) else {
            break;
        };
        state = next;
        steps += 1;
    }
    steps
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
