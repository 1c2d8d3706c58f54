//! IDA* where a row of tiles is one move: thresholds of f in steps of one.

use super::{Query, Step, Variant};
use crate::puzzle::{Move, Packed, Word};
use crate::search::{Meter, Stop};

/// Depth-first searches of all paths whose f is at most a threshold: that of the start, and then
/// one more each time. f is a whole number, and no solution of less is left behind.
pub(super) fn search<W: Word, V: Variant<W>>(
    query: &Query<'_, W, V>,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let carried = query.variant.start(query.start);
    let mut path = Path {
        query,
        steps: Vec::new(),
    };
    for threshold in query.estimate(carried).. {
        let iteration = meter.begin_iteration(threshold);
        let found = path.extend((query.start, carried), None, threshold, meter)?;
        meter.end_iteration(iteration, !found);
        if found {
            break;
        }
    }
    let moves = path.steps.iter();
    Ok(moves
        .flat_map(|step| std::iter::repeat_n(step.mv, step.cells.into()))
        .collect())
}

/// The path from the start to the state in hand.
struct Path<'a, W, V> {
    query: &'a Query<'a, W, V>,
    steps: Vec<Step>,
}

impl<W: Word, V: Variant<W>> Path<'_, W, V> {
    /// Looks for the goal at most `left` moves on; leaves the path at it if it is there.
    fn extend(
        &mut self,
        node: (Packed<W>, V::Carried),
        last: Option<Step>,
        left: u32,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        if node.0 == self.query.goal {
            return Ok(true);
        }
        meter.expand()?;
        for child in self.query.children(node, last) {
            meter.stats.generated += 1;
            if self.query.estimate(child.carried) + 1 > left {
                continue;
            }
            self.steps.push(child.step);
            meter.depth(self.steps.len() as u32);
            let node = (child.state, child.carried);
            if self.extend(node, Some(child.step), left - 1, meter)? {
                return Ok(true);
            }
            self.steps.pop();
        }
        Ok(false)
    }
}
