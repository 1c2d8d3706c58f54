//! The moves from every cell, as the tables see them.

use crate::heuristic::Patterns;
use crate::lookup::{Index, PatternTable, Slide};
use crate::puzzle::{Cell, Grid, MAX_CELLS, Move};

/// A table, its parts at hand.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    pub index: &'a Index,
    pub bits: &'a [u8],
}

impl<'a> Table<'a> {
    pub fn new(table: &'a PatternTable) -> Table<'a> {
        Table {
            index: table.index(),
            bits: table.bits().as_ref(),
        }
    }
}

/// What holds a tile in a reflection: a table, and a slot of the node's places.
#[derive(Clone, Copy)]
pub(super) struct Holder<'a> {
    pub table: &'a Table<'a>,
    pub slot: u8,
}

/// For each tile, what holds it in a reflection. One entry for each number of five bits, so that no
/// tile has to be checked.
pub(super) type Holders<'a> = [Holder<'a>; CELLS];

/// The cells of a board, and some more.
pub(super) const CELLS: usize = MAX_CELLS.next_power_of_two();

/// What holds the tiles in each reflection.
pub(super) fn holders<'a>(heuristic: &Patterns, tables: &'a [Table<'a>]) -> Vec<Holders<'a>> {
    let reflections = heuristic.reflections().iter();
    let holders = reflections.map(|reflection| {
        std::array::from_fn(|tile| {
            let holder = reflection.holders.get(tile).copied().unwrap_or_default();
            Holder {
                table: &tables[usize::from(holder.table)],
                slot: holder.slot,
            }
        })
    });
    holders.collect()
}

/// A move of the gap.
#[derive(Clone, Copy)]
pub(super) struct Step<'a, const V: usize> {
    pub mv: Move,
    pub to: Cell,
    /// The slide of the tile as the reflections see it, the one with the cheapest look-up first.
    pub slid: [Slid<'a>; V],
}

/// A tile that slides, as a reflection sees it.
#[derive(Clone, Copy)]
pub(super) struct Slid<'a> {
    pub holders: &'a Holders<'a>,
    pub slide: Slide,
    pub reflection: u8,
    /// The cell that the gap comes to.
    pub gap: Cell,
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
                let seen = |cell: Cell| reflections[reflection].image[usize::from(cell)];
                Slid {
                    holders: &holders[reflection],
                    slide: Slide::new(seen(to), seen(gap)),
                    reflection: number as u8,
                    gap: seen(to),
                }
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
