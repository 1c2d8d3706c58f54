//! An iteration split into subtrees, in the order in which the recursion would enter them.

use super::tree::{Node, Tree};
use crate::heuristic::Heuristic;
use crate::puzzle::{Move, Word};
use crate::search::node_counts::NodeCounts;

/// A subtree to be searched, and what the recursion does before it comes there.
#[derive(Clone, Debug)]
pub(crate) struct Subtree<W, C> {
    pub node: Node<W, C>,
    /// The moves from the root of the frontier.
    pub path: Vec<Move>,
    /// Nodes above the frontier, since the subtree before this one.
    pub before: NodeCounts,
}

/// A subtree of a search with this heuristic.
pub(crate) type SubtreeOf<W, H> = Subtree<W, <H as Heuristic<W>>::Carried>;

/// A solution that ends above the frontier.
#[derive(Debug)]
pub(crate) struct FoundAbove {
    pub moves: Vec<Move>,
    /// What the recursion does until then.
    pub before: NodeCounts,
}

/// The subtrees of an iteration, and what is left of it behind the last one.
#[derive(Debug)]
pub(crate) struct Frontier<W, C> {
    pub subtrees: Vec<Subtree<W, C>>,
    pub rest: NodeCounts,
}

/// Most moves above a frontier: a tree that has not branched by then hardly does.
const DEEPEST: u32 = 40;
/// A move, in the quarters that levels are counted in: about half as many subtrees more.
const LEVELS: i32 = 4;

impl<W: Word, C: Copy> Frontier<W, C> {
    /// Splits the tree below `root` into at least `wanted` subtrees of about one size, or fewer
    /// where it never has as many. The error is a solution found on the way.
    pub fn new<H: Heuristic<W, Carried = C>>(
        root: Node<W, C>,
        tree: &Tree<'_, W, H>,
        wanted: usize,
    ) -> Result<Frontier<W, C>, FoundAbove> {
        // Subtrees lie above the perimeter, so that it is the engine's to look there.
        let above_perimeter = tree.perimeter_depth().map_or(u32::MAX, |depth| depth - 1);
        let deepest = above_perimeter.min(root.g + DEEPEST);
        let mut level = tree.level(&root);
        loop {
            level += LEVELS;
            let is_split = |node: &Node<W, C>| node.g == deepest || tree.level(node) >= level;
            let frontier = Frontier::split_where(root, tree, &is_split)?;
            let mut subtrees = frontier.subtrees.iter();
            let is_deepest = subtrees.all(|subtree| subtree.node.g == deepest);
            if frontier.subtrees.len() >= wanted || is_deepest {
                return Ok(frontier);
            }
        }
    }

    /// Splits the tree at the first node of each path where `is_split` says so. The error is a
    /// solution found on the way.
    pub fn split_where<H: Heuristic<W, Carried = C>>(
        root: Node<W, C>,
        tree: &Tree<'_, W, H>,
        is_split: &impl Fn(&Node<W, C>) -> bool,
    ) -> Result<Frontier<W, C>, FoundAbove> {
        let mut frontier = Frontier {
            subtrees: Vec::new(),
            rest: NodeCounts::default(),
        };
        let mut moves = Vec::new();
        match frontier.descend(root, is_split, tree, &mut moves) {
            true => Err(frontier.found(moves)),
            false => Ok(frontier),
        }
    }

    /// A solution found before any subtree was searched: all that was seen lies above.
    fn found(self, moves: Vec<Move>) -> FoundAbove {
        let counts = self.subtrees.iter().map(|subtree| subtree.before);
        let before = counts.fold(self.rest, |sum, counts| sum + counts);
        FoundAbove { moves, before }
    }

    /// Walks the tree down to the frontier as the recursion does; true at a solution.
    fn descend<H: Heuristic<W, Carried = C>>(
        &mut self,
        node: Node<W, C>,
        is_split: &impl Fn(&Node<W, C>) -> bool,
        tree: &Tree<'_, W, H>,
        moves: &mut Vec<Move>,
    ) -> bool {
        if is_split(&node) {
            self.subtrees.push(Subtree {
                node,
                path: moves.clone(),
                before: std::mem::take(&mut self.rest),
            });
            return false;
        }
        self.rest.expanded += 1;
        for (mv, child) in tree.children(node) {
            self.rest.generated += 1;
            if tree.cuts_off(&child) {
                continue;
            }
            moves.push(mv);
            if child.state == tree.goal || self.descend(child, is_split, tree, moves) {
                return true;
            }
            moves.pop();
        }
        false
    }
}
