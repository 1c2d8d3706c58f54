//! Batched depth-first search with pattern databases: cache misses side by side.
//!
//! A look-up in a table is a wait for memory, far longer than all else that a node takes. So
//! nodes wait on one stack; a batch off its top is expanded together: first every child's place
//! is found, then the line of the table that has its value is prefetched, then all are read. Of the
//! reflections of the board, one in which the tile slides along a row comes first: its look-up is
//! the cheaper one ([`Index`](crate::lookup::Index)), and where it cuts a child off the others are
//! not made.
//!
//! Numbers that index arrays are below their lengths. The compiler does not know that, so they
//! are taken `% BATCH`, `% MOST`, `% P` and the like: a mask, where a bounds check would be a
//! branch and a panic. Nodes and tables, whose lengths are no powers of two, are read without
//! checks: with them a node takes 12 % more time.
//!
//! The passes over the children have no branch that depends on a value: who is cut off is left
//! out of the list that the next pass reads. Nodes stay where they are until they are expanded,
//! only their slots are moved.
//!
//! The stack is in the order of the recursion, what comes first on top: a batch is replaced by
//! its children in their order. To count as the recursion does, nodes that were made are owed by
//! the waiting node that the recursion would come to next, and counted when nothing waits before
//! it. A solution drops all that waits behind it, with what that owes; what waits before it is
//! searched on, and the first solution in the recursion's order remains.

mod stack;
mod steps;

use super::recursion::Recursion;
use crate::heuristic::Patterns;
use crate::puzzle::{Entry, Grid, Tile};
use crate::search::control::Stop;
use crate::search::idastar::engine::{Engine, Found, Grain};
use crate::search::idastar::frontier::SubtreeOf;
use crate::search::idastar::fsm::Fsm;
use crate::search::idastar::tree::Tree;
use crate::search::meter::Meter;
use crate::search::node_counts::NodeCounts;
use crate::search::probe::{Probe, Table, holders};
use stack::{OpenNode, Path, Root, Slot, Stack, Tiles, tiles};
use steps::{Moves, Step, Steps};

/// Nodes expanded together.
const BATCH: usize = 16;
/// The most children of a batch.
const MOST: usize = 4 * BATCH;
/// Nodes that are worth a call of their own.
const GRAIN: Grain = Grain::of(1 << 16);
/// The most places in tables that a node has, and the most reflections of a board.
const MOST_SLOTS: usize = 32;
const MOST_REFLECTIONS: usize = 8;

/// The batched search.
pub(super) struct PatternBatches;

impl PatternBatches {
    /// `None` for more tables, or larger ones, than it has room for.
    pub fn new(patterns: &Patterns) -> Option<PatternBatches> {
        let mut tables = patterns.tables().iter();
        let fits = patterns.slots() <= MOST_SLOTS
            && patterns.reflections().len() <= MOST_REFLECTIONS
            && tables.all(|table| table.index().bits() <= u32::MAX as usize);
        fits.then_some(PatternBatches)
    }
}

impl<W: Entry> Engine<W, Patterns> for PatternBatches {
    fn search(
        &self,
        tree: &Tree<'_, W, Patterns>,
        subtrees: &[SubtreeOf<W, Patterns>],
        expected: u64,
        meter: &mut Meter<'_>,
    ) -> Found {
        self.search_noting(tree, subtrees, expected, meter, &mut [])
    }

    fn search_noting(
        &self,
        tree: &Tree<'_, W, Patterns>,
        subtrees: &[SubtreeOf<W, Patterns>],
        expected: u64,
        meter: &mut Meter<'_>,
        least: &mut [u8],
    ) -> Found {
        let budget = |subtree: &SubtreeOf<W, Patterns>| tree.threshold - subtree.node.g;
        if subtrees.iter().any(|it| budget(it) > Path::LONGEST) {
            return Recursion.search(tree, subtrees, expected, meter);
        }
        let forest = Forest {
            grid: tree.grid,
            heuristic: tree.heuristic,
            fsm: tree.fsm,
            goal: tiles(tree.goal, tree.grid.size()),
            roots: subtrees.iter().map(|it| Root::new(tree, it)).collect(),
        };
        let search = match (tree.heuristic.slots(), tree.heuristic.reflections().len()) {
            (..=4, 2) => search::<4, 2>,
            (..=8, 1) => search::<8, 1>,
            (..=8, 2) => search::<8, 2>,
            (..=16, 2) => search::<16, 2>,
            (..=16, 4) => search::<16, 4>,
            _ => search::<MOST_SLOTS, MOST_REFLECTIONS>,
        };
        search(&forest, meter, least)
    }

    fn grain(&self) -> Grain {
        GRAIN
    }
}

