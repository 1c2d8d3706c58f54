//! The children of a state with their estimates.

use crate::heuristic::Heuristic;
use crate::puzzle::{Grid, Move, Packed, Word};
use crate::search::astar::Onward;

/// A state that a move leads to.
#[derive(Clone, Copy)]
pub(crate) struct Child<W> {
    pub state: Packed<W>,
    pub h: u32,
    pub mv: Move,
    /// Of its state, once it is known.
    pub hash: u32,
}

/// At most one for each move.
pub(crate) struct Children<W> {
    all: [Child<W>; Move::ALL.len()],
    len: usize,
}

impl<W: Word> Children<W> {
    pub fn new() -> Children<W> {
        let none = Child {
            state: Packed {
                cells: W::default(),
                gap: 0,
            },
            h: 0,
            mv: Move::Up,
            hash: 0,
        };
        Children {
            all: [none; Move::ALL.len()],
            len: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = &Child<W>> {
        self.all[..self.len].iter()
    }

    #[inline(always)]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Child<W>> {
        self.all[..self.len].iter_mut()
    }

    fn push(&mut self, child: Child<W>) {
        self.all[self.len] = child;
        self.len += 1;
    }
}

/// A board and its heuristic, as a best-first search asks for them.
pub(crate) trait Successors<W> {
    /// The estimate of a state.
    fn estimate(&self, state: Packed<W>) -> u32;

    /// The children of a state with this estimate, in the order of the moves, but for the one that the
    /// move `last` came from.
    fn children(&self, state: Packed<W>, h: u32, last: u8, children: &mut Children<W>);
}

/// The children on a grid, by a heuristic.
pub(crate) struct Guided<'a, H> {
    heuristic: &'a H,
    onward: Onward,
}

impl<'a, H> Guided<'a, H> {
    pub fn new(heuristic: &'a H, grid: &Grid) -> Guided<'a, H> {
        Guided {
            heuristic,
            onward: Onward::new(grid),
        }
    }
}

impl<W: Word, H: Heuristic<W>> Successors<W> for Guided<'_, H> {
    fn estimate(&self, state: Packed<W>) -> u32 {
        self.heuristic.value(self.heuristic.start(state))
    }

    fn children(&self, state: Packed<W>, h: u32, last: u8, children: &mut Children<W>) {
        let carried = self.heuristic.resume(state, h);
        for &(mv, to) in self.onward.steps(state.gap, last) {
            let (after, tile) = state.slide(to);
            let moved = self.heuristic.moved(carried, state, after, tile);
            children.push(Child {
                state: after,
                h: self.heuristic.value(moved),
                mv,
                hash: 0,
            });
        }
    }
}
