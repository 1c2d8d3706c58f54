//! The states that a search has reached: nodes in the order in which they came, and a table that
//! finds them.

use std::hash::BuildHasher;
use std::mem::size_of;

use allocator_api2::vec::Vec;
use foldhash::fast::FixedState;

use super::children::Child;
use crate::puzzle::{Cell, Move, Packed, Word};
use crate::search::Stop;
use crate::search::astar::NO_MOVE;
use crate::search::meter::Meter;
use crate::sys::huge_pages::HugePages;
use crate::sys::prefetch::prefetch;

/// Slots of the table at first, and nodes that there is room for.
const FIRST: usize = 1 << 10;

/// A state that was reached: 16 bytes on 4x4.
#[derive(Clone, Copy)]
pub(crate) struct Node<W> {
    pub cells: W,
    /// The moves of the shortest path to it that is known.
    pub g: u32,
    pub gap: Cell,
    /// The last move of that path, in the lowest bits; whether it is closed; whether it was expanded.
    tag: u8,
}

const MOVE: u8 = 0b111;
const CLOSED: u8 = 0b1000;
const EXPANDED: u8 = 0b1_0000;

impl<W: Word> Node<W> {
    /// Whether it was expanded with its g, and waits no more.
    #[inline(always)]
    pub fn is_closed(&self) -> bool {
        self.tag & CLOSED != 0
    }

    #[inline(always)]
    pub fn state(&self) -> Packed<W> {
        Packed {
            cells: self.cells,
            gap: self.gap,
        }
    }
}

/// What was known of a child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reached {
    /// Nothing.
    New,
    /// A longer path; it is on the open list.
    NearerOpen,
    /// A longer path, with which it was expanded.
    NearerClosed,
    /// A path that is not longer.
    Farther,
}

/// What becomes of a closed state that a shorter path leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhenClosed {
    /// It keeps the path that it was expanded with.
    Leave,
    /// It takes the path, and may be expanded again.
    Reopen,
    /// It takes the path and stays closed.
    Improve,
}

/// All states reached, each once, by numbers from 0.
pub(crate) struct States<W> {
    nodes: Vec<Node<W>, HugePages>,
    /// For each slot 32 bits of a hash above the number of a state and one; 0 where it is empty. Slots
    /// are in the order of the hashes, so that the table grows from front to back, and no state has
    /// to be hashed again.
    slots: Vec<u64, HugePages>,
    hasher: FixedState,
}

impl<W: Word> States<W> {
    pub fn new() -> States<W> {
        States {
            nodes: Vec::new_in(HugePages),
            slots: Vec::new_in(HugePages),
            hasher: FixedState::default(),
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline(always)]
    pub fn node(&self, number: u32) -> &Node<W> {
        &self.nodes[number as usize]
    }

    /// Reaches the start.
    pub fn begin(&mut self, start: Packed<W>, meter: &mut Meter<'_>) -> Result<(), Stop> {
        meter.grow(0, FIRST * size_of::<u64>())?;
        self.slots.resize(FIRST, 0);
        let hash = self.hash(start.cells);
        let (slot, _) = self.find(start.cells, hash);
        self.insert(slot, start, 0, NO_MOVE, meter)
    }

    /// Reaches a child by a path of g moves; says its number, and what was known of it.
    #[inline(always)]
    pub fn reach(
        &mut self,
        child: &Child<W>,
        g: u32,
        when_closed: WhenClosed,
        meter: &mut Meter<'_>,
    ) -> Result<(u32, Reached), Stop> {
        let (slot, found) = self.find(child.state.cells, child.hash);
        let Some(number) = found else {
            let number = self.nodes.len() as u32;
            self.insert(slot, child.state, g, child.mv as u8, meter)?;
            return Ok((number, Reached::New));
        };
        let node = &mut self.nodes[number as usize];
        let is_closed = node.is_closed();
        if node.g <= g || is_closed && when_closed == WhenClosed::Leave {
            return Ok((number, Reached::Farther));
        }
        node.g = g;
        node.tag = node.tag & !MOVE | child.mv as u8;
        if when_closed == WhenClosed::Reopen {
            node.tag &= !CLOSED;
        }
        let reached = match is_closed {
            true => Reached::NearerClosed,
            false => Reached::NearerOpen,
        };
        Ok((number, reached))
    }

    /// Closes a state that is about to be expanded; returns the last move of the path to it.
    #[inline(always)]
    pub fn close(&mut self, number: u32, meter: &mut Meter<'_>) -> u8 {
        let node = &mut self.nodes[number as usize];
        meter.stats.reopened += u64::from(node.tag & EXPANDED != 0);
        node.tag |= CLOSED | EXPANDED;
        node.tag & MOVE
    }

    /// Lets all states be expanded again.
    pub fn open_all(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.tag &= !CLOSED);
    }

