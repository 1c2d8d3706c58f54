//! Where branches end in an endgame table, and the best of these ends.

use super::child::Child;
use super::open::Bucket;
use crate::lookup::endgame::Lookup;
use crate::puzzle::Entry;
use crate::puzzle::{Packed, Size};

/// The ends that were found so far.
pub(super) struct Endings<'a, W> {
    lookup: Lookup<'a, W>,
    size: Size,
    /// The least cost of a whole path, and where it enters the table with how many moves behind.
    best: Option<Ending<W>>,
}

/// A path that is known to its end.
#[derive(Clone, Copy)]
pub(super) struct Ending<W> {
    pub cost: u32,
    pub state: Packed<W>,
    pub g: u32,
}

impl<'a, W: Entry> Endings<'a, W> {
    pub fn new(lookup: Lookup<'a, W>, size: Size) -> Endings<'a, W> {
        Endings {
            lookup,
            size,
            best: None,
        }
    }

    /// The best end, if no path of less than `f` moves is left to be tried.
    pub fn best_below(&self, f: u32) -> Option<Ending<W>> {
        self.best.filter(|best| best.cost <= f)
    }

    /// Takes the children out that lie in the table, or on paths that cannot be the best.
    /// `moves` gives f and g of a bucket.
    pub fn take_out<N>(
        &mut self,
        children: &mut Vec<Child<W, N>>,
        moves: impl Fn(Bucket) -> (u32, u32),
    ) {
        // A state within the depth has an estimate within the depth.
        let is_near = |child: &Child<W, N>| child.h() <= self.lookup.depth();
        for child in children.iter().filter(|child| is_near(child)) {
            self.lookup.prefetch(child.entry.hash());
        }
        children.retain(|child| {
            let (f, g) = moves(child.bucket());
            if self.best.is_some_and(|best| best.cost <= f) {
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
            if self.best.is_none_or(|best| cost < best.cost) {
                self.best = Some(Ending { cost, state, g });
            }
            false
        });
    }
}
