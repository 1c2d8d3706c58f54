//! The textbook's recursion, for every board and every estimate.

use crate::heuristic::Heuristic;
use crate::lookup::endgame::Perimeter;
use crate::puzzle::{Entry, Move, Word};
use crate::search::control::Stop;
use crate::search::idastar::engine::{Engine, Found, Grain};
use crate::search::idastar::frontier::SubtreeOf;
use crate::search::idastar::perimeter::PerimeterBatch;
use crate::search::idastar::tree::{Node, Tree};
use crate::search::meter::Meter;

/// One node at a time, depth first.
pub(crate) struct Recursion;

impl<W: Entry, H: Heuristic<W>> Engine<W, H> for Recursion {
    fn search(
        &self,
        tree: &Tree<'_, W, H>,
        subtrees: &[SubtreeOf<W, H>],
        _expected: u64,
        meter: &mut Meter<'_>,
    ) -> Found {
        if let Some(perimeter) = tree.perimeter {
            return search_to_perimeter(tree, perimeter, subtrees, meter);
        }
        let mut moves = Vec::new();
        for (index, subtree) in subtrees.iter().enumerate() {
            meter.count(subtree.before);
            if visit(subtree.node, tree, &mut moves, meter)? {
                return Ok(Some((index, moves)));
            }
        }
        Ok(None)
    }

    fn grain(&self) -> Grain {
        Grain::of(1 << 20)
    }
}

/// Searches below `node`, which is not the goal; at a solution leaves its moves, last first.
fn visit<W: Word, H: Heuristic<W>>(
    node: Node<W, H::Carried>,
    tree: &Tree<'_, W, H>,
    moves: &mut Vec<Move>,
    meter: &mut Meter<'_>,
) -> Result<bool, Stop> {
    meter.expand()?;
    for (mv, child) in tree.children(node) {
        meter.stats.generated += 1;
        if tree.cuts_off(&child) {
            continue;
        }
        if child.state == tree.goal || visit(child, tree, moves, meter)? {
            moves.push(mv);
            return Ok(true);
        }
    }
    Ok(false)
}

/// The same, down to the perimeter.
fn search_to_perimeter<W: Entry, H: Heuristic<W>>(
    tree: &Tree<'_, W, H>,
    perimeter: Perimeter<'_, W>,
    subtrees: &[SubtreeOf<W, H>],
    meter: &mut Meter<'_>,
) -> Found {
    let mut walk = Walk {
        tree,
        perimeter_depth: tree.threshold - perimeter.depth(),
        perimeter: PerimeterBatch::new(perimeter),
        moves: Vec::new(),
        meter,
    };
    for (index, subtree) in subtrees.iter().enumerate() {
        walk.meter.count(subtree.before);
        let mark = walk.meter.counts();
        if walk.visit(subtree.node)? || walk.perimeter.look_up() {
            walk.meter.roll_back(mark);
            walk.perimeter.look_up_at_once();
            walk.moves.clear();
            walk.visit(subtree.node)?;
            return Ok(Some((index, walk.moves)));
        }
    }
    Ok(None)
}

/// A walk down to the perimeter.
struct Walk<'a, 'm, W, H> {
    tree: &'a Tree<'a, W, H>,
    perimeter: PerimeterBatch<'a, W>,
    perimeter_depth: u32,
    /// The solution, last move first.
    moves: Vec<Move>,
    meter: &'a mut Meter<'m>,
}

impl<W: Entry, H: Heuristic<W>> Walk<'_, '_, W, H> {
    /// Searches below a node above the perimeter; true if it ended at the perimeter.
    fn visit(&mut self, node: Node<W, H::Carried>) -> Result<bool, Stop> {
        self.meter.expand()?;
        let tree = self.tree;
        for (mv, child) in tree.children(node) {
            self.meter.stats.generated += 1;
            if tree.cuts_off(&child) {
                continue;
            }
            let is_found = if child.g < self.perimeter_depth {
                self.visit(child)?
            } else if self.perimeter.meet(child.state.cells) {
                self.moves = self.perimeter.path(child.state)?;
                true
            } else {
                false
            };
            if is_found {
                self.moves.push(mv);
                return Ok(true);
            }
        }
        Ok(false)
    }
}
