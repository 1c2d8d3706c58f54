//! A*, and then IDA* from its open list (A*+IDA*, Bu and Korf 2019).
//!
//! The last threshold of IDA* is most of its work, and it is searched in an order that knows
//! nothing of the goal. Here A* makes an open list first, and every threshold is searched from the
//! states of that list, the roots: in an order that puts those first whose subtrees are the most
//! promising. The list has each state once, so what is duplicate above it is searched once as well.
//!
//! **The order.** Bu and Korf take the root with the smallest h first. In the first threshold so does
//! this search; in each later one it takes the root first below which the threshold before came
//! nearest to the goal: the least h of all nodes in its subtree. On the 24-puzzle, with 100,000
//! roots, that makes the last threshold 0.002 to 0.12 of the one before it, where it is 0.1 to 4.6
//! of it by the roots' own h (six boards of korf24). So a short list is enough, and A* takes a
//! tenth of a second.
//!
//! **Counts.** A* works on one thread, so that the list is the same on any number of threads. It is
//! counted in the first threshold. A complete threshold counts every child made below the
//! roots, whatever their order and whoever makes it: the same on any number of threads. On one
//! thread the last threshold is the same in every run too. A search that is resumed makes the
//! list again, uncounted; it then searches the threshold before the last complete one again, uncounted as
//! well, to know an order for the next.
//!
//! **Why a shortest solution is found.** A* keeps this true: of each shortest path from the start to
//! the goal, some state is on the open list with the least g it can have, until the goal is reached.
//! What is left of the path is a shortest path from there, and its f nowhere exceeds the cost of the
//! solution, because h is consistent. So the threshold of that cost finds it, and a smaller threshold
//! finds nothing. A state that A* has reached again with a smaller g stays on the list a second
//! time; that one is left out.
//!
//! **Why the fsm may prune.** It forbids a sequence of moves because another one, as short, leads
//! from the same state to the same end. A sequence that began above the open list could be
//! forbidden for one that leads past it elsewhere, so it matters which path to a state counts.
//!
//! Of all shortest paths to a state, let the chosen one be the least when they are compared from
//! their ends (colexicographically), each move by the number of the move that takes it back. The
//! chosen path to a state is the chosen path to the state before it and one move more. This fsm
//! forbids a sequence only for one that is shorter, or less in that order
//! ([`Order::Colexicographic`](crate::search::idastar::Order)), so it forbids no part of a chosen
//! path. Follow the chosen path to the goal up to its first state n that A* has not expanded. Each
//! state of it up to n was reached from the one before it, which was expanded with its least g; and the
//! closed list keeps, of all moves that have led to a state with its g, the one that is
//! least in that order. So the moves that the closed list gives from n back are the end of the
//! chosen path, the fsm reads them, and what is left of the chosen path is not forbidden after them. A state
//! whose own path is forbidden is on no chosen path, and is left out.
//!
//! A `u64` has no room for a move in the tag of a state. There each state of the list is a start of
//! its own, with an fsm that knows of no move before it, but for the one that takes back the
//! last: no shortest path goes back to the state before.
//!
//! **The other end.** A long search asks once whether the tree from the goal is the smaller one
//! ([`other_end`](super::other_end)), and if so goes on there.

use std::slice;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use bytemuck::Pod;

use super::estimates::Resume;
use super::open::Ranked;
use super::roots::{RootList, last_move, list_roots};
use super::worker::{End, Worker};
use super::{Exhausted, Found, Task, finish, run, walk_back};
use crate::heuristic::Heuristic;
use crate::puzzle::{Entry, Move, Packed, Word};
use crate::search::idastar::{
    Engine, Engines, Fsm, FsmState, GROWTH, Node, Subtree, SubtreeOf, Tree,
};
use crate::search::meter::Meter;
use crate::search::threads::on_every_thread;
use crate::search::{NodeCounts, Stop};

/// How IDA* goes on from the open list of A*.
pub(crate) struct ThenIdaStar<'a, W, H> {
    pub engines: &'a Engines<W, H>,
    pub fsm: &'a Fsm,
    /// How many states the open list shall have.
    pub open: usize,
    /// Whether the fsm knows the moves that led to a state of the open list.
    pub remembers: bool,
    /// As many as the pool has in which the search runs, or one.
    pub threads: usize,
    /// Is told the roots, where they are wanted and not searched.
    pub list: Option<&'a Mutex<RootList>>,
    /// The estimate of the board that is solved: the first threshold, from whichever end.
    pub first: u32,
    /// What was searched before, behind which this search goes on.
    pub exhausted: Option<Exhausted>,
    /// The search from the goal, where there is one.
    pub other_end: Option<OtherEnd<'a>>,
}

