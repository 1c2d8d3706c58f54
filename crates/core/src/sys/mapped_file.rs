//! A file mapped into memory, which another program may cut off meanwhile.
//!
//! The bytes of a map are those of the file. Where the file becomes shorter, or its disk fails, a
//! read of what is gone is a bus error, and that ends a process without a word. Here the signal is
//! caught: empty pages take the place of lost ones, the read goes on with zeros, and whoever works
//! with the bytes asks [`is_lost`] before believing what came of them.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
#[cfg(unix)]
use std::time::Duration;
use std::time::SystemTime;

use memmap2::Mmap;

/// A whole file, to be read.
#[derive(Debug)]
pub struct MappedFile {
    map: Mmap,
    changed_at: Option<SystemTime>,
    #[cfg(unix)]
    range: &'static guard::Range,
}

impl MappedFile {
    /// Maps a file; nothing of it is read.
    pub fn open(path: &Path) -> io::Result<MappedFile> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // SAFETY: what a map shows may change only by writing into the file, and builders rename
        // a new one into its place. One that is cut off is caught below. Reading 2.4 GB instead
        // would take seconds at each start, and the memory of each process.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(MappedFile {
            #[cfg(unix)]
            range: guard::guard(&map),
            changed_at: changed_at(&metadata),
            map,
        })
    }

    /// When the file, or what the system keeps about it, last changed before it was mapped.
    pub fn changed_at(&self) -> Option<SystemTime> {
        self.changed_at
    }
}

impl AsRef<[u8]> for MappedFile {
    #[inline(always)]
    fn as_ref(&self) -> &[u8] {
        &self.map
    }
}

#[cfg(unix)]
impl Drop for MappedFile {
    fn drop(&mut self) {
        self.range.release();
    }
}

/// When a file last changed. Where the system notes that for itself it is no date that a copy takes
/// along.
fn changed_at(metadata: &Metadata) -> Option<SystemTime> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let seconds = Duration::from_secs(metadata.ctime().try_into().ok()?);
        let rest = Duration::from_nanos(metadata.ctime_nsec().try_into().ok()?);
        SystemTime::UNIX_EPOCH.checked_add(seconds + rest)
    }
    #[cfg(not(unix))]
    metadata.modified().ok()
}

/// Whether bytes are of a mapped file of which a part is gone: zeros stand for that part.
pub fn is_lost(bytes: &[u8]) -> bool {
    #[cfg(unix)]
    return guard::is_lost(bytes.as_ptr().addr());
    #[cfg(not(unix))]
    {
        // The system does not let a file be cut off that is mapped.
        let _ = bytes;
        false
    }
}

