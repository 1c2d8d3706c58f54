//! Nodes that wait to be expanded, and the counts of those that need not wait.

use super::steps::Step;
use crate::heuristic::{Patterns, Placements};
use crate::lookup::Placement;
use crate::puzzle::{Cell, Move, Packed, Tile, Word};
use crate::search::idastar::frontier::SubtreeOf;
use crate::search::idastar::fsm::FsmState;
use crate::search::idastar::tree::Tree;
use crate::search::node_counts::NodeCounts;
use crate::search::probe::{CELLS, Probe};

/// The tiles of a board, a byte for each cell: a move writes two of them.
type Tiles = [Tile; CELLS];

/// The tiles of a state on a board of so many cells.
fn tiles<W: Word>(state: Packed<W>, cells: usize) -> Tiles {
    let mut tiles = [0; CELLS];
    for (cell, tile) in tiles[..cells].iter_mut().enumerate() {
        *tile = state.cells.tile(cell as Cell);
    }
    tiles
}

/// A node that waits to be expanded: with up to `P` places in tables, and `V` reflections of the
/// board.
#[derive(Clone, Copy)]
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
    fn new<W: Word>(
        tree: &Tree<'_, W, Patterns>,
        subtree: &SubtreeOf<W, Patterns>,
        number: u32,
    ) -> Self {
        let node = &subtree.node;
        let carried: &Placements = &node.carried;
        OpenNode {
            tiles: tiles(node.state, tree.grid.size().cells()),
            places: std::array::from_fn(|slot| carried.place(slot)),
            values: std::array::from_fn(|slot| carried.value(slot)),
            sums: std::array::from_fn(|reflection| carried.sum(reflection)),
            gap: node.state.gap,
            budget: (tree.threshold - node.g) as u8,
            fsm_state: node.fsm_state,
            subtree: number,
            path: Path::default(),
            owed: subtree.before,
        }
    }

    /// The tile in a cell.
    #[inline(always)]
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles[usize::from(cell) % CELLS]
    }

    /// Makes a move, after which these are the values.
    #[inline(always)]
    fn advance(&mut self, step: &Step<'_, V>, probes: &[Probe<'_>], fsm_state: FsmState) {
        self.tiles[usize::from(self.gap) % CELLS] = self.tile(step.to);
        self.tiles[usize::from(step.to) % CELLS] = 0;
        self.gap = step.to;
        self.path.add(self.budget, step.mv);
        self.budget -= 1;
        self.fsm_state = fsm_state;
        for (number, probe) in probes.iter().enumerate() {
            let slid = &step.slid[number % V];
            let slot = usize::from(probe.slot) % P;
            self.places[slot] = probe.place;
            self.values[slot] = self.values[slot].wrapping_add(probe.change);
            let sum = &mut self.sums[usize::from(slid.reflection) % V];
            *sum = sum.wrapping_add(probe.change);
        }
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

/// A node's place in memory, which stays the same while it waits and while it is expanded.
pub(super) type Slot = u32;

/// The nodes that wait, in the order of the recursion, what comes first on top.
pub(super) struct Stack<const P: usize, const V: usize> {
    waiting: Vec<Slot>,
    /// By their slots, the nodes that wait and those of the batch.
    pub nodes: Vec<OpenNode<P, V>>,
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
    pub fn new<W: Word>(
        tree: &Tree<'_, W, Patterns>,
        subtrees: &[SubtreeOf<W, Patterns>],
    ) -> Stack<P, V> {
        let nodes = subtrees.iter().zip(0..);
        let nodes = nodes.map(|(subtree, number)| OpenNode::new(tree, subtree, number));
        Stack {
            waiting: (0..subtrees.len() as Slot).rev().collect(),
            nodes: nodes.collect(),
            free: Vec::new(),
            goal: tiles(tree.goal, tree.grid.size().cells()),
            least: vec![u8::MAX; subtrees.len()],
            counts: NodeCounts::default(),
            solution: None,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
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
    pub fn push(
        &mut self,
        node: Slot,
        step: &Step<'_, V>,
        probes: &[Probe<'_>],
        fsm_state: FsmState,
    ) {
        let slot = self.free.pop().unwrap_or_else(|| self.grow());
        self.waiting.push(slot);
        self.nodes[slot as usize] = self.nodes[node as usize];
        let child = &mut self.nodes[slot as usize];
        child.owed = NodeCounts::default();
        child.advance(step, probes, fsm_state);
        let h = child.sums.iter().copied().fold(0, u8::max);
        let least = &mut self.least[child.subtree as usize];
        *least = h.min(*least);
        if child.sums[0] == 0 && child.tiles == self.goal {
            self.solve();
        }
    }

    #[cold]
    fn grow(&mut self) -> Slot {
        let slot = self.nodes.len() as Slot;
        self.nodes.push(self.nodes[0]);
        slot
    }

    /// NodeCounts nodes when the recursion has come to the node that is next now.
    #[inline(always)]
    pub fn owe(&mut self, counts: NodeCounts) {
        let owed = match self.waiting.last() {
            Some(&next) => &mut self.nodes[next as usize].owed,
            None => &mut self.counts,
        };
        *owed += counts;
    }

    /// Takes the last node as a solution, and forgets what waits behind it.
    #[cold]
    fn solve(&mut self) {
        self.solution = self.waiting.last().map(|&slot| {
            let solved = &self.nodes[slot as usize];
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
