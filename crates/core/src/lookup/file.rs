//! A table's file: a header, and the payload that it describes.

use std::path::Path;
use std::time::SystemTime;

use xxhash_rust::xxh3::xxh3_64;

use super::{FormatError, Header, Kind, TableError, TableProblem};
use crate::puzzle::Size;
use crate::sys::mapped_file::{MappedFile, read_in};

/// A table over any bytes: a memory-mapped file, or a vector.
///
/// The file is a [`Header`] of one page and the payload, nothing else.
#[derive(Clone, Debug)]
pub struct TableFile<D> {
    data: D,
    header: Header,
}

impl<D: AsRef<[u8]>> TableFile<D> {
    /// Checks the header and the length, and reads nothing else.
    pub fn new(data: D) -> Result<TableFile<D>, FormatError> {
        let bytes = data.as_ref();
        let header = Header::from_bytes(bytes)?;
        let found = bytes.len() as u64;
        let expected = header.payload_len.saturating_add(Header::LEN as u64);
        if found != expected {
            return Err(FormatError::Length { expected, found });
        }
        Ok(TableFile { data, header })
    }

    /// What it says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What it holds.
    #[inline(always)]
    pub fn payload(&self) -> &[u8] {
        &self.data.as_ref()[Header::LEN..]
    }

    /// Reads all of the payload and compares its checksum.
    pub fn verify(&self) -> Result<(), FormatError> {
        match checksum_reading_in(self.payload()) == self.header.payload_checksum {
            true => Ok(()),
            false => Err(FormatError::PayloadChecksum),
        }
    }

    /// Refuses a table that is not the one that is wanted.
    pub fn expect(self, kind: Kind, size: Size) -> Result<TableFile<D>, FormatError> {
        let (found, found_size) = (self.header.table.kind, self.header.table.size);
        match (found, found_size) == (kind, size) {
            true => Ok(self),
            false => Err(FormatError::Other {
                kind,
                size,
                found,
                found_size,
            }),
        }
    }
}

/// The payload, for tables that own their file.
impl<D: AsRef<[u8]>> AsRef<[u8]> for TableFile<D> {
    fn as_ref(&self) -> &[u8] {
        self.payload()
    }
}

impl TableFile<MappedFile> {
    /// Maps a file into memory; nothing of the payload is read.
    pub fn open(path: &Path) -> Result<TableFile<MappedFile>, TableError> {
        let map = MappedFile::open(path)
            .map_err(|error| TableError::new(path, TableProblem::Read(error)))?;
        TableFile::new(map).map_err(|error| TableError::new(path, TableProblem::Format(error)))
    }

    /// When the file last changed, if the system says.
    pub fn changed_at(&self) -> Option<SystemTime> {
        self.data.changed_at()
    }

    /// Reads all of the file into memory, where the system can, so that no search has to wait for
    /// a page of it.
    pub fn read_in(&self) {
        read_in(self.payload());
    }

    /// Maps a file and reads all of it against its checksum.
    pub fn open_verified(path: &Path) -> Result<TableFile<MappedFile>, TableError> {
        let table = TableFile::open(path)?;
        match table.verify() {
            Ok(()) => Ok(table),
            Err(error) => Err(TableError::new(path, TableProblem::Format(error))),
        }
    }
}

/// The checksum of bytes that may not be in memory yet.
///
/// XXH3 reads faster than any disk, and faster than the system maps pages that it has. So one
/// thread asks for the pages, and another one reads behind it.
pub(super) fn checksum_reading_in(bytes: &[u8]) -> u64 {
    /// Bytes that are read sooner than a second thread begins.
    const FEW: usize = 1 << 20;
    match bytes.len() < FEW {
        true => xxh3_64(bytes),
        false => rayon::join(|| read_in(bytes), || xxh3_64(bytes)).1,
    }
}
