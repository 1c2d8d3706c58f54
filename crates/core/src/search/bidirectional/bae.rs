//! BAE* (Sadhukhan 2012): best first by b = 2 g + h − h', where h' estimates the way back to the
//! side's own root.
//!
//! b is f = g + h, and by how much g exceeds its own estimate h': that much, all paths out of this
//! side are longer than the other side's estimates say. On a shortest solution of C moves every
//! state has b forward and b backward of 2 C in sum, and with consistent estimates b never falls
//! along a path. So if no state with a smaller b waits on either side, (b forward + b backward) / 2
//! bounds C: a shorter solution would have a state that was expanded on both sides, or a move
//! between two states that were, and would have been found there.
//!
//! With parity: both b have the parity of C, their half sum need not, and is raised to it.

use super::side::Full;
use super::{Direction, Sides};
use crate::puzzle::Entry;
use crate::search::astar::{BATCH, Bucket};

/// Exhausts the least layers of b, the smaller one of both sides first.
pub(super) fn search<W: Entry>(sides: &mut Sides<'_, '_, '_, W>) -> Result<(), Full> {
    loop {
        let layers = [&sides.forward, &sides.backward].map(|side| side.first_layer());
        // Where nothing waits, no path is left that is better than the best.
        let [Some(forward), Some(backward)] = layers else {
            return Ok(());
        };
        let b_forward = sides.forward.value(forward);
        let b_backward = sides.backward.value(backward);
        if sides.raise((b_forward + b_backward).div_ceil(2)) {
            return Ok(());
        }
        let is_forward = sides.forward.waiting_in(forward) <= sides.backward.waiting_in(backward);
        let (direction, layer) = match is_forward {
            true => (Direction::Forward, forward),
            false => (Direction::Backward, backward),
        };
        // Until the layer is exhausted: only that raises the bound.
        loop {
            let h = sides.side(direction).estimates_in(layer).next();
            let Some(h) = h else { break };
            sides.expand(direction, Bucket { layer, h }, BATCH)?;
            if sides.best.cost <= sides.bound {
                return Ok(());
            }
        }
    }
}
