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
    /// The layer that it was reached in before; its own, if it was not. Tags have room for no more than a byte.
    pub before: u8,
}

/// In 16 bits: no board of up to 25 cells is 65,535 moves from its goal, and tags have room for 256 layers. What is
/// larger stays the largest.
#[inline(always)]
fn narrow(number: u32) -> u16 {
    number.min(u16::MAX.into()) as u16
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
            before: 0,
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

    /// How much f has grown from the state that it was made from; `None` if it fell.
    #[inline(always)]
    pub fn growth(&self) -> Option<u32> {
        (self.h() + 1).checked_sub(self.parent_h.into())
    }

    #[inline(always)]
    pub fn layer(&self) -> u32 {
        self.layer.into()
    }

    /// Puts it so many layers farther.
    #[inline(always)]
    pub fn add_layers(&mut self, layers: u32) {
        self.layer = self.layer.saturating_add(narrow(layers));
    }

    /// Where it goes on the open list.
    #[inline(always)]
    pub fn bucket(&self) -> Bucket {
        Bucket {
            layer: self.layer(),
            h: self.h(),
        }
    }

    /// Where it waits since it was reached before, if it does.
    #[inline(always)]
    pub fn bucket_before(&self) -> Option<Bucket> {
        let layer = u32::from(self.before);
        (layer != self.layer()).then(|| Bucket { layer, h: self.h() })
    }
}
