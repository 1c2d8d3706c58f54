//! Iterative-deepening A*: depth-first searches bounded by f, the memory of one path.
//!
//! [`search`] is the textbook's loop over thresholds. What is below a threshold is a [`Tree`],
//! pruned by an [`fsm`](fsm::Fsm), and an [`Engine`] searches subtrees of it. The [`engines`] are
//! in a folder of their own; they all give the same counts.
//!
//! A threshold is split into subtrees in the order of the recursion ([`frontier`]), so that
//! threads can share them ([`calls`]), and so that a search out of order, on one thread, still
//! counts exactly what lies to the left of the first solution. Several threads search to the
//! right of it too: what they count in the last threshold depends on who was where.

mod calls;
mod engine;
mod engines;
mod frontier;
mod fsm;
mod perimeter;
mod prune;
mod tree;

use super::control::Stop;
use super::meter::Meter;
use crate::heuristic::Heuristic;
use crate::puzzle::{Entry, Move};
use calls::Calls;
use engine::Grain;
pub(crate) use engine::{Engine, Engines};
pub(crate) use engines::{EnginesFor, TunedEngines, plain};
pub(crate) use frontier::{Frontier, Subtree, SubtreeOf};
pub(crate) use fsm::{Allowance, Fsm, FsmState, Order};
pub(crate) use prune::no_return;
pub use prune::{Prune, PruneError, Pruning};
pub(crate) use tree::{Node, Tree};

/// How fast iterations grow: korf100 with taxicab, from one threshold to the next.
pub(crate) const GROWTH: u64 = 6;
/// Subtrees in the smallest call: so that calls have about one size, though subtrees have not.
const SUBTREES_IN_A_CALL: u64 = 4;
/// The most subtrees of an iteration, and the least for threads to share.
const MOST_SUBTREES: u64 = 1 << 14;
const LEAST_SHARED: u64 = 1 << 11;

/// The most nodes for a call where there is a perimeter: a subtree with a solution is searched
/// twice.
const PERIMETER_GRAIN: Grain = Grain::of(1 << 16);

/// Searches with the thresholds h(start), then one step of f more each time.
///
/// f grows along a path in steps of [`Heuristic::STEP`], so the smallest f that a threshold
/// cut off is one step above it.
pub(crate) fn search<W: Entry, H: Heuristic<W>>(
    root: Node<W, H::Carried>,
    tree: Tree<'_, W, H>,
    engines: &Engines<W, H>,
    threads: usize,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    if root.state == tree.goal {
        return Ok(Vec::new());
    }
    let h = tree.heuristic.value(root.carried);
    let beyond = tree.perimeter;
    let beyond = beyond.map_or(0, |it| it.distance_beyond(root.state));
    let mut tree = Tree {
        threshold: h.max(beyond),
        ..tree
    };
    let mut expected = 1;
    if let Some(done) = meter.watch().resume_point() {
        tree.threshold = tree.threshold.max(done.threshold + H::STEP);
        expected = done.generated.saturating_mul(GROWTH);
    }
    loop {
        let iteration = meter.begin_iteration(tree.threshold);
        meter.depth(tree.threshold);
        let found = search_threshold(&root, &tree, engines, threads, expected, meter)?;
        let counts = meter.end_iteration(iteration, found.is_none());
        if let Some(moves) = found {
            return Ok(moves);
        }
        tree.threshold += H::STEP;
        expected = counts.generated.saturating_mul(GROWTH);
    }
}

/// Searches one threshold, which has about `expected` nodes.
pub(crate) fn search_threshold<W: Entry, H: Heuristic<W>>(
    root: &Node<W, H::Carried>,
    tree: &Tree<'_, W, H>,
    engines: &Engines<W, H>,
    threads: usize,
    expected: u64,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Move>>, Stop> {
    let (engine, name) = engines.for_nodes(expected);
    meter.stats.engine = Some(name);
    let grain = match tree.perimeter {
        None => engine.grain(),
        Some(_) => PERIMETER_GRAIN,
    };
    let shared = threads > 1 && expected > grain.most;
    let wanted = (SUBTREES_IN_A_CALL * (expected / grain.least)).min(MOST_SUBTREES);
    let wanted = wanted.max(if shared { LEAST_SHARED } else { 2 });
    let mut frontier = match Frontier::new(*root, tree, wanted as usize) {
        Ok(frontier) => frontier,
        Err(found) => {
            meter.count(found.before);
            return Ok(Some(found.moves));
        }
    };
    let subtrees = &frontier.subtrees;
    let expected = expected / subtrees.len().max(1) as u64;
    let calls = Calls {
        tree,
        engine,
        subtrees,
        expected,
        grain,
    };
    let found = if shared {
        calls.parallel(meter)?
    } else {
        calls.sequential(meter)?
    };
    Ok(match found {
        Some((index, mut last_moves)) => {
            last_moves.reverse();
            let mut moves = std::mem::take(&mut frontier.subtrees[index].path);
            moves.append(&mut last_moves);
            Some(moves)
        }
        None => {
            meter.count(frontier.rest);
            None
        }
    })
}