/// Subtrees to search: no matter what word their boards are packed in, so that the search is compiled
/// once for all of them.
struct Forest<'a> {
    grid: &'a Grid,
    heuristic: &'a Patterns,
    fsm: &'a Fsm,
    goal: Tiles,
    roots: Vec<Root<'a>>,
}

/// Searches subtrees with up to `P` places in tables and `V` reflections of the board.
fn search<const P: usize, const V: usize>(
    forest: &Forest<'_>,
    meter: &mut Meter<'_>,
    least: &mut [u8],
) -> Found {
    let Forest {
        grid,
        heuristic,
        fsm,
        ..
    } = *forest;
    let tables: Vec<Table<'_>> = heuristic.tables().iter().map(Table::new).collect();
    let holders = holders(heuristic, &tables);
    let steps = Steps::new(grid, heuristic, &holders);
    let none = Child::none(steps.step(0, 0), &tables[0]);
    let mut batched = BatchedSearch::<P, V> {
        fsm,
        steps: &steps,
        reflections: holders.len(),
        stack: Stack::new(&forest.roots, forest.goal),
        batch: [Slot::default(); BATCH],
        before: [NodeCounts::default(); BATCH],
        moves: [0; MOST + 4],
        children: [none; MOST],
        alive: [0; MOST],
        work: NodeCounts::default(),
        reported: NodeCounts::default(),
    };
    let verdict = batched.run(meter);
    // What was made behind the solution does not count, and what lies above the subtrees does.
    let counts = match verdict {
        Ok(()) => batched.stack.counts,
        Err(_) => batched.reported,
    };
    meter.commit(batched.reported, counts);
    verdict?;
    for (least, &known) in least.iter_mut().zip(&batched.stack.least) {
        *least = known;
    }
    Ok(batched.stack.solution.map(|solution| {
        let subtree = solution.subtree as usize;
        let budget = forest.roots[subtree].budget;
        (
            subtree,
            solution.path.last_first(budget.into(), solution.left),
        )
    }))
}

/// A child whose values have been prefetched: what differs from its parent.
#[derive(Clone, Copy)]
struct Child<'a, const V: usize> {
    step: &'a Step<'a, V>,
    /// Its parent, and that one's number in the batch.
    node: Slot,
    number: u8,
    /// The tile that slides.
    tile: Tile,
    /// In the order in which they are made.
    probes: [Probe<'a>; V],
}

impl<'a, const V: usize> Child<'a, V> {
    /// What stands where no child was made yet.
    fn none(step: &'a Step<'a, V>, table: &'a Table<'a>) -> Child<'a, V> {
        Child {
            step,
            node: Slot::default(),
            number: 0,
            tile: 0,
            probes: [Probe::none(table); V],
        }
    }

    /// Finds the place of a value.
    #[inline(always)]
    fn place<const P: usize>(&mut self, number: usize, node: &OpenNode<P, V>) {
        let slid = &self.step.slid[number];
        let holder = slid.holder(self.tile);
        let probe = &mut self.probes[number];
        *probe = Probe::waiting(holder, node.places[usize::from(holder.slot) % P]);
        // SAFETY: this is the tile that slides, and a node has the places of its tiles.
        unsafe { probe.slide(&slid.slide) };
    }

    /// Prefetches a value whose place was found.
    #[inline(always)]
    fn prefetch(&mut self, number: usize) {
        // SAFETY: it was found after this slide.
        unsafe { self.probes[number].prefetch(&self.step.slid[number].slide) };
    }

    /// Reads a value that was prefetched; says whether the child is near enough to the goal.
    #[inline(always)]
    fn is_within<const P: usize>(&mut self, number: usize, node: &OpenNode<P, V>) -> bool {
        let probe = &mut self.probes[number];
        probe.read(node.values[usize::from(probe.slot) % P]);
        let reflection = self.step.slid[number].reflection;
        let sum = node.sums[usize::from(reflection) % V];
        sum.wrapping_add(probe.change) < node.budget
    }
}

/// A search of some subtrees.
struct BatchedSearch<'a, const P: usize, const V: usize> {
    fsm: &'a Fsm,
    steps: &'a Steps<'a, V>,
    /// How many reflections there are.
    reflections: usize,
    stack: Stack<P, V>,
    batch: [Slot; BATCH],
    /// What the nodes before each one of the batch owe, and their expansions.
    before: [NodeCounts; BATCH],
    /// The moves of the batch, each with its node's number above it; and room behind them.
    moves: [u8; MOST + 4],
    /// The children that they lead to, all in the reverse of the recursion's order.
    children: [Child<'a, V>; MOST],
    /// The children that are not cut off.
    alive: [u8; MOST],
    /// All nodes that were made.
    work: NodeCounts,
    /// The part of the work that was reported to the meter.
    reported: NodeCounts,
}

