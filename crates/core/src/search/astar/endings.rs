//! Where branches end in an endgame table, and the best of these ends.

use super::child::Child;
use super::open::Bucket;
use crate::lookup::endgame::Lookup;
use crate::puzzle::{Entry, Packed, Size};

/// The ends that were found so far.
pub(super) struct Endings<'a, W> {
    lookup: Lookup<'a, W>,
    size: Size,
    best: Option<Ending<W>>,
}

/// A path that is known to its end.
#[derive(Clone, Copy)]
pub(super) struct Ending<W> {
    /// Of the whole path.
    pub cost: u32,
    /// Where it enters the table, with so many moves behind.
    pub state: Packed<W>,
    pub g: u32,
}

impl<W: Entry> Ending<W> {
    /// The best end has the least: by cost, then by state, so that it does not matter which is found first.
    pub fn rank(&self) -> (u32, W) {
        (self.cost, self.state.cells)
    }
}

impl<'a, W: Entry> Endings<'a, W> {
    pub fn new(lookup: Lookup<'a, W>, size: Size) -> Endings<'a, W> {
        Endings {
            lookup,
            size,
            best: None,
        }
    }

    /// The best end.
    pub fn best(&self) -> Option<Ending<W>> {
        self.best
    }

    /// The least cost of an end.
    pub fn least_cost(&self) -> Option<u32> {
        self.best.map(|best| best.cost)
    }

    /// Takes the children out that lie in the table, or on paths that are not shorter than one of this cost.
    /// `moves` gives f and g of a bucket.
    pub fn take_out<N>(
        &mut self,
        children: &mut Vec<Child<W, N>>,
        known: Option<u32>,
        moves: impl Fn(Bucket) -> (u32, u32),
    ) {
        // A state within the depth has an estimate within the depth.
        let is_near = |child: &Child<W, N>| child.h() <= self.lookup.depth();
        for child in children.iter().filter(|child| is_near(child)) {
            self.lookup.prefetch(child.entry.hash());
        }
        children.retain(|child| {
            let (f, g) = moves(child.bucket());
            if known.is_some_and(|cost| cost <= f) {
                return false;
            }
            if child.h() > self.lookup.depth() {
                return true;
            }
            let state = child.entry.state(self.size);
            let Some(distance) = self.lookup.distance(state) else {
                return true;
            };
            let cost = g + distance;
            let ending = Ending { cost, state, g };
            if self.best.is_none_or(|best| ending.rank() < best.rank()) {
                self.best = Some(ending);
            }
            false
        });
    }
}
