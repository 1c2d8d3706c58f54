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

impl Pair {
    /// The logarithm of the ratio of geometric means.
    pub fn log_ratio(&self) -> f64 {
        mean(&self.after) - mean(&self.before)
    }

    /// Whether there is nothing that varies.
    fn is_equal(&self) -> bool {
        let mut all = self.before.iter().chain(&self.after);
        all.all(|value| *value == self.before[0])
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

/// Draws for few pairs, for many, and how many pairs are drawn at most in between.
const MOST_DRAWS: usize = 10_000;
const LEAST_DRAWS: usize = 200;
const MOST_PAIRS: usize = 20_000_000;
/// The same files give the same interval.
const SEED: u64 = 1;

/// The geometric mean of after/before over all pairs, `None` where there is no pair.
///
/// Each draw takes as many pairs as there are, with replacement, and one repeat of each side of
/// each: what varies from instance to instance and from run to run widens the interval.
pub fn mean_ratio(pairs: &[Pair]) -> Option<Ratio> {
    if pairs.is_empty() {
        return None;
    }
    let count = pairs.len();
    let logs: Vec<f64> = pairs.iter().map(Pair::log_ratio).collect();
    if pairs.iter().all(Pair::is_equal) {
        let (mean, low, high) = (1.0, 1.0, 1.0);
        return Some(Ratio { mean, low, high });
    }
    let is_single = |pair: &Pair| pair.before.len() == 1 && pair.after.len() == 1;
    let all_single = pairs.iter().all(is_single);
    let draws = (MOST_PAIRS / count).clamp(LEAST_DRAWS, MOST_DRAWS);
    let mut random = Random::new(SEED);
    let mut means: Vec<f64> = (0..draws)
        .map(|_| {
            let mut sum = 0.0;
            for _ in 0..count {
                let index = random.below(count);
                sum += match all_single {
                    true => logs[index],
                    false => {
                        let pair = &pairs[index];
                        random.choose(&pair.after) - random.choose(&pair.before)
                    }
                };
            }
            sum / count as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |part: f64| means[((draws - 1) as f64 * part).round() as usize];
    Some(Ratio {
        mean: mean(&logs).exp(),
        low: at(0.025).exp(),
        high: at(0.975).exp(),
    })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
