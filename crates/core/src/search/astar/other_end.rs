//! The other end: A*+IDA* from the goal to the board, where that takes fewer nodes.
//!
//! A tree from the goal to a board is as deep as the one from the board to the goal, and no rule says
//! which is the smaller one. On the ten hardest boards of korf24 the tree from the goal has 0.07 to 12
//! times the nodes, with the same partitions. So once a search is long, both trees are searched up to a
//! small threshold, and the one that will be the smaller one is gone on with. That takes tables of the
//! way to the board: they are built then, unless the board's gap is in a corner, where the tables at hand
//! lead to it too.
//!
//! That no solution is as short as a threshold is true from either end, so thresholds that were
//! searched from one end need not be searched from the other. It is as if the search was resumed:
//! what it takes to choose an end, and what a resumed search does again, is not counted, but its time is,
//! and limits hold meanwhile. The choice depends on counts of one thread alone, so it is the same in
//! every run that has the memory for its tables.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::then_idastar::{OtherEnd, ThenIdaStar};
use super::{AStarFor, Found, Query, remembers, with_patterns};
use crate::heuristic::{Heuristic, Patterns};
use crate::lookup::{BuildControl, BuildPlan};
use crate::puzzle::{Board, Entry, Grid, MoveOrder, Packed, Problem};
use crate::search::idastar::{Engines, Fsm, GROWTH, Subtree, Tree, TunedEngines};
use crate::search::meter::{HeldTables, Meter};
use crate::search::{EngineChoice, NodeCounts, Stop};
use crate::sys::cpu_time::thread_cpu_time;

/// A search from the other end, for a heuristic that there is one for.
pub(crate) type OtherEndFor<W, H> = fn(&Ends<'_, W, H>, &H, Exhausted, &mut Meter<'_>) -> Found;

/// The search from the start, and how that from the goal is to be.
pub(crate) struct Ends<'a, W, H> {
    pub problem: &'a Problem,
    pub order: MoveOrder,
    pub query: &'a Query<'a, W>,
    pub engine: EngineChoice,
    pub engines: &'a Engines<W, H>,
    pub fsm: &'a Fsm,
    pub open: usize,
    pub threads: usize,
    /// The nodes after which an end is chosen.
    pub other_end_after: u64,
    /// The estimate of the start.
    pub first: u32,
}

/// The thresholds that hold no solution.
#[derive(Clone, Copy)]
pub(crate) struct Exhausted {
    /// The last one.
    pub threshold: u32,
    /// What all of them took.
    pub generated: u64,
}

impl<W: Entry, H: Heuristic<W>> Ends<'_, W, H> {
    /// A*+IDA* from the start, which may go on from the goal where there is a search for that.
    pub fn search(
        &self,
        heuristic: &H,
        astar: AStarFor<W, H>,
        other_end: Option<OtherEndFor<W, H>>,
        meter: &mut Meter<'_>,
    ) -> Found {
        let from_goal = other_end.map(|search| {
            move |exhausted, meter: &mut Meter<'_>| search(self, heuristic, exhausted, meter)
        });
        let done = meter.watch().resume_point();
        let then = ThenIdaStar {
            engines: self.engines,
            fsm: self.fsm,
            open: self.open,
            remembers: remembers::<W, H>(self.fsm),
            threads: self.threads,
            list: None,
            first: self.first,
            exhausted: done.map(|done| Exhausted {
                threshold: done.threshold,
                generated: done.generated,
            }),
            other_end: from_goal.as_ref().map(|search| OtherEnd {
                after: self.other_end_after,
                search,
            }),
        };
        astar(self.query, heuristic, Some(&then), meter)
    }
}

/// Searches from the goal, behind thresholds that were exhausted; `None` where the tree from the start is
/// the smaller one, or there is no memory for tables.
pub(crate) fn with_patterns_from_goal<W: TunedEngines>(
    ends: &Ends<'_, W, Patterns>,
    patterns: &Patterns,
    exhausted: Exhausted,
    meter: &mut Meter<'_>,
) -> Found {
    let problem = ends.problem.reversed();
    let built = match patterns.lead_to(problem.target()) {
        true => None,
        false => match ends.tables_to(problem.target(), patterns, exhausted, meter)? {
            None => return Ok(None),
            built => built,
        },
    };
    let back = built.as_ref().map_or(patterns, |(tables, _)| tables);
    let grid = Grid::new(problem.size(), problem.order_as_searched(ends.order));
    let query = Query {
        start: Packed::new(problem.start()),
        goal: Packed::new(problem.target()),
        grid: &grid,
        endgame: None,
        threads: 1,
        alone_until: 0,
    };
    let engines = W::for_patterns(back, &grid, ends.fsm).chosen(ends.engine);
    let mut from_start = Trial::new(ends.query, patterns, ends.engines, ends.fsm);
    let mut from_goal = Trial::new(&query, back, &engines, ends.fsm);
    let (most, enough) = (exhausted.threshold, ends.other_end_after / TRIAL);
    if !from_goal.is_smaller_than(&mut from_start, most, enough, meter)? {
        return Ok(None);
    }
    let then = ThenIdaStar {
        engines: &engines,
        fsm: ends.fsm,
        open: ends.open,
        remembers: remembers::<W, Patterns>(ends.fsm),
        threads: ends.threads,
        list: None,
        first: ends.first,
        exhausted: Some(exhausted),
        other_end: None,
    };
    let moves = with_patterns(&query, back, Some(&then), meter)?;
    let as_given = moves.map(|moves| problem.moves_as_given(moves));
    // What makes given moves of searched ones makes searched ones of given ones, too.
    Ok(as_given.map(|moves| ends.problem.moves_as_given(moves)))
}

