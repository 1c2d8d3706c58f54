//! Weighted A*, greedy search and ARA* where tiles have costs of their own, over a heap.
//!
//! There are almost as many priorities as paths, so there is nothing to gain from buckets.

use super::reached::{Arrival, Reached, States, WhenClosed};
use super::tile_costs::TileCosts;
use super::{Query, Variant};
use crate::puzzle::{Cost, Move, Packed, Word};
use crate::search::store::{Heap, push};
use crate::search::{Algorithm, Meter, Stop, Weight};

/// A state that waits: the least priority comes first, of these the nearest to the start. The rest of the
/// order makes runs repeatable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct OpenNode<W> {
    priority: u128,
    g: u64,
    insertion: u64,
    h: u64,
    cells: W,
    gap: u8,
}

/// How much g and h count.
#[derive(Clone, Copy)]
pub(super) struct Weights {
    g: u128,
    h: u128,
}

impl Weights {
    pub fn of(weight: Weight) -> Weights {
        let (numerator, denominator) = weight.ratio();
        Weights {
            g: denominator.into(),
            h: numerator.into(),
        }
    }

    fn priority(self, g: u64, h: u64) -> u128 {
        self.g * u128::from(g) + self.h * u128::from(h)
    }

    /// Whether a cost is within the weight of another one.
    pub fn is_within(self, cost: u64, least: u64) -> bool {
        self.priority(cost, 0) <= self.priority(0, least)
    }

    /// What no solution is below if one of this cost is within the weight.
    pub fn least_within(self, cost: u64) -> u64 {
        (self.g * u128::from(cost)).div_ceil(self.h) as u64
    }
}

struct BestFirst<'a, W> {
    query: &'a Query<'a, W, TileCosts>,
    open: Heap<OpenNode<W>>,
    deferred: Vec<OpenNode<W>>,
    states: States<W>,
    weights: Weights,
    insertions: u64,
}

/// Searches for a solution within the algorithm's bound, if it has one.
pub(super) fn search<W: Word>(
    query: &Query<'_, W, TileCosts>,
    algorithm: Algorithm,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    match algorithm {
        Algorithm::WAStar { weight, reopen } => {
            let when_closed = match reopen {
                true => WhenClosed::Reopen,
                false => WhenClosed::Leave,
            };
            let weights = Weights::of(weight);
            let mut search = BestFirst::begin(query, weights, when_closed, meter)?;
            let (cost, moves) = search.first(meter)?;
            let least = weights.least_within(cost).max(search.h0());
            meter.stats.lower_bound_cost = Some(Cost::from_millionths(least));
            Ok(moves)
        }
        Algorithm::AraStar(weight) => {
            let (weights, defer) = (Weights::of(weight), WhenClosed::Defer);
            let search = BestFirst::begin(query, weights, defer, meter)?;
            anytime(search, weight, meter)
        }
        _ => {
            let (weights, leave) = (Weights { g: 0, h: 1 }, WhenClosed::Leave);
            let mut search = BestFirst::begin(query, weights, leave, meter)?;
            Ok(search.first(meter)?.1)
        }
    }
}

