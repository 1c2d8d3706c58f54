//! Nodes that wait to be expanded, and the counts of those that need not wait.

use super::Child;
use crate::heuristic::{Patterns, Placements};
use crate::lookup::Placement;
use crate::puzzle::{Cell, Move, Packed, Size, Tile, Word};
use crate::search::idastar::frontier::SubtreeOf;
use crate::search::idastar::fsm::FsmState;
use crate::search::idastar::tree::Tree;
use crate::search::node_counts::NodeCounts;
use crate::search::probe::CELLS;

/// The tiles of a board, a byte for each cell: a move writes two of them.
pub(super) type Tiles = [Tile; CELLS];

/// The tiles of a state on a board of a size.
pub(super) fn tiles<W: Word>(state: Packed<W>, size: Size) -> Tiles {
    let mut tiles = [0; CELLS];
    for (cell, tile) in tiles[..size.cells()].iter_mut().enumerate() {
        *tile = state.cells.tile(cell as Cell);
    }
    tiles
}

/// The root of a subtree.
pub(super) struct Root<'a> {
    tiles: Tiles,
    gap: Cell,
    /// The moves that are left.
    pub budget: u8,
    fsm_state: FsmState,
    carried: &'a Placements,
    /// Nodes that count before it.
    before: NodeCounts,
}

impl<'a> Root<'a> {
    pub fn new<W: Word>(
        tree: &Tree<'_, W, Patterns>,
        subtree: &'a SubtreeOf<W, Patterns>,
    ) -> Root<'a> {
        let node = &subtree.node;
        Root {
            tiles: tiles(node.state, tree.grid.size()),
            gap: node.state.gap,
            budget: (tree.threshold - node.g) as u8,
            fsm_state: node.fsm_state,
            carried: &node.carried,
            before: subtree.before,
        }
    }
}

/// A node that waits to be expanded: with up to `P` places in tables, and `V` reflections of the
/// board.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct OpenNode<const P: usize, const V: usize> {
    pub tiles: Tiles,
    pub places: [Placement; P],
    pub values: [u8; P],
    /// What each reflection's values add up to.
    pub sums: [u8; V],
    pub gap: Cell,
    /// The moves that are left.
    pub budget: u8,
    pub fsm_state: FsmState,
    /// Which subtree it is in, and where.
    pub subtree: u32,
    pub path: Path,
    /// Nodes that count once the recursion comes to this one.
    pub owed: NodeCounts,
}

impl<const P: usize, const V: usize> OpenNode<P, V> {
    fn new(root: &Root<'_>, number: u32) -> Self {
        let carried = root.carried;
        OpenNode {
            tiles: root.tiles,
            places: std::array::from_fn(|slot| carried.place(slot)),
            values: std::array::from_fn(|slot| carried.value(slot)),
            sums: std::array::from_fn(|reflection| carried.sum(reflection)),
            gap: root.gap,
            budget: root.budget,
            fsm_state: root.fsm_state,
            subtree: number,
            path: Path::default(),
            owed: root.before,
        }
    }

    /// The tile in a cell.
    #[inline(always)]
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles[usize::from(cell) % CELLS]
    }

    /// The largest of the sums.
    #[inline(always)]
    fn h(&self) -> u8 {
        self.sums.iter().copied().fold(0, u8::max)
    }

    /// Makes it a child of a node, which owes nothing yet. Part by part, in place: a node as a whole
    /// would be copied by a call, and once more.
    #[inline(always)]
    fn make(&mut self, child: &Child<'_, V>, parent: &Self, reflections: usize) {
        let step = child.step;
        self.tiles = parent.tiles;
        self.tiles[usize::from(parent.gap) % CELLS] = child.tile;
        self.tiles[usize::from(step.to) % CELLS] = 0;
        self.places = parent.places;
        self.values = parent.values;
        self.sums = parent.sums;
        for number in 0..reflections.min(V) {
            let (slid, probe) = (&step.slid[number], &child.probes[number]);
            let slot = usize::from(probe.slot) % P;
            self.places[slot] = probe.place;
            self.values[slot] = self.values[slot].wrapping_add(probe.change);
            let sum = &mut self.sums[usize::from(slid.reflection) % V];
            *sum = sum.wrapping_add(probe.change);
        }
        self.gap = step.to;
        self.budget = parent.budget - 1;
        self.subtree = parent.subtree;
        self.path = parent.path;
        self.path.add(parent.budget, step.mv);
        self.owed = NodeCounts::default();
    }
}

/// The moves from a subtree's root, each at the place of what was left to go.
#[derive(Clone, Copy, Default)]
pub(super) struct Path([u64; 4]);

impl Path {
    /// The longest path.
    pub const LONGEST: u32 = 127;

    #[inline(always)]
    fn add(&mut self, budget: u8, mv: Move) {
        self.0[usize::from(budget / 32 % 4)] |= (mv as u64) << (budget % 32 * 2);
    }