impl<W: Word, H: Heuristic<W>> ThenIdaStar<'_, W, H> {
    /// Which threshold it is, from 1, counted from the estimate of the board.
    fn number_of(&self, threshold: u32) -> u32 {
        threshold.saturating_sub(self.first) / H::STEP + 1
    }
}

/// A search from the goal, which may take over: it finds the moves, or leaves that to the search from the
/// start.
pub(crate) struct OtherEnd<'a> {
    /// The nodes of complete thresholds after which it is asked, once.
    pub after: u64,
    pub search: &'a (dyn Fn(Exhausted, &mut Meter<'_>) -> Found + Sync),
}

impl OtherEnd<'_> {
    /// Asks it, if it is time to.
    fn ask(other_end: &mut Option<&Self>, exhausted: Exhausted, meter: &mut Meter<'_>) -> Found {
        match other_end.take_if(|end| exhausted.generated >= end.after) {
            Some(end) => (end.search)(exhausted, meter),
            None => Ok(None),
        }
    }
}

/// A solution: a state of the open list, the moves behind it, and those from there, last one first.
type Solution<W> = (Packed<W>, u32, Vec<Move>);

/// Searches with A* and then with IDA*; `worker` has the start on its open list.
pub(super) fn search<W: Entry, H: Heuristic<W>, N: Pod + Send + Sync, E>(
    task: &Task<'_, W>,
    heuristic: &H,
    worker: &mut Worker<'_, W, N>,
    estimates: &(impl Fn() -> E + Sync),
    then: &ThenIdaStar<'_, W, H>,
    meter: &mut Meter<'_>,
) -> Found
where
    E: Resume<W, N, Carried = H::Carried>,
{
    let mut other_end = then.other_end.as_ref();
    if let Some(done) = then.exhausted
        && let Some(moves) = OtherEnd::ask(&mut other_end, done, meter)?
    {
        return Ok(Some(moves));
    }
    let mark = meter.counts();
    let mut iteration = meter.begin_iteration(task.first);
    let end = make_list(worker, then, meter)?;
    if !matches!(end, End::Full) {
        if let End::Goal { cost } = end {
            meter.set_iterations(then.number_of(cost));
            iteration.raise(cost);
            meter.end_iteration(iteration, false);
        }
        return finish(task, heuristic, slice::from_ref(worker), end, meter);
    }
    if let Some(list) = then.list {
        let counts = meter.counts() - mark;
        let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
        list_roots(task, heuristic, worker, then, counts, &mut list)?;
        return Ok(Some(Vec::new()));
    }
    let mut tree = Tree {
        grid: task.grid,
        heuristic,
        fsm: then.fsm,
        goal: task.goal,
        // Layers that A* has closed hold no solution.
        threshold: worker.first_f(),
        perimeter: None,
    };
    let mut expected = (meter.counts() - mark).generated;
    let mut before = 0;
    if let Some(done) = then.exhausted {
        let again = search_again(&mut tree, worker, estimates, then, (done, expected), meter);
        meter.roll_back(mark);
        again?;
        (expected, before) = (done.generated, done.generated);
    }
    loop {
        iteration.raise(tree.threshold);
        meter.set_iterations(then.number_of(tree.threshold));
        meter.depth(tree.threshold);
        expected = expected.saturating_mul(GROWTH);
        let found = search_threshold(&tree, worker, estimates, then, expected, meter)?;
        let counts = meter.end_iteration(iteration, found.is_none());
        if let Some((state, g, last_moves)) = found {
            let mut moves = walk_back(task, heuristic, slice::from_ref(worker), state, g)?;
            moves.extend(last_moves.into_iter().rev());
            return Ok(Some(moves));
        }
        let exhausted = Exhausted {
            threshold: tree.threshold,
            generated: before + (meter.counts() - mark).generated,
        };
        if let Some(moves) = OtherEnd::ask(&mut other_end, exhausted, meter)? {
            return Ok(Some(moves));
        }
        tree.threshold += H::STEP;
        expected = counts.generated;
        iteration = meter.begin_iteration(tree.threshold);
    }
}

/// A* until its open list is as long as wanted. Behind thresholds that were exhausted it makes the list again,
/// which does not count.
fn make_list<W: Entry, H, N: Pod + Send + Sync>(
    worker: &mut Worker<'_, W, N>,
    then: &ThenIdaStar<'_, W, H>,
    meter: &mut Meter<'_>,
) -> Result<End<W>, Stop> {
    let mark = meter.counts();
    worker.most_open = Some(then.open);
    worker.counts_layers = then.exhausted.is_none();
    worker.open.keep_nearest();
    let end = run(slice::from_mut(worker), 1, meter);
    if end.is_err() && then.exhausted.is_some() {
        meter.roll_back(mark);
    }
    end
}

