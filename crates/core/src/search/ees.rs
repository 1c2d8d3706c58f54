//! Explicit estimation search (Thayer and Ruml 2011): the state whose solution seems nearest, of those
//! whose solutions seem to be within the bound.
//!
//! Three things are known of a state: f, which no solution through it is below; f̂, what its solution
//! is likely to cost; and d̂, how far that seems to be. The likely values come from how the path has
//! gone so far: if g moves took the estimate from h(start) to h, then what is left takes g·h ÷
//! (h(start) − h) more. All three grow with g, so of each h one bucket is looked at.

use super::bestfirst::{Bucket, Buckets, Query, States, Taken, WhenClosed};
use super::meter::Meter;
use super::{Stop, Weight};
use crate::puzzle::{Move, Word};

/// Likely costs are whole numbers of this part of a move.
const PART: u64 = 1 << 20;
/// What is likely of a state that is no nearer than the start: nothing.
const NEVER: u64 = u64::MAX;

/// Searches from the start to the goal.
pub(crate) fn search<W: Word>(
    query: &Query<'_, W>,
    weight: Weight,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let (mut states, first) = query.begin(meter)?;
    let mut buckets = Buckets::new();
    buckets.push(first, 0, &mut states, meter)?;
    let choice = Choice::new(weight, first.h);
    loop {
        let (best, least) = choice.take(&mut buckets, &states);
        meter.threshold(least);
        if best.state == query.goal {
            let moves = query.path(&states);
            let cost = moves.len() as u32;
            let least = least.min(cost).max(weight.least_within(cost)).max(first.h);
            meter.stats.lower_bound = Some(least + (cost - least) % 2);
            return Ok(moves);
        }
        let reopen = WhenClosed::Reopen;
        query.expand(
            &best,
            &mut states,
            reopen,
            meter,
            |state, bucket, _, states, meter| buckets.push(bucket, state, states, meter).map(drop),
        )?;
        meter.frontier(buckets.len());
    }
}

/// What is expanded next, and why that keeps the bound.
struct Choice {
    numerator: u64,
    denominator: u64,
    /// By h, how many parts of a move the whole path is likely to take for each move so far.
    pace: Vec<u64>,
}

impl Choice {
    fn new(weight: Weight, h_of_start: u32) -> Choice {
        let (numerator, denominator) = weight.ratio();
        let start = u64::from(h_of_start);
        Choice {
            numerator: numerator.into(),
            denominator: denominator.into(),
            pace: (0..start).map(|h| PART * start / (start - h)).collect(),
        }
    }

    /// f̂: what the solution through a state is likely to cost.
    #[inline(always)]
    fn likely_cost(&self, bucket: Bucket) -> u64 {
        let pace = self.pace.get(bucket.h as usize);
        pace.map_or(NEVER, |pace| pace * u64::from(bucket.g))
    }

    /// Whether a likely cost is within the bound of another cost, in parts of a move.
    fn is_within(&self, likely: u64, cost: u64) -> bool {
        let (likely, cost) = (u128::from(likely), u128::from(cost));
        likely * u128::from(self.denominator) <= cost * u128::from(self.numerator)
    }

    /// Takes the next state, and says what no solution is below.
    fn take<W: Word>(&self, buckets: &mut Buckets, states: &States<W>) -> (Taken<W>, u32) {
        loop {
            let (best, least) = self.best(buckets);
            if let (Some(taken), _) = buckets.take(best.h, states) {
                return (taken, least);
            }
        }
    }

    /// The bucket to take from.
    fn best(&self, buckets: &Buckets) -> (Bucket, u32) {
        let f = |bucket: &Bucket| bucket.g + bucket.h;
        let likely = |bucket: &Bucket| self.likely_cost(*bucket);
        let cheapest = buckets.nearest().min_by_key(f);
        let cheapest = cheapest.expect("a problem is solvable");
        let promising = buckets.nearest().min_by_key(likely).unwrap_or(cheapest);
        let least_likely = likely(&promising);
        // Of those that seem to be within the bound, the one whose solution seems nearest.
        let seem_within = buckets
            .nearest()
            .filter(|bucket| self.is_within(likely(bucket), least_likely));
        let left = |bucket: &Bucket| likely(bucket).saturating_sub(PART * u64::from(bucket.g));
        let soonest = seem_within.min_by_key(left).unwrap_or(promising);
        // The least f of all is what the bound is of. If not even the most promising state seems to be
        // within it, expanding the cheapest one raises it.
        let least = f(&cheapest);
        let bound_of = PART * u64::from(least);
        let mut wanted = [soonest, promising].into_iter();
        let best = wanted.find(|bucket| self.is_within(likely(bucket), bound_of));
        (best.unwrap_or(cheapest), least)
    }
}
