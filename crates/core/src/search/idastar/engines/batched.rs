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
//! it. So subtrees are exhausted in their order, a few in a run; the run with the solution is
//! thrown away and searched again in smaller parts, until the recursion takes the rest: the counts
//! and the path are those of the recursion. What is thrown away is little, because subtrees have
//! about one size ([`Frontier`]) and a run has a small part of the nodes so far
//! ([`Calls`](crate::search::idastar::calls::Calls)).

use super::slack::TaxicabCost;
use super::unrolled::Unrolled;
use crate::heuristic::Taxicab;
use crate::puzzle::{Move, MoveOrder};
use crate::search::control::Stop;
use crate::search::idastar::engine::{Engine, Found, Grain};
use crate::search::idastar::frontier::{Frontier, SubtreeOf};
use crate::search::idastar::tree::Tree;
use crate::search::meter::Meter;

#[cfg(target_arch = "x86_64")]
mod stacks;

/// Nodes from which on batches are faster than the recursion: on korf100 a threshold of 2^16 takes
/// two thirds of the recursion's time, one of 100,000 nodes half of it, one of two million a quarter.
pub(super) const PAYS_FROM: u64 = 1 << 16;
/// Nodes that are worth a run of their own: smaller runs have batches that are not full, larger
/// ones are no faster and let threads wait for each other.
const GRAIN: Grain = Grain {
    least: 1 << 18,
    most: 1 << 22,
};
/// Parts of a run with a solution in which it is searched again.
const PARTS: usize = 8;
/// The most slack that the four bits of a gap hold.
const MOST_SLACK: u32 = 15;

/// The batched search, with the recursion for what is small.
pub(crate) struct Batched {
    recursion: Unrolled<TaxicabCost>,
    #[cfg(target_arch = "x86_64")]
    pool: stacks::Pool,
}

impl Batched {
    /// `None` where the processor has no AVX2, or for an order of moves of the user's own.
    pub fn new(order: MoveOrder) -> Option<Batched> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("popcnt")
        {
            let recursion = Unrolled::new(order, TaxicabCost)?;
            return Some(Batched {
                recursion,
                pool: stacks::Pool::default(),
            });
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
        if total < PAYS_FROM
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
                let in_a_part = subtrees.len().div_ceil(PARTS);
                for (part, subtrees) in subtrees.chunks(in_a_part).enumerate() {
                    if let Some((index, moves)) = self.search(tree, subtrees, expected, meter)? {
                        return Ok(Some((part * in_a_part + index, moves)));
                    }
                }
                Ok(None)
            }
        }
    }

    fn grain(&self) -> Grain {
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
            let is_exhausted = unsafe { stacks::exhaust(&self.pool, roots, meter)? };
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
    tree.slack(&subtree.node)
}

fn last_move(tree: &Tree<'_, u64, Taxicab>, subtree: &SubtreeOf<u64, Taxicab>) -> Move {
    let last = tree.fsm.last_move(subtree.node.fsm_state);
    last.expect("a frontier lies below the start")
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::puzzle::{Goal, Grid, Packed, Problem};
    use crate::search::control::Control;
    use crate::search::idastar::prune::no_return;
    use crate::search::meter::Watch;
    use crate::search::node_counts::NodeCounts;

    /// Trees that are too small to be worth a batch: the stacks count what the recursion counts,
    /// and tell whether there is a solution.
    #[test]
    fn stacks_count_what_the_recursion_counts() {
        let order = MoveOrder::ULRD;
        let Some(batched) = Batched::new(order) else {
            eprintln!("skipped: this processor has no AVX2");
            return;
        };
        // Of korf100: #12, #42 and #79, with solutions of 45, 42 and 42 moves.
        let boards = [
            "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15",
            "4 5 7 2 9 14 12 13 0 3 6 11 8 1 15 10",
            "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15",
        ];
        let (mut exhausted, mut solved) = (0, 0);
        for board in boards {
            let problem = Problem::new(&board.parse().unwrap(), Goal::First).unwrap();
            let grid = Grid::new(problem.size(), order);
            let taxicab = Taxicab::new(problem.size());
            let mut tree = Tree {
                grid: &grid,
                heuristic: &taxicab,
                fsm: no_return(),
                goal: Packed::<u64>::solved(problem.size()),
                threshold: 0,
                perimeter: None,
            };
            let root = tree.root(Packed::new(problem.start()));
            for more in (0..=14).step_by(2) {
                tree.threshold = root.carried + more;
                let Ok(frontier) = Frontier::new(root, &tree, 20) else {
                    break;
                };
                let control = Control::default();
                let watch = Watch::new(&control);
                let (mut by_stacks, mut by_recursion) = (Meter::new(&watch), Meter::new(&watch));
                let subtrees = &frontier.subtrees;
                let is_exhausted = batched.exhaust(&tree, subtrees, &mut by_stacks).unwrap();
                let recursion = &batched.recursion;
                let found = recursion.search(&tree, subtrees, 0, &mut by_recursion);
                assert_eq!(is_exhausted, found.unwrap().is_none());
                if !is_exhausted {
                    assert_eq!(by_stacks.counts(), NodeCounts::default());
                    solved += 1;
                    break;
                }
                assert_eq!(by_stacks.counts(), by_recursion.counts());
                exhausted += 1;
            }
        }
        assert!(exhausted >= 9 && solved == 3, "{exhausted} {solved}");
    }
}
