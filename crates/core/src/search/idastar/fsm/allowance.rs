//! The memory that the making of an fsm may take: asked for before it is taken.

use std::mem::size_of;

use crate::search::Stop;

/// Memory that may be held, and what of it is.
pub(crate) struct Allowance {
    most: Option<u64>,
    held: u64,
}

/// First allocation of a list or a table, in entries.
const FIRST: usize = 64;

impl Allowance {
    /// So many bytes at most, or as many as the system gives.
    pub fn new(most: Option<u64>) -> Allowance {
        Allowance { most, held: 0 }
    }

    /// For something that grows from `old` to `new` bytes, and holds both while it moves.
    fn grow(&mut self, old: usize, new: usize) -> Result<(), Stop> {
        let peak = self.held + new as u64;
        if self.most.is_some_and(|most| peak > most) {
            return Err(Stop::Memory);
        }
        self.held = peak - old as u64;
        Ok(())
    }

    /// A list with room for so many entries.
    pub fn list<T>(&mut self, entries: usize) -> Result<Vec<T>, Stop> {
        let mut list = Vec::new();
        self.grow(0, entries * size_of::<T>())?;
        list.try_reserve_exact(entries).map_err(refused)?;
        Ok(list)
    }

    /// Adds to a list.
    pub fn push<T>(&mut self, list: &mut Vec<T>, entry: T) -> Result<(), Stop> {
        let (len, capacity) = (list.len(), list.capacity());
        if len == capacity {
            let more = capacity.max(FIRST);
            let bytes = |entries| entries * size_of::<T>();
            self.grow(bytes(capacity), bytes(capacity + more))?;
            list.try_reserve_exact(more).map_err(refused)?;
        }
        list.push(entry);
        Ok(())
    }

    /// Before something is added to a hash table that has so many entries, room for so many, and
    /// takes so many bytes; `reserve` makes room for more.
    pub fn before_insert<E>(
        &mut self,
        (len, capacity, bytes): (usize, usize, usize),
        reserve: impl FnOnce(usize) -> Result<(), E>,
    ) -> Result<(), Stop> {
        if len < capacity {
            return Ok(());
        }
        self.grow(bytes, (2 * bytes).max(FIRST * size_of::<[u64; 4]>()))?;
        reserve(len.max(FIRST / 2)).map_err(refused)
    }

    /// Takes back what a list held.
    pub fn free<T>(&mut self, list: Vec<T>) {
        self.free_bytes(list.capacity() * size_of::<T>());
    }

    /// Takes back so many bytes.
    pub fn free_bytes(&mut self, bytes: usize) {
        self.held -= bytes as u64;
    }
}

/// The system gave no memory.
fn refused<E>(_: E) -> Stop {
    Stop::Memory
}
