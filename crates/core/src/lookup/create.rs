//! Making a table's file so that one with the final name is always whole.
//!
//! The bytes go to a temporary name in the same folder, to the disk, and only then to the final
//! name. A builder holds a lock on its temporary file: one without a lock is what a killed
//! builder left, whatever its process number means by now.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use super::{Description, Header, TableError, TableProblem};
use crate::sys::atomic_file::{self, AtomicFile, folder_of};

/// Ends the name of a file that is being written.
const PART: &str = ".slidetab-part";
/// Bytes between two questions whether the caller still wants the file.
const CHUNK: usize = 16 << 20;

/// Writes a table; whatever happens, `path` is afterwards as before or the whole new table.
pub fn create(
    path: &Path,
    table: &Description,
    payload: &[u8],
    is_cancelled: &dyn Fn() -> bool,
) -> Result<(), TableError> {
    let fail = |problem| TableError::new(path, problem);
    refuse_foreign(path)?;
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(|error| fail(TableProblem::Write(error)))?;
    remove_leftovers(folder);
    check_room(path, payload.len() as u64)?;
    let mut part =
        AtomicFile::create(path, PART).map_err(|error| fail(TableProblem::Write(error)))?;
    let header = Header::new(table, payload).to_bytes();
    for bytes in std::iter::once(&header[..]).chain(payload.chunks(CHUNK)) {
        if is_cancelled() {
            return Err(fail(TableProblem::Cancelled));
        }
        let written = part.write_all(bytes);
        written.map_err(|error| fail(TableProblem::Write(error)))?;
    }
    part.finish()
        .map_err(|error| fail(TableProblem::Write(error)))
}

/// Refuses the place of a file that no builder made. A damaged table still begins like one.
pub(super) fn refuse_foreign(path: &Path) -> Result<(), TableError> {
    let mut begin = Vec::new();
    let read = File::open(path).and_then(|file| file.take(8).read_to_end(&mut begin));
    match read.is_ok() && !Header::begins_like(&begin) {
        true => Err(TableError::new(path, TableProblem::Foreign)),
        false => Ok(()),
    }
}

/// Refuses a table whose payload does not fit the disk.
pub(super) fn check_room(path: &Path, payload_len: u64) -> Result<(), TableError> {
    let needed = payload_len.saturating_add(Header::LEN as u64);
    // A folder that is not there yet will be on the disk of the nearest one that is.
    let existing = path.ancestors().map(folder_of).find(|path| path.is_dir());
    let free = fs4::available_space(existing.unwrap_or(Path::new(".")))
        .map_err(|error| TableError::new(path, TableProblem::Write(error)))?;
    match needed <= free {
        true => Ok(()),
        false => Err(TableError::new(path, TableProblem::NoRoom { needed, free })),
    }
}

/// Removes what killed builders left in a folder.
pub(super) fn remove_leftovers(folder: &Path) {
    atomic_file::remove_leftovers(folder, |name| name.starts_with('.') && name.ends_with(PART));
}
