//! Batched depth-first search with pattern databases: cache misses side by side.
//!
//! A look-up in a table of half a gigabyte is a wait for memory, far longer than all else that a
//! node takes. So nodes wait on one stack; a batch off its top is expanded together: first every
//! child's places in the tables are computed and their lines called for, then they are read. Of
//! two views of the board, the one in which the tile slides along a row comes first: its look-up
//! is the cheaper one ([`Index`]), and where it cuts a child off the other is not made.
//!
//! The stack is in the order of the recursion, what comes first on top: a batch is replaced by
//! its children in their order. To count as the recursion does, nodes that were made are owed by
//! the waiting node that the recursion would come to next, and counted when nothing waits before
//! it. A solution drops all that waits behind it, with what that owes; what waits before it is
//! searched on, and the first solution in the recursion's order remains.

use super::frontier::Above;
use super::machine;
use super::{Explorer, Found, Meter, Recursion, Stop, Subtree, Tree};
use crate::heuristic::{Patterns, Places};
use crate::lookup::prefetch::prefetch;
use crate::lookup::{Index, PatternTable, Place, Slide};
use crate::puzzle::{Cell, Entry, Grid, MAX_CELLS, Move, Packed, Tile, Word};
use crate::search::meter::Counts;

/// Nodes expanded together.
const BATCH: usize = 16;
/// Nodes that are worth a call of their own.
const GRAIN: u64 = 1 << 16;

/// The batched search; the recursion for more tables, or larger ones, than it knows.
pub(super) struct PatternBatches;

impl<W: Entry> Explorer<W, Patterns> for PatternBatches {
    fn explore(
        &self,
        tree: &Tree<'_, W, Patterns>,
        subtrees: &[Subtree<W, Patterns>],
        expected: u64,
        meter: &mut Meter<'_>,
    ) -> Found {
        let longest = |subtree: &Subtree<W, Patterns>| tree.threshold - subtree.node.g;
        let tables = tree.heuristic.tables().iter();
        let fits = subtrees.iter().map(longest).max() <= Some(LONGEST)
            && tables.map(|table| table.values().len()).max() <= Some(u32::MAX as usize);
        let explore = match (tree.heuristic.tables().len(), tree.heuristic.views().len()) {
            (2, 1) if fits => explore::<W, 2, 1>,
            (2, 2) if fits => explore::<W, 2, 2>,
            (3, 1) if fits => explore::<W, 3, 1>,
            (3, 2) if fits => explore::<W, 3, 2>,
            (4, 1) if fits => explore::<W, 4, 1>,
            (4, 2) if fits => explore::<W, 4, 2>,
            (5, 1) if fits => explore::<W, 5, 1>,
            (5, 2) if fits => explore::<W, 5, 2>,
            _ => return Recursion.explore(tree, subtrees, expected, meter),
        };
        explore(tree, subtrees, meter)
    }

    fn grain(&self) -> u64 {
        GRAIN
    }
}

/// Searches subtrees with `T` tables and `V` views of the board.
fn explore<W: Word, const T: usize, const V: usize>(
    tree: &Tree<'_, W, Patterns>,
    subtrees: &[Subtree<W, Patterns>],
    meter: &mut Meter<'_>,
) -> Found {
    let heuristic = tree.heuristic;
    let waiting = subtrees.iter().enumerate().rev();
    let steps = Steps::new(tree.grid, heuristic);
    let mut run = Run::<W, T, V> {
        tree,
        steps: &steps,
        tables_of: std::array::from_fn(|tile| {
            std::array::from_fn(|view| heuristic.views()[view].table_of[tile])
        }),
        tables: std::array::from_fn(|table| Table::new(&heuristic.tables()[table])),
        stack: waiting
            .map(|(number, subtree)| Waiting::new(tree, subtree, number as u32))
            .collect(),
        batch: Vec::with_capacity(BATCH),
        made: [0; BATCH],
        children: Vec::with_capacity(4 * BATCH),
        counts: Counts::default(),
        work: Counts::default(),
        told: Counts::default(),
        solution: None,
    };
    #[cfg(target_arch = "x86_64")]
    let verdict = match is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi2") {
        // SAFETY: the processor has what the function may use.
        true => unsafe { run.exhaust_with_popcnt(meter) },
        false => run.exhaust(meter),
    };
    #[cfg(not(target_arch = "x86_64"))]
    let verdict = run.exhaust(meter);
    // What was made behind the solution does not count.
    let counts = if verdict.is_ok() {
        run.counts
    } else {
        run.told
    };
    meter.untell(run.told.since(counts));
    meter.settle(counts);
    verdict?;
    Ok(run.solution.map(|solution| {
        let subtree = solution.subtree as usize;
        let budget = tree.threshold - subtrees[subtree].node.g;
        (subtree, solution.path.last_first(budget, solution.left))
    }))
}

