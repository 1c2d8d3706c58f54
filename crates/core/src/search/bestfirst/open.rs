//! The open list: buckets in the order of their priorities.

use std::mem::size_of;

use super::{Bucket, Buckets, States, Taken};
use crate::puzzle::Word;
use crate::search::Stop;
use crate::search::meter::Meter;

/// What is expanded first: the least. The larger the g, the larger it is.
pub(crate) type Priority = u64;

/// The nearest bucket of an h with its priority, in one number that compares as they do: the priority
/// above g above h.
type Key = u128;

/// A place that nothing stands at.
const NONE: Key = Key::MAX;

fn key(priority: Priority, Bucket { g, h }: Bucket) -> Key {
    Key::from(priority) << 64 | Key::from(u64::from(g) << 32 | u64::from(h))
}

/// A priority queue of states: of equals, those nearer to the start come first, and of these the last
/// one that came.
pub(crate) struct Open<P> {
    buckets: Buckets,
    /// A tournament of the nearest buckets of each h: place 1 has the best one of all, and place p the
    /// better one of places 2p and 2p + 1. The last half of the places are those of h.
    best: Vec<Key>,
    priority: P,
}

impl<P: Fn(Bucket) -> Priority> Open<P> {
    pub fn new(priority: P) -> Open<P> {
        Open {
            buckets: Buckets::new(),
            best: vec![NONE; 2],
            priority,
        }
    }

    /// How many entries there are, those included that have been reached by shorter paths since.
    pub fn len(&self) -> usize {
        self.buckets.len()
    }

    #[inline(always)]
    pub fn push<W: Word>(
        &mut self,
        bucket: Bucket,
        state: u32,
        states: &mut States<W>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        if self.buckets.push(bucket, state, states, meter)? {
            if bucket.h as usize >= self.best.len() / 2 {
                self.widen(bucket.h as usize, meter)?;
            }
            self.advance(bucket);
        }
        Ok(())
    }

    /// Takes the best state.
    #[inline(always)]
    pub fn pop<W: Word>(&mut self, states: &States<W>) -> Option<Taken<W>> {
        loop {
            let best = self.best[1];
            if best == NONE {
                return None;
            }
            let h = best as u32;
            let (taken, is_other) = self.buckets.take(h, states);
            if is_other {
                self.play(h);
            }
            if taken.is_some() {
                return taken;
            }
        }
    }

    /// The least f of the list; a state that was reached by a shorter path since may have a smaller
    /// one, and then stands on the list with that too.
    pub fn least_f(&self) -> Option<u32> {
        self.buckets.nearest().map(|it| it.g + it.h).min()
    }

    /// Goes on with other priorities.
    pub fn reorder(&mut self, priority: P) {
        self.priority = priority;
        for h in 0..self.best.len() / 2 {
            self.play(h as u32);
        }
    }

    /// Has a bucket play that is nearer than the one of its h before: it wins until it loses.
    #[inline(always)]
    fn advance(&mut self, bucket: Bucket) {
        let own = key((self.priority)(bucket), bucket);
        let mut place = self.best.len() / 2 + bucket.h as usize;
        while place > 0 && own < self.best[place] {
            self.best[place] = own;
            place /= 2;
        }
    }

    /// Has the nearest bucket of an h play again.
    #[inline(always)]
    fn play(&mut self, h: u32) {
        let mut place = self.best.len() / 2 + h as usize;
        let nearest = self.buckets.nearest_of(h);
        let mut best = nearest.map_or(NONE, |bucket| key((self.priority)(bucket), bucket));
        self.best[place] = best;
        while place > 1 {
            best = best.min(self.best[place ^ 1]);
            place /= 2;
            self.best[place] = best;
        }
    }

    /// Makes places for an h.
    #[cold]
    #[inline(never)]
    fn widen(&mut self, h: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let places = 2 * (h + 1).next_power_of_two();
        let bytes = |places| places * size_of::<Key>();
        meter.grow(bytes(self.best.len()), bytes(places))?;
        self.best = vec![NONE; places];
        for h in 0..places / 2 {
            self.play(h as u32);
        }
        Ok(())
    }
}
