//! Whole spaces of a quarter of a billion states.

use slidebench::puzzle::Metric;
use slidebench::space::{SpaceControl, explore};

use super::space_counts::published;

#[test]
fn counts_of_3x4_and_2x6_are_the_published_ones() {
    for text in ["3x4", "2x6"] {
        let size = text.parse().unwrap();
        for metric in Metric::ALL {
            let space = explore(size, metric, None, SpaceControl::default()).unwrap();
            assert_eq!(space.counts, published(size, metric), "{text} {metric}");
            let last = *space.counts.last().unwrap() as usize;
            assert_eq!(space.farthest.len(), last, "{text} {metric}");
        }
    }
}
