//! NBS (Chen, Holte, Zilles and Sturtevant 2017): pairs of states, one of each side, whose bound is
//! least.
//!
//! A path through a pair, out of u forward and into v backward, has max(f(u), f(v), g(u) + g(v) + ε)
//! moves at least. To prove the best solution, one state of every pair with a smaller bound has to
//! be expanded; NBS expands both, and so at most twice as many states as need be.
//!
//! Which of the pairs with the least bound comes first is free. Pairs of the least g exhaust a bound
//! that is too small with the fewest states. The largest g finds solutions soon: there one side
//! chooses, and the other one has to be content with what makes a pair. Both ways take turns: on
//! seven boards of korf100 the second one alone expands 1.3 times as many states.
//!
//! No state is expanded twice: one that was reached on a detour has a state before it on the way
//! without, which waits with a smaller g and, as estimates are consistent, a smaller f, so with f
//! below the bound. Those come before the ones with f at the bound, or the least g does.

use super::side::{Full, Side};
use super::{Direction, EPSILON, Sides};
use crate::puzzle::Entry;
use crate::search::astar::{BATCH, Bucket};

/// Expands pairs with the least bound.
pub(super) fn search<W: Entry>(sides: &mut Sides<'_, '_, '_, W>) -> Result<(), Full> {
    let mut turn = 0;
    while sides.forward.waiting() > 0 && sides.backward.waiting() > 0 {
        let bound = sides.bound;
        let (first, second) = match turn % 2 {
            0 => (Direction::Forward, Direction::Backward),
            _ => (Direction::Backward, Direction::Forward),
        };
        let is_deep = turn < 2;
        match pair(sides.side(first), sides.side(second), bound, is_deep) {
            Some((u, v)) => {
                // All states of a bucket are alike: there are as many pairs.
                let taken = sides.expand(first, u, BATCH)?;
                sides.expand(second, v, taken)?;
                turn = (turn + 1) % 4;
            }
            None => {
                sides.raise(bound + 1);
            }
        }
        if sides.best.cost <= sides.bound {
            break;
        }
    }
    Ok(())
}

/// Buckets of both sides whose states make pairs within the bound: those of the least g, or deep
/// ones as the first side likes best.
fn pair<W: Entry>(
    first: &Side<'_, W>,
    second: &Side<'_, W>,
    bound: u32,
    is_deep: bool,
) -> Option<(Bucket, Bucket)> {
    let (least, v) = least_g(second, bound)?;
    let most = bound.checked_sub(least + EPSILON)?;
    if !is_deep {
        let (g, u) = least_g(first, bound)?;
        return (g <= most).then_some((u, v));
    }
    let u = choose(first, bound, most)?;
    let v = choose(second, bound, bound - EPSILON - first.g(u, 0))?;
    Some((u, v))
}

/// What a side expands next, of its states with f up to a bound and g up to another.
fn choose<W: Entry>(side: &Side<'_, W>, bound: u32, most: u32) -> Option<Bucket> {
    let below = least_g(side, bound - 1).filter(|&(g, _)| g <= most);
    let layer = bound.checked_sub(side.value(0))? / 2;
    let at_bound = || {
        // The smallest h of a layer has the largest g.
        let mut buckets = side.estimates_in(layer).map(|h| Bucket { layer, h });
        buckets.find(|&bucket| side.g(bucket, 0) <= most)
    };
    below.map(|(_, bucket)| bucket).or_else(at_bound)
}

/// The least g of states with f up to a bound, and their bucket; of equal ones that of the least f.
fn least_g<W: Entry>(side: &Side<'_, W>, bound: u32) -> Option<(u32, Bucket)> {
    let layers = (0..side.layers()).take_while(|&layer| side.value(layer) <= bound);
    let buckets = layers.filter_map(|layer| {
        let h = side.estimates_in(layer).next_back()?;
        let bucket = Bucket { layer, h };
        Some((side.g(bucket, 0), bucket))
    });
    buckets.min_by_key(|&(g, _)| g)
}
