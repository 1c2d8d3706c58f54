//! Making a table's file so that one with the final name is always whole.
//!
//! The bytes go to a temporary name in the same folder, to the disk, and only then to the final
//! name. A builder holds a lock on its temporary file: one without a lock is what a killed
//! builder left, whatever its process number means by now.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::{Description, Header, TableError, TableProblem};

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
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(|error| fail(TableProblem::Write(error)))?;
    remove_leftovers(folder);
    check_room(path, payload.len() as u64)?;
    let mut part = UnfinishedFile::new(path).map_err(|error| fail(TableProblem::Write(error)))?;
    let header = Header::new(table, payload).to_bytes();
    for bytes in std::iter::once(&header[..]).chain(payload.chunks(CHUNK)) {
        if is_cancelled() {
            return Err(fail(TableProblem::Cancelled));
        }
        let written = part.file.write_all(bytes);
        written.map_err(|error| fail(TableProblem::Write(error)))?;
    }
    part.rename_to(path)
        .map_err(|error| fail(TableProblem::Write(error)))
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

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Removes what killed builders left in a folder. What cannot be removed does no harm.
pub(super) fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if !is_part(&entry.file_name()) {
            continue;
        }
        let file = OpenOptions::new().write(true).open(entry.path());
        if let Ok(file) = file
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_part(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with('.') && name.ends_with(PART)
}

/// A file that is being written; removed if it does not come to its final name.
struct UnfinishedFile {
    file: File,
    path: PathBuf,
    is_renamed: bool,
}

impl UnfinishedFile {
    /// A new file beside `path`, locked, with a name that no other builder has.
    fn new(path: &Path) -> io::Result<UnfinishedFile> {
        static BUILDS: AtomicU32 = AtomicU32::new(0);
        loop {
            let mut name = std::ffi::OsString::from(".");
            name.push(path.file_name().unwrap_or_default());
            let build = BUILDS.fetch_add(1, Relaxed);
            name.push(format!(".{}-{build}{PART}", std::process::id()));
            let part_path = folder_of(path).join(name);
            let created = File::create_new(&part_path);
            let file = match created {
                // What a killed builder with the same process number left.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                created => created?,
            };
            file.lock()?;
            // Another builder that looked for leftovers may have been here before the lock.
            if part_path.exists() {
                return Ok(UnfinishedFile {
                    file,
                    path: part_path,
                    is_renamed: false,
                });
            }
        }
    }

    fn rename_to(mut self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, path)?;
        self.is_renamed = true;
        // The name is on the disk when the folder is.
        File::open(folder_of(path))?.sync_all()
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        if !self.is_renamed {
            let _ = fs::remove_file(&self.path);
        }
    }
}
