//! Containers that account for every byte before they take it.
//!
//! What the meter agrees to the system may still refuse, as under `ulimit -v`: that ends the
//! search as its own limit would, and not the process.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::mem::size_of;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::Stop;
use super::meter::Meter;
use crate::sys::huge_pages::HugePages;

/// First allocation of a container, in entries.
const FIRST: usize = 64;

/// Accounts for one entry more; returns how many entries to reserve room for.
fn room_for_one<T>(len: usize, capacity: usize, meter: &mut Meter<'_>) -> Result<usize, Stop> {
    if len < capacity {
        return Ok(0);
    }
    let more = capacity.max(FIRST);
    let bytes = |entries| entries * size_of::<T>();
    meter.grow(bytes(capacity), bytes(capacity + more))?;
    Ok(more)
}

/// Adds an entry, if the meter agrees to its bytes.
pub(super) fn push<T>(entries: &mut Vec<T>, entry: T, meter: &mut Meter<'_>) -> Result<(), Stop> {
    let more = room_for_one::<T>(entries.len(), entries.capacity(), meter)?;
    entries.try_reserve_exact(more).map_err(refused)?;
    entries.push(entry);
    Ok(())
}

/// Room for entries whose bytes the meter has agreed to.
pub(super) fn reserve<T>(entries: &mut Vec<T>, more: usize) -> Result<(), Stop> {
    entries.try_reserve_exact(more).map_err(refused)
}

/// As many copies of an entry, whose bytes the meter has agreed to.
pub(super) fn copies<T: Clone>(entry: T, len: usize) -> Result<Vec<T>, Stop> {
    let mut entries = Vec::new();
    reserve(&mut entries, len)?;
    entries.resize(len, entry);
    Ok(entries)
}

/// The system gave no memory.
fn refused<E>(_: E) -> Stop {
    Stop::Memory
}

/// First in, first out.
///
/// It grows by blocks, so that it never moves what it has: a frontier of some hundred megabytes
/// would be moved for longer than a time limit may be exceeded. A block that was emptied is filled
/// again.
pub(crate) struct Queue<T> {
    blocks: VecDeque<VecDeque<T>>,
    emptied: Vec<VecDeque<T>>,
    len: usize,
}

/// The most entries of a block of a queue.
const BLOCK: usize = 1 << 16;

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue {
            blocks: VecDeque::new(),
            emptied: Vec::new(),
            len: 0,
        }
    }
}

impl<T> Queue<T> {
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn push(&mut self, entry: T, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let last = self.blocks.back();
        if last.is_none_or(|last| last.len() == last.capacity()) {
            self.add_block(meter)?;
        }
        if let Some(last) = self.blocks.back_mut() {
            last.push_back(entry);
            self.len += 1;
        }
        Ok(())
    }

    #[inline]
    pub fn pop_first(&mut self) -> Option<T> {
        let first = self.blocks.front_mut()?;
        let entry = first.pop_front()?;
        self.len -= 1;
        if first.is_empty() {
            self.emptied.extend(self.blocks.pop_front());
        }
        Some(entry)
    }

    #[inline]
    pub fn pop_last(&mut self) -> Option<T> {
        let last = self.blocks.back_mut()?;
        let entry = last.pop_back()?;
        self.len -= 1;
        if last.is_empty() {
            self.emptied.extend(self.blocks.pop_back());
        }
        Some(entry)
    }

    /// As many entries more as there are, up to a block.
    #[cold]
    fn add_block(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let block = match self.emptied.pop() {
            Some(block) => block,
            None => {
                let entries = self.len.clamp(FIRST, BLOCK);
                meter.grow(0, entries * size_of::<T>())?;
                let mut block = VecDeque::new();
                block.try_reserve_exact(entries).map_err(refused)?;
                block
            }
        };
        self.blocks.push_back(block);
        Ok(())
    }
}

/// Smallest out first.
pub struct Heap<T>(BinaryHeap<Reverse<T>>);

impl<T: Ord> Default for Heap<T> {
    fn default() -> Self {
        Heap(BinaryHeap::new())
    }
}

impl<T: Ord> Heap<T> {
    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds an entry, if the meter agrees to its bytes.
    pub fn push(&mut self, entry: T, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let more = room_for_one::<T>(self.0.len(), self.0.capacity(), meter)?;
        self.0.try_reserve_exact(more).map_err(refused)?;
        self.0.push(Reverse(entry));
        Ok(())
    }

    /// The smallest entry.
    pub fn peek(&self) -> Option<&T> {
        self.0.peek().map(|Reverse(entry)| entry)
    }

    /// Takes the smallest entry.
    pub fn pop(&mut self) -> Option<T> {
        self.0.pop().map(|Reverse(entry)| entry)
    }
}

/// Nodes that refer to each other by number; none is ever removed.
pub struct Arena<T>(Vec<T>);

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena(Vec::new())
    }
}

impl<T> Arena<T> {
    /// Adds a node and returns its number.
    pub fn push(&mut self, node: T, meter: &mut Meter<'_>) -> Result<usize, Stop> {
        push(&mut self.0, node, meter)?;
        Ok(self.0.len() - 1)
    }

