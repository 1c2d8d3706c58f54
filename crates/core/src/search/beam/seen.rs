//! The states of a layer: a set that is emptied at once and never grows.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::puzzle::Word;
use crate::search::Stop;
use crate::search::store::copies;
use crate::sys::prefetch::prefetch;

/// Words in slots; an empty one is zero, which no board is.
pub(super) struct Seen<W> {
    slots: Vec<W>,
    hasher: FixedState,
}

impl<W: Word> Seen<W> {
    /// How many slots there are for so many states: at least twice as many.
    pub fn slots(states: usize) -> usize {
        (2 * states).next_power_of_two()
    }

    pub fn new(slots: usize) -> Result<Seen<W>, Stop> {
        Ok(Seen {
            slots: copies(W::default(), slots)?,
            hasher: FixedState::default(),
        })
    }

    pub fn clear(&mut self) {
        self.slots.fill(W::default());
    }

    /// Where the search for a state begins, in all sets of as many slots.
    #[inline(always)]
    pub fn home(&self, state: W) -> usize {
        let hash = self.hasher.hash_one(state) >> 32;
        ((hash * self.slots.len() as u64) >> 32) as usize
    }

    #[inline(always)]
    pub fn prefetch(&self, home: usize) {
        prefetch(&self.slots, home);
    }

    #[inline(always)]
    pub fn contains(&self, state: W, home: usize) -> bool {
        self.slots[self.find(state, home)] == state
    }

    /// Adds a state; false if it was there.
    #[inline(always)]
    pub fn insert_at(&mut self, state: W, home: usize) -> bool {
        let place = self.find(state, home);
        let is_new = self.slots[place] != state;
        self.slots[place] = state;
        is_new
    }

    pub fn insert(&mut self, state: W) {
        let home = self.home(state);
        self.insert_at(state, home);
    }

    /// The slot of a state, or the empty one where it would be.
    #[inline(always)]
    fn find(&self, state: W, home: usize) -> usize {
        let mut place = home;
        while self.slots[place] != state && self.slots[place] != W::default() {
            place = (place + 1) & (self.slots.len() - 1);
        }
        place
    }
}