/// Searches the threshold before the last one that was exhausted again, which tells the order of the roots, and
/// leaves the one behind that to be searched next. It does not count.
fn search_again<W: Entry, H: Heuristic<W>, N: Pod + Send + Sync, E>(
    tree: &mut Tree<'_, W, H>,
    worker: &mut Worker<'_, W, N>,
    estimates: &(impl Fn() -> E + Sync),
    then: &ThenIdaStar<'_, W, H>,
    (done, expected): (Exhausted, u64),
    meter: &mut Meter<'_>,
) -> Result<(), Stop>
where
    E: Resume<W, N, Carried = H::Carried>,
{
    tree.threshold = tree.threshold.max(done.threshold.saturating_sub(H::STEP));
    if tree.threshold < done.threshold {
        search_threshold(tree, worker, estimates, then, expected, meter)?;
    }
    tree.threshold = tree.threshold.max(done.threshold + H::STEP);
    Ok(())
}

/// Searches one threshold, which has about `expected` nodes, and notes how near to the goal it came
/// from each root.
fn search_threshold<W: Entry, H: Heuristic<W>, N: Pod + Send + Sync, E>(
    tree: &Tree<'_, W, H>,
    worker: &mut Worker<'_, W, N>,
    estimates: &(impl Fn() -> E + Sync),
    then: &ThenIdaStar<'_, W, H>,
    expected: u64,
    meter: &mut Meter<'_>,
) -> Result<Option<Solution<W>>, Stop>
where
    E: Resume<W, N, Carried = H::Carried>,
{
    meter.threshold(tree.threshold);
    let threshold = Threshold {
        tree,
        worker,
        estimates,
        then,
        roots: worker.open.ranked(worker.layer_of(tree.threshold)),
        nearest: Mutex::default(),
    };
    let found = threshold.search(expected, meter)?;
    let (places, nearest) = (threshold.roots.places, threshold.nearest);
    for (first, of_call) in nearest.into_inner().unwrap_or_default() {
        for (&place, &h) in places[first..].iter().zip(&of_call) {
            worker.open.set_nearest(place, h);
        }
    }
    Ok(found)
}

/// One threshold, from the states of the open list.
struct Threshold<'a, W: Entry, H: Heuristic<W>, N, M> {
    tree: &'a Tree<'a, W, H>,
    worker: &'a Worker<'a, W, N>,
    estimates: &'a M,
    then: &'a ThenIdaStar<'a, W, H>,
    /// The states of the list within the threshold, the most promising ones first.
    roots: Ranked,
    /// For each call, its first root, and of each root how near to the goal the search came.
    nearest: Mutex<Vec<(usize, Vec<u8>)>>,
}

impl<W: Entry, H: Heuristic<W>, N: Pod + Send + Sync, E, M: Fn() -> E + Sync>
    Threshold<'_, W, H, N, M>
