//! The moves from every cell, as the tables see them.

use crate::heuristic::Patterns;
use crate::puzzle::{Cell, Grid, Move};
use crate::search::probe::{CELLS, Holders, Slid};

/// A move of the gap.
#[derive(Clone, Copy)]
pub(super) struct Step<'a, const V: usize> {
    pub mv: Move,
    pub to: Cell,
    /// The slide of the tile as the reflections see it, the one with the cheapest look-up first.
    pub slid: [Slid<'a>; V],
}

/// The moves from every cell.
pub(super) struct Steps<'a, const V: usize> {
    /// Those from a cell, by their [`Move`].
    steps: [[Step<'a, V>; 4]; CELLS],
    /// For each cell and set of moves that the fsm allows: which there are, the last one
    /// first, since a stack gives back the other way round.
    allowed: [[Moves; 16]; CELLS],
}

/// Moves by their numbers; what stands behind the last one does not count.
#[derive(Clone, Copy, Default)]
pub(super) struct Moves {
    pub moves: [u8; 4],
    pub count: u8,
}

impl<'a, const V: usize> Steps<'a, V> {
    pub fn new(grid: &Grid, heuristic: &Patterns, holders: &'a [Holders<'a>]) -> Steps<'a, V> {
        let reflections = heuristic.reflections();
        let step = |gap: Cell, mv: Move, to: Cell| {
            let slid = |number: usize| {
                // What stands behind the last reflection is never read.
                let reflection = number.min(reflections.len() - 1);
                let (seen, holders) = (&reflections[reflection], &holders[reflection]);
                Slid::new(number as u8, seen, holders, (gap, to))
            };
            let mut slid: [Slid<'a>; V] = std::array::from_fn(slid);
            slid[..reflections.len()].sort_by_key(|slid| !slid.slide.keeps_order());
            Step { mv, to, slid }
        };
        let mut steps = Steps {
            steps: [[step(0, Move::Up, 0); 4]; CELLS],
            allowed: [[Moves::default(); 16]; CELLS],
        };
        for gap in 0..grid.size().cells() {
            for &(mv, to) in grid.steps(gap as Cell) {
                steps.steps[gap][mv as usize] = step(gap as Cell, mv, to);
            }
            for (set, allowed) in steps.allowed[gap].iter_mut().enumerate() {
                let moves = grid.steps(gap as Cell).iter().rev();
                for &(mv, _) in moves.filter(|&&(mv, _)| set >> mv as usize & 1 == 1) {
                    allowed.moves[usize::from(allowed.count)] = mv as u8;
                    allowed.count += 1;
                }
            }
        }
        steps
    }

    /// The moves from a cell that are in a set.
    #[inline(always)]
    pub fn allowed(&self, gap: Cell, set: u8) -> Moves {
        self.allowed[usize::from(gap) % CELLS][usize::from(set % 16)]
    }

    #[inline(always)]
    pub fn step(&self, gap: Cell, mv: u8) -> &Step<'a, V> {
        &self.steps[usize::from(gap) % CELLS][usize::from(mv % 4)]
    }
}
