//! Means of times and of ratios.

/// The mean that a factor changes by itself; zeros count as ones.
pub fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut logarithms, mut count) = (0.0, 0u64);
    for value in values {
        logarithms += value.max(1.0).ln();
        count += 1;
    }
    (count > 0).then(|| (logarithms / count as f64).exp())
}