/// A node that waits to be expanded.
#[derive(Clone, Copy)]
struct Waiting<W, const T: usize, const V: usize> {
    state: Packed<W>,
    /// The moves that are left.
    budget: u8,
    /// What each view's values add up to.
    sums: [u8; V],
    values: [[u8; T]; V],
    history: machine::State,
    places: [[Place; T]; V],
    /// Which subtree it is in, and where.
    subtree: u32,
    path: Path,
    /// Nodes that count once the recursion comes to this one.
    owed: Owed,
}

impl<W: Word, const T: usize, const V: usize> Waiting<W, T, V> {
    fn new(tree: &Tree<'_, W, Patterns>, subtree: &Subtree<W, Patterns>, number: u32) -> Self {
        let node = &subtree.node;
        let carried: &Places = &node.carried;
        let values: [[u8; T]; V] =
            std::array::from_fn(|view| std::array::from_fn(|table| carried.look(view * T + table)));
        Waiting {
            state: node.state,
            budget: (tree.threshold - node.g) as u8,
            sums: values.map(|values| values.iter().sum()),
            values,
            history: node.history,
            places: std::array::from_fn(|view| {
                std::array::from_fn(|table| carried.place(view * T + table))
            }),
            subtree: number,
            path: Path::default(),
            owed: subtree.before.into(),
        }
    }
}

/// Nodes that were made and are not counted yet.
#[derive(Clone, Copy, Default)]
struct Owed {
    expanded: u32,
    generated: u32,
}

impl From<Above> for Owed {
    fn from(above: Above) -> Owed {
        Owed {
            expanded: above.expanded as u32,
            generated: above.generated as u32,
        }
    }
}

/// The moves from a subtree's root, each at the place of what was left to go.
#[derive(Clone, Copy, Default)]
struct Path([u64; 4]);

/// The longest path.
const LONGEST: u32 = 127;

impl Path {
    #[inline(always)]
    fn with(mut self, budget: u8, mv: Move) -> Path {
        self.0[usize::from(budget / 32 % 4)] |= (mv as u64) << (budget % 32 * 2);
        self
    }

    /// The moves of a path that began with this much to go and ended with that much left.
    fn last_first(&self, budget: u32, left: u8) -> Vec<Move> {
        let at = |left: u32| self.0[left as usize / 32] >> (left % 32 * 2) & 3;
        (u32::from(left) + 1..=budget)
            .map(|left| Move::ALL[at(left) as usize])
            .collect()
    }
}

/// A child whose values have been called for: what differs from its parent.
#[derive(Clone, Copy)]
struct Child<W, const V: usize> {
    state: Packed<W>,
    history: machine::State,
    /// The number of the step that leads to it.
    step: u8,
    is_cut_off: bool,
    /// In the order in which they are made.
    looks: [Look; V],
}

/// A value that has been called for.
#[derive(Clone, Copy, Default)]
struct Look {
    place: Place,
    rank: u32,
    table: u8,
    /// What the view's values add up to, and the one of this table, once they are read.
    sum: u8,
    value: u8,
}

/// A move of the gap, and the slide of the tile as each view sees it.
#[derive(Clone, Copy)]
struct Step<const V: usize> {
    mv: Move,
    to: Cell,
    slides: [Slide; V],
    /// The views, the one with the cheapest look-up first.
    views: [u8; V],
}

/// The moves from every cell, the last one first: a stack gives back the other way round.
struct Steps<const V: usize> {
    steps: [[Step<V>; 4]; MAX_CELLS],
    counts: [u8; MAX_CELLS],
}

