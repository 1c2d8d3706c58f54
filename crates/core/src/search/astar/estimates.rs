//! What A* asks of an estimate: the children of a whole batch with their values, and what of these
//! travels through the open list.

use std::mem::size_of;

use super::Task;
use super::child::Child;
use super::open::Bucket;
use crate::heuristic::{Heuristic, SteppedWalk, SteppedWalks};
use crate::puzzle::{Entry, Move, Packed, Size, Tile};
use crate::search::Stop;
use crate::search::meter::Meter;

/// States of one layer that are expanded together.
pub(super) struct Batch<'a, W, N> {
    pub task: &'a Task<'a, W>,
    pub layer: u32,
    pub states: &'a [Parent<W, N>],
    /// Whether no more children are made once the goal is reached.
    pub ends_at_goal: bool,
}

/// A state that is expanded.
#[derive(Clone, Copy)]
pub(super) struct Parent<W, N> {
    pub state: Packed<W>,
    pub h: u32,
    pub note: N,
    /// The number of the move that led to it.
    pub last: u8,
}

impl<W: Entry, N> Parent<W, N> {
    /// By an entry of the open list.
    #[inline(always)]
    pub fn new(entry: W, note: N, h: u32, size: Size) -> Parent<W, N> {
        Parent {
            state: entry.state(size),
            h,
            note,
            last: entry.tag(),
        }
    }
}

/// An estimate as A* reads it, a batch at a time: so all else is compiled once for each word and each note
/// `N`, which is what travels with a state through the open list besides its h. Each worker has an estimate
/// of its own.
pub(super) trait Estimates<W: Entry, N>: Send + Sync {
    /// How many bytes of a note have to be kept; the others may come back as anything.
    fn note_bytes(&self) -> usize {
        size_of::<N>()
    }

    /// The estimate at the start.
    fn start(&self, state: Packed<W>) -> (u32, N);

    /// Makes the children of a batch, in the layer of their parents; the cost if the goal is reached.
    fn expand(
        &mut self,
        batch: &Batch<'_, W, N>,
        children: &mut Vec<Child<W, N>>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<u32>, Stop>;
}

/// An estimate that IDA* can go on with from a state of the open list.
pub(super) trait Resume<W: Entry, N>: Estimates<W, N> {
    /// What a path carries.
    type Carried;

    /// What a path carries that goes on from a state that was on the open list.
    fn carried(&mut self, state: Packed<W>, h: u32, note: N) -> Self::Carried;
}

/// The estimate of a child by that of its parent.
pub(super) trait ByParent<W, N> {
    /// What is known of a state whose children are made.
    type Known: Copy;

    fn parent(&mut self, parent: &Parent<W, N>) -> Self::Known;

    /// The estimate of a child, or what stands for it until it is found together with others.
    fn child(
        &mut self,
        known: Self::Known,
        before: Packed<W>,
        after: Packed<W>,
        slide: (Move, Tile),
    ) -> (u32, N);
}

/// Makes the children of a batch, each with its estimate; the cost if the goal is reached.
#[inline(always)]
pub(super) fn expand_by<W: Entry, N>(
    estimate: &mut impl ByParent<W, N>,
    &Batch {
        task,
        layer,
        states,
        ends_at_goal,
    }: &Batch<'_, W, N>,
    children: &mut Vec<Child<W, N>>,
    meter: &mut Meter<'_>,
) -> Result<Option<u32>, Stop> {
    let f = task.f_of(layer);
    let mut cost = None;
    for parent in states {
        let &Parent { state, h, last, .. } = parent;
        let g = f - h;
        if !task.goal_by_g && state == task.goal {
            cost = Some(cost.map_or(g, |known: u32| known.min(g)));
            match ends_at_goal {
                true => return Ok(cost),
                false => continue,
            }
        }
        meter.expand()?;
        meter.depth(g + 1);
        let known = estimate.parent(parent);
        for &(mv, to) in task.onward.steps(state.gap, last) {
            let (child, tile) = state.slide(to);
            meter.stats.generated += 1;
            if child == task.goal && (task.goal_by_g || g < f) {
                cost = Some(cost.map_or(g + 1, |known: u32| known.min(g + 1)));
                match ends_at_goal {
                    true => return Ok(cost),
                    false => continue,
                }
            }
            let (child_h, note) = estimate.child(known, state, child, (mv, tile));
            let bucket = Bucket { layer, h: child_h };
            let entry = W::pack(child.cells, mv as u8);
            children.push(Child::new(entry, bucket, h, note));
        }
    }
    Ok(cost)
}

/// A heuristic that a state and its h are enough for.
pub(super) struct Computed<'a, H>(pub &'a H);

impl<W: Entry, H: Heuristic<W>> ByParent<W, ()> for Computed<'_, H> {
    type Known = H::Carried;

    #[inline(always)]
    fn parent(&mut self, parent: &Parent<W, ()>) -> H::Carried {
        self.0.resume(parent.state, parent.h)
    }

    #[inline(always)]
    fn child(
        &mut self,
        known: H::Carried,
        before: Packed<W>,
        after: Packed<W>,
        (_, tile): (Move, Tile),
    ) -> (u32, ()) {
        let carried = self.0.moved(known, before, after, tile);
        (self.0.value(carried), ())
    }
}

impl<W: Entry, H: Heuristic<W>> Estimates<W, ()> for Computed<'_, H> {
    fn start(&self, state: Packed<W>) -> (u32, ()) {
        (self.0.value(self.0.start(state)), ())
    }

    fn expand(
        &mut self,
        batch: &Batch<'_, W, ()>,
        children: &mut Vec<Child<W, ()>>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<u32>, Stop> {
        expand_by(self, batch, children, meter)
    }
}

impl<W: Entry, H: Heuristic<W>> Resume<W, ()> for Computed<'_, H> {
    type Carried = H::Carried;

    fn carried(&mut self, state: Packed<W>, h: u32, (): ()) -> H::Carried {
        self.0.resume(state, h)
    }
}

/// Walking distance, whose offsets travel: to find them by the state takes longer than all else.
pub(super) struct TravellingWalks<'a>(pub &'a SteppedWalks);

/// The offsets of a walk.
type Offsets = [u32; 2];

impl<W: Entry> ByParent<W, Offsets> for TravellingWalks<'_> {
    type Known = SteppedWalk;

    #[inline(always)]
    fn parent(&mut self, parent: &Parent<W, Offsets>) -> SteppedWalk {
        self.carried(parent.state, parent.h, parent.note)
    }

    #[inline(always)]
    fn child(
        &mut self,
        known: SteppedWalk,
        before: Packed<W>,
        after: Packed<W>,
        (_, tile): (Move, Tile),
    ) -> (u32, Offsets) {
        let walk = self.0.moved(known, before, after, tile);
        (walk.distance, walk.offsets)
    }
}

impl<W: Entry> Estimates<W, Offsets> for TravellingWalks<'_> {
    fn start(&self, state: Packed<W>) -> (u32, Offsets) {
        let walk = self.0.start(state);
        (walk.distance, walk.offsets)
    }

    fn expand(
        &mut self,
        batch: &Batch<'_, W, Offsets>,
        children: &mut Vec<Child<W, Offsets>>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<u32>, Stop> {
        expand_by(self, batch, children, meter)
    }
}

impl<W: Entry> Resume<W, Offsets> for TravellingWalks<'_> {
    type Carried = SteppedWalk;

    #[inline(always)]
    fn carried(&mut self, _: Packed<W>, distance: u32, offsets: Offsets) -> SteppedWalk {
        SteppedWalk { offsets, distance }
    }
}
