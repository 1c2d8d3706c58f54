//! IDA* over any moves.
//!
//! Where a row of tiles is one move, thresholds rise in steps of one, and the first solution of a
//! threshold is a cheapest one: none was found below.
//!
//! Where tiles have costs of their own, there are almost as many values of f as paths, and a
//! threshold that rose to the next one would find a handful of new nodes each time. So it rises as
//! IDA*_CR has it (Sarkar, Chakrabarti, Ghose and De Sarkar 1991): far enough that at least as many
//! of the paths that were cut off come back as nodes were expanded, by a histogram of their f in
//! [`BINS`] bins. Then a threshold may lie above the optimum. A solution in it lowers it to just
//! below its cost, and the rest of the tree is searched for a cheaper one; the last solution is a
//! cheapest one, since no path of less is left.
//!
//! With a weight f is g + W·h, in whole numbers. A cheapest path has no f above W times its cost, so where no path
//! is left whose f is below the cost of a solution, that costs at most W times the least.

use super::{Query, Step, Variant};
use crate::puzzle::{Cost, Move, Packed, Word};
use crate::search::{Meter, Stop, Weight};

/// Bins of the histogram of what is cut off. A move raises f by at most twice the largest cost of a
/// move, so that is how far they reach.
const BINS: usize = 64;

/// Depth-first searches of all paths whose f is at most a threshold.
pub(super) fn search<W: Word, V: Variant<W>>(
    query: &Query<'_, W, V>,
    weight: Weight,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let (of_h, of_g) = weight.ratio();
    let (of_h, of_g) = (u128::from(of_h), u128::from(of_g));
    let carried = query.variant.start(query.start);
    let h0 = query.estimate(carried);
    let mut threshold = of_h * u128::from(h0);
    loop {
        let mut path = Path {
            query,
            weights: (of_g, of_h),
            threshold,
            widest: query.variant.widest().map(|most| u128::from(most) * of_h),
            cost: 0,
            cut: Cut::default(),
            steps: Vec::new(),
            best: None,
        };
        let expanded = meter.stats.expanded;
        match path.widest {
            None => {
                let iteration = meter.begin_iteration(threshold as u32);
                path.extend((query.start, carried), None, 0, meter)?;
                meter.end_iteration(iteration, path.best.is_none());
            }
            // Rows of thresholds are whole numbers, and these are not.
            Some(_) => {
                meter.stats.iterations += 1;
                meter.threshold((threshold / of_h / u128::from(Cost::SCALE)) as u32);
                path.extend((query.start, carried), None, 0, meter)?;
            }
        }
        if let Some(steps) = path.best {
            let least = (u128::from(path.cost) * of_g).div_ceil(of_h) as u64;
            if path.widest.is_some() {
                meter.stats.lower_bound_cost = Some(Cost::from_millionths(least.max(h0)));
            }
            let moves = steps.into_iter();
            let moves = moves.flat_map(|step| std::iter::repeat_n(step.mv, step.cells.into()));
            return Ok(moves.collect());
        }
        threshold = match path.widest {
            None => threshold + 1,
            Some(widest) => path
                .cut
                .next(threshold, widest, meter.stats.expanded - expanded),
        };
    }
}

/// What lies above a threshold.
struct Cut {
    /// The least f.
    least: u128,
    /// How many nodes have an f so far above.
    bins: [u64; BINS],
}

impl Default for Cut {
    fn default() -> Cut {
        Cut {
            least: u128::MAX,
            bins: [0; BINS],
        }
    }
}

impl Cut {
    fn add(&mut self, f: u128, threshold: u128, widest: u128) {
        self.least = self.least.min(f);
        let bin = (f - threshold - 1) * BINS as u128 / widest.max(1);
        self.bins[(bin as usize).min(BINS - 1)] += 1;
    }

    /// The threshold that lets as many nodes in as the last one had, or all that were cut off.
    fn next(&self, threshold: u128, widest: u128, wanted: u64) -> u128 {
        let mut nodes = 0;
        let enough = self.bins.iter().position(|bin| {
            nodes += bin;
            nodes >= wanted
        });
        let bins = enough.map_or(BINS, |bin| bin + 1) as u128;
        (threshold + (bins * widest).div_ceil(BINS as u128)).max(self.least)
    }
}

/// The path from the start to the state in hand.
struct Path<'a, W, V> {
    query: &'a Query<'a, W, V>,
    /// How much g and h count.
    weights: (u128, u128),
    threshold: u128,
    widest: Option<u128>,
    cut: Cut,
    steps: Vec<Step>,
    /// The cheapest solution so far.
    best: Option<Vec<Step>>,
    /// Its cost.
    cost: u64,
}

impl<W: Word, V: Variant<W>> Path<'_, W, V> {
    /// Searches what is below a state that was reached at the cost g; says whether it is enough.
    fn extend(
        &mut self,
        node: (Packed<W>, V::Carried),
        last: Option<Step>,
        g: u64,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        if node.0 == self.query.goal {
            self.best = Some(self.steps.clone());
            self.cost = g;
            // Only what is cheaper is of interest from here on.
            let is_cheapest = self.widest.is_none() || g == 0;
            self.threshold = (u128::from(g) * self.weights.0).saturating_sub(1);
            return Ok(is_cheapest);
        }
        meter.expand()?;
        for child in self.query.children(node, last) {
            meter.stats.generated += 1;
            let g = g + child.cost;
            let h = self.query.estimate(child.carried);
            let f = u128::from(g) * self.weights.0 + u128::from(h) * self.weights.1;
            if f > self.threshold {
                if let Some(widest) = self.widest.filter(|_| self.best.is_none()) {
                    self.cut.add(f, self.threshold, widest);
                }
                continue;
            }
            self.steps.push(child.step);
            meter.depth(self.steps.len() as u32);
            if self.extend((child.state, child.carried), Some(child.step), g, meter)? {
                return Ok(true);
            }
            self.steps.pop();
        }
        Ok(false)
    }
}
