//! Batched depth-first search with pattern databases: cache misses side by side.
//!
//! A look-up in a table of half a gigabyte is a wait for memory, far longer than all else that a
//! node takes. So nodes wait on one stack; a batch off its top is expanded together: first every
//! child's places in the tables are computed and their lines called for, then they are read.

use super::in_order::{Exhaust, InOrder};
use super::machine;
use super::{Explorer, Found, Meter, Recursion, Stop, Subtree, Tree};
use crate::heuristic::{Patterns, Places};
use crate::lookup::Place;
use crate::puzzle::{Packed, Word};
use crate::search::meter::Counts;
use crate::search::prefetch::prefetch;

/// Nodes expanded together.
const BATCH: usize = 16;
/// Nodes that are worth a run of their own.
const GRAIN: u64 = 1 << 12;

/// The batched search; the recursion for what is small, and for more tables than it knows.
pub(super) struct PatternBatches;

impl<W: Word> Explorer<W, Patterns> for PatternBatches {
    fn explore(
        &self,
        tree: &Tree<'_, W, Patterns>,
        subtrees: &[Subtree<W, Patterns>],
        expected: u64,
        meter: &mut Meter<'_>,
    ) -> Found {
        fn explore<W: Word, const T: usize, const V: usize>(
            tree: &Tree<'_, W, Patterns>,
            subtrees: &[Subtree<W, Patterns>],
            expected: u64,
            meter: &mut Meter<'_>,
        ) -> Found {
            let explorer = InOrder {
                exhaust: Batches::<T, V>,
                recursion: Recursion,
            };
            explorer.explore(tree, subtrees, expected, meter)
        }
        let explore = match (tree.heuristic.tables().len(), tree.heuristic.views().len()) {
            (2, 1) => explore::<W, 2, 1>,
            (2, 2) => explore::<W, 2, 2>,
            (3, 1) => explore::<W, 3, 1>,
            (3, 2) => explore::<W, 3, 2>,
            (4, 1) => explore::<W, 4, 1>,
            (4, 2) => explore::<W, 4, 2>,
            (5, 1) => explore::<W, 5, 1>,
            (5, 2) => explore::<W, 5, 2>,
            _ => return Recursion.explore(tree, subtrees, expected, meter),
        };
        explore(tree, subtrees, expected, meter)
    }

    fn grain(&self) -> u64 {
        GRAIN
    }
}

/// Batches for `T` tables and `V` views of the board.
struct Batches<const T: usize, const V: usize>;

/// A node that waits to be expanded.
#[derive(Clone, Copy)]
struct Waiting<W, const T: usize, const V: usize> {
    state: Packed<W>,
    places: [[Place; T]; V],
    values: [[u8; T]; V],
    history: machine::State,
    /// The moves that are left.
    budget: u8,
}

/// A child whose values have been called for.
struct Child<W, const T: usize, const V: usize> {
    node: Waiting<W, T, V>,
    /// For each view, the table to be read and where.
    looks: [(u8, u32); V],
}

impl<W: Word, const T: usize, const V: usize> Exhaust<W, Patterns> for Batches<T, V> {
    const SMALL: u64 = 1 << 6;
    const GRAIN: u64 = GRAIN;

    fn exhaust(
        &self,
        tree: &Tree<'_, W, Patterns>,
        subtrees: &[Subtree<W, Patterns>],
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        let mut run = Run::<W, T, V> {
            tree,
            stack: subtrees
                .iter()
                .rev()
                .map(|subtree| waiting(tree, subtree))
                .collect(),
            children: Vec::with_capacity(4 * BATCH),
            counts: Counts::default(),
            told: Counts::default(),
        };
        let verdict = run.exhaust(meter);
        if let Ok(Verdict::Solved) = verdict {
            meter.untell(run.told);
            return Ok(false);
        }
        meter.settle(run.counts);
        verdict.map(|_| true)
    }
}

fn waiting<W: Word, const T: usize, const V: usize>(
    tree: &Tree<'_, W, Patterns>,
    subtree: &Subtree<W, Patterns>,
) -> Waiting<W, T, V> {
    let node = &subtree.node;
    let carried: &Places = &node.carried;
    Waiting {
        state: node.state,
        places: std::array::from_fn(|view| {
            std::array::from_fn(|table| carried.place(view * T + table))
        }),
        values: std::array::from_fn(|view| {
            std::array::from_fn(|table| carried.look(view * T + table))
        }),
        history: node.history,
        budget: (tree.threshold - node.g) as u8,
    }
}

enum Verdict {
    Exhausted,
    Solved,
}

/// A search of some subtrees.
struct Run<'a, W, const T: usize, const V: usize> {
    tree: &'a Tree<'a, W, Patterns>,
    stack: Vec<Waiting<W, T, V>>,
    children: Vec<Child<W, T, V>>,
    counts: Counts,
    /// The part of the counts that the meter was told of.
    told: Counts,
}

impl<W: Word, const T: usize, const V: usize> Run<'_, W, T, V> {
    fn exhaust(&mut self, meter: &mut Meter<'_>) -> Result<Verdict, Stop> {
        while !self.stack.is_empty() {
            self.expand_batch();
            if self.keep_children() {
                return Ok(Verdict::Solved);
            }
            if self.counts.generated - self.told.generated >= meter.patience() {
                self.tell(meter)?;
            }
        }
        self.tell(meter)?;
        Ok(Verdict::Exhausted)
    }

    fn tell(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let news = self.counts.since(self.told);
        self.told = self.counts;
        meter.work(news)
    }

    /// Makes the children of a batch and calls for their values.
    #[inline(always)]
    fn expand_batch(&mut self) {
        let Tree {
            grid,
            heuristic,
            machine,
            ..
        } = self.tree;
        let from = self.stack.len().saturating_sub(BATCH);
        for node in self.stack.drain(from..) {
            self.counts.expanded += 1;
            for &(mv, to) in grid.steps(node.state.gap).iter().rev() {
                let Some(history) = machine.after(node.history, mv) else {
                    continue;
                };
                let (state, tile) = node.state.slide(to);
                let mut child = Child {
                    node: Waiting {
                        state,
                        history,
                        budget: node.budget - 1,
                        ..node
                    },
                    looks: [(0, 0); V],
                };
                let views = heuristic.views().iter().zip(&mut child.looks);
                for ((view, look), places) in views.zip(&mut child.node.places) {
                    let number = view.table_of[usize::from(tile)];
                    let table = &heuristic.tables()[usize::from(number)];
                    let place = &mut places[usize::from(number)];
                    let from = view.seen_as[usize::from(to)];
                    let to = view.seen_as[usize::from(node.state.gap)];
                    *place = table.index().moved(*place, from, to);
                    let rank = table.index().rank(*place);
                    prefetch(table.values(), rank);
                    *look = (number, rank as u32);
                }
                self.children.push(child);
            }
        }
    }

    /// Reads the values, and keeps what is within its budget; true at a solution.
    #[inline(always)]
    fn keep_children(&mut self) -> bool {
        let tables = self.tree.heuristic.tables();
        self.counts.generated += self.children.len() as u64;
        for Child { mut node, looks } in self.children.drain(..) {
            let mut h = 0;
            for ((number, rank), values) in looks.into_iter().zip(&mut node.values) {
                let number = usize::from(number);
                values[number] = tables[number].values()[rank as usize];
                h = h.max(values.iter().sum());
            }
            if h > node.budget {
                continue;
            }
            if h == 0 {
                return true;
            }
            self.stack.push(node);
        }
        false
    }
}