where
    E: Resume<W, N, Carried = H::Carried>,
{
    /// Searches the threshold, which has about `expected` nodes.
    fn search(&self, expected: u64, meter: &mut Meter<'_>) -> Result<Option<Solution<W>>, Stop> {
        let (engine, name) = self.then.engines.for_nodes(expected);
        meter.stats.engine = Some(name);
        let expected = (expected / self.roots.places.len().max(1) as u64).max(1);
        let calls = Calls {
            engine,
            expected,
            roots: (engine.grain().most / expected).clamp(LEAST_ROOTS, MOST_ROOTS) as usize,
            next: AtomicUsize::new(0),
        };
        if self.then.threads == 1 {
            return self.work(&calls, meter);
        }
        let work = |_: usize, own: &mut Meter<'_>| {
            let found = self.work(&calls, own)?;
            if found.is_some() {
                own.watch().finish();
            }
            Ok(found)
        };
        on_every_thread(meter, work, Option::or)
    }

    /// Takes roots in their order, until one has a solution below it or none is left.
    fn work(
        &self,
        calls: &Calls<'_, W, H>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Solution<W>>, Stop> {
        let mut estimates = (self.estimates)();
        loop {
            let first = calls.roots * calls.next.fetch_add(1, Relaxed);
            let Some(left) = self.roots.places.get(first..).filter(|it| !it.is_empty()) else {
                return Ok(None);
            };
            meter.watch().proceed()?;
            let places = &left[..calls.roots.min(left.len())];
            let (numbers, subtrees) = self.subtrees(places, &mut estimates);
            let mut least = vec![u8::MAX; subtrees.len()];
            let expected = calls.expected;
            let found =
                (calls.engine).search_noting(self.tree, &subtrees, expected, meter, &mut least)?;
            if let Some((index, moves)) = found {
                let root = &subtrees[index].node;
                return Ok(Some((root.state, root.g, moves)));
            }
            let mut nearest = vec![u8::MAX; places.len()];
            for ((number, subtree), least) in numbers.into_iter().zip(&subtrees).zip(least) {
                let h = self.tree.heuristic.value(subtree.node.carried) as u8;
                nearest[number] = h.min(least);
            }
            let mut all = self.nearest.lock().unwrap_or_else(PoisonError::into_inner);
            all.push((first, nearest));
        }
    }

    /// Roots with their subtrees, and which of the roots they are: but for those that A* reached
    /// again sooner, and those whose own path is forbidden.
    fn subtrees(&self, places: &[u32], estimates: &mut E) -> (Vec<usize>, Vec<SubtreeOf<W, H>>) {
        let size = self.tree.grid.size();
        let entry_at = |place: u32| self.worker.open.entry(place as usize);
        for &place in places {
            self.worker.prefetch(entry_at(place).0);
        }
        let fresh = |&(_, &place): &(usize, &u32)| {
            let layer = self.roots.bucket(place).layer;
            !self.worker.is_stale(entry_at(place).0, layer)
        };
        let fresh = places.iter().enumerate().filter(fresh);
        let mut paths: Vec<PathBack<W>> = fresh
            .map(|(number, &place)| PathBack::new(number, entry_at(place).0.state(size)))
            .collect();
        if self.then.remembers {
            for _ in 0..self.tree.fsm.memory() {
                self.step_back(&mut paths);
            }
        }
        let (mut numbers, mut subtrees) = (Vec::new(), Vec::new());
        for path in paths {
            let place = places[path.number];
            let (entry, note) = entry_at(place);
            let fsm_state = match self.then.remembers {
                true => path.fsm_state(self.tree.fsm),
                false => Some(self.tree.fsm.begin_after(last_move(entry))),
            };
            let Some(fsm_state) = fsm_state else { continue };
            let (state, bucket) = (entry.state(size), self.roots.bucket(place));
            numbers.push(path.number);
            subtrees.push(Subtree {
                node: Node {
                    state,
                    carried: estimates.carried(state, bucket.h, note),
                    g: self.worker.f_of(bucket.layer) - bucket.h,
                    fsm_state,
                },
                path: Vec::new(),
                before: NodeCounts::default(),
            });
        }
        (numbers, subtrees)
    }

    /// Takes each path a move further back: their look-ups side by side.
    fn step_back(&self, paths: &mut [PathBack<W>]) {
        let is_on_the_way = |path: &&mut PathBack<W>| path.state != self.worker.start();
        for path in paths.iter() {
            self.worker.prefetch(W::pack(path.state.cells, 0));
        }
        for path in paths.iter_mut().filter(is_on_the_way) {
            let back = self.worker.move_back(W::pack(path.state.cells, 0));
            let to = back.and_then(|mv| self.tree.grid.size().neighbour(path.state.gap, mv));
            if let (Some(back), Some(to)) = (back, to) {
                path.state = path.state.slide(to).0;
                path.moves = path.moves << 2 | back.opposite() as u64;
                path.len += 1;
            }
        }
    }
}

/// The last moves of the path to a state, and where they begin.
struct PathBack<W> {
    /// Which of some roots it leads to.
    number: usize,
    state: Packed<W>,
    /// Two bits each, the first one lowest.
    moves: u64,
    len: u32,
}

impl<W: Entry> PathBack<W> {
    fn new(number: usize, state: Packed<W>) -> PathBack<W> {
        PathBack {
            number,
            state,
            moves: 0,
            len: 0,
        }
    }

    /// What the fsm remembers of the path; `None` where it forbids it.
    fn fsm_state(&self, fsm: &Fsm) -> Option<FsmState> {
        (0..self.len).try_fold(Fsm::START, |state, index| {
            fsm.after(state, Move::ALL[(self.moves >> (2 * index) & 3) as usize])
        })
    }
}

/// How the roots of a threshold are dealt out.
struct Calls<'a, W, H> {
    engine: &'a dyn Engine<W, H>,
    /// About how many nodes are below a root.
    expected: u64,
    /// How many roots are searched together.
    roots: usize,
    /// The number of the next call.
    next: AtomicUsize,
}

/// The least and the most roots of a call: their look-ups overlap, and their subtrees fill batches.
const LEAST_ROOTS: u64 = 1 << 7;
const MOST_ROOTS: u64 = 1 << 12;