impl<const P: usize, const V: usize> BatchedSearch<'_, P, V> {
    /// Expands all nodes.
    fn run(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
        {
            // SAFETY: the processor has what the function may use.
            return unsafe { self.exhaust_with_avx2(meter) };
        }
        self.exhaust(meter)
    }

    /// The same, with instructions that count bits, shift by variables and copy nodes.
    ///
    /// # Safety
    ///
    /// The processor has them.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
    unsafe fn exhaust_with_avx2(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.exhaust(meter)
    }

    #[inline(always)]
    fn exhaust(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        // Never more than there is room for, which tells the compiler how often the loop runs.
        let reflections = match V {
            MOST_REFLECTIONS => self.reflections.min(V),
            _ => V,
        };
        while !self.stack.is_empty() {
            let taken = self.stack.pop(&mut self.batch);
            let (made, counts) = self.list_moves(taken);
            let mut alive = self.probe_first(made);
            for number in 1..reflections {
                alive = self.probe_next(number, alive);
            }
            self.keep_children(reflections, alive, counts);
            self.stack.release(&self.batch[..taken]);
            if self.work.generated - self.reported.generated >= meter.nodes_until_check() {
                self.report(meter)?;
            }
        }
        self.report(meter)
    }

    fn report(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let unreported = self.work - self.reported;
        self.reported = self.work;
        meter.report(unreported)
    }

    /// Lists the moves of a batch of so many nodes. Says how many there are, and what counts when
    /// all its nodes are done.
    #[inline(always)]
    fn list_moves(&mut self, taken: usize) -> (usize, NodeCounts) {
        let mut made = 0;
        let mut counts = NodeCounts::default();
        for (number, (&slot, before)) in
            self.batch[..taken].iter().zip(&mut self.before).enumerate()
        {
            let node = self.stack.node(slot);
            // All four are written at once, so that no branch depends on how many there are.
            let Moves { moves, count } = self.steps.allowed(node.gap, node.fsm_state.allowed());
            let numbers = number as u32 * 0x0404_0404;
            let moves = (u32::from_le_bytes(moves) | numbers).to_le_bytes();
            self.moves[made % MOST..][..4].copy_from_slice(&moves);
            made += usize::from(count);
            *before = counts;
            counts += node.owed;
            counts.expanded += 1;
        }
        self.work.expanded += taken as u64;
        self.work.generated += made as u64;
        counts.generated += made as u64;
        (made.min(MOST), counts)
    }

    /// Makes the children of the batch and reads their first values; says how many are not cut
    /// off.
    #[inline(always)]
    fn probe_first(&mut self, made: usize) -> usize {
        for (&mv, child) in self.moves[..made].iter().zip(&mut self.children) {
            child.number = mv >> 2;
            child.node = self.batch[usize::from(child.number) % BATCH];
            let node = self.stack.node(child.node);
            child.step = self.steps.step(node.gap, mv);
            child.tile = node.tile(child.step.to);
            child.place(0, node);
        }
        for child in &mut self.children[..made] {
            child.prefetch(0);
        }
        let mut alive = 0;
        for (at, child) in (0u8..).zip(&mut self.children[..made]) {
            let is_within = child.is_within(0, self.stack.node(child.node));
            self.alive[alive % MOST] = at;
            alive += usize::from(is_within);
        }
        alive
    }

    /// Reads the next values of the children that are not cut off; says how many still are not.
    #[inline(always)]
    fn probe_next(&mut self, number: usize, before: usize) -> usize {
        let number = number % V;
        for &at in &self.alive[..before] {
            let child = &mut self.children[usize::from(at) % MOST];
            child.place(number, self.stack.node(child.node));
        }
        for &at in &self.alive[..before] {
            self.children[usize::from(at) % MOST].prefetch(number);
        }
        let mut alive = 0;
        for index in 0..before {
            let at = self.alive[index % MOST];
            let child = &mut self.children[usize::from(at) % MOST];
            let is_within = child.is_within(number, self.stack.node(child.node));
            self.alive[alive % MOST] = at;
            alive += usize::from(is_within);
        }
        alive
    }

    /// Lets those wait that are not cut off, and counts them all.
    #[inline(always)]
    fn keep_children(&mut self, reflections: usize, alive: usize, counts: NodeCounts) {
        let mut counted = NodeCounts::default();
        for &at in &self.alive[..alive] {
            let child = &self.children[usize::from(at) % MOST];
            // The recursion expands a node before it comes to its children.
            let mut before = self.before[usize::from(child.number) % BATCH];
            before.generated += u64::from(at);
            self.stack.owe(before - counted);
            counted = before;
            let node = self.stack.node(child.node);
            let fsm_state = self.fsm.after_allowed(node.fsm_state, child.step.mv);
            self.fsm.prefetch(fsm_state);
            self.stack.push(child, reflections, fsm_state);
        }
        self.stack.owe(counts - counted);
    }
}
