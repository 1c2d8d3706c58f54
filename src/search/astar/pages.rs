//! Memory straight from the system: reserved at once, zeroed, taken when it is first used.

use std::marker::PhantomData;
use std::mem::size_of;
use std::slice;

use bytemuck::Zeroable;
use memmap2::{MmapMut, MmapOptions};

use crate::search::Stop;

/// Address space where there is no limit: more than any machine has memory.
const UNLIMITED: u64 = 1 << 40;

/// A slice that is as long as it may ever become, and takes memory only where it was written.
pub(super) struct Pages<T> {
    pages: MmapMut,
    len: usize,
    entry: PhantomData<T>,
}

impl<T: Zeroable + Copy> Pages<T> {
    /// Reserves address space for as many bytes as there may be memory, as much of it as the
    /// system lets have, but for `least` entries.
    pub fn reserve(most: Option<u64>, least: usize) -> Result<Pages<T>, Stop> {
        let mut len = most.unwrap_or(UNLIMITED) as usize / size_of::<T>();
        loop {
            len = len.max(least);
            let bytes = len * size_of::<T>();
            match MmapOptions::new().len(bytes).no_reserve_swap().map_anon() {
                Ok(pages) => {
                    return Ok(Pages {
                        pages,
                        len,
                        entry: PhantomData,
                    });
                }
                Err(_) if len > least => len /= 2,
                Err(_) => return Err(Stop::Memory),
            }
        }
    }

    #[inline(always)]
    pub fn all(&self) -> &[T] {
        // SAFETY: a page is aligned as any word is, its bytes are initialised to zeros, of which
        // an entry may be made, and there are that many. A checked cast asks for that again at
        // each of 1.5 probes a node.
        unsafe { slice::from_raw_parts(self.pages.as_ptr().cast(), self.len) }
    }

    #[inline(always)]
    pub fn all_mut(&mut self) -> &mut [T] {
        // SAFETY: as above.
        unsafe { slice::from_raw_parts_mut(self.pages.as_mut_ptr().cast(), self.len) }
    }
}