    /// The moves of a path that began with this much to go and ended with that much left.
    pub fn last_first(&self, budget: u32, left: u8) -> Vec<Move> {
        let at = |left: u32| self.0[left as usize / 32] >> (left % 32 * 2) & 3;
        (u32::from(left) + 1..=budget)
            .map(|left| Move::ALL[at(left) as usize])
            .collect()
    }
}

/// A solution, and what it takes to write it down.
pub(super) struct Solution {
    pub subtree: u32,
    pub path: Path,
    /// What is left to go: nothing, if the tables are right.
    pub left: u8,
}

/// A node's place in memory, which stays the same while it waits and while it is expanded. Only
/// [`Stack`] makes them.
#[derive(Clone, Copy, PartialEq, Default)]
pub(super) struct Slot(u32);

/// The nodes that wait, in the order of the recursion, what comes first on top.
pub(super) struct Stack<const P: usize, const V: usize> {
    waiting: Vec<Slot>,
    /// By their slots, the nodes that wait and those of the batch. None is ever dropped.
    nodes: Vec<OpenNode<P, V>>,
    /// The slots of others.
    free: Vec<Slot>,
    goal: Tiles,
    /// For each subtree, the least h in it so far.
    pub least: Vec<u8>,
    /// Nodes that nothing waits behind.
    pub counts: NodeCounts,
    /// The first one in the recursion's order, of those found so far.
    pub solution: Option<Solution>,
}

impl<const P: usize, const V: usize> Stack<P, V> {
    pub fn new(roots: &[Root<'_>], goal: Tiles) -> Stack<P, V> {
        let nodes = roots.iter().zip(0..);
        let nodes = nodes.map(|(root, number)| OpenNode::new(root, number));
        Stack {
            waiting: (0..roots.len() as u32).rev().map(Slot).collect(),
            nodes: nodes.collect(),
            free: Vec::new(),
            goal,
            least: vec![u8::MAX; roots.len()],
            counts: NodeCounts::default(),
            solution: None,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The node that has a slot.
    #[inline(always)]
    pub fn node(&self, slot: Slot) -> &OpenNode<P, V> {
        debug_assert!((slot.0 as usize) < self.nodes.len());
        // SAFETY: only a stack makes slots, each one with its node, and no node is ever dropped. A
        // node is asked for ten times, and all checks together take a seventh of the instructions.
        unsafe { self.nodes.get_unchecked(slot.0 as usize) }
    }

    #[inline(always)]
    fn node_mut(&mut self, slot: Slot) -> &mut OpenNode<P, V> {
        debug_assert!((slot.0 as usize) < self.nodes.len());
        // SAFETY: as above.
        unsafe { self.nodes.get_unchecked_mut(slot.0 as usize) }
    }

    /// Takes the nodes that come first for a batch; says how many there are. They stay where they
    /// are until they are released.
    #[inline(always)]
    pub fn pop(&mut self, batch: &mut [Slot]) -> usize {
        let count = batch.len().min(self.waiting.len());
        let from = self.waiting.len() - count;
        batch[..count].copy_from_slice(&self.waiting[from..]);
        self.waiting.truncate(from);
        count
    }

    /// Lets others have the places of a batch's nodes.
    #[inline(always)]
    pub fn release(&mut self, batch: &[Slot]) {
        self.free.extend_from_slice(batch);
    }

    /// Lets a child wait, or takes it as the solution that it is.
    #[inline(always)]
    pub fn push(&mut self, child: &Child<'_, V>, reflections: usize, fsm_state: FsmState) {
        let slot = self.free.pop().unwrap_or_else(|| self.grow());
        self.waiting.push(slot);
        debug_assert!(slot != child.node);
        // SAFETY: both have nodes, and they are not the same: that of the batch is not free yet.
        let (parent, node) = unsafe {
            let nodes = self.nodes.as_mut_ptr();
            (
                &*nodes.add(child.node.0 as usize),
                &mut *nodes.add(slot.0 as usize),
            )
        };
        node.make(child, parent, reflections);
        node.fsm_state = fsm_state;
        let least = &mut self.least[node.subtree as usize];
        *least = node.h().min(*least);
        if node.sums[0] == 0 && node.tiles == self.goal {
            self.solve();
        }
    }

    #[cold]
    fn grow(&mut self) -> Slot {
        let slot = Slot(self.nodes.len() as u32);
        self.nodes.push(self.nodes[0]);
        slot
    }

    /// Counts nodes when the recursion has come to the node that is next now.
    #[inline(always)]
    pub fn owe(&mut self, counts: NodeCounts) {
        match self.waiting.last() {
            Some(&next) => self.node_mut(next).owed += counts,
            None => self.counts += counts,
        }
    }

    /// Takes the last node as a solution, and forgets what waits behind it.
    #[cold]
    fn solve(&mut self) {
        self.solution = self.waiting.last().map(|&slot| {
            let solved = self.node(slot);
            Solution {
                subtree: solved.subtree,
                path: solved.path,
                left: solved.budget,
            }
        });
        self.free.append(&mut self.waiting);
        self.counts = NodeCounts::default();
    }
}
