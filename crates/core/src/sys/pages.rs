//! Memory straight from the system: reserved at once, zeroed, taken when it is first used; or a file.

use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::mem::size_of;
use std::slice;

use bytemuck::Zeroable;
use memmap2::{MmapMut, MmapOptions};

use super::huge_pages::HUGE_PAGE;

/// A slice that is as long as it may ever become, and takes memory only where it was written.
pub(crate) struct Pages<T> {
    pages: MmapMut,
    len: usize,
    entry: PhantomData<T>,
}

impl<T: Zeroable + Copy> Pages<T> {
    /// Reserves address space for so many entries; `None` where there is not so much.
    pub fn reserve(len: usize) -> Option<Pages<T>> {
        let bytes = len.checked_mul(size_of::<T>())?;
        // Linux lets a map begin where a huge page does if its length is a multiple of one.
        let unit = if bytes < HUGE_PAGE { 1 } else { HUGE_PAGE };
        let bytes = bytes.max(1).checked_next_multiple_of(unit)?;
        let pages = MmapOptions::new().len(bytes).no_reserve_swap().map_anon();
        Some(Pages {
            pages: pages.ok()?,
            len,
            entry: PhantomData,
        })
    }

    /// The entries of a file, which has so many: what is written there comes into the file.
    pub fn of_file(file: &File, len: usize) -> io::Result<Pages<T>> {
        // SAFETY: the file is the caller's own, under a lock, and has its full length.
        let pages = unsafe { MmapOptions::new().len(len * size_of::<T>()).map_mut(file) };
        Ok(Pages {
            pages: pages?,
            len,
            entry: PhantomData,
        })
    }

    /// Returns when the disk has what was written, if this is a file.
    pub fn flush(&self) -> io::Result<()> {
        self.pages.flush()
    }

    #[inline(always)]
    pub fn all(&self) -> &[T] {
        // SAFETY: a page is aligned as any word is, its bytes are initialised to zeros, of which
        // an entry may be made, and there are that many; a map is never longer than `isize::MAX`.
        // A checked cast asks for that again at each of 1.5 probes a node.
        unsafe { slice::from_raw_parts(self.pages.as_ptr().cast(), self.len) }
    }

    #[inline(always)]
    pub fn all_mut(&mut self) -> &mut [T] {
        // SAFETY: as above.
        unsafe { slice::from_raw_parts_mut(self.pages.as_mut_ptr().cast(), self.len) }
    }
}
