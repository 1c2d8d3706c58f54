//! Explicit estimation search where tiles have costs of their own, over heaps.
//!
//! The most promising state is the one with the least f̂. What seems to be within the bound of that is
//! `near`, in the order of d̂; the rest is `beyond`. As in the search of moves that cost one, f̂ and d̂
//! come from how the path has gone so far, f̂ from what its moves cost and d̂ from how many there were.

use super::best_first::Weights;
use super::reached::{Arrival, Reached, States, WhenClosed};
use super::tile_costs::TileCosts;
use super::{Query, Variant};
use crate::puzzle::{Cost, Move, Packed, Word};
use crate::search::store::{Arena, Heap};
use crate::search::{Meter, Stop, Weight};

/// What is likely of a state that is no nearer than the start: nothing.
const NEVER: u64 = u64::MAX;
/// A likely number of moves is a whole number of this part of a move.
const PART: u64 = 1 << 20;

#[derive(Clone, Copy)]
struct Node<W> {
    state: Packed<W>,
    g: u64,
    h: u64,
    /// f̂: what the solution through it is likely to cost.
    likely_cost: u64,
    /// d̂: how many moves that is likely to be away.
    likely_moves: u64,
}

/// What a heap goes by, what decides between equals, and the number of a node.
type Entry = (u64, u64, usize);

struct Ees<'a, W> {
    query: &'a Query<'a, W, TileCosts>,
    weights: Weights,
    states: States<W>,
    nodes: Arena<Node<W>>,
    by_f: Heap<Entry>,
    by_likely_cost: Heap<Entry>,
    near: Heap<Entry>,
    beyond: Heap<Entry>,
    /// The estimates of the start: of what is left to pay, and of how many moves are left.
    first: (u64, u64),
}

/// Searches from the start to the goal.
pub(super) fn search<W: Word>(
    query: &Query<'_, W, TileCosts>,
    weight: Weight,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let h = query.estimate(Variant::<W>::start(query.variant, query.start));
    let mut search = Ees {
        query,
        weights: Weights::of(weight),
        states: States::begin(query.start, WhenClosed::Reopen, meter)?,
        nodes: Arena::default(),
        by_f: Heap::default(),
        by_likely_cost: Heap::default(),
        near: Heap::default(),
        beyond: Heap::default(),
        first: (h, query.variant.moves_left(query.start)),
    };
    search.push(query.start, (0, 0), h, meter)?;
    loop {
        let (best, path, least) = search.take(meter)?;
        meter.threshold((least / Cost::SCALE) as u32);
        if best.state == query.goal {
            let least = least.max(search.weights.least_within(best.g)).max(h);
            meter.stats.lower_bound_cost = Some(Cost::from_millionths(least));
            return Ok(search.states.path(query));
        }
        search.expand(&best, path, meter)?;
    }
}

impl<W: Word> Ees<'_, W> {
    /// Takes the next state, and says what no solution is below.
    fn take(&mut self, meter: &mut Meter<'_>) -> Result<(Node<W>, Reached, u64), Stop> {
        let (nodes, states) = (&self.nodes, &self.states);
        let cheapest = first_waiting(&mut self.by_f, nodes, states);
        let promising = first_waiting(&mut self.by_likely_cost, nodes, states);
        let cheapest = cheapest.expect("a problem is solvable");
        let promising = promising.expect("all states that wait are in each order");
        let soonest = self.soonest(self.nodes.get(promising).likely_cost, meter)?;
        let cheapest = *self.nodes.get(cheapest);
        // The least f of all is what the bound is of. If not even the most promising state seems to be
        // within it, expanding the cheapest one raises it.
        let least = cheapest.g + cheapest.h;
        let mut wanted = [soonest, promising]
            .map(|it| *self.nodes.get(it))
            .into_iter();
        let best = wanted.find(|it| self.weights.is_within(it.likely_cost, least));
        let best = best.unwrap_or(cheapest);
        let path = self.states.waiting(&best.state.cells, best.g);
        Ok((best, path.expect("only states that wait are taken"), least))
    }

    /// Of the states that seem to be within the bound of a cost, the one whose solution seems nearest.
    fn soonest(&mut self, cost: u64, meter: &mut Meter<'_>) -> Result<usize, Stop> {
        let Ees { nodes, states, .. } = self;
        while let Some(number) = first_waiting(&mut self.beyond, nodes, states) {
            let node = nodes.get(number);
            if !self.weights.is_within(node.likely_cost, cost) {
                break;
            }
            self.beyond.pop();
            let entry = (node.likely_moves, node.likely_cost, number);
            self.near.push(entry, meter)?;
        }
        // The least likely cost may have fallen since a state came near.
        loop {
            let number = first_waiting(&mut self.near, nodes, states);
            let number = number.expect("the most promising state is within the bound of itself");
            let node = nodes.get(number);
            if self.weights.is_within(node.likely_cost, cost) {
                return Ok(number);
            }
            self.near.pop();
            let entry = (node.likely_cost, node.likely_moves, number);
            self.beyond.push(entry, meter)?;
        }
    }

    fn expand(&mut self, node: &Node<W>, path: Reached, meter: &mut Meter<'_>) -> Result<(), Stop> {
        meter.expand()?;
        self.states.close(&node.state.cells, path, meter);
        let (query, depth) = (self.query, path.depth + 1);
        let carried = Variant::<W>::start(query.variant, node.state);
        for child in query.children((node.state, carried), path.last) {
            meter.stats.generated += 1;
            let (g, h) = (node.g + child.cost, query.estimate(child.carried));
            if self.states.reach(&child, (g, depth), meter)? != Arrival::Passed {
                meter.depth(depth);
                self.push(child.state, (g, depth), h, meter)?;
            }
        }
        meter.stats.stored = self.states.len() as u64;
        meter.frontier(self.by_f.len());
        Ok(())
    }

    /// Has a state wait that was reached by a path of this cost and length.
    fn push(
        &mut self,
        state: Packed<W>,
        (g, depth): (u64, u32),
        h: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let (first_h, first_moves) = self.first;
        let moves = self.query.variant.moves_left(state);
        let likely_cost = likely_left(g, first_h, h).saturating_add(g);
        let likely_moves = likely_left(PART * u64::from(depth), first_moves, moves);
        let node = Node {
            state,
            g,
            h,
            likely_cost,
            likely_moves,
        };
        let number = self.nodes.push(node, meter)?;
        self.by_f.push((g + h, h, number), meter)?;
        self.by_likely_cost.push((likely_cost, h, number), meter)?;
        self.beyond.push((likely_cost, likely_moves, number), meter)
    }
}

/// What is likely to be left where `spent` has brought an estimate from `first` to `left`.
fn likely_left(spent: u64, first: u64, left: u64) -> u64 {
    let gained = first.checked_sub(left).filter(|&gained| gained > 0);
    gained.map_or(NEVER, |gained| {
        let likely = u128::from(spent) * u128::from(left) / u128::from(gained);
        u64::try_from(likely).unwrap_or(NEVER)
    })
}

/// The first node of a heap that still waits; others before it are dropped.
fn first_waiting<W: Word>(
    heap: &mut Heap<Entry>,
    nodes: &Arena<Node<W>>,
    states: &States<W>,
) -> Option<usize> {
    while let Some(&(_, _, number)) = heap.peek() {
        let node = nodes.get(number);
        if states.waiting(&node.state.cells, node.g).is_some() {
            return Some(number);
        }
        heap.pop();
    }
    None
}
