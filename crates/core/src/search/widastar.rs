//! Weighted IDA*: depth-first searches bounded by g + W·h, the memory of one path.
//!
//! On a shortest path no state has g + W·h above W times its cost. So a threshold never exceeds that
//! before a solution is found within it, which costs at most W times the least.

use super::astar::{NO_MOVE, Onward};
use super::meter::Meter;
use super::{Stop, Weight};
use crate::heuristic::Heuristic;
use crate::puzzle::{Grid, Move, Packed, Word};

/// Searches with the threshold W·h(start), and then each time with the least g + W·h that was cut off.
pub(crate) fn search<W: Word, H: Heuristic<W>>(
    [start, goal]: [Packed<W>; 2],
    grid: &Grid,
    heuristic: &H,
    weight: Weight,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    if start == goal {
        return Ok(Vec::new());
    }
    let (numerator, denominator) = weight.ratio();
    let (numerator, denominator) = (u64::from(numerator), u64::from(denominator));
    let h = meter.stats.h0;
    let mut walk = Walk {
        heuristic,
        onward: Onward::new(grid),
        goal,
        weighted: |g: u32, h: u32| denominator * u64::from(g) + numerator * u64::from(h),
        threshold: numerator * u64::from(h),
        least_above: u64::MAX,
        moves: Vec::new(),
        meter,
    };
    loop {
        // A shortest path leaves no threshold below W times its cost.
        let least = h.max(walk.threshold.div_ceil(numerator) as u32);
        walk.meter.threshold(least);
        walk.meter.stats.iterations += 1;
        let root = (start, heuristic.start(start));
        if walk.visit(root, 0, NO_MOVE)? {
            walk.moves.reverse();
            let cost = walk.moves.len() as u32;
            walk.meter.stats.lower_bound = Some(least + (cost - least) % 2);
            return Ok(walk.moves);
        }
        walk.threshold = std::mem::replace(&mut walk.least_above, u64::MAX);
    }
}

/// A walk below a threshold.
struct Walk<'a, 'm, W, H, F> {
    heuristic: &'a H,
    onward: Onward,
    goal: Packed<W>,
    /// g + W·h, in whole numbers.
    weighted: F,
    threshold: u64,
    /// The least of all that were cut off.
    least_above: u64,
    /// The solution, last move first.
    moves: Vec<Move>,
    meter: &'a mut Meter<'m>,
}

impl<W: Word, H: Heuristic<W>, F: Fn(u32, u32) -> u64> Walk<'_, '_, W, H, F> {
    /// Searches below a state that is not the goal.
    fn visit(
        &mut self,
        (state, carried): (Packed<W>, H::Carried),
        g: u32,
        last: u8,
    ) -> Result<bool, Stop> {
        self.meter.expand()?;
        self.meter.depth(g);
        for step in 0..self.onward.steps(state.gap, last).len() {
            let (mv, to) = self.onward.steps(state.gap, last)[step];
            let (after, tile) = state.slide(to);
            let moved = self.heuristic.moved(carried, state, after, tile);
            self.meter.stats.generated += 1;
            let weighted = (self.weighted)(g + 1, self.heuristic.value(moved));
            if weighted > self.threshold {
                self.least_above = self.least_above.min(weighted);
                continue;
            }
            if after == self.goal || self.visit((after, moved), g + 1, mv as u8)? {
                self.moves.push(mv);
                return Ok(true);
            }
        }
        Ok(false)
    }
}
