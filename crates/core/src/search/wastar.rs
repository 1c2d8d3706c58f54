//! Weighted A*: best first by g + W·h, which trusts the estimate the more the larger W is.
//!
//! Its solutions cost at most W times the least. Along a shortest path there is always a state on
//! the open list whose path is at most W times as long as it could be, and with a consistent
//! heuristic that holds even if no state is ever expanded twice; a shorter path to an expanded
//! state may then be passed over.

use super::bestfirst::{Bucket, Open, Priority, Query, WhenClosed};
use super::meter::Meter;
use super::{Stop, Weight};
use crate::puzzle::{Move, Word};

/// Searches from the start to the goal.
pub(crate) fn search<W: Word>(
    query: &Query<'_, W>,
    weight: Weight,
    reopen: bool,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let when_closed = match reopen {
        true => WhenClosed::Reopen,
        false => WhenClosed::Leave,
    };
    let (mut states, first) = query.begin(meter)?;
    let mut open = Open::new(priority(weight));
    open.push(first, 0, &mut states, meter)?;
    while let Some(best) = open.pop(&states) {
        if best.state == query.goal {
            let moves = query.path(&states);
            meter.stats.lower_bound = Some(lower_bound(&moves, weight, first));
            return Ok(moves);
        }
        query.expand(
            &best,
            &mut states,
            when_closed,
            meter,
            |state, bucket, _, states, meter| open.push(bucket, state, states, meter),
        )?;
        meter.frontier(open.len());
    }
    unreachable!("a problem is solvable")
}

/// g + W·h, in whole numbers.
pub(super) fn priority(weight: Weight) -> impl Fn(Bucket) -> Priority {
    let (numerator, denominator) = weight.ratio();
    let (numerator, denominator) = (u64::from(numerator), u64::from(denominator));
    move |Bucket { g, h }| denominator * u64::from(g) + numerator * u64::from(h)
}

/// What no solution is below: the estimate of the start, and what the weight leaves of this one.
fn lower_bound(moves: &[Move], weight: Weight, first: Bucket) -> u32 {
    weight.least_within(moves.len() as u32).max(first.h)
}
