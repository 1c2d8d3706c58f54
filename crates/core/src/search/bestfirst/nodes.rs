//! Nodes in the order in which they came.

use std::mem::size_of;

use allocator_api2::vec::Vec;

use super::Bucket;
use crate::puzzle::{Cell, Move, Packed, Word};
use crate::search::Stop;
use crate::search::astar::NO_MOVE;
use crate::search::meter::Meter;
use crate::sys::huge_pages::HugePages;

/// Nodes of the first block; each one after it has twice as many.
const FIRST: u32 = 1 << 10;

/// The last node that has a number: a table has twice as many slots, and 31 bits for them.
const MOST: u32 = 1 << 30;

/// A path to a state: 16 bytes on 4x4.
#[derive(Clone, Copy)]
pub(crate) struct Node<W> {
    pub cells: W,
    /// The node that waits below it on its stack.
    pub below: u32,
    /// From the lowest bit on: the last move of the path, whether it is closed, whether it was expanded,
    /// whether a shorter path has taken its place, the gap, and the number of moves.
    about: u32,
}

const MOVE: u32 = 0b111;
const CLOSED: u32 = 1 << 3;
const EXPANDED: u32 = 1 << 4;
const LEFT: u32 = 1 << 5;
const GAP: u32 = 6;
const G: u32 = 12;

impl<W: Word> Node<W> {
    pub fn new(state: Packed<W>, g: u32, mv: u8) -> Node<W> {
        Node {
            cells: state.cells,
            below: 0,
            about: g << G | u32::from(state.gap) << GAP | u32::from(mv),
        }
    }

    /// Whether a path of so many moves can be told of.
    #[inline(always)]
    pub fn has_room_for(g: u32) -> bool {
        g < 1 << (u32::BITS - G)
    }

    /// The moves of the path.
    #[inline(always)]
    pub fn g(&self) -> u32 {
        self.about >> G
    }

    #[inline(always)]
    pub fn state(&self) -> Packed<W> {
        Packed {
            cells: self.cells,
            gap: (self.about >> GAP) as Cell & 0b11_1111,
        }
    }

    /// The last move of the path, by its number; [`NO_MOVE`] for the start.
    #[inline(always)]
    pub fn last(&self) -> u8 {
        (self.about & MOVE) as u8
    }

    /// Whether it was expanded with its g, and waits no more.
    #[inline(always)]
    pub fn is_closed(&self) -> bool {
        self.about & CLOSED != 0
    }

    /// Whether it was ever expanded.
    #[inline(always)]
    pub fn was_expanded(&self) -> bool {
        self.about & EXPANDED != 0
    }

    #[inline(always)]
    pub fn close(&mut self) {
        self.about |= CLOSED | EXPANDED;
    }

    pub fn open(&mut self) {
        self.about &= !CLOSED;
    }

    /// Whether a node with a shorter path to the same state has taken its place.
    #[inline(always)]
    pub fn is_left(&self) -> bool {
        self.about & LEFT != 0
    }

    pub fn leave(&mut self) {
        self.about |= LEFT;
    }

    /// Takes a shorter path to the same state.
    pub fn improve(&mut self, g: u32, mv: Move) {
        let rest = self.about & ((1 << G) - 1) & !MOVE;
        self.about = g << G | rest | mv as u32;
    }

    /// Whether it waits with these moves.
    #[inline(always)]
    pub fn waits_in(&self, bucket: Bucket) -> bool {
        self.about & (CLOSED | LEFT) == 0 && self.g() == bucket.g
    }
}

/// All nodes, by numbers from 0. No node is ever moved: to grow costs no copy, and touches no memory
/// that holds nothing yet.
pub(super) struct Nodes<W> {
    blocks: std::vec::Vec<Vec<Node<W>, HugePages>>,
    len: u32,
    room: u32,
}

impl<W: Word> Nodes<W> {
    pub fn new() -> Nodes<W> {
        debug_assert!(u32::from(NO_MOVE) <= MOVE);
        Nodes {
            blocks: std::vec::Vec::new(),
            len: 0,
            room: 0,
        }
    }

    pub fn len(&self) -> u32 {
        self.len
    }

    /// The block of a node, and its place there.
    #[inline(always)]
    fn place(number: u32) -> (usize, usize) {
        let from_first = number + FIRST;
        let block = from_first.ilog2();
        let place = from_first - (1 << block);
        ((block - FIRST.ilog2()) as usize, place as usize)
    }

    #[inline(always)]
    pub fn get(&self, number: u32) -> &Node<W> {
        let (block, place) = Self::place(number);
        &self.blocks[block][place]
    }

    #[inline(always)]
    pub fn get_mut(&mut self, number: u32) -> &mut Node<W> {
        let (block, place) = Self::place(number);
        &mut self.blocks[block][place]
    }

    /// The block of a node, and its place there, for a prefetch.
    #[inline(always)]
    pub fn beside(&self, number: u32) -> (&[Node<W>], usize) {
        let (block, place) = Self::place(number);
        (&self.blocks[block], place)
    }

    /// Adds a node; returns its number.
    #[inline(always)]
    pub fn push(&mut self, node: Node<W>, meter: &mut Meter<'_>) -> Result<u32, Stop> {
        if self.len == self.room {
            self.make_room(meter)?;
        }
        let number = self.len;
        let (block, _) = Self::place(number);
        self.blocks[block].push(node);
        self.len += 1;
        Ok(number)
    }

    /// All nodes, in batches of so many at most.
    pub fn batches(&self, most: usize) -> impl Iterator<Item = &[Node<W>]> {
        self.blocks.iter().flat_map(move |block| block.chunks(most))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Node<W>> {
        self.blocks.iter_mut().flatten()
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if self.room >= MOST {
            return Err(Stop::Memory);
        }
        let nodes = FIRST << self.blocks.len();
        meter.grow(0, nodes as usize * size_of::<Node<W>>())?;
        let mut block = Vec::new_in(HugePages);
        let reserved = block.try_reserve_exact(nodes as usize);
        reserved.map_err(|_| Stop::Memory)?;
        self.blocks.push(block);
        self.room += nodes;
        Ok(())
    }
}
