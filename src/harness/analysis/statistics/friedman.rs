//! Friedman's test: do several configurations differ on the same instances? And Nemenyi's: which?

use super::distribution::{chi_square_tail, studentized_range};
use super::ranks::{doubled_ranks, tie_term};

/// The level of Nemenyi's test.
const LEVEL: f64 = 0.05;

/// What the test says.
#[derive(Clone, PartialEq, Debug)]
pub struct Friedman {
    /// How many instances.
    pub blocks: usize,
    /// The mean rank of each configuration; 1 is the least value.
    pub mean_ranks: Vec<f64>,
    /// The test's sum, corrected for ties; χ² distributed where ranks are chance.
    pub chi_square: f64,
    /// How likely a sum is at least as large by chance.
    pub p: f64,
}

/// The test for values of some configurations, the same number on each instance; `None` where
/// there are fewer than two of either.
pub fn friedman(blocks: &[Vec<f64>]) -> Option<Friedman> {
    let treatments = blocks.first()?.len();
    if treatments < 2 || blocks.len() < 2 {
        return None;
    }
    let mut sums = vec![0.0; treatments];
    let mut ties = 0.0;
    for block in blocks {
        for (sum, rank) in sums.iter_mut().zip(doubled_ranks(block)) {
            *sum += rank as f64 / 2.0;
        }
        ties += tie_term(block);
    }
    let (n, k) = (blocks.len() as f64, treatments as f64);
    let squares: f64 = sums.iter().map(|sum| sum * sum).sum();
    let correction = 1.0 - ties / (n * k * (k * k - 1.0));
    let chi_square = match correction > 0.0 {
        true => (12.0 / (n * k * (k + 1.0)) * squares - 3.0 * n * (k + 1.0)) / correction,
        // All are equal on every instance.
        false => 0.0,
    };
    Some(Friedman {
        blocks: blocks.len(),
        mean_ranks: sums.iter().map(|sum| sum / n).collect(),
        chi_square,
        p: chi_square_tail(chi_square, treatments as u32 - 1),
    })
}

/// Nemenyi's critical difference at 5 %: mean ranks of two configurations that are farther apart
/// differ beyond chance.
pub fn critical_difference(configurations: usize, instances: usize) -> f64 {
    let (k, n) = (configurations as f64, instances as f64);
    let range = studentized_range(LEVEL, configurations);
    range / 2f64.sqrt() * (k * (k + 1.0) / (6.0 * n)).sqrt()
}
