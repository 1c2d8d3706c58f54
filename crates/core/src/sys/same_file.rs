//! Whether two paths are one file, however they are spelled.

use std::fs;
use std::path::{Path, PathBuf};

use super::atomic_file::folder_of;

/// Whether what is written to one path would be written to the other: by their spelling, by a
/// link, or because two names lead to one file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    if identity(one).is_some_and(|it| Some(it) == identity(other)) {
        return true;
    }
    resolved(one) == resolved(other)
}

/// The device and the number of a file that is there.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}

/// The file that a link leads to, whether it is there or not; any other path as it is.
pub fn followed(path: &Path) -> PathBuf {
    // As many as the system follows itself; those of a circle are its to refuse.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => break,
        }
    }
    path
}

/// The path without links and dots; of a file that is not there, that of its folder. A link may be
/// there before its file is.
fn resolved(path: &Path) -> PathBuf {
    let path = followed(path);
    fs::canonicalize(&path).unwrap_or_else(|_| {
        let folder = fs::canonicalize(folder_of(&path));
        let folder = folder.unwrap_or_else(|_| folder_of(&path).to_owned());
        folder.join(path.file_name().unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_their_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name| folder.path().join(name);
        std::os::unix::fs::symlink("b", path("a")).unwrap();
        std::os::unix::fs::symlink(path("c"), path("b")).unwrap();
        assert_eq!(followed(&path("a")), path("c"));
        assert_eq!(followed(&path("c")), path("c"));
        std::os::unix::fs::symlink("d", path("d")).unwrap();
        assert_eq!(followed(&path("d")), path("d"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_its_file_before_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name| folder.path().join(name);
        std::os::unix::fs::symlink("rows", path("link")).unwrap();
        assert!(is_same_file(&path("link"), &path("rows")));
        assert!(is_same_file(&path("rows"), &path("link")));
        assert!(!is_same_file(&path("link"), &path("others")));
    }

    #[test]
    fn one_file_has_many_names() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        let dotted = folder.path().join("./a");
        assert!(is_same_file(&file, &dotted));
        fs::write(&file, "").unwrap();
        assert!(is_same_file(&file, &dotted));
        let other = folder.path().join("b");
        assert!(!is_same_file(&file, &other));
        fs::hard_link(&file, &other).unwrap();
        assert!(is_same_file(&file, &other));
    }
}