impl<const V: usize> Steps<V> {
    fn new(grid: &Grid, heuristic: &Patterns) -> Steps<V> {
        let step = |gap: Cell, mv, to| {
            let slides = std::array::from_fn(|view| {
                let seen = |cell: Cell| heuristic.views()[view].seen_as[usize::from(cell)];
                Slide::new(seen(to), seen(gap))
            });
            let mut views = std::array::from_fn(|view| view as u8);
            views.sort_by_key(|&view| !slides[usize::from(view)].keeps_order());
            Step {
                mv,
                to,
                slides,
                views,
            }
        };
        let mut steps = Steps {
            steps: [[step(0, Move::Up, 0); 4]; MAX_CELLS],
            counts: [0; MAX_CELLS],
        };
        for gap in 0..grid.size().cells() {
            let known = grid.steps(gap as Cell);
            steps.counts[gap] = known.len() as u8;
            for (slot, &(mv, to)) in steps.steps[gap].iter_mut().zip(known.iter().rev()) {
                *slot = step(gap as Cell, mv, to);
            }
        }
        steps
    }

    #[inline(always)]
    fn from(&self, gap: Cell) -> &[Step<V>] {
        let gap = usize::from(gap);
        &self.steps[gap][..usize::from(self.counts[gap])]
    }
}

/// A table, its parts at hand.
#[derive(Clone, Copy)]
struct Table<'a> {
    index: &'a Index,
    values: &'a [u8],
}

impl<'a> Table<'a> {
    fn new(table: &'a PatternTable) -> Table<'a> {
        Table {
            index: table.index(),
            values: table.values(),
        }
    }
}

/// A solution, and what it takes to write it down.
struct Solution {
    subtree: u32,
    path: Path,
    /// What is left to go: nothing, if the tables are right.
    left: u8,
}

/// A search of some subtrees.
struct Run<'a, W, const T: usize, const V: usize> {
    tree: &'a Tree<'a, W, Patterns>,
    steps: &'a Steps<V>,
    /// For each tile, the table that holds it in each view.
    tables_of: [[u8; V]; MAX_CELLS],
    tables: [Table<'a>; T],
    stack: Vec<Waiting<W, T, V>>,
    batch: Vec<Waiting<W, T, V>>,
    /// How many children each node of the batch has.
    made: [usize; BATCH],
    children: Vec<Child<W, V>>,
    /// Nodes that nothing waits behind.
    counts: Counts,
    /// All nodes that were made.
    work: Counts,
    /// The part of the work that the meter was told of.
    told: Counts,
    /// The first one in the recursion's order, of those found so far.
    solution: Option<Solution>,
}

impl<W: Word, const T: usize, const V: usize> Run<'_, W, T, V> {
    /// The same, with instructions that count bits and shift by variables.
    ///
    /// # Safety
    ///
    /// The processor has them.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    unsafe fn exhaust_with_popcnt(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.exhaust(meter)
    }

    #[inline(always)]
    fn exhaust(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        while !self.stack.is_empty() {
            self.expand_batch();
            (1..V).for_each(|number| self.look_again(number));
            self.keep_children();
            if self.work.generated - self.told.generated >= meter.patience() {
                self.tell(meter)?;
            }
        }
        self.tell(meter)
    }

    fn tell(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let news = self.work.since(self.told);
        self.told = self.work;
        meter.work(news)
    }

    /// Makes the children of a batch, all in the reverse of the recursion's order, and calls for
    /// their first values.
    #[inline(always)]
    fn expand_batch(&mut self) {
        let from = self.stack.len().saturating_sub(BATCH);
        self.batch.clear();
        self.batch.extend(self.stack.drain(from..));
        self.children.clear();
        for (node, made) in self.batch.iter().zip(&mut self.made) {
            let before = self.children.len();
            for (step, number) in self.steps.from(node.state.gap).iter().zip(0..) {
                let Some(history) = self.tree.machine.after(node.history, step.mv) else {
                    continue;
                };
                let (state, tile) = node.state.slide(step.to);
                let mut looks = [Look::default(); V];
                looks[0] = call_for(&self.tables, &self.tables_of, node, step, tile, 0);
                self.children.push(Child {
                    state,
                    history,
                    step: number,
                    is_cut_off: false,
                    looks,
                });
            }
            *made = self.children.len() - before;
        }
        self.work.expanded += self.batch.len() as u64;
        self.work.generated += self.children.len() as u64;
    }

    /// Reads the values that were called for last, and calls for the next ones of the children
    /// that are not cut off.
    #[inline(always)]
    fn look_again(&mut self, number: usize) {
        let mut children = self.children.iter_mut();
        for (node, &made) in self.batch.iter().zip(&self.made) {
            for child in children.by_ref().take(made) {
                let step = &self.steps.from(node.state.gap)[usize::from(child.step)];
                read(&self.tables, node, step, child, number - 1);
                if !child.is_cut_off {
                    let tile = node.state.cells.tile(step.to);
                    child.looks[number] =
                        call_for(&self.tables, &self.tables_of, node, step, tile, number);
                }
            }
        }
    }

    /// Reads the last values of the children, and keeps those that are within their budget.
    #[inline(always)]
    fn keep_children(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        let mut children = std::mem::take(&mut self.children);
        let mut rest = children.iter_mut();
        for (number, node) in batch.iter().enumerate() {
            for child in rest.by_ref().take(self.made[number]) {
                self.keep(node, child);
            }
            // The recursion expands a node before it comes to its children.
            self.owe(Owed {
                expanded: node.owed.expanded + 1,
                ..node.owed
            });
        }
        (self.batch, self.children) = (batch, children);
    }

    #[inline(always)]
    fn keep(&mut self, node: &Waiting<W, T, V>, child: &mut Child<W, V>) {
        const MADE: Owed = Owed {
            expanded: 0,
            generated: 1,
        };
        let step = &self.steps.from(node.state.gap)[usize::from(child.step)];
        if !child.is_cut_off {
            read(&self.tables, node, step, child, V - 1);
        }
        if child.is_cut_off {
            return self.owe(MADE);
        }
        let path = node.path.with(node.budget, step.mv);
        if child.state == self.tree.goal {
            let subtree = node.subtree;
            let left = node.budget - 1;
            return self.solve(Solution {
                subtree,
                path,
                left,
            });
        }
        let mut kept = Waiting {
            state: child.state,
            budget: node.budget - 1,
            history: child.history,
            path,
            owed: MADE,
            ..*node
        };
        for (&view, look) in step.views.iter().zip(&child.looks) {
            let (view, table) = (usize::from(view), usize::from(look.table));
            kept.places[view][table] = look.place;
            kept.values[view][table] = look.value;
            kept.sums[view] = look.sum;
        }
        self.stack.push(kept);
    }

    /// Counts nodes when the recursion has come to the node that is next now.
    #[inline(always)]
    fn owe(&mut self, owed: Owed) {
        match self.stack.last_mut() {
            Some(next) => {
                next.owed.expanded += owed.expanded;
                next.owed.generated += owed.generated;
            }
            None => {
                self.counts.expanded += u64::from(owed.expanded);
                self.counts.generated += u64::from(owed.generated);
            }
        }
    }

    /// Takes a solution, and forgets what waits behind it.
    #[cold]
    fn solve(&mut self, solution: Solution) {
        self.stack.clear();
        self.counts = Counts {
            expanded: 0,
            generated: 1,
        };
        self.solution = Some(solution);
    }
}

