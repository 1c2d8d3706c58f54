//! The moves from each cell but the one back, by the last move.

use crate::puzzle::{Cell, Grid, Move};

/// The tag of the start in the open list, in the place of the move that led there.
pub(crate) const NO_MOVE: u8 = Move::ALL.len() as u8;
const LAST_MOVES: usize = NO_MOVE as usize + 1;

/// A grid's steps without the immediate return. To leave that one out in the loop over all
/// steps mispredicts a branch for every state.
pub(crate) struct Onward {
    steps: Vec<Vec<(Move, Cell)>>,
}

impl Onward {
    pub fn new(grid: &Grid) -> Onward {
        let mut steps = Vec::new();
        for gap in 0..grid.size().cells() as Cell {
            for last in 0..LAST_MOVES as u8 {
                let is_onward = |&&(mv, _): &&(Move, Cell)| mv.opposite() as u8 != last;
                steps.push(grid.steps(gap).iter().filter(is_onward).copied().collect());
            }
        }
        Onward { steps }
    }

    #[inline(always)]
    pub fn steps(&self, gap: Cell, last: u8) -> &[(Move, Cell)] {
        &self.steps[usize::from(gap) * LAST_MOVES + usize::from(last)]
    }
}
