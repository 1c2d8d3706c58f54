//! Batched depth-first search with pattern databases: cache misses side by side.
//!
//! A look-up in a table of half a gigabyte is a wait for memory, far longer than all else that a
//! node takes. So nodes wait on one stack; a batch off its top is expanded together: first every
//! child's places in the tables are computed and their lines called for, then they are read.
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
use crate::puzzle::{Cell, Entry, Grid, MAX_CELLS, Move, Packed, Word};
use crate::search::meter::Counts;

/// Nodes expanded together.
const BATCH: usize = 16;
/// Nodes that are worth a call of their own.
const GRAIN: u64 = 1 << 16;

/// The batched search; the recursion for more tables than it knows.
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
        let fits = subtrees.iter().map(longest).max() <= Some(LONGEST);
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
    let mut run = Run::<W, T, V> {
        tree,
        steps: Steps::new(tree.grid, heuristic),
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
        (subtree, solution.path.last_first(budget))
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

    /// The moves of a path that began with this much to go and went on to the end.
    fn last_first(&self, budget: u32) -> Vec<Move> {
        let at = |left: u32| self.0[left as usize / 32] >> (left % 32 * 2) & 3;
        (1..=budget)
            .map(|left| Move::ALL[at(left) as usize])
            .collect()
    }
}

/// A child whose values have been called for: what differs from its parent.
#[derive(Clone, Copy)]
struct Child<W, const V: usize> {
    state: Packed<W>,
    mv: Move,
    history: machine::State,
    looks: [Look; V],
}

/// A value that has been called for.
#[derive(Clone, Copy, Default)]
struct Look {
    place: Place,
    rank: u32,
    table: u8,
}

/// A move of the gap, and the slide of the tile as each view sees it.
#[derive(Clone, Copy)]
struct Step<const V: usize> {
    mv: Move,
    to: Cell,
    slides: [Slide; V],
}

/// The moves from every cell, the last one first: a stack gives back the other way round.
struct Steps<const V: usize> {
    steps: [[Step<V>; 4]; MAX_CELLS],
    counts: [u8; MAX_CELLS],
}

impl<const V: usize> Steps<V> {
    fn new(grid: &Grid, heuristic: &Patterns) -> Steps<V> {
        let step = |gap: Cell, mv, to| Step {
            mv,
            to,
            slides: std::array::from_fn(|view| {
                let seen = |cell: Cell| heuristic.views()[view].seen_as[usize::from(cell)];
                Slide::new(seen(to), seen(gap))
            }),
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
}

/// A search of some subtrees.
struct Run<'a, W, const T: usize, const V: usize> {
    tree: &'a Tree<'a, W, Patterns>,
    steps: Steps<V>,
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
    /// their values.
    #[inline(always)]
    fn expand_batch(&mut self) {
        let from = self.stack.len().saturating_sub(BATCH);
        self.batch.clear();
        self.batch.extend_from_slice(&self.stack[from..]);
        self.stack.truncate(from);
        self.children.clear();
        for (node, made) in self.batch.iter().zip(&mut self.made) {
            let before = self.children.len();
            for step in self.steps.from(node.state.gap) {
                let Some(history) = self.tree.machine.after(node.history, step.mv) else {
                    continue;
                };
                let (state, tile) = node.state.slide(step.to);
                let tables = &self.tables_of[usize::from(tile)];
                let mut looks = [Look::default(); V];
                for view in 0..V {
                    let number = usize::from(tables[view]);
                    let table = self.tables[number];
                    let place = table
                        .index
                        .slid(node.places[view][number], &step.slides[view]);
                    let rank = table.index.rank(place);
                    prefetch(table.values, rank);
                    looks[view] = Look {
                        place,
                        rank: rank as u32,
                        table: number as u8,
                    };
                }
                self.children.push(Child {
                    state,
                    mv: step.mv,
                    history,
                    looks,
                });
            }
            *made = self.children.len() - before;
        }
        self.work.expanded += self.batch.len() as u64;
        self.work.generated += self.children.len() as u64;
    }

    /// Reads the values of the children, and keeps those that are within their budget.
    #[inline(always)]
    fn keep_children(&mut self) {
        let (batch, children) = (
            std::mem::take(&mut self.batch),
            std::mem::take(&mut self.children),
        );
        let mut rest = &children[..];
        for (number, node) in batch.iter().enumerate() {
            let (own, others) = rest.split_at(self.made[number]);
            own.iter().for_each(|child| self.keep(node, child));
            // The recursion expands a node before it comes to its children.
            self.owe(Owed {
                expanded: node.owed.expanded + 1,
                ..node.owed
            });
            rest = others;
        }
        (self.batch, self.children) = (batch, children);
    }

    #[inline(always)]
    fn keep(&mut self, node: &Waiting<W, T, V>, child: &Child<W, V>) {
        const MADE: Owed = Owed {
            expanded: 0,
            generated: 1,
        };
        let budget = node.budget - 1;
        let (mut new, mut sums, mut h) = ([0; V], node.sums, 0);
        for view in 0..V {
            let look = &child.looks[view];
            let table = usize::from(look.table);
            new[view] = self.tables[table].values[look.rank as usize];
            sums[view] = sums[view] + new[view] - node.values[view][table];
            h = h.max(sums[view]);
        }
        if h > budget {
            return self.owe(MADE);
        }
        let path = node.path.with(node.budget, child.mv);
        if h == 0 {
            let subtree = node.subtree;
            return self.solve(Solution { subtree, path });
        }
        let mut kept = Waiting {
            state: child.state,
            budget,
            sums,
            history: child.history,
            path,
            owed: MADE,
            ..*node
        };
        for (view, look) in child.looks.iter().enumerate() {
            kept.places[view][usize::from(look.table)] = look.place;
            kept.values[view][usize::from(look.table)] = new[view];
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
