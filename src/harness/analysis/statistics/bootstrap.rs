//! A confidence interval for a mean ratio, by drawing the measurements again and again.

use crate::harness::suite::Random;

/// The logarithms of what was measured for one pair: each side's repeats.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// Times or counts of the first side.
    pub before: Vec<f64>,
    /// Those of the second side.
    pub after: Vec<f64>,
}

/// The pairs of one instance: one for each configuration. They are drawn together, for what is
/// odd about an instance is odd about all its runs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    /// At least one.
    pub pairs: Vec<Pair>,
}

impl Pair {
    /// The logarithm of the ratio of medians.
    pub fn log_ratio(&self) -> f64 {
        median(&mut self.after.clone()) - median(&mut self.before.clone())
    }

    /// The same of repeats that are drawn from these, as many as there are.
    fn drawn_ratio(&self, random: &mut Random, room: &mut Vec<f64>) -> f64 {
        let mut side = |values: &[f64]| match values {
            [value] => *value,
            _ => {
                room.clear();
                room.extend(values.iter().map(|_| *random.choose(values)));
                median(room)
            }
        };
        side(&self.after) - side(&self.before)
    }

    /// Whether there is nothing that varies.
    fn is_equal(&self) -> bool {
        let mut all = self.before.iter().chain(&self.after);
        all.all(|value| *value == self.before[0])
    }
}

impl Block {
    /// The mean over its pairs.
    pub fn log_ratio(&self) -> f64 {
        mean(self.pairs.iter().map(Pair::log_ratio))
    }

    fn drawn_ratio(&self, random: &mut Random, room: &mut Vec<f64>) -> f64 {
        mean(self.pairs.iter().map(|pair| pair.drawn_ratio(random, room)))
    }
}

/// A ratio with the interval in which 95 % of what is drawn again lie.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ratio {
    /// The geometric mean.
    pub mean: f64,
    /// The lower end of the interval of 95 %.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Draws for few instances, for many, and how many instances are drawn at most in between.
const MOST_DRAWS: usize = 10_000;
const LEAST_DRAWS: usize = 200;
const MOST_INSTANCES: usize = 20_000_000;
/// The same files give the same interval.
const SEED: u64 = 1;

/// The geometric mean of after/before over all instances, `None` where there is none.
///
/// Repeats are reduced to their medians, and each draw takes as many instances as there are, with
/// replacement: what varies from instance to instance widens the interval. A single instance has
/// nothing but its repeats to draw from.
pub fn mean_ratio(blocks: &[Block]) -> Option<Ratio> {
    if blocks.is_empty() {
        return None;
    }
    let count = blocks.len();
    let logs: Vec<f64> = blocks.iter().map(Block::log_ratio).collect();
    if blocks.iter().flat_map(|it| &it.pairs).all(Pair::is_equal) {
        let (mean, low, high) = (1.0, 1.0, 1.0);
        return Some(Ratio { mean, low, high });
    }
    let draws = (MOST_INSTANCES / count).clamp(LEAST_DRAWS, MOST_DRAWS);
    let (mut random, mut room) = (Random::new(SEED), Vec::new());
    let mut means: Vec<f64> = (0..draws)
        .map(|_| match blocks {
            [one] => one.drawn_ratio(&mut random, &mut room),
            _ => mean((0..count).map(|_| *random.choose(&logs))),
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |part: f64| means[((draws - 1) as f64 * part).round() as usize];
    Some(Ratio {
        mean: mean(logs.into_iter()).exp(),
        low: at(0.025).exp(),
        high: at(0.975).exp(),
    })
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// The middle one, or the mean of the two in the middle.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len().is_multiple_of(2) {
        true => (values[middle - 1] + values[middle]) / 2.0,
        false => values[middle],
    }
}