/// Has all of some bytes in memory, where the system can do that at once.
pub(crate) fn read_in(bytes: &[u8]) {
    #[cfg(target_os = "linux")]
    {
        let lead = bytes.as_ptr().addr() % page_size();
        let start = bytes.as_ptr().wrapping_sub(lead).cast_mut();
        // SAFETY: the range begins at the page of the first byte and ends with the last one; the
        // advice changes no content. A kernel that does not know it reads page by page, when they
        // are needed, and a page that is gone is an error here and no signal.
        unsafe { libc::madvise(start.cast(), lead + bytes.len(), libc::MADV_POPULATE_READ) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = bytes;
}

#[cfg(unix)]
fn page_size() -> usize {
    use std::sync::LazyLock;
    static SIZE: LazyLock<usize> = LazyLock::new(|| {
        // SAFETY: it asks for a constant of the system.
        let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        usize::try_from(size).unwrap_or(4096)
    });
    *SIZE
}

/// Which maps there are, and the handler that mends them.
#[cfg(unix)]
mod guard {
    use std::mem::zeroed;
    use std::ptr::{null, null_mut};
    use std::sync::OnceLock;
    use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
    use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize};

    use super::page_size;

    /// The addresses of a map. A handler may read it at any time, so it is never freed, nor used
    /// for another map.
    #[derive(Debug)]
    pub struct Range {
        start: usize,
        /// Not behind the start once the map is gone.
        end: AtomicUsize,
        is_lost: AtomicBool,
        next: *const Range,
    }

    // SAFETY: nothing in it changes but its atomics.
    unsafe impl Sync for Range {}
    // SAFETY: as above.
    unsafe impl Send for Range {}

    static NEWEST: AtomicPtr<Range> = AtomicPtr::new(null_mut());
    /// Whether any map has lost a page: one read tells searches that all is well.
    static ANY_LOST: AtomicBool = AtomicBool::new(false);
    /// What a bus error did before.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    impl Range {
        pub fn release(&self) {
            self.end.store(self.start, Release);
        }

        fn has(&self, address: usize) -> bool {
            (self.start..self.end.load(Acquire)).contains(&address)
        }
    }

    fn range_of(address: usize) -> Option<&'static Range> {
        let mut next: *const Range = NEWEST.load(Acquire);
        // SAFETY: ranges in the list are never freed.
        while let Some(range) = unsafe { next.as_ref() } {
            if range.has(address) {
                return Some(range);
            }
            next = range.next;
        }
        None
    }

    pub fn is_lost(address: usize) -> bool {
        ANY_LOST.load(Acquire) && range_of(address).is_some_and(|it| it.is_lost.load(Acquire))
    }

    /// Catches bus errors in a map from now on.
    pub fn guard(map: &[u8]) -> &'static Range {
        BEFORE.get_or_init(install);
        let start = map.as_ptr().addr();
        let range = Box::leak(Box::new(Range {
            start,
            end: AtomicUsize::new(start + map.len()),
            is_lost: AtomicBool::new(false),
            next: NEWEST.load(Relaxed),
        }));
        while let Err(newest) =
            NEWEST.compare_exchange_weak(range.next.cast_mut(), range, Release, Relaxed)
        {
            range.next = newest;
        }
        range
    }

    /// Installs the handler, and returns what it takes the place of.
    fn install() -> libc::sigaction {
        page_size();
        // SAFETY: the structures are this function's own, a handler of zeros is the default one,
        // and `on_bus_error` does only what a handler may.
        unsafe {
            let mut before: libc::sigaction = zeroed();
            let mut action: libc::sigaction = zeroed();
            action.sa_sigaction = on_bus_error as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(libc::SIGBUS, &action, &mut before);
            before
        }
    }

    /// Puts empty pages where a map has lost its own. All behind the first one are lost as well:
    /// the file was cut off there, or its disk does not read on.
    extern "C" fn on_bus_error(
        _signal: libc::c_int,
        info: *mut libc::siginfo_t,
        _context: *mut libc::c_void,
    ) {
        // SAFETY: the system hands over what it knows of the error.
        let address = unsafe { (*info).si_addr() }.addr();
        if let Some(range) = range_of(address) {
            let page = address - address % page_size();
            let length = range.end.load(Acquire).saturating_sub(page);
            // SAFETY: the pages are of a map that is there, for it is being read, and nothing
            // else has them. Readers see zeros from now on, which every table may hold.
            let mended = unsafe {
                libc::mmap(
                    page as *mut libc::c_void,
                    length,
                    libc::PROT_READ,
                    libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED,
                    -1,
                    0,
                )
            };
            if mended != libc::MAP_FAILED {
                range.is_lost.store(true, Release);
                ANY_LOST.store(true, Release);
                return;
            }
        }
        // Another's error: it happens again, and does what it did before.
        // SAFETY: the structure is the one that the system gave, or the default action.
        unsafe {
            let default: libc::sigaction = zeroed();
            let before = BEFORE.get().unwrap_or(&default);
            libc::sigaction(libc::SIGBUS, before, null::<libc::sigaction>().cast_mut());
        }
    }
}