    /// The node of a number.
    pub fn get(&self, number: usize) -> &T {
        &self.0[number]
    }
}

/// A set of states, each with a note on how it was reached.
pub struct Seen<K, V> {
    entries: HashTable<(K, V), HugePages>,
    hasher: FixedState,
}

/// Entries that are moved into a larger table between two looks at the clock: about a millisecond.
const MOVED_AT_ONCE: usize = 1 << 14;

impl<K, V> Default for Seen<K, V> {
    fn default() -> Self {
        Seen {
            entries: HashTable::new_in(HugePages),
            hasher: FixedState::default(),
        }
    }
}

impl<K: Hash + Eq, V: Copy> Seen<K, V> {
    /// How many states it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The note on a state, if it is there.
    #[inline]
    pub fn get(&self, state: &K) -> Option<V> {
        let hash = self.hasher.hash_one(state);
        let found = self.entries.find(hash, |(it, _)| it == state);
        found.map(|&(_, note)| note)
    }

    /// Adds a state; false, and nothing changed, if it was there. Who is stopped here has lost the
    /// states.
    #[inline]
    pub fn insert(&mut self, state: K, note: V, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        if self.entries.len() == self.entries.capacity() {
            self.grow(meter)?;
        }
        let hasher = &self.hasher;
        let hash = hasher.hash_one(&state);
        let is_it = |(it, _): &(K, V)| *it == state;
        match (self.entries).entry(hash, is_it, |(it, _)| hasher.hash_one(it)) {
            Entry::Occupied(_) => Ok(false),
            Entry::Vacant(vacant) => {
                vacant.insert((state, note));
                Ok(true)
            }
        }
    }

    /// Changes the note on a state that is there.
    pub fn renote(&mut self, state: &K, note: V) {
        let hash = self.hasher.hash_one(state);
        if let Some((_, old)) = self.entries.find_mut(hash, |(it, _)| it == state) {
            *old = note;
        }
    }

    /// Forgets all states, and keeps the room for them.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Moves to a table of twice the size. That takes seconds where there are many states, so it looks
    /// at the clock meanwhile.
    #[cold]
    fn grow(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let bytes = self.entries.allocation_size();
        let first = FIRST * size_of::<(K, V)>();
        meter.grow(bytes, (2 * bytes).max(first))?;
        let hash = |(state, _): &(K, V)| self.hasher.hash_one(state);
        let mut larger = HashTable::new_in(HugePages);
        let room = 2 * self.entries.len().max(FIRST / 4);
        larger.try_reserve(room, hash).map_err(refused)?;
        for (number, entry) in self.entries.drain().enumerate() {
            if number % MOVED_AT_ONCE == MOVED_AT_ONCE - 1 {
                meter.watch().check_clock()?;
            }
            larger.insert_unique(hash(&entry), entry, hash);
        }
        self.entries = larger;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::{Control, Limits, Watch};

    #[test]
    fn a_set_that_grows_keeps_its_states() {
        let control = Control::default();
        let watch = Watch::new(&control);
        let mut meter = Meter::new(&watch);
        let mut seen = Seen::default();
        for state in 0..100_000 {
            assert_eq!(seen.insert(state, state as u8, &mut meter), Ok(true));
            assert_eq!(seen.insert(state, 0, &mut meter), Ok(false));
        }
        assert_eq!(seen.len(), 100_000);
        for state in 0..100_000 {
            assert_eq!(seen.get(&state), Some(state as u8));
        }
        assert_eq!(seen.get(&100_000), None);
    }

    #[test]
    fn a_set_that_grows_looks_at_the_clock() {
        let control = Control {
            limits: Limits {
                time: Some(Duration::ZERO),
                ..Limits::default()
            },
            ..Control::default()
        };
        let watch = Watch::new(&control);
        watch.start();
        let mut meter = Meter::new(&watch);
        let mut seen = Seen::default();
        let stopped = (0..10 * MOVED_AT_ONCE).find_map(|state| {
            let added = seen.insert(state, (), &mut meter);
            added.err().map(|stop| (state, stop))
        });
        // The first table that is moved with as many states.
        assert_eq!(stopped, Some((MOVED_AT_ONCE / 8 * 14, Stop::Time)));
    }

    #[test]
    fn a_queue_keeps_the_order_over_its_blocks() {
        let control = Control::default();
        let watch = Watch::new(&control);
        let mut meter = Meter::new(&watch);
        let mut queue = Queue::default();
        let states = 5 * BLOCK;
        for state in 0..states {
            queue.push(state, &mut meter).unwrap();
        }
        for state in 0..states / 2 {
            assert_eq!(queue.pop_first(), Some(state));
        }
        let held = meter.stats.peak_memory;
        // What was emptied is filled again.
        for state in states..states + states / 2 - BLOCK {
            queue.push(state, &mut meter).unwrap();
        }
        assert_eq!(meter.stats.peak_memory, held);
        assert_eq!(queue.len(), states - BLOCK);
        for state in (states / 2..states + states / 2 - BLOCK).rev() {
            assert_eq!(queue.pop_last(), Some(state));
        }
        assert_eq!((queue.len(), queue.pop_first()), (0, None));
    }
}
