//! A new folder for one call, removed behind it with all that the program left there.

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

pub(super) struct Folder(PathBuf);

impl Folder {
    pub fn new() -> io::Result<Folder> {
        static FOLDERS: AtomicU32 = AtomicU32::new(0);
        let number = FOLDERS.fetch_add(1, Relaxed);
        let name = format!("slidebench-check-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // A process of the same number may have died and left its own.
        let _ = fs::remove_dir_all(&path);
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Folder(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
