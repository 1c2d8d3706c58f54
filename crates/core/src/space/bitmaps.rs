//! Bitmaps of states: in memory, or in files that are mapped.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

use rayon::prelude::*;

use super::index::Index;
use super::watch::{Cancelled, Watch};
use crate::sys::huge_pages::use_huge_pages;
use crate::sys::pages::Pages;
use crate::sys::vectors::with_vectors;

/// Chunks that a thread takes at a time.
const GROUP: usize = 64;

/// Some maps, each with a bit for every order of tiles. Chunks of the same number lie side by side,
/// since a pass works on all of them.
pub(super) struct Bitmaps {
    pages: Pages<u64>,
    maps: usize,
    chunk: usize,
}

/// One of them.
#[derive(Clone, Copy)]
pub(super) struct Map<'a> {
    all: &'a [u64],
    maps: usize,
    number: usize,
    chunk: usize,
}

impl Bitmaps {
    /// Empty maps in memory; `None` where there is not so much.
    pub fn in_memory(index: &Index, maps: usize) -> Option<Bitmaps> {
        let mut pages = Pages::reserve(index.words().checked_mul(maps)?)?;
        use_huge_pages(pages.all_mut());
        Some(Bitmaps::over(pages, index, maps))
    }

    /// The maps of a file. One that is made anew is empty, and has all its room on the disk.
    pub fn in_file(path: &Path, index: &Index, maps: usize, is_new: bool) -> io::Result<Bitmaps> {
        let words = index.words() * maps;
        let bytes = 8 * words as u64;
        let mut options = OpenOptions::new();
        let file = options
            .read(true)
            .write(true)
            .create(is_new)
            .truncate(is_new)
            .open(path)?;
        if is_new {
            // A map that finds no room on the disk later on would be the end of the process.
            fs4::FileExt::allocate(&file, bytes)?;
            file.set_len(bytes)?;
        } else if file.metadata()?.len() != bytes {
            let cut = format!("{} is not as long as it was made", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, cut));
        }
        Ok(Bitmaps::over(Pages::of_file(&file, words)?, index, maps))
    }

    fn over(pages: Pages<u64>, index: &Index, maps: usize) -> Bitmaps {
        Bitmaps {
            pages,
            maps,
            chunk: index.chunk(),
        }
    }

    /// Puts all that was written on the disk, if it is in a file.
    pub fn flush(&self) -> io::Result<()> {
        self.pages.flush()
    }

    pub fn map(&self, number: usize) -> Map<'_> {
        Map {
            all: self.pages.all(),
            maps: self.maps,
            number,
            chunk: self.chunk,
        }
    }

    /// The words of all maps: for each chunk those of the first map, of the second …
    pub fn all(&self) -> &[u64] {
        self.pages.all()
    }

    pub fn insert(&mut self, number: usize, word: usize, bit: u32) {
        let place = place(word, self.maps, number, self.chunk);
        self.pages.all_mut()[place] |= 1 << bit;
    }
}

/// Groups of chunks that a pass takes.
pub(super) fn groups(index: &Index) -> usize {
    index.chunks().div_ceil(GROUP)
}

/// A pass over all chunks, on all threads: calls back with the number of a chunk and its words,
/// those of all maps, and adds up what that returns.
pub(super) fn for_chunks(
    bitmaps: &mut Bitmaps,
    watch: &Watch<'_>,
    work: impl Fn(usize, &mut [u64]) -> u64 + Sync,
) -> Result<u64, Cancelled> {
    let stride = bitmaps.maps * bitmaps.chunk;
    let groups = bitmaps.pages.all_mut().par_chunks_mut(stride * GROUP);
    let sums = groups.enumerate().map(|(group, words)| {
        if !watch.goes_on() {
            return 0;
        }
        let sum = with_vectors(
            #[inline(always)]
            || {
                let chunks = words.chunks_exact_mut(stride).enumerate();
                chunks
                    .map(|(number, words)| work(group * GROUP + number, words))
                    .sum()
            },
        );
        watch.group_done();
        sum
    });
    watch.ended(sums.sum())
}

impl<'a> Map<'a> {
    #[inline(always)]
    pub fn chunk(self, chunk: usize) -> &'a [u64] {
        self.words(chunk * self.chunk, self.chunk)
    }

    /// Some words inside of one chunk.
    #[inline(always)]
    pub fn words(self, first: usize, words: usize) -> &'a [u64] {
        &self.all[place(first, self.maps, self.number, self.chunk)..][..words]
    }
}

#[inline(always)]
fn place(word: usize, maps: usize, number: usize, chunk: usize) -> usize {
    (word / chunk * maps + number) * chunk + word % chunk
}
