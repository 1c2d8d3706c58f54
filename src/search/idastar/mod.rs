//! Iterative-deepening A*: depth-first searches bounded by f, the memory of one path.
//!
//! [`search`] is the textbook's loop over thresholds. What is below a threshold is a [`Tree`];
//! an [`Engine`] exhausts subtrees of it. There are four, and all give the same counts:
//!
//! - [`Recursion`]: the textbook's page, for every board, estimate and order of moves;
//! - [`unrolled`]: the same recursion for 4x4 and 5x5, the gap's cell known at compile time;
//! - [`batched`]: thousands of nodes of one kind at a time, in vector registers;
//! - [`pattern_batches`]: pattern databases, their cache misses side by side.
//!
//! An iteration is split into subtrees in the order of the recursion ([`frontier`]), so that
//! threads can share them, and so that a search out of order, on one thread, still counts
//! exactly what lies to the left of the first solution. Several threads search to the right of
//! it too: what they count in the last iteration depends on who was where.

mod batched;
mod frontier;
mod fsm;
mod pattern_batches;
mod perimeter;
mod recursion;
mod slack;
mod square;
mod tuned;
mod unit;
mod unrolled;

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::Stop;
use super::meter::{Meter, Watch};
use crate::heuristic::Heuristic;
use crate::lookup::endgame::Perimeter;
use crate::puzzle::{Entry, Grid, Move, Packed, Word};
use crate::sys::cpu_time::thread_cpu_time;
use batched::Batched;
use frontier::Frontier;
pub(crate) use fsm::{Fsm, FsmState};
use recursion::Recursion;
pub(crate) use tuned::{BoxedEngine, TunedEngines, plain};
pub(crate) use unit::{UnitInTree, search_unit, split};
use unrolled::Unrolled;

/// What lies below a threshold: all paths from the start without a return that the fsm
/// forbids, cut off where f exceeds the threshold.
pub(crate) struct Tree<'a, W, H> {
    pub grid: &'a Grid,
    pub heuristic: &'a H,
    pub fsm: &'a Fsm,
    pub goal: Packed<W>,
    pub threshold: u32,
    /// The layer around the goal where branches end, if there is a table of it.
    pub perimeter: Option<Perimeter<'a, W>>,
}

impl<W, H> Tree<'_, W, H> {
    /// The depth at which what is left of the threshold is the perimeter's distance: there a
    /// look-up decides. No path is shorter, or a smaller threshold would have found it.
    pub fn perimeter_depth(&self) -> Option<u32> {
        self.perimeter
            .as_ref()
            .map(|perimeter| self.threshold - perimeter.depth())
    }
}

/// A node of the tree, with what the path to it left behind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<W, C> {
    pub state: Packed<W>,
    pub carried: C,
    pub g: u32,
    /// The fsm's state: which moves the path's last moves forbid.
    pub fsm_state: FsmState,
}

/// A solution, last move first, and the place of its subtree; `None` where there is none.
type Found = Result<Option<(usize, Vec<Move>)>, Stop>;

/// A way to search subtrees: what the user chooses with an [`EngineChoice`].
pub(crate) trait Engine<W: Word, H: Heuristic<W>>: Sync {
    /// Exhausts subtrees in their order, up to the first solution.
    ///
    /// `expected` is about how many nodes each subtree has.
    fn search(
        &self,
        tree: &Tree<'_, W, H>,
        subtrees: &[Subtree<W, H>],
        expected: u64,
        meter: &mut Meter<'_>,
    ) -> Found;

    /// How many nodes are worth a call of [`Engine::search`].
    fn grain(&self) -> u64;

    /// Scalar or batched.
    fn name(&self) -> EngineChoice;

    /// Whether it ends branches at the tree's perimeter.
    fn supports_perimeter(&self) -> bool {
        false
    }
}

pub(crate) type Subtree<W, H> = frontier::Subtree<W, <H as Heuristic<W>>::Carried>;

