//! Statistics for runs that are paired by their instances.
//!
//! Tests are two-sided. Their values are compared with published examples and with another
//! implementation in `tests/data/statistics.csv`.

mod bootstrap;
mod distribution;
mod friedman;
mod means;
mod ranks;
mod wilcoxon;

pub use bootstrap::{Block, Pair, Ratio, mean_ratio};
pub use distribution::{chi_square_tail, normal_tails, studentized_range};
pub use friedman::{Friedman, critical_difference, friedman};
pub use means::geometric_mean;
pub use wilcoxon::{SignedRank, holm, signed_rank};
