//! The places of values in their order; equal ones share the mean of their places.

/// Twice the rank of each value, from the least: whole numbers, where ranks may be halves.
pub fn doubled_ranks(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0; values.len()];
    let mut first = 0;
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        for &index in group {
            // The places are first + 1 to first + length.
            ranks[index] = 2 * first + 1 + group.len();
        }
        first += group.len();
    }
    ranks
}

/// Σ (t³ − t) over groups of t equal values: what ties take from a variance.
pub fn tie_term(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let groups = sorted.chunk_by(|a, b| a == b);
    groups
        .map(|group| group.len() as f64)
        .map(|ties| ties.powi(3) - ties)
        .sum()
}