impl<'a, W: Word> BestFirst<'a, W> {
    fn begin(
        query: &'a Query<'a, W, TileCosts>,
        weights: Weights,
        when_closed: WhenClosed,
        meter: &mut Meter<'_>,
    ) -> Result<BestFirst<'a, W>, Stop> {
        let mut search = BestFirst {
            query,
            open: Heap::default(),
            deferred: Vec::new(),
            states: States::begin(query.start, when_closed, meter)?,
            weights,
            insertions: 0,
        };
        let root = search.node(query.start, 0, search.h0());
        search.open.push(root, meter)?;
        Ok(search)
    }

    fn h0(&self) -> u64 {
        let variant = self.query.variant;
        self.query
            .estimate(Variant::<W>::start(variant, self.query.start))
    }

    fn node(&mut self, state: Packed<W>, g: u64, h: u64) -> OpenNode<W> {
        self.insertions += 1;
        OpenNode {
            priority: self.weights.priority(g, h),
            g,
            insertion: self.insertions,
            h,
            cells: state.cells,
            gap: state.gap,
        }
    }

    /// The best state that waits; a place in the heap that a cheaper path has made void is none.
    fn pop(&mut self) -> Option<(OpenNode<W>, Reached)> {
        while let Some(node) = self.open.pop() {
            if let Some(path) = self.states.waiting(&node.cells, node.g) {
                return Some((node, path));
            }
        }
        None
    }

    /// The first solution, with the cost of the path that it was found by.
    fn first(&mut self, meter: &mut Meter<'_>) -> Result<(u64, Vec<Move>), Stop> {
        while let Some((node, path)) = self.pop() {
            if node.cells == self.query.goal.cells {
                return Ok((node.g, self.states.path(self.query)));
            }
            self.expand(&node, path, u64::MAX, meter)?;
        }
        unreachable!("a problem is solvable")
    }

    /// Expands a state; children whose solutions cost no less than `most` are not kept.
    fn expand(
        &mut self,
        node: &OpenNode<W>,
        path: Reached,
        most: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        meter.expand()?;
        self.states.close(&node.cells, path, meter);
        let state = Packed {
            cells: node.cells,
            gap: node.gap,
        };
        let (query, depth) = (self.query, path.depth + 1);
        let carried = Variant::<W>::start(query.variant, state);
        for child in query.children((state, carried), path.last) {
            meter.stats.generated += 1;
            let (g, h) = (node.g + child.cost, query.estimate(child.carried));
            let arrival = self.states.reach(&child, (g, depth), meter)?;
            if arrival == Arrival::Passed || g + h >= most {
                continue;
            }
            meter.depth(depth);
            let waiting = self.node(child.state, g, h);
            match arrival {
                Arrival::Deferred => push(&mut self.deferred, waiting, meter)?,
                _ => self.open.push(waiting, meter)?,
            }
        }
        meter.stats.stored = self.states.len() as u64;
        meter.frontier(self.open.len());
        Ok(())
    }
}

/// Weighted A* with smaller and smaller weights, until a solution is proven to be a cheapest one, or a
/// limit ends it: then the best one counts.
fn anytime<W: Word>(
    mut search: BestFirst<'_, W>,
    weight: Weight,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let mut best = None;
    let mut least = search.h0();
    let ended = improve(&mut search, weight, &mut best, &mut least, meter);
    match (best, ended) {
        (Some((_, moves)), ended) => {
            meter.stats.stopped_by = ended.err();
            meter.stats.lower_bound_cost = Some(Cost::from_millionths(least));
            Ok(moves)
        }
        (None, Err(stop)) => Err(stop),
        (None, Ok(())) => unreachable!("a problem is solvable"),
    }
}

/// The rounds, one for each weight.
fn improve<W: Word>(
    search: &mut BestFirst<'_, W>,
    mut weight: Weight,
    best: &mut Option<(u64, Vec<Move>)>,
    least: &mut u64,
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    let cost_of = Cost::from_millionths;
    loop {
        meter.stats.iterations += 1;
        let mut cost = best.as_ref().map_or(u64::MAX, |best| best.0);
        while let Some((node, path)) = search.pop() {
            if node.priority >= search.weights.priority(cost, 0) {
                search.open.push(node, meter)?;
                break;
            }
            if node.g + node.h >= cost {
                continue;
            }
            if node.cells == search.query.goal.cells {
                cost = node.g;
                *best = Some((cost, search.states.path(search.query)));
                meter.incumbent(cost_of(cost), Some(cost_of(*least)));
                continue;
            }
            search.expand(&node, path, cost, meter)?;
        }
        // A cheaper solution goes through a state that waits, by the cheapest path to that.
        let mut waiting = std::mem::take(&mut search.deferred);
        search.states.begin_round();
        while let Some((node, _)) = search.pop() {
            push(&mut waiting, node, meter)?;
        }
        let cheapest = waiting.iter().map(|node| node.g + node.h).min();
        let cheapest = cheapest.map_or(cost, |cheapest| cheapest.min(cost));
        *least = cheapest.max(search.weights.least_within(cost)).max(*least);
        meter.threshold((*least / Cost::SCALE) as u32);
        meter.incumbent(cost_of(cost), Some(cost_of(*least)));
        if *least == cost {
            return Ok(());
        }
        weight = weight.lowered();
        search.weights = Weights::of(weight);
        let bytes = waiting.capacity() * size_of::<OpenNode<W>>();
        for node in waiting {
            let state = Packed {
                cells: node.cells,
                gap: node.gap,
            };
            let again = search.node(state, node.g, node.h);
            search.open.push(again, meter)?;
        }
        meter.grow(bytes, 0)?;
    }
}
