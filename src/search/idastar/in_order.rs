//! Searches out of order, made to count as the recursion does.
//!
//! A search that takes many nodes at a time tells that there is a solution, not how the recursion
//! comes to it. So subtrees are exhausted in their order, and the first part with a solution is
//! cut again and searched again, until the recursion takes the rest: the counts and the path are
//! those of the recursion.

use super::{Explorer, Found, Frontier, Meter, Stop, Subtree, Tree};
use crate::heuristic::Heuristic;
use crate::puzzle::Word;

/// A search of whole subtrees, in whatever order is fast.
pub(super) trait Exhaust<W: Word, H: Heuristic<W>>: Sync {
    /// Nodes below which the recursion is as fast.
    const SMALL: u64;
    /// Nodes that are worth a run of their own.
    const GRAIN: u64;

    /// Searches all subtrees at once; false, and nothing counted, if a solution is in one.
    fn exhaust(
        &self,
        tree: &Tree<'_, W, H>,
        subtrees: &[Subtree<W, H>],
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop>;

    /// Whether it can search them.
    fn can_search(&self, _tree: &Tree<'_, W, H>, _subtrees: &[Subtree<W, H>]) -> bool {
        true
    }
}

/// An [`Exhaust`] with the recursion for what is small.
pub(super) struct InOrder<E, R> {
    pub exhaust: E,
    pub recursion: R,
}

impl<W, H, E, R> Explorer<W, H> for InOrder<E, R>
where
    W: Word,
    H: Heuristic<W>,
    E: Exhaust<W, H>,
    R: Explorer<W, H>,
{
    fn explore(
        &self,
        tree: &Tree<'_, W, H>,
        subtrees: &[Subtree<W, H>],
        expected: u64,
        meter: &mut Meter<'_>,
    ) -> Found {
        let total = expected.saturating_mul(subtrees.len() as u64);
        if total < E::SMALL || !self.exhaust.can_search(tree, subtrees) {
            return self.recursion.explore(tree, subtrees, expected, meter);
        }
        if self.exhaust.exhaust(tree, subtrees, meter)? {
            subtrees
                .iter()
                .for_each(|subtree| subtree.before.count(meter));
            return Ok(None);
        }
        match subtrees {
            [] => Ok(None),
            [subtree] => self.explore_below(tree, subtree, expected, meter),
            _ => {
                let (first, second) = subtrees.split_at(subtrees.len() / 2);
                if let Some(found) = self.explore(tree, first, expected, meter)? {
                    return Ok(Some(found));
                }
                let found = self.explore(tree, second, expected, meter)?;
                Ok(found.map(|(index, moves)| (first.len() + index, moves)))
            }
        }
    }

    fn grain(&self) -> u64 {
        E::GRAIN
    }
}

impl<E, R> InOrder<E, R> {
    /// Searches a subtree that has a solution, part by part.
    fn explore_below<W, H>(
        &self,
        tree: &Tree<'_, W, H>,
        subtree: &Subtree<W, H>,
        expected: u64,
        meter: &mut Meter<'_>,
    ) -> Found
    where
        W: Word,
        H: Heuristic<W>,
        Self: Explorer<W, H>,
    {
        const PARTS: usize = 4;
        subtree.before.count(meter);
        let frontier = match Frontier::new(subtree.node, tree, PARTS) {
            Ok(frontier) => frontier,
            Err(mut found) => {
                found.count(meter);
                found.moves.reverse();
                return Ok(Some((0, found.moves)));
            }
        };
        let parts = &frontier.subtrees;
        let expected = expected / parts.len().max(1) as u64;
        let found = self.explore(tree, parts, expected, meter)?;
        Ok(found.map(|(index, mut moves)| {
            moves.extend(parts[index].path.iter().rev());
            (0, moves)
        }))
    }
}
