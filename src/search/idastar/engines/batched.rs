//! Batched depth-first search for 4x4 with taxicab, four boards in a register (AVX2).
//!
//! Inside one iteration the order of nodes is free as long as no solution is in it. So nodes
//! wait on stacks, one for each (gap, last move), and a batch off the top of the fullest stack
//! is expanded together. All nodes of a batch move the same cells: shifts and masks are
//! immediates, and nothing branches on a board. A node is one word, because the gap's own bits
//! are free: they hold its [`slack`](super::slack).
//!
//! Stacks are last in, first out, so they stay small: under 2 MB on the hardest of korf100.
//!
//! A solution that shows up in a batch tells that there is one, not how the recursion comes to
//! it. So subtrees are exhausted in their order, and the first part with a solution is cut
//! again and searched again, until the recursion takes the rest: the counts and the path are
//! those of the recursion.

use super::slack::TaxicabCost;
use super::unrolled::Unrolled;
use crate::heuristic::Taxicab;
use crate::puzzle::{Move, MoveOrder};
use crate::search::control::Stop;
use crate::search::idastar::engine::{Engine, Found};
use crate::search::idastar::frontier::{Frontier, SubtreeOf};
use crate::search::idastar::tree::Tree;
use crate::search::meter::Meter;

#[cfg(target_arch = "x86_64")]
mod stacks;

/// Nodes below which the recursion is as fast, the batches being small.
const SMALL: u64 = 1 << 18;
/// Nodes that are worth a run of their own: as fast as larger runs, and few enough that threads
/// end an iteration together.
const GRAIN: u64 = 1 << 22;
/// The most slack that the four bits of a gap hold.
const MOST_SLACK: u32 = 15;

/// The batched search, with the recursion for what is small.
pub(crate) struct Batched {
    recursion: Unrolled<TaxicabCost>,
}

impl Batched {
    /// `None` where the processor has no AVX2, or for an order of moves of the user's own.
    pub fn new(order: MoveOrder) -> Option<Batched> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("popcnt")
        {
            let recursion = Unrolled::new(order, TaxicabCost)?;
            return Some(Batched { recursion });
        }
        let _ = order;
        None
    }
}

impl Engine<u64, Taxicab> for Batched {
    fn search(
        &self,
        tree: &Tree<'_, u64, Taxicab>,
        subtrees: &[SubtreeOf<u64, Taxicab>],
        expected: u64,
        meter: &mut Meter<'_>,
    ) -> Found {
        let total = expected.saturating_mul(subtrees.len() as u64);
        if total < SMALL
            || subtrees
                .iter()
                .any(|subtree| slack(tree, subtree) > MOST_SLACK)
        {
            return self.recursion.search(tree, subtrees, expected, meter);
        }
        if self.exhaust(tree, subtrees, meter)? {
            return Ok(None);
        }
        meter.go_on_alone()?;
        match subtrees {
            [] => Ok(None),
            [subtree] => self.explore_below(tree, subtree, expected, meter),
            _ => {
                let (first, second) = subtrees.split_at(subtrees.len() / 2);
                if let Some(found) = self.search(tree, first, expected, meter)? {
                    return Ok(Some(found));
                }
                let found = self.search(tree, second, expected, meter)?;
                Ok(found.map(|(index, moves)| (first.len() + index, moves)))
            }
        }
    }

    fn grain(&self) -> u64 {
        GRAIN
    }
}

impl Batched {
    /// Searches all subtrees at once; false, and nothing counted, if a solution is in one.
    fn exhaust(
        &self,
        tree: &Tree<'_, u64, Taxicab>,
        subtrees: &[SubtreeOf<u64, Taxicab>],
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        #[cfg(target_arch = "x86_64")]
        {
            let roots = subtrees.iter().map(|subtree| stacks::Root {
                cells: subtree.node.state.cells,
                gap: subtree.node.state.gap.into(),
                last: last_move(tree, subtree),
                slack: slack(tree, subtree).into(),
            });
            // SAFETY: `new` has found what it takes.
            let is_exhausted = unsafe { stacks::exhaust(roots, meter)? };
            if is_exhausted {
                subtrees
                    .iter()
                    .for_each(|subtree| meter.count(subtree.before));
            }
            Ok(is_exhausted)
        }
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("there is no batched search without AVX2: {tree:p} {subtrees:p} {meter:p}")
    }

    /// Searches a subtree that has a solution, part by part.
    fn explore_below(
        &self,
        tree: &Tree<'_, u64, Taxicab>,
        subtree: &SubtreeOf<u64, Taxicab>,
        expected: u64,
        meter: &mut Meter<'_>,
    ) -> Found {
        const PARTS: usize = 4;
        meter.count(subtree.before);
        let frontier = match Frontier::new(subtree.node, tree, PARTS) {
            Ok(frontier) => frontier,
            Err(mut found) => {
                meter.count(found.before);
                found.moves.reverse();
                return Ok(Some((0, found.moves)));
            }
        };
        let parts = &frontier.subtrees;
        let expected = expected / parts.len().max(1) as u64;
        let found = self.search(tree, parts, expected, meter)?;
        Ok(found.map(|(index, mut moves)| {
            moves.extend(parts[index].path.iter().rev());
            (0, moves)
        }))
    }
}

fn slack(tree: &Tree<'_, u64, Taxicab>, subtree: &SubtreeOf<u64, Taxicab>) -> u32 {
    let taxicab = subtree.node.carried;
    (tree.threshold - subtree.node.g - taxicab) / 2
}

fn last_move(tree: &Tree<'_, u64, Taxicab>, subtree: &SubtreeOf<u64, Taxicab>) -> Move {
    let last = tree.fsm.last_move(subtree.node.fsm_state);
    last.expect("a frontier lies below the start")
}
