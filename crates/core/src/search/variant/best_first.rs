//! Weighted A*, greedy search and ARA* where tiles have costs of their own, over a heap.
//!
//! There are almost as many priorities as paths, so there is nothing to gain from buckets.

use super::tile_costs::TileCosts;
use super::{Query, Step, Variant, trace_back};
use crate::puzzle::{Cost, Move, Packed, Word};
use crate::search::store::{Heap, Seen, push};
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

/// How a state was reached on the cheapest path so far.
#[derive(Clone, Copy)]
struct Reached {
    g: u64,
    depth: u32,
    last: Option<Step>,
    /// The round in which it was expanded with this g or a larger one; 0 for none.
    closed_in: u32,
    was_expanded: bool,
}

/// How much g and h count.
#[derive(Clone, Copy)]
struct Weights {
    g: u128,
    h: u128,
}

impl Weights {
    fn of(weight: Weight) -> Weights {
        let (numerator, denominator) = weight.ratio();
        Weights {
            g: denominator.into(),
            h: numerator.into(),
        }
    }

    fn priority(self, g: u64, h: u64) -> u128 {
        self.g * u128::from(g) + self.h * u128::from(h)
    }

    /// What no solution is below if one of this cost is within the weight.
    fn least_within(self, cost: u64) -> u64 {
        (self.g * u128::from(cost)).div_ceil(self.h) as u64
    }
}

/// What becomes of a state that was expanded, and that a cheaper path leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WhenClosed {
    Leave,
    Reopen,
    /// It waits for the next round.
    Defer,
}

struct BestFirst<'a, W> {
    query: &'a Query<'a, W, TileCosts>,
    open: Heap<OpenNode<W>>,
    deferred: Vec<OpenNode<W>>,
    reached: Seen<W, Reached>,
    weights: Weights,
    when_closed: WhenClosed,
    round: u32,
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
            reached: Seen::default(),
            weights,
            when_closed,
            round: 1,
            insertions: 0,
        };
        let start = Reached {
            g: 0,
            depth: 0,
            last: None,
            closed_in: 0,
            was_expanded: false,
        };
        search.reached.insert(query.start.cells, start, meter)?;
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
            let best = self.reached.get(&node.cells);
            let waits = |best: &Reached| best.g == node.g && best.closed_in != self.round;
            if let Some(best) = best.filter(waits) {
                return Some((node, best));
            }
        }
        None
    }

    /// The first solution, with the cost of the path that it was found by.
    fn first(&mut self, meter: &mut Meter<'_>) -> Result<(u64, Vec<Move>), Stop> {
        while let Some((node, best)) = self.pop() {
            if node.cells == self.query.goal.cells {
                return Ok((node.g, self.path()));
            }
            self.expand(&node, best, u64::MAX, meter)?;
        }
        unreachable!("a problem is solvable")
    }

    /// Expands a state; children whose solutions cost no less than `most` are not kept.
    fn expand(
        &mut self,
        node: &OpenNode<W>,
        best: Reached,
        most: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        meter.expand()?;
        meter.stats.reopened += u64::from(best.was_expanded);
        let closed = Reached {
            closed_in: self.round,
            was_expanded: true,
            ..best
        };
        self.reached.renote(&node.cells, closed);
        let state = Packed {
            cells: node.cells,
            gap: node.gap,
        };
        let carried = Variant::<W>::start(self.query.variant, state);
        let query = self.query;
        for child in query.children((state, carried), best.last) {
            meter.stats.generated += 1;
            let (g, h) = (node.g + child.cost, query.estimate(child.carried));
            let mut now = Reached {
                g,
                depth: best.depth + 1,
                last: Some(child.step),
                closed_in: 0,
                was_expanded: false,
            };
            let mut is_deferred = false;
            match self.reached.get(&child.state.cells) {
                None => {
                    self.reached.insert(child.state.cells, now, meter)?;
                }
                Some(before) => {
                    let is_closed = before.closed_in == self.round;
                    let is_left = is_closed && self.when_closed == WhenClosed::Leave;
                    if before.g <= g || is_left {
                        continue;
                    }
                    is_deferred = is_closed && self.when_closed == WhenClosed::Defer;
                    now.was_expanded = before.was_expanded;
                    now.closed_in = if is_deferred { self.round } else { 0 };
                    self.reached.renote(&child.state.cells, now);
                }
            }
            if g + h >= most {
                continue;
            }
            meter.depth(now.depth);
            let waiting = self.node(child.state, g, h);
            match is_deferred {
                true => push(&mut self.deferred, waiting, meter)?,
                false => self.open.push(waiting, meter)?,
            }
        }
        meter.stats.stored = self.reached.len() as u64;
        meter.frontier(self.open.len());
        Ok(())
    }

    fn path(&self) -> Vec<Move> {
        let reached_by = |state: Packed<W>| self.reached.get(&state.cells)?.last;
        trace_back(self.query.goal, self.query.grid, reached_by)
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
        while let Some((node, reached)) = search.pop() {
            if node.priority >= search.weights.priority(cost, 0) {
                search.open.push(node, meter)?;
                break;
            }
            if node.g + node.h >= cost {
                continue;
            }
            if node.cells == search.query.goal.cells {
                cost = node.g;
                *best = Some((cost, search.path()));
                meter.incumbent(cost_of(cost), Some(cost_of(*least)));
                continue;
            }
            search.expand(&node, reached, cost, meter)?;
        }
        // A cheaper solution goes through a state that waits, by the cheapest path to that.
        let mut waiting = std::mem::take(&mut search.deferred);
        search.round += 1;
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
