//! Greedy best-first search: the state that looks nearest to the goal comes first, however far it is
//! from the start. It promises nothing about the length of its solutions. Of states that look equally
//! near, those that are nearer to the start come first: the other way round solutions of korf100 with
//! taxicab are 3.6 times as long.

use super::Stop;
use super::bestfirst::{Bucket, Open, Query, WhenClosed};
use super::meter::Meter;
use crate::puzzle::{Move, Word};

/// Searches from the start to the goal.
pub(crate) fn search<W: Word>(
    query: &Query<'_, W>,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let (mut states, first) = query.begin(meter)?;
    let mut open = Open::new(|Bucket { h, .. }| h.into());
    open.push(first, 0, &mut states, meter)?;
    while let Some(best) = open.pop(&states) {
        if best.state == query.goal {
            return Ok(query.path(&states));
        }
        let leave = WhenClosed::Leave;
        query.expand(
            &best,
            &mut states,
            leave,
            meter,
            |state, bucket, _, states, meter| open.push(bucket, state, states, meter),
        )?;
        meter.frontier(open.len());
    }
    unreachable!("a problem is solvable")
}
