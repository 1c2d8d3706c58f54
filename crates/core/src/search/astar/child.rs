//! A state on its way to the lists.

use super::open::Bucket;

/// A child that waits to be looked up in the closed list. With a board of 4x4 and no note it takes 16 bytes: threads
/// send most of their children to other workers.
#[derive(Clone, Copy)]
pub(crate) struct Child<W, N> {
    /// With the move that led to it.
    pub entry: W,
    pub note: N,
    layer: u16,
    h: u16,
    /// The h of the state that it was made from.
    parent_h: u16,
    /// Whether it was not reached as well before.
    pub is_improved: bool,
}

/// The largest number that is kept, half of what 16 bits hold: so the sum of two of them has room there too. No board
/// of up to 25 cells is so many moves from its goal, and tags have room for 256 layers. What is larger stays the
/// largest.
const LARGEST: u32 = i16::MAX as u32;

#[inline(always)]
fn narrow(number: u32) -> u16 {
    number.min(LARGEST) as u16
}

impl<W, N> Child<W, N> {
    #[inline(always)]
    pub fn new(entry: W, bucket: Bucket, parent_h: u32, note: N) -> Child<W, N> {
        Child {
            entry,
            note,
            layer: narrow(bucket.layer),
            h: narrow(bucket.h),
            parent_h: narrow(parent_h),
            is_improved: false,
        }
    }

    #[inline(always)]
    pub fn h(&self) -> u32 {
        self.h.into()
    }

    #[inline(always)]
    pub fn set_h(&mut self, h: u32) {
        self.h = narrow(h);
    }

    /// How much f has grown from the state that it was made from; below 0 if it fell.
    #[inline(always)]
    pub fn growth(&self) -> i32 {
        i32::from(self.h) + 1 - i32::from(self.parent_h)
    }

    #[inline(always)]
    pub fn layer(&self) -> u32 {
        self.layer.into()
    }

    /// Puts it so many layers farther than its parent.
    #[inline(always)]
    pub fn add_layers(&mut self, layers: u32) {
        self.layer += narrow(layers);
    }

    /// Where it goes on the open list.
    #[inline(always)]
    pub fn bucket(&self) -> Bucket {
        Bucket {
            layer: self.layer(),
            h: self.h(),
        }
    }
}
