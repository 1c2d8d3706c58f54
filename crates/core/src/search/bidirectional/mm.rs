//! MM (Holte, Felner, Sharon and Sturtevant 2016), with the ε of unit costs: best first by
//! max(f, 2 g + ε), so that the sides meet in the middle.
//!
//! On a solution of C moves no state is expanded that is further than C / 2 from its root: its
//! 2 g + ε is above C. The bound is the largest of four: the least priority, the least f of each
//! side, and the least g of both sides with a move between.
//!
//! No state is expanded twice. One that was reached on a detour has a state before it on the way
//! without, which waits with a smaller g and, as estimates are consistent, a smaller f: its
//! priority is smaller, and it comes first.

use super::side::{Full, Side};
use super::{Direction, EPSILON, Sides};
use crate::puzzle::Entry;
use crate::search::astar::{BATCH, Bucket};

/// What waits on a side.
struct Waiting {
    /// The least priority, and of the buckets that have it the one with the largest g: that finds
    /// solutions soon. The least g expands 2.4 times as many states on the first six of korf100.
    priority: u32,
    bucket: Bucket,
    least_f: u32,
    least_g: u32,
}

/// Expands states of the least priority, where both sides have some in turn.
pub(super) fn search<W: Entry>(sides: &mut Sides<'_, '_, '_, W>) -> Result<(), Full> {
    let mut last = Direction::Backward;
    loop {
        let of_parity = |length| sides.of_parity(length);
        let forward = waiting(&sides.forward, of_parity);
        let backward = waiting(&sides.backward, of_parity);
        // Where nothing waits, no path is left that is better than the best.
        let (Some(forward), Some(backward)) = (forward, backward) else {
            return Ok(());
        };
        let bounds = [
            forward.priority.min(backward.priority),
            forward.least_f,
            backward.least_f,
            forward.least_g + backward.least_g + EPSILON,
        ];
        if sides.raise(bounds.into_iter().max().unwrap_or(0)) {
            return Ok(());
        }
        let is_forward = match forward.priority == backward.priority {
            true => last == Direction::Backward,
            false => forward.priority < backward.priority,
        };
        let (direction, bucket) = match is_forward {
            true => (Direction::Forward, forward.bucket),
            false => (Direction::Backward, backward.bucket),
        };
        sides.expand(direction, bucket, BATCH)?;
        last = direction;
    }
}

fn waiting<W: Entry>(side: &Side<'_, W>, of_parity: impl Fn(u32) -> u32) -> Option<Waiting> {
    let first = side.first_layer()?;
    let buckets = (first..side.layers()).flat_map(|layer| {
        let estimates = side.estimates_in(layer);
        estimates.map(move |h| Bucket { layer, h })
    });
    let mut waiting: Option<Waiting> = None;
    for bucket in buckets {
        let (f, g) = (side.value(bucket.layer), side.g(bucket, 0));
        let priority = f.max(of_parity(2 * g + EPSILON));
        let so_far = waiting.get_or_insert(Waiting {
            priority,
            bucket,
            least_f: f,
            least_g: g,
        });
        let g_so_far = side.g(so_far.bucket, 0);
        if priority < so_far.priority || priority == so_far.priority && g > g_so_far {
            so_far.priority = priority;
            so_far.bucket = bucket;
        }
        so_far.least_g = so_far.least_g.min(g);
    }
    waiting
}
