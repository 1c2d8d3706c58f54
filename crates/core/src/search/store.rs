//! Containers that account for every byte before they take it.
//!
//! What the meter agrees to the system may still refuse, as under `ulimit -v`: that ends the
//! search as its own limit would, and not the process.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::Hash;
use std::mem::size_of;

use foldhash::fast::FixedState;

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

/// The system gave no memory.
fn refused<E>(_: E) -> Stop {
    Stop::Memory
}

/// First in, first out.
pub(crate) struct Queue<T>(VecDeque<T>);

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue(VecDeque::new())
    }
}

impl<T> Queue<T> {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn push(&mut self, entry: T, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let more = room_for_one::<T>(self.0.len(), self.0.capacity(), meter)?;
        self.0.try_reserve_exact(more).map_err(refused)?;
        self.0.push_back(entry);
        Ok(())
    }

    pub fn pop_first(&mut self) -> Option<T> {
        self.0.pop_front()
    }

    pub fn pop_last(&mut self) -> Option<T> {
        self.0.pop_back()
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
        let more = room_for_one::<T>(self.0.len(), self.0.capacity(), meter)?;
        self.0.try_reserve_exact(more).map_err(refused)?;
        self.0.push(node);
        Ok(self.0.len() - 1)
    }

    /// The node of a number.
    pub fn get(&self, number: usize) -> &T {
        &self.0[number]
    }
}

/// A set of states, each with a note on how it was reached.
pub struct Seen<K, V>(hashbrown::HashMap<K, V, FixedState, HugePages>);

impl<K, V> Default for Seen<K, V> {
    fn default() -> Self {
        Seen(hashbrown::HashMap::default())
    }
}

impl<K: Hash + Eq, V: Copy> Seen<K, V> {
    /// How many states it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The note on a state, if it is there.
    pub fn get(&self, state: &K) -> Option<V> {
        self.0.get(state).copied()
    }

    /// Adds a state; false, and nothing changed, if it was there.
    pub fn insert(&mut self, state: K, note: V, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        if self.0.len() == self.0.capacity() {
            let bytes = self.0.allocation_size();
            let first = FIRST * size_of::<(K, V)>();
            meter.grow(bytes, (2 * bytes).max(first))?;
            let more = self.0.len().max(FIRST / 2);
            self.0.try_reserve(more).map_err(refused)?;
        }
        match self.0.entry(state) {
            hashbrown::hash_map::Entry::Occupied(_) => Ok(false),
            hashbrown::hash_map::Entry::Vacant(vacant) => {
                vacant.insert(note);
                Ok(true)
            }
        }
    }

    /// Changes the note on a state that is there.
    pub fn renote(&mut self, state: &K, note: V) {
        if let Some(old) = self.0.get_mut(state) {
            *old = note;
        }
    }
}