/// How fast iterations grow: korf100 with taxicab, from one threshold to the next.
const GROWTH: u64 = 6;
/// The most subtrees of an iteration, and the least for threads to share.
const MOST_SUBTREES: u64 = 1 << 14;
const LEAST_SHARED: u64 = 1 << 11;

/// The most nodes for a call where there is a perimeter: a subtree with a solution is searched
/// twice.
const PERIMETER_GRAIN: u64 = 1 << 16;

/// Searches with the thresholds h(start), then one step of f more each time.
///
/// f grows along a path in steps of [`Heuristic::STEP`], so the smallest f that a threshold
/// cut off is one step above it.
pub(crate) fn search<W: Entry, H: Heuristic<W>>(
    start: Packed<W>,
    tree: Tree<'_, W, H>,
    engine: &dyn Engine<W, H>,
    threads: usize,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    if start == tree.goal {
        return Ok(Vec::new());
    }
    let root = tree.root(start);
    let h = tree.heuristic.value(root.carried);
    let mut tree = Tree {
        threshold: h.max(
            tree.perimeter
                .map_or(0, |perimeter| perimeter.distance_beyond(start)),
        ),
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
        let found = iterate(&root, &tree, engine, threads, expected, meter)?;
        let counts = meter.end_iteration(iteration, found.is_none());
        if let Some(moves) = found {
            return Ok(moves);
        }
        tree.threshold += H::STEP;
        expected = counts.generated.saturating_mul(GROWTH);
    }
}

