//! A table's file: a header, and the payload that it describes.

use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::SystemTime;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

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
/// XXH3 reads faster than a disk. So another thread asks for the pages, and this one is a block behind
/// it. Where both begin at once, this one asks the disk too, page by page: from a disk of 2 GB/s, 170
/// MiB took a fifth longer than reading alone, and a tenth so (the least of 15 runs each).
pub(super) fn checksum_reading_in(bytes: &[u8]) -> u64 {
    /// Bytes that are asked for at once: the last ones are hashed when nothing is left to read, and
    /// with less the disk has pauses.
    const BLOCK: usize = 4 << 20;
    if bytes.len() <= BLOCK {
        return xxh3_64(bytes);
    }
    let (is_read, wait) = mpsc::channel();
    let read_all = move || {
        for block in bytes.chunks(BLOCK) {
            read_in(block);
            // Whoever waits for it does so to the last.
            let _ = is_read.send(());
        }
    };
    thread::scope(|scope| {
        // It waits for the disk and needs no core, so it is none of those that compute. Without it,
        // nothing is waited for, and pages come when they are hashed.
        let _reader = thread::Builder::new().spawn_scoped(scope, read_all);
        let mut hash = Xxh3::new();
        for block in bytes.chunks(BLOCK) {
            let _ = wait.recv();
            hash.update(block);
        }
        hash.digest()
    })
}
