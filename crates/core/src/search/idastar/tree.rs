//! The tree below a threshold: its root, the children of a node, and where it is cut off.

use std::slice;

use super::fsm::{Fsm, FsmState};
use crate::heuristic::Heuristic;
use crate::lookup::endgame::Perimeter;
use crate::puzzle::{Cell, Grid, Move, Packed, Word};

/// What lies below a threshold: all paths from the start that the fsm does not forbid, cut off
/// where f exceeds the threshold.
pub(crate) struct Tree<'a, W, H> {
    pub grid: &'a Grid,
    pub heuristic: &'a H,
    pub fsm: &'a Fsm,
    pub goal: Packed<W>,
    pub threshold: u32,
    /// The layer around the goal where branches end, if there is a table of it.
    pub perimeter: Option<Perimeter<'a, W>>,
}

/// A node of the tree, with what the path to it left behind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<W, C> {
    pub state: Packed<W>,
    pub carried: C,
    pub g: u32,
    /// Which moves the path's last moves forbid.
    pub fsm_state: FsmState,
}

impl<W, C> Node<W, C> {
    /// The start, with what a heuristic carries there.
    pub fn root(start: Packed<W>, carried: C) -> Node<W, C> {
        Node {
            state: start,
            carried,
            g: 0,
            fsm_state: Fsm::START,
        }
    }
}

impl<W: Word, H: Heuristic<W>> Tree<'_, W, H> {
    pub fn root(&self, start: Packed<W>) -> Node<W, H::Carried> {
        Node::root(start, self.heuristic.start(start))
    }

    /// The children of a node, in their order, those above the threshold included.
    #[inline(always)]
    pub fn children(&self, node: Node<W, H::Carried>) -> Children<'_, W, H> {
        Children {
            heuristic: self.heuristic,
            fsm: self.fsm,
            node,
            steps: self.grid.steps(node.state.gap).iter(),
        }
    }

    /// Whether a node lies above the threshold.
    #[inline(always)]
    pub fn cuts_off(&self, node: &Node<W, H::Carried>) -> bool {
        node.g + self.heuristic.value(node.carried) > self.threshold
    }

    /// By how many steps f may still grow below a node that is not cut off.
    pub fn slack(&self, node: &Node<W, H::Carried>) -> u32 {
        (self.threshold - node.g - self.heuristic.value(node.carried)) / H::STEP
    }

    /// How deep a node lies, in quarters of a move, less what its subtree is larger for its slack:
    /// subtrees of the same number have about the same size.
    ///
    /// A step of slack makes a subtree about three times as large and a move deeper a third
    /// smaller (the largest threshold of the hardest of korf100), so that a step of slack
    /// outweighs eleven quarters of a move.
    pub fn level(&self, node: &Node<W, H::Carried>) -> i32 {
        4 * node.g as i32 - 11 * self.slack(node) as i32
    }

    /// The depth at which what is left of the threshold is the perimeter's distance: there a
    /// look-up decides. No path is shorter, or a smaller threshold would have found it.
    pub fn perimeter_depth(&self) -> Option<u32> {
        let perimeter = self.perimeter.as_ref();
        perimeter.map(|perimeter| self.threshold - perimeter.depth())
    }

    /// The node that `moves` lead to, if they stay in the tree.
    pub fn node_after(&self, start: Packed<W>, moves: &[Move]) -> Option<Node<W, H::Carried>> {
        let root = self.root(start);
        let end = moves.iter().try_fold(root, |node, &wanted| {
            let mut children = self.children(node).filter(|(_, it)| !self.cuts_off(it));
            children.find(|(mv, _)| *mv == wanted).map(|(_, it)| it)
        })?;
        (!self.cuts_off(&end)).then_some(end)
    }
}

/// The children of a node: an iterator of its own, since a closure is not always inlined into the
/// recursion, which executes 28 % more instructions then (walking distance, korf100 #79).
pub(crate) struct Children<'a, W: Word, H: Heuristic<W>> {
    heuristic: &'a H,
    fsm: &'a Fsm,
    node: Node<W, H::Carried>,
    steps: slice::Iter<'a, (Move, Cell)>,
}

impl<W: Word, H: Heuristic<W>> Iterator for Children<'_, W, H> {
    type Item = (Move, Node<W, H::Carried>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let node = &self.node;
        loop {
            let &(mv, to) = self.steps.next()?;
            if let Some(fsm_state) = self.fsm.after(node.fsm_state, mv) {
                let (state, tile) = node.state.slide(to);
                let moved = self.heuristic.moved(node.carried, node.state, state, tile);
                let child = Node {
                    state,
                    carried: moved,
                    g: node.g + 1,
                    fsm_state,
                };
                return Some((mv, child));
            }
        }
    }
}