impl<W> Ends<'_, W, Patterns> {
    /// Builds the tables of the way to a target. `None` where that would take long beside what was
    /// searched, or too much memory, or the system gives no threads.
    fn tables_to<'m>(
        &self,
        target: &Board,
        patterns: &Patterns,
        exhausted: Exhausted,
        meter: &Meter<'m>,
    ) -> Result<Option<(Patterns, HeldTables<'m>)>, Stop> {
        let Ok((collection, mirror)) = patterns.collection_toward(target) else {
            return Ok(None);
        };
        let needed = collection.patterns();
        let plans: Vec<BuildPlan> = needed.iter().map(BuildPlan::new).collect();
        let states: u64 = plans.iter().map(|plan| plan.states).sum();
        if states / STATES_A_NODE > exhausted.generated.max(OTHER_END_AFTER) {
            return Ok(None);
        }
        let tables = plans.iter().map(|plan| plan.bytes).sum();
        let meanwhile = plans.iter().map(|plan| plan.memory).max();
        let Some(held) = meter.hold_tables(tables, meanwhile.unwrap_or(0)) else {
            return Ok(None);
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads);
        let Ok(pool) = pool.build() else {
            return Ok(None);
        };
        let watch = meter.watch();
        let is_over = AtomicBool::new(false);
        let after_level = |_| is_over.store(watch.check_clock().is_err(), Relaxed);
        let control = BuildControl {
            cancel: Some(&is_over),
            listener: Some(&after_level),
        };
        let begun = pool.broadcast(|_| thread_cpu_time());
        let built = pool.install(|| Patterns::build(collection, mirror, &control));
        pool.broadcast(|worker| watch.add_cpu_time(begun[worker.index()]));
        watch.check_clock()?;
        Ok(built.ok().map(|tables| (tables, held)))
    }
}

/// The nodes after which A*+IDA* asks whether the tree from the goal is the smaller one: to ask takes as
/// long on 5x5 as 500 million nodes, and the next threshold has about seven times as many as all before it.
pub(crate) const OTHER_END_AFTER: u64 = 1 << 28;
/// How many states of tables are built for one node that was searched, at most: to build five takes as
/// long as a node. `small5x5` has 2.5 billion states in both reflections.
const STATES_A_NODE: u64 = 16;

/// A tree that is searched up to a few small thresholds, to know how it grows.
struct Trial<'a, W, H> {
    start: Packed<W>,
    tree: Tree<'a, W, H>,
    engines: &'a Engines<W, H>,
    /// The nodes of the last threshold, and of the one before it.
    last: u64,
    before: u64,
}

/// A trial ends with a threshold of this part of the nodes after which it is made, or of up to some twelve
/// times as many: seconds of work, where the next threshold is minutes.
const TRIAL: u64 = 64;
/// How many thresholds farther the trees are compared, as if they went on to grow as they do.
const AHEAD: i32 = 2;

impl<'a, W: TunedEngines> Trial<'a, W, Patterns> {
    fn new(
        query: &Query<'a, W>,
        patterns: &'a Patterns,
        engines: &'a Engines<W, Patterns>,
        fsm: &'a Fsm,
    ) -> Trial<'a, W, Patterns> {
        let h = Heuristic::<W>::value(patterns, patterns.start(query.start));
        Trial {
            start: query.start,
            tree: Tree {
                grid: query.grid,
                heuristic: patterns,
                fsm,
                goal: query.goal,
                threshold: h,
                perimeter: None,
            },
            engines,
            last: 1,
            before: 1,
        }
    }

    /// Searches both trees up to a threshold in which one has `enough` nodes, and which is none that may
    /// hold a solution; says whether this one will have fewer nodes than the other.
    fn is_smaller_than(
        &mut self,
        other: &mut Self,
        most: u32,
        enough: u64,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        let mark = meter.counts();
        let mut threshold = self.tree.threshold.max(other.tree.threshold);
        let mut searched = Ok(());
        while searched.is_ok() && threshold <= most && self.last.max(other.last) < enough {
            searched = self.search(threshold, meter);
            searched = searched.and_then(|()| other.search(threshold, meter));
            threshold += <Patterns as Heuristic<W>>::STEP;
        }
        meter.roll_back(mark);
        searched.map(|()| self.forecast() < other.forecast())
    }

    fn search(&mut self, threshold: u32, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mark = meter.counts();
        self.tree.threshold = threshold;
        let expected = self.last.saturating_mul(GROWTH);
        let subtree = Subtree {
            node: self.tree.root(self.start),
            path: Vec::new(),
            before: NodeCounts::default(),
        };
        let (engine, _) = self.engines.for_nodes(expected);
        engine.search(&self.tree, &[subtree], expected, meter)?;
        self.before = self.last;
        self.last = (meter.counts() - mark).generated.max(1);
        Ok(())
    }

    /// The nodes of a later threshold, about.
    fn forecast(&self) -> f64 {
        let (last, before) = (self.last as f64, self.before as f64);
        last * (last / before).powi(AHEAD)
    }
}