/// Searches one threshold, which has about `expected` nodes.
fn iterate<W: Entry, H: Heuristic<W>>(
    root: &Node<W, H::Carried>,
    tree: &Tree<'_, W, H>,
    engine: &dyn Engine<W, H>,
    threads: usize,
    expected: u64,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Move>>, Stop> {
    let grain = match tree.perimeter {
        None => engine.grain(),
        Some(_) => engine.grain().min(PERIMETER_GRAIN),
    };
    let calls = (expected / grain).min(MOST_SUBTREES);
    let shared = threads > 1 && calls > 1;
    let wanted = if shared {
        calls.max(LEAST_SHARED)
    } else {
        calls.max(2)
    };
    let mut frontier = match Frontier::new(*root, tree, wanted as usize) {
        Ok(frontier) => frontier,
        Err(found) => {
            meter.count(found.before);
            return Ok(Some(found.moves));
        }
    };
    let subtrees = &frontier.subtrees;
    let expected = expected / subtrees.len().max(1) as u64;
    let in_a_call = (grain / expected.max(1)).clamp(1, subtrees.len().max(1) as u64);
    let calls = Calls {
        tree,
        engine,
        subtrees,
        in_a_call: in_a_call as usize,
        expected,
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

/// The calls of an engine that exhaust a threshold, each for a few subtrees.
struct Calls<'a, W: Entry, H: Heuristic<W>> {
    tree: &'a Tree<'a, W, H>,
    engine: &'a dyn Engine<W, H>,
    subtrees: &'a [Subtree<W, H>],
    in_a_call: usize,
    /// About how many nodes a subtree has.
    expected: u64,
}

impl<W: Entry, H: Heuristic<W>> Calls<'_, W, H> {
    /// One call: a solution comes with the place of its subtree among all.
    fn call(&self, call: usize, subtrees: &[Subtree<W, H>], meter: &mut Meter<'_>) -> Found {
        let found = self
            .engine
            .search(self.tree, subtrees, self.expected, meter)?;
        Ok(found.map(|(index, moves)| (call * self.in_a_call + index, moves)))
    }

    /// One call after the other: what is counted is what the recursion counts.
    fn sequential(&self, meter: &mut Meter<'_>) -> Found {
        for (call, subtrees) in self.subtrees.chunks(self.in_a_call).enumerate() {
            let found = self.call(call, subtrees, meter)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Calls that threads take in their order, each the next one, until one finds a solution:
    /// little is searched to the right of it. Every node of a complete iteration is counted once,
    /// whoever searches it.
    fn parallel(&self, meter: &mut Meter<'_>) -> Found {
        let watch: &Watch<'_> = meter.watch();
        let next = AtomicUsize::new(0);
        // The caller is one of the workers, and its CPU time is known already.
        let caller = rayon::current_thread_index();
        let ends = rayon::broadcast(|worker| {
            let begun = thread_cpu_time();
            let mut own = Meter::new(watch);
            let found = self.worker(&next, &mut own);
            own.end();
            if Some(worker.index()) != caller {
                watch.add_cpu_time(begun);
            }
            (found, own)
        });
        let (mut solution, mut stopped) = (None, None);
        for (found, own) in ends {
            meter.absorb(&own);
            match found {
                Ok(found) => solution = solution.or(found),
                // A thread that ends for another one does not know why that one ends.
                Err(stop) => stopped = stopped.filter(|&why| why != Stop::Cancelled).or(Some(stop)),
            }
        }
        match (solution, stopped) {
            (None, Some(stop)) => Err(stop),
            (solution, _) => Ok(solution),
        }
    }

    /// One thread's calls.
    fn worker(&self, next: &AtomicUsize, meter: &mut Meter<'_>) -> Found {
        loop {
            let call = next.fetch_add(1, Relaxed);
            let Some(subtrees) = self.subtrees.chunks(self.in_a_call).nth(call) else {
                return Ok(None);
            };
            meter.watch().proceed()?;
            let found = self.call(call, subtrees, meter)?;
            if found.is_some() {
                meter.watch().finish();
                return Ok(found);
            }
        }
    }
}

/// Which engine searches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EngineChoice {
    /// The fastest that there is for the board, the estimate and the fsm.
    #[default]
    Auto,
    /// A recursion, one node at a time.
    Scalar,
    /// Batches of nodes, where there is such a way; otherwise the recursion.
    Batched,
}

/// A finite-state machine that prunes: `fsm:DEPTH`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Prune {
    depth: u32,
}

impl Prune {
    /// `None` for a depth below 2 or past [`Prune::DEEPEST`].
    pub fn new(depth: u32) -> Option<Prune> {
        (2..=Prune::DEEPEST)
            .contains(&depth)
            .then_some(Prune { depth })
    }

    pub fn depth(self) -> u32 {
        self.depth
    }

    /// The deepest fsm: it takes 20 s and 2.3 GB to build; one of depth 12 takes 2 s.
    pub const DEEPEST: u32 = 14;
}

impl fmt::Display for Prune {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fsm:{}", self.depth)
    }
}

impl FromStr for Prune {
    type Err = String;

    fn from_str(text: &str) -> Result<Prune, String> {
        let depth = text
            .strip_prefix("fsm:")
            .and_then(|depth| depth.parse().ok());
        depth.and_then(Prune::new).ok_or_else(|| {
            let deepest = Prune::DEEPEST;
            format!("'{text}' is no pruning; write fsm:DEPTH with a depth from 2 to {deepest}")
        })
    }
}

impl EngineChoice {
    pub const ALL: [EngineChoice; 3] = [
        EngineChoice::Auto,
        EngineChoice::Scalar,
        EngineChoice::Batched,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            EngineChoice::Auto => "auto",
            EngineChoice::Scalar => "scalar",
            EngineChoice::Batched => "batched",
        }
    }
}

impl fmt::Display for EngineChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EngineChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<EngineChoice, String> {
        let known = EngineChoice::ALL.map(EngineChoice::name);
        EngineChoice::ALL
            .into_iter()
            .find(|engine| engine.name() == text)
            .ok_or_else(|| {
                format!(
                    "'{text}' is not an engine; choose one of {}",
                    known.join(", ")
                )
            })
    }
}
