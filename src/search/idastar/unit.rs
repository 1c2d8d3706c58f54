//! One threshold split into subtrees for different processes, and one such subtree exhausted.

use super::frontier::Frontier;
use super::{Engine, Fsm, GROWTH, Meter, Node, Tree, iterate};
use crate::heuristic::Heuristic;
use crate::puzzle::{Entry, Move, Packed, Word};
use crate::search::{NodeCounts, Stop};

/// A subtree, as the tree is: `before` and `after` are nodes above it.
pub(crate) struct UnitInTree {
    pub moves: Vec<Move>,
    pub h: u32,
    pub before: NodeCounts,
    pub after: NodeCounts,
}

impl<W: Word, H: Heuristic<W>> Tree<'_, W, H> {
    pub fn root(&self, start: Packed<W>) -> Node<W, H::Carried> {
        Node {
            state: start,
            carried: self.heuristic.start(start),
            g: 0,
            fsm_state: Fsm::START,
        }
    }

    /// How deep a node lies, in quarters of a move, less what its subtree is larger for its slack.
    ///
    /// A step of slack makes a subtree about three times as large and a move deeper a third
    /// smaller (the largest threshold of the hardest of korf100), so that a step of slack
    /// outweighs eleven quarters of a move.
    fn leveled_depth(&self, node: &Node<W, H::Carried>) -> i32 {
        let slack = (self.threshold - node.g - self.heuristic.value(node.carried)) / H::STEP;
        4 * node.g as i32 - 11 * slack as i32
    }

    /// The node that `moves` lead to, if they stay in the tree.
    fn node_after(&self, start: Packed<W>, moves: &[Move]) -> Option<Node<W, H::Carried>> {
        let root = self.root(start);
        let end = moves.iter().try_fold(root, |node, &wanted| {
            let mut children = self.children(node).filter(|(_, it)| !self.cuts_off(it));
            children.find(|(mv, _)| *mv == wanted).map(|(_, it)| it)
        })?;
        (!self.cuts_off(&end)).then_some(end)
    }
}

/// Splits the tree into at least `wanted` subtrees of about one size, in the order of the
/// recursion: fewer where a solution lies higher, or where the tree has no more. A start within
/// the threshold has one.
pub(crate) fn split<W: Word, H: Heuristic<W>>(
    start: Packed<W>,
    tree: &Tree<'_, W, H>,
    wanted: usize,
) -> Vec<UnitInTree> {
    let root = tree.root(start);
    let depth = |node: &Node<W, H::Carried>| tree.leveled_depth(node);
    let mut best = None;
    for level in depth(&root)..=depth(&root).max(0) + 4 * tree.threshold as i32 {
        match Frontier::split_where(root, tree, &|node| depth(node) >= level) {
            Ok(frontier) if !frontier.subtrees.is_empty() => {
                let is_enough = frontier.subtrees.len() >= wanted;
                best = Some(frontier);
                if is_enough {
                    break;
                }
            }
            _ => break,
        }
    }
    let Some(frontier) = best else {
        return Vec::new();
    };
    let subtrees = frontier.subtrees.into_iter().map(|subtree| UnitInTree {
        h: tree.heuristic.value(subtree.node.carried),
        moves: subtree.path,
        before: subtree.before,
        after: NodeCounts::default(),
    });
    let mut units: Vec<UnitInTree> = subtrees.collect();
    if let Some(last) = units.last_mut() {
        last.after = frontier.rest;
    }
    units
}

/// Searches one unit of a tree as the recursion does; its own counts, and those above it.
pub(crate) fn search_unit<W: Entry, H: Heuristic<W>>(
    start: Packed<W>,
    tree: &Tree<'_, W, H>,
    unit: &UnitInTree,
    engine: &dyn Engine<W, H>,
    threads: usize,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let node = tree.node_after(start, &unit.moves);
    let is_same = |node: &Node<W, _>| tree.heuristic.value(node.carried) == unit.h;
    let node = node.filter(is_same).ok_or(Stop::OtherTree)?;
    meter.stats.h0 = unit.h;
    let iteration = meter.begin_iteration(tree.threshold);
    meter.depth(tree.threshold);
    meter.count(unit.before);
    let slack = (tree.threshold - node.g - unit.h) / H::STEP;
    let found = match node.state == tree.goal {
        true => Some(Vec::new()),
        false => iterate(&node, tree, engine, threads, expected(slack), meter)?,
    };
    if found.is_none() {
        meter.count(unit.after);
    }
    meter.end_iteration(iteration, found.is_none());
    let found = found.ok_or(Stop::Exhausted)?;
    Ok(unit.moves.iter().copied().chain(found).collect())
}

/// About how many nodes a subtree has: hundreds without slack, and as many times more with each
/// step of it as from one threshold to the next.
fn expected(slack: u32) -> u64 {
    GROWTH.saturating_pow(slack).saturating_mul(1 << 7)
}
