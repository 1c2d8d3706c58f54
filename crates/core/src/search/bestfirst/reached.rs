//! The states that a search has reached: nodes in the order in which they came, and a table that
//! finds them.

use std::hash::BuildHasher;
use std::mem::size_of;

use allocator_api2::vec::Vec;
use foldhash::fast::FixedState;

use super::children::Child;
use super::nodes::{Node, Nodes};
use crate::puzzle::{Move, Packed, Word};
use crate::search::Stop;
use crate::search::astar::NO_MOVE;
use crate::search::meter::Meter;
use crate::sys::huge_pages::HugePages;
use crate::sys::prefetch::prefetch;

/// Slots of the table at first, as a power of two.
const FIRST: u32 = 12;

/// A table grows fourfold up to so many slots, then twofold: small ones are cheap to have, and each time
/// all states are hashed again.
const SMALL: u32 = 18;

/// Nodes whose slots are asked for at once when a table grows.
const BATCH: usize = 16;

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

/// All states reached, by the numbers of their nodes.
///
/// A state that waits with a longer path gets a new node, and its old one is left where it waits: so each
/// node waits on one stack at most, and has the link of that stack in itself.
pub(crate) struct States<W> {
    nodes: Nodes<W>,
    /// How many nodes have been left.
    left: u32,
    /// For each slot the number of a node and one in the lowest bits, and as much of its hash as there is
    /// room for above that; 0 where it is empty. The highest bits of a hash are the place where the
    /// search begins.
    slots: Vec<u32, HugePages>,
    /// The bits of a place.
    bits: u32,
    hasher: FixedState,
}

impl<W: Word> States<W> {
    pub fn new() -> States<W> {
        States {
            nodes: Nodes::new(),
            left: 0,
            slots: Vec::new_in(HugePages),
            bits: FIRST,
            hasher: FixedState::default(),
        }
    }

    pub fn len(&self) -> usize {
        (self.nodes.len() - self.left) as usize
    }

    #[inline(always)]
    pub fn node(&self, number: u32) -> &Node<W> {
        self.nodes.get(number)
    }

    #[inline(always)]
    pub fn node_mut(&mut self, number: u32) -> &mut Node<W> {
        self.nodes.get_mut(number)
    }

    /// Reaches the start; its number is 0.
    pub fn begin(&mut self, start: Packed<W>, meter: &mut Meter<'_>) -> Result<(), Stop> {
        meter.grow(0, size_of::<u32>() << FIRST)?;
        self.slots.resize(1 << FIRST, 0);
        let (place, _) = self.find(start.cells, self.hash(start.cells));
        let node = Node::new(start, 0, NO_MOVE);
        self.insert(place, node, self.hash(start.cells), meter)?;
        Ok(())
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
        let (place, found) = self.find(child.state.cells, child.hash);
        match found {
            None => {
                let node = Node::new(child.state, g, child.mv as u8);
                let number = self.insert(place, node, child.hash, meter)?;
                Ok((number, Reached::New))
            }
            Some(number) => self.reach_again((place, number), child, g, when_closed, meter),
        }
    }

    /// Reaches a child that was reached before.
    #[inline(never)]
    fn reach_again(
        &mut self,
        (place, number): (usize, u32),
        child: &Child<W>,
        g: u32,
        when_closed: WhenClosed,
        meter: &mut Meter<'_>,
    ) -> Result<(u32, Reached), Stop> {
        let node = self.nodes.get_mut(number);
        let is_closed = node.is_closed();
        if node.g() <= g || is_closed && when_closed == WhenClosed::Leave {
            return Ok((number, Reached::Farther));
        }
        if is_closed {
            node.improve(g, child.mv);
            if when_closed == WhenClosed::Reopen {
                node.open();
            }
            return Ok((number, Reached::NearerClosed));
        }
        let mut nearer = *node;
        node.leave();
        self.left += 1;
        nearer.improve(g, child.mv);
        let number = self.insert(place, nearer, child.hash, meter)?;
        Ok((number, Reached::NearerOpen))
    }

