//! What A* asks of an estimate: what of it travels through the open list, and the values of a
//! whole batch of children.

use std::mem::size_of;

use bytemuck::Pod;

use super::child::Child;
use super::line::Lanes;
use crate::heuristic::{Heuristic, SteppedWalk, SteppedWalks};
use crate::puzzle::{Move, Packed, Tile, Word};

/// An estimate as A* reads it. Each thread has one of its own.
pub(super) trait Estimates<W: Word>: Send {
    /// What travels with a state through the open list, besides its h.
    type Note: Pod + Send + Sync;

    /// What is known of a state whose children are made.
    type Parent: Copy;

    /// What a path carries that goes on from a state of the open list.
    type Carried;

    /// The steps in which f can grow.
    const STEP: u32;

    /// How many bytes of a note have to be kept; the others are zeros.
    fn note_bytes(&self) -> usize {
        size_of::<Self::Note>()
    }

    /// The estimate at the start.
    fn start(&self, state: Packed<W>) -> (u32, Self::Note);

    /// What is known of a state that was popped.
    fn resume(
        &mut self,
        lanes: impl Lanes,
        state: Packed<W>,
        h: u32,
        note: Self::Note,
    ) -> Self::Parent;

    /// The estimate of a child, or what stands for it until [`Estimates::finish`].
    fn child(
        &mut self,
        lanes: impl Lanes,
        parent: &Self::Parent,
        before: Packed<W>,
        after: Packed<W>,
        slide: (Move, Tile),
    ) -> (u32, Self::Note);

    /// What a path carries that goes on from a state that was on the open list.
    fn carried(&mut self, state: Packed<W>, h: u32, note: Self::Note) -> Self::Carried;

    /// Estimates all children that were made since the last time, if that was put off.
    fn finish(&mut self, _children: &mut [Child<W, Self::Note>]) {}
}

/// A heuristic that a state and its h are enough for.
pub(super) struct Computed<'a, H>(pub &'a H);

impl<W: Word, H: Heuristic<W>> Estimates<W> for Computed<'_, H> {
    type Note = ();
    type Parent = H::Carried;
    type Carried = H::Carried;

    const STEP: u32 = H::STEP;

    fn start(&self, state: Packed<W>) -> (u32, ()) {
        (self.0.value(self.0.start(state)), ())
    }

    #[inline(always)]
    fn resume(&mut self, _: impl Lanes, state: Packed<W>, h: u32, (): ()) -> H::Carried {
        self.0.resume(state, h)
    }

    #[inline(always)]
    fn child(
        &mut self,
        _: impl Lanes,
        &parent: &H::Carried,
        before: Packed<W>,
        after: Packed<W>,
        (_, tile): (Move, Tile),
    ) -> (u32, ()) {
        let carried = self.0.moved(parent, before, after, tile);
        (self.0.value(carried), ())
    }

    fn carried(&mut self, state: Packed<W>, h: u32, (): ()) -> H::Carried {
        self.0.resume(state, h)
    }
}

/// Walking distance, whose offsets travel: to find them by the state takes longer than all else.
pub(super) struct TravellingWalks<'a>(pub &'a SteppedWalks);

impl<W: Word> Estimates<W> for TravellingWalks<'_> {
    type Note = [u32; 2];
    type Parent = SteppedWalk;
    type Carried = SteppedWalk;

    const STEP: u32 = <SteppedWalks as Heuristic<W>>::STEP;

    fn start(&self, state: Packed<W>) -> (u32, [u32; 2]) {
        let walk = self.0.start(state);
        (walk.distance, walk.offsets)
    }

    #[inline(always)]
    fn resume(
        &mut self,
        _: impl Lanes,
        _: Packed<W>,
        distance: u32,
        offsets: [u32; 2],
    ) -> SteppedWalk {
        SteppedWalk { offsets, distance }
    }

    #[inline(always)]
    fn child(
        &mut self,
        _: impl Lanes,
        &parent: &SteppedWalk,
        before: Packed<W>,
        after: Packed<W>,
        (_, tile): (Move, Tile),
    ) -> (u32, [u32; 2]) {
        let walk = self.0.moved(parent, before, after, tile);
        (walk.distance, walk.offsets)
    }

    fn carried(&mut self, _: Packed<W>, distance: u32, offsets: [u32; 2]) -> SteppedWalk {
        SteppedWalk { offsets, distance }
    }
}