/// Calls for the value of a child in one of the views, the first or a later one.
#[inline(always)]
fn call_for<W: Word, const T: usize, const V: usize>(
    tables: &[Table<'_>; T],
    tables_of: &[[u8; V]; MAX_CELLS],
    node: &Waiting<W, T, V>,
    step: &Step<V>,
    tile: Tile,
    number: usize,
) -> Look {
    let view = usize::from(step.views[number]);
    let table = tables_of[usize::from(tile)][view];
    let Table { index, values } = tables[usize::from(table)];
    let place = index.slid(node.places[view][usize::from(table)], &step.slides[view]);
    let rank = index.rank(place);
    prefetch(values, rank);
    Look {
        place,
        rank: rank as u32,
        table,
        ..Look::default()
    }
}

/// Reads a value that was called for, and cuts the child off if it is too far from the goal.
#[inline(always)]
fn read<W: Word, const T: usize, const V: usize>(
    tables: &[Table<'_>; T],
    node: &Waiting<W, T, V>,
    step: &Step<V>,
    child: &mut Child<W, V>,
    number: usize,
) {
    let view = usize::from(step.views[number]);
    let look = &mut child.looks[number];
    let table = usize::from(look.table);
    look.value = tables[table].values[look.rank as usize];
    look.sum = node.sums[view] + look.value - node.values[view][table];
    child.is_cut_off = look.sum >= node.budget;
}