    /// Closes a state that is about to be expanded; returns the last move of the path to it.
    #[inline(always)]
    pub fn close(&mut self, number: u32, meter: &mut Meter<'_>) -> u8 {
        let node = self.nodes.get_mut(number);
        meter.stats.reopened += u64::from(node.was_expanded());
        node.close();
        node.last()
    }

    /// Lets all states be expanded again.
    pub fn open_all(&mut self) {
        self.nodes.iter_mut().for_each(Node::open);
    }

    /// The last move of the path to a state that was reached; `None` for the start.
    pub fn reached_by(&self, cells: W) -> Option<Move> {
        let (_, number) = self.find(cells, self.hash(cells));
        let node = self.node(number?);
        Move::ALL.get(usize::from(node.last())).copied()
    }

    /// Notes the hash of a child, and asks for the slot where it will be looked for.
    #[inline(always)]
    pub fn prefetch(&self, child: &mut Child<W>) {
        child.hash = self.hash(child.state.cells);
        prefetch(&self.slots, self.home(child.hash));
    }

    /// Asks for a node.
    #[inline(always)]
    pub fn prefetch_node(&self, number: u32) {
        let (nodes, place) = self.nodes.beside(number);
        prefetch(nodes, place);
    }

    #[inline(always)]
    fn hash(&self, cells: W) -> u32 {
        (self.hasher.hash_one(cells) >> 32) as u32
    }

    /// The slot of a state, and its number if it was reached.
    #[inline(always)]
    fn find(&self, cells: W, hash: u32) -> (usize, Option<u32>) {
        let mask = self.slots.len() - 1;
        let rest = hash << self.bits;
        let mut place = self.home(hash);
        loop {
            let slot = self.slots[place];
            if slot == 0 {
                return (place, None);
            }
            if (slot ^ rest) >> self.bits == 0 {
                let number = (slot & mask as u32) - 1;
                if self.nodes.get(number).cells == cells {
                    return (place, Some(number));
                }
            }
            place = (place + 1) & mask;
        }
    }

    /// Where the search for a hash begins.
    #[inline(always)]
    fn home(&self, hash: u32) -> usize {
        (hash >> (u32::BITS - self.bits)) as usize
    }

    /// Adds a node, which a slot has from now on.
    #[inline(always)]
    fn insert(
        &mut self,
        place: usize,
        node: Node<W>,
        hash: u32,
        meter: &mut Meter<'_>,
    ) -> Result<u32, Stop> {
        if !Node::<W>::has_room_for(node.g()) {
            return Err(Stop::Memory);
        }
        let number = self.nodes.push(node, meter)?;
        self.slots[place] = hash << self.bits | (number + 1);
        // Half of it. Those that were left count too: their numbers have to fit.
        if 2 * (number as usize + 1) > self.slots.len() {
            self.grow(meter)?;
        }
        Ok(number)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let bits = self.bits + if self.bits < SMALL { 2 } else { 1 };
        let bytes = |bits: u32| size_of::<u32>() << bits;
        meter.grow(bytes(self.bits), bytes(bits))?;
        let mut slots = Vec::new_in(HugePages);
        let reserved = slots.try_reserve_exact(1 << bits);
        reserved.map_err(|_| Stop::Memory)?;
        slots.resize(1 << bits, 0);
        (self.slots, self.bits) = (slots, bits);
        let mask = (1 << bits) - 1;
        let mut numbers = 1..;
        for nodes in self.nodes.batches(BATCH) {
            let mut hashes = [0; BATCH];
            for (hash, node) in hashes.iter_mut().zip(nodes) {
                *hash = self.hash(node.cells);
                prefetch(&self.slots, self.home(*hash));
            }
            for ((node, hash), number) in nodes.iter().zip(hashes).zip(&mut numbers) {
                if !node.is_left() {
                    let mut place = self.home(hash);
                    while self.slots[place] != 0 {
                        place = (place + 1) & mask;
                    }
                    self.slots[place] = hash << bits | number;
                }
            }
        }
        Ok(())
    }
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
                prop_assert_eq!((node.cells, node.g()), (cells, best));
                prop_assert_eq!(states.reached_by(cells), Some(Move::Left));
            }
            prop_assert_eq!(states.len(), plain.len() + 1);
            prop_assert_eq!(states.reached_by(u64::MAX), None);
        }
    }
}
