//! The textbook's recursion, for every board and every estimate.

use super::{Engine, EngineChoice, Found, Meter, Move, Node, Stop, Subtree, Tree, perimeter};
use crate::heuristic::Heuristic;
use crate::puzzle::{Entry, Word};

/// One node at a time, depth first.
pub(crate) struct Recursion;

impl<W: Entry, H: Heuristic<W>> Engine<W, H> for Recursion {
    fn search(
        &self,
        tree: &Tree<'_, W, H>,
        subtrees: &[Subtree<W, H>],
        _expected: u64,
        meter: &mut Meter<'_>,
    ) -> Found {
        if let Some(layer) = tree.perimeter {
            return perimeter::search(tree, layer, subtrees, meter);
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

    fn name(&self) -> EngineChoice {
        EngineChoice::Scalar
    }

    fn grain(&self) -> u64 {
        1 << 20
    }

    fn supports_perimeter(&self) -> bool {
        true
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
