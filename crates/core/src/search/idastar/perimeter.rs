//! Nodes at the perimeter of an endgame table, looked up in batches.
//!
//! Where what is left of the threshold is the table's depth, a look-up decides: a state of the
//! last layer ends the search, and of any other nothing is searched. Look-ups wait for each
//! other so that their cache misses overlap. A batch tells that a solution is there, but not on
//! which path; so the subtree is searched again, each look-up at once, and the counts are those
//! of the recursion.

use crate::lookup::endgame::Perimeter;
use crate::puzzle::{Entry, Move, Packed};
use crate::search::control::Stop;

/// Look-ups that wait for each other.
const BATCH: usize = 64;

/// Nodes at the perimeter that wait to be looked up.
pub(super) struct PerimeterBatch<'a, W> {
    layer: Perimeter<'a, W>,
    waiting: [W; BATCH],
    len: usize,
    /// How many wait: a batch, or one.
    most: usize,
}

impl<'a, W: Entry> PerimeterBatch<'a, W> {
    pub fn new(layer: Perimeter<'a, W>) -> PerimeterBatch<'a, W> {
        PerimeterBatch {
            layer,
            waiting: [W::default(); BATCH],
            len: 0,
            most: BATCH,
        }
    }

    /// From now on every node is looked up when it is met.
    pub fn look_up_at_once(&mut self) {
        self.len = 0;
        self.most = 1;
    }

    /// Takes a node at the perimeter; true if it, or one that waited, is in the last layer.
    #[inline(always)]
    pub fn meet(&mut self, cells: W) -> bool {
        // Never past the end: `% BATCH` drops the bounds check.
        self.waiting[self.len % BATCH] = cells;
        self.len += 1;
        self.len == self.most && self.look_up()
    }

    /// Looks up all that wait; true if one is in the last layer.
    #[inline(never)]
    pub fn look_up(&mut self) -> bool {
        let waiting = &self.waiting[..self.len];
        self.len = 0;
        for &cells in waiting {
            self.layer.prefetch(cells);
        }
        waiting.iter().any(|&cells| self.layer.has(cells))
    }

    /// The moves to the goal from the state that was met last, last move first; none if it is
    /// not known that it was the one.
    pub fn path(&self, met: Packed<W>) -> Result<Vec<Move>, Stop> {
        if self.most > 1 {
            return Ok(Vec::new());
        }
        let mut moves = self.layer.path(met).ok_or(Stop::DamagedTable)?;
        moves.reverse();
        Ok(moves)
    }
}
