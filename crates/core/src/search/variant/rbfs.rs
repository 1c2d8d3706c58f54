//! Recursive best-first search where tiles have costs of their own.

use super::tile_costs::TileCosts;
use super::{Child, Query, Variant};
use crate::puzzle::{Cost, Move, Word};
use crate::search::rbfs::insertion_sort;
use crate::search::{Meter, Stop};

/// A child with its f, and the least f that is known below it.
struct Node<W> {
    child: Child<W, u64>,
    g: u64,
    f: u64,
    stored: u64,
}

/// Searches from the start to the goal.
pub(super) fn search<W: Word>(
    query: &Query<'_, W, TileCosts>,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    if query.start == query.goal {
        return Ok(Vec::new());
    }
    let carried = Variant::<W>::start(query.variant, query.start);
    let f = query.estimate(carried);
    let mut moves = Vec::new();
    let root = (query.start, carried, None);
    visit(query, root, (0, f, f), u64::MAX, &mut moves, meter)?;
    moves.reverse();
    Ok(moves)
}

/// Searches below a state up to an f; returns the least f that was cut off, `None` at a solution.
fn visit<W: Word>(
    query: &Query<'_, W, TileCosts>,
    (state, carried, last): (crate::puzzle::Packed<W>, u64, Option<super::Step>),
    (g, own, stored): (u64, u64, u64),
    most: u64,
    moves: &mut Vec<Move>,
    meter: &mut Meter<'_>,
) -> Result<Option<u64>, Stop> {
    meter.expand()?;
    let mut children: Vec<Node<W>> = Vec::with_capacity(Move::ALL.len());
    for child in query.children((state, carried), last) {
        meter.stats.generated += 1;
        let g = g + child.cost;
        let f = g + query.estimate(child.carried);
        let stored = if own < stored { stored.max(f) } else { f };
        children.push(Node {
            child,
            g,
            f,
            stored,
        });
    }
    loop {
        insertion_sort(&mut children, |node| node.stored);
        let second = children.get(1).map_or(u64::MAX, |node| node.stored);
        let Some(best) = children.first_mut().filter(|best| best.stored <= most) else {
            return Ok(Some(children.first().map_or(u64::MAX, |best| best.stored)));
        };
        if last.is_none() {
            meter.threshold((best.stored / Cost::SCALE) as u32);
        }
        let Child {
            state,
            carried,
            step,
            ..
        } = best.child;
        let known = (best.g, best.f, best.stored);
        let least = match state == query.goal {
            true => None,
            false => {
                let below = (state, carried, Some(step));
                visit(query, below, known, most.min(second), moves, meter)?
            }
        };
        match least {
            Some(least) => best.stored = least,
            None => {
                moves.push(step.mv);
                return Ok(None);
            }
        }
    }
}
