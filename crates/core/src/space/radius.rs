//! How far the farthest boards are, where that is known.

use crate::puzzle::{Metric, Size};

/// Rows and columns, and the moves that the farthest boards need with one tile a move and with a
/// row of tiles: published, and counted by tests up to 3x4 and 2x6.
const RADII: [([usize; 2], usize, Option<usize>); 9] = [
    ([2, 2], 6, Some(6)),
    ([2, 3], 21, Some(20)),
    ([2, 4], 36, Some(25)),
    ([2, 5], 55, Some(36)),
    ([2, 6], 80, Some(41)),
    ([2, 7], 108, Some(52)),
    ([3, 3], 31, Some(24)),
    ([3, 4], 53, Some(33)),
    ([4, 4], 80, None),
];

/// How many moves the farthest boards of a size need, for a goal with the gap in a corner; `None`
/// where that is not known.
pub fn radius(size: Size, metric: Metric) -> Option<usize> {
    let mut sides = [size.rows(), size.cols()];
    sides.sort_unstable();
    let known = RADII.into_iter().find(|(known, ..)| *known == sides);
    known.and_then(|(_, single, multi)| match metric {
        Metric::Single => Some(single),
        Metric::Multi => multi,
    })
}
