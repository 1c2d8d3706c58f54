//! Wilcoxon's signed-rank test: do paired values differ, beyond chance?

use super::distribution::normal_tails;
use super::ranks::{doubled_ranks, tie_term};

/// Up to so many pairs the distribution is counted out; that takes a few million additions.
const EXACT: usize = 200;

/// What the test says of some differences.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SignedRank {
    /// Differences that are not zero: zeros say nothing.
    pub pairs: usize,
    /// The sum of the ranks of the positive differences.
    pub plus: f64,
    /// That of the negative ones.
    pub minus: f64,
    /// How likely sums are at least as unequal where signs are chance.
    pub p: f64,
}

/// The test for differences; `None` where all are zero.
///
/// With up to 200 pairs the probability is exact, ties included: all choices of signs are counted.
/// With more it is that of the normal distribution with the variance that ties leave.
pub fn signed_rank(differences: &[f64]) -> Option<SignedRank> {
    let signed: Vec<f64> = (differences.iter().copied())
        .filter(|&difference| difference != 0.0)
        .collect();
    let sizes: Vec<f64> = signed.iter().map(|difference| difference.abs()).collect();
    let ranks = doubled_ranks(&sizes);
    let total: usize = ranks.iter().sum();
    let plus: usize = (signed.iter().zip(&ranks))
        .filter(|(difference, _)| **difference > 0.0)
        .map(|(_, rank)| rank)
        .sum();
    let less = plus.min(total - plus);
    let p = match signed.len() {
        0 => return None,
        1..=EXACT => 2.0 * at_most(&ranks, less),
        pairs => {
            let n = pairs as f64;
            let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - tie_term(&sizes) / 48.0;
            let mean = total as f64 / 4.0;
            normal_tails((less as f64 / 2.0 - mean) / variance.sqrt())
        }
    };
    Some(SignedRank {
        pairs: signed.len(),
        plus: plus as f64 / 2.0,
        minus: (total - plus) as f64 / 2.0,
        p: p.min(1.0),
    })
}

/// How likely the sum of ranks is at most `most`, where each counts with probability 1/2.
fn at_most(ranks: &[usize], most: usize) -> f64 {
    let total: usize = ranks.iter().sum();
    let mut likely = vec![0.0; total + 1];
    likely[0] = 1.0;
    let mut reached = 0;
    for &rank in ranks {
        reached += rank;
        // Downwards, so that a rank counts once.
        for sum in (0..=reached).rev() {
            let with = if sum >= rank { likely[sum - rank] } else { 0.0 };
            likely[sum] = (likely[sum] + with) / 2.0;
        }
    }
    likely[..=most].iter().sum()
}

/// Probabilities of several tests as Holm adjusts them: that any of them is below a level by
/// chance is then no likelier than the level.
pub fn holm(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
    let mut adjusted = vec![0.0; probabilities.len()];
    let mut largest = 0.0f64;
    for (place, &index) in order.iter().enumerate() {
        let factor = (probabilities.len() - place) as f64;
        largest = largest.max((probabilities[index] * factor).min(1.0));
        adjusted[index] = largest;
    }
    adjusted
}
