//! An estimate as a bidirectional search reads it: for a batch of children at a time, so that one
//! compiled search serves every heuristic.

use crate::heuristic::{Estimate, Heuristic, LinearConflict, Taxicab, Zero};
use crate::puzzle::{Board, Cell, Packed, Size, Tile, Word};

/// A move that makes a child.
pub(super) struct Slide<W> {
    pub before: Packed<W>,
    pub after: Packed<W>,
    pub tile: Tile,
}

/// Estimates of the distance to one board, each with the parity of that distance: a move changes
/// them by exactly one.
pub(super) trait Estimator<W> {
    fn of(&self, state: Packed<W>) -> u32;

    /// Makes of the estimates before the moves those after them.
    fn slide_all(&self, slides: &[Slide<W>], estimates: &mut [u32]);
}

/// A heuristic, raised by one where its parity is not that of the distance.
///
/// A path to the target has the parity of the way of the gap, so an estimate of the other parity
/// can be raised and still is none too high. Neighbours have distances of different parity. If
/// their estimates differ by at most one, then those that are raised differ by exactly one: equal
/// estimates have one of them raised; estimates a and a + 1 have none or both raised.
pub(super) struct Lifted<H> {
    pub heuristic: H,
    size: Size,
    gap: Cell,
}

impl<H> Lifted<H> {
    pub fn toward(target: &Board, heuristic: H) -> Lifted<H> {
        Lifted {
            heuristic,
            size: target.size(),
            gap: target.gap(),
        }
    }

    fn lift<W>(&self, state: Packed<W>, estimate: u32) -> u32 {
        estimate + (estimate + self.size.distance(state.gap, self.gap)) % 2
    }
}

impl<W: Word, H: Heuristic<W>> Estimator<W> for Lifted<H> {
    fn of(&self, state: Packed<W>) -> u32 {
        self.lift(state, self.heuristic.value(self.heuristic.start(state)))
    }

    fn slide_all(&self, slides: &[Slide<W>], estimates: &mut [u32]) {
        for (slide, estimate) in slides.iter().zip(estimates) {
            // An estimate in steps of two has the parity, and was not raised.
            *estimate = match H::STEP {
                2 => {
                    let carried = self.heuristic.resume(slide.before, *estimate);
                    let moved =
                        (self.heuristic).moved(carried, slide.before, slide.after, slide.tile);
                    self.heuristic.value(moved)
                }
                _ => self.of(slide.after),
            };
        }
    }
}

/// An estimate that is computed, to any board.
pub(super) fn toward<W: Word>(target: &Board, estimate: Estimate<'_>) -> Box<dyn Estimator<W>> {
    match estimate {
        Estimate::Zero => Box::new(Lifted::toward(target, Zero)),
        Estimate::LinearConflict => {
            Box::new(Lifted::toward(target, LinearConflict::toward(target)))
        }
        _ => Box::new(Lifted::toward(target, Taxicab::toward(target))),
    }
}