    /// The last move of the path to a state that was reached; `None` for the start.
    pub fn reached_by(&self, cells: W) -> Option<Move> {
        let (_, number) = self.find(cells, self.hash(cells));
        let node = self.node(number?);
        Move::ALL.get(usize::from(node.tag & MOVE)).copied()
    }

    /// Notes the hash of a child, and asks for the slot where it will be looked for.
    #[inline(always)]
    pub fn prefetch(&self, child: &mut Child<W>) {
        child.hash = self.hash(child.state.cells);
        prefetch(&self.slots, self.home(child.hash));
    }

    #[inline(always)]
    fn hash(&self, cells: W) -> u64 {
        self.hasher.hash_one(cells) >> 32
    }

    /// The slot of a state, and its number if it was reached.
    #[inline(always)]
    fn find(&self, cells: W, hash: u64) -> (Slot, Option<u32>) {
        let mask = self.slots.len() - 1;
        let mut place = self.home(hash);
        loop {
            let slot = self.slots[place];
            if slot == 0 {
                return (Slot { place, hash }, None);
            }
            if slot >> 32 == hash {
                let number = slot as u32 - 1;
                if self.nodes[number as usize].cells == cells {
                    return (Slot { place, hash }, Some(number));
                }
            }
            place = (place + 1) & mask;
        }
    }

    /// Where the search for a hash begins.
    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        ((hash * self.slots.len() as u64) >> 32) as usize
    }

    #[inline(always)]
    fn insert(
        &mut self,
        slot: Slot,
        state: Packed<W>,
        g: u32,
        mv: u8,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        if self.nodes.len() == self.nodes.capacity() {
            self.make_room(meter)?;
        }
        self.nodes.push(Node {
            cells: state.cells,
            g,
            gap: state.gap,
            tag: mv,
        });
        self.slots[slot.place] = slot.hash << 32 | self.nodes.len() as u64;
        // Three quarters.
        match 4 * self.nodes.len() > 3 * self.slots.len() {
            true => self.grow(meter),
            false => Ok(()),
        }
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let capacity = self.nodes.capacity();
        // Numbers have 32 bits, and so have slots.
        if capacity >= 1 << 31 {
            return Err(Stop::Memory);
        }
        let more = capacity.max(FIRST);
        let bytes = |nodes| nodes * size_of::<Node<W>>();
        meter.grow(bytes(capacity), bytes(capacity + more))?;
        let reserved = self.nodes.try_reserve_exact(more);
        reserved.map_err(|_| Stop::Memory)
    }

    /// Doubles the table.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let (old, new) = (self.slots.len(), 2 * self.slots.len());
        meter.grow(old * size_of::<u64>(), new * size_of::<u64>())?;
        let mut slots = Vec::new_in(HugePages);
        let reserved = slots.try_reserve_exact(new);
        reserved.map_err(|_| Stop::Memory)?;
        slots.resize(new, 0);
        let before = std::mem::replace(&mut self.slots, slots);
        // What ran over the end of the table stands at its front: those come last.
        let first = before.iter().position(|&slot| slot == 0).unwrap_or(0);
        for slot in before[first..].iter().chain(&before[..first]) {
            if *slot != 0 {
                let mut place = self.home(slot >> 32);
                while self.slots[place] != 0 {
                    place = (place + 1) & (new - 1);
                }
                self.slots[place] = *slot;
            }
        }
        Ok(())
    }
}

/// An empty place for a state, or its own.
#[derive(Clone, Copy)]
struct Slot {
    place: usize,
    hash: u64,
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::search::Control;
    use crate::search::meter::Watch;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]

        /// States come again with other paths while the table grows: a plain map knows the same.
        #[test]
        fn it_is_a_map(reached in prop::collection::vec((0..9000u64, 0..50u32), 1..12_000)) {
            let control = Control::default();
            let watch = Watch::new(&control);
            let mut meter = Meter::new(&watch);
            let mut states = States::<u64>::new();
            let state = |cells| Packed { cells, gap: 3 };
            states.begin(state(u64::MAX), &mut meter).unwrap();
            let mut plain: HashMap<u64, u32> = HashMap::new();
            for (cells, g) in reached {
                let mut child = Child { state: state(cells), h: 5, mv: Move::Left, hash: 0 };
                states.prefetch(&mut child);
                let before = plain.get(&cells).copied();
                let (number, known) = states
                    .reach(&child, g, WhenClosed::Leave, &mut meter)
                    .unwrap();
                let expected = match before {
                    None => Reached::New,
                    Some(before) if g < before => Reached::NearerOpen,
                    Some(_) => Reached::Farther,
                };
                prop_assert_eq!(known, expected);
                let best = before.map_or(g, |before| before.min(g));
                plain.insert(cells, best);
                let node = states.node(number);
                prop_assert_eq!((node.cells, node.g), (cells, best));
                prop_assert_eq!(states.reached_by(cells), Some(Move::Left));
            }
            prop_assert_eq!(states.len(), plain.len() + 1);
            prop_assert_eq!(states.reached_by(u64::MAX), None);
        }
    }
}
