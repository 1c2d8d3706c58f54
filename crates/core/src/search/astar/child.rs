//! A state on its way to the lists.

use super::closed::SEGMENTS;
use super::open::Bucket;

/// A child that waits to be looked up in the closed list.
pub(crate) struct Child<W, N> {
    /// With the move that led to it.
    pub entry: W,
    pub bucket: Bucket,
    pub note: N,
    /// The h of the state that it was made from.
    pub parent_h: u32,
    /// Its line in the closed list, and the segment which that is in.
    pub home: usize,
    pub segment: u8,
    /// Whether it was not reached as well before.
    pub is_improved: bool,
}

impl<W, N> Child<W, N> {
    #[inline(always)]
    pub fn new(entry: W, bucket: Bucket, parent_h: u32, note: N) -> Child<W, N> {
        Child {
            entry,
            bucket,
            note,
            parent_h,
            home: 0,
            segment: 0,
            is_improved: false,
        }
    }

    #[inline(always)]
    pub fn segment(&self) -> usize {
        usize::from(self.segment) % SEGMENTS
    }
}
