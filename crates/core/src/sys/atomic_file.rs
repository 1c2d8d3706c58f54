//! A file that comes to its name whole: written beside it, given to the disk, renamed.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A file that is being written under another name; removed if it does not come to its own.
///
/// It is locked: one without a lock is what a killed process left, whatever its number means by
/// now.
#[derive(Debug)]
pub struct AtomicFile {
    file: File,
    unfinished: PathBuf,
    path: PathBuf,
    is_renamed: bool,
}

impl AtomicFile {
    /// Begins a file that is written while its caller works, in place of what killed callers left of
    /// it.
    pub fn begin(path: &Path) -> io::Result<AtomicFile> {
        remove_leftovers(folder_of(path), |name| is_unfinished(name, path));
        AtomicFile::create(path, ENDING)
    }

    /// Begins a file beside `path`, under a hidden name that ends so and that no other process has.
    pub fn create(path: &Path, ending: &str) -> io::Result<AtomicFile> {
        static FILES: AtomicU32 = AtomicU32::new(0);
        loop {
            let mut name = OsString::from(".");
            name.push(path.file_name().unwrap_or_default());
            let number = FILES.fetch_add(1, Relaxed);
            name.push(format!(".{}-{number}{ending}", std::process::id()));
            let unfinished = folder_of(path).join(name);
            let file = match File::create_new(&unfinished) {
                // What a killed process of the same number left.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                created => created?,
            };
            file.lock()?;
            // One that looks for what others left may have been here before the lock.
            if unfinished.exists() {
                return Ok(AtomicFile {
                    file,
                    unfinished,
                    path: path.to_owned(),
                    is_renamed: false,
                });
            }
        }
    }

    /// Gives the file its name, in place of one that is there, once the disk has all of it.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        self.rename()?;
        // The name is on the disk when the folder is.
        File::open(folder_of(&self.path))?.sync_all()
    }

    /// The same at once: the disk has it when the file that is returned is synced.
    pub fn finish_ahead(mut self) -> io::Result<File> {
        let file = self.file.try_clone()?;
        self.rename()?;
        Ok(file)
    }

    fn rename(&mut self) -> io::Result<()> {
        fs::rename(&self.unfinished, &self.path)?;
        self.is_renamed = true;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.is_renamed {
            let _ = fs::remove_file(&self.unfinished);
        }
    }
}

/// Writes a file whole: whatever happens, `path` is afterwards as before or the new file.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = AtomicFile::create(path, ENDING)?;
    file.write_all(bytes.as_ref())?;
    file.finish()
}

/// The same, and the disk has it only when the file that is returned is synced.
pub fn write_whole_ahead(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<File> {
    let mut file = AtomicFile::create(path, ENDING)?;
    file.write_all(bytes.as_ref())?;
    file.finish_ahead()
}

const ENDING: &str = ".tmp";

/// Whether a name is one that [`AtomicFile::begin`] gives to a file of this path.
fn is_unfinished(name: &str, path: &Path) -> bool {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let number = name.strip_prefix(&format!(".{file}."));
    let number = number.and_then(|rest| rest.strip_suffix(ENDING));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    number
        .and_then(|number| number.split_once('-'))
        .is_some_and(|(process, file)| is_digits(process) && is_digits(file))
}

/// Removes files that killed processes left in a folder, known by their names and by having no lock.
/// What cannot be removed does no harm.
pub fn remove_leftovers(folder: &Path, is_unfinished: impl Fn(&str) -> bool) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || !is_unfinished(&entry.file_name().to_string_lossy()) {
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

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
