//! Linear conflict: the taxicab distance, and two moves more for each tile that has to leave
//! its goal line and come back to let others pass (Hansson, Mayer and Yung 1985).

use std::array;

use super::line_table::{LineTable, MOST_LINE_CELLS, conflicts, is_in_conflict};
use super::slide_sets::SlideSets;
use super::{Heuristic, Taxicab};
use crate::puzzle::{Board, Cell, Goal, MAX_CELLS, Packed, Size, Tile, Wide, Word};

/// The taxicab distance plus two moves for each conflict of a row or column.
///
/// A tile that slides inside its goal line keeps its place among the others. One that enters
/// or leaves it brings or takes at most one conflict, so this estimate too changes by exactly
/// one with a move: by that of the taxicab, turned round where a conflict comes or goes.
///
/// Lines of up to five cells are looked up in tables; those of boards such as 2x12 and 6x6, too
/// many for that, are compared anew with each move that changes them.
#[derive(Clone)]
pub struct LinearConflict {
    size: Size,
    taxicab: Taxicab,
    /// The tiles that enter or leave their goal line when they slide.
    crosses: SlideSets,
    rows: Lines,
    cols: Lines,
}

/// The rows of a board, or its columns.
#[derive(Clone)]
struct Lines {
    cells: usize,
    /// From a cell of a line to the next one.
    stride: Cell,
    /// The first cell of each tile's goal line.
    first: [Cell; MAX_CELLS],
    /// Where each tile belongs in its goal line.
    goal_place: [u8; MAX_CELLS],
    /// Where a cell is in its line.
    place: [u8; MAX_CELLS],
    table: Option<&'static LineTable>,
}

impl Lines {
    /// Lines of so many cells; tile t belongs into the cell `homes[t]`.
    fn new(homes: &[Cell; MAX_CELLS], cells: usize, stride: usize) -> Lines {
        let place_of = |cell: usize| cell / stride % cells;
        let home = |tile: usize| usize::from(homes[tile]);
        let first_of = |cell: usize| (cell - place_of(cell) * stride) as Cell;
        Lines {
            cells,
            stride: stride as Cell,
            first: array::from_fn(|tile| first_of(home(tile))),
            goal_place: array::from_fn(|tile| place_of(home(tile)) as u8),
            place: array::from_fn(|cell| place_of(cell) as u8),
            table: LineTable::of(cells),
        }
    }

    /// The goal place, counted from 1, of each tile that is in its goal line, the one that
    /// starts at cell `first`; 0 for the gap and for tiles of other lines.
    #[inline(always)]
    fn places<W: Word>(&self, board: W, first: Cell) -> impl Iterator<Item = u8> {
        (0..self.cells as Cell).map(move |cell| {
            let tile = usize::from(board.tile(first + cell * self.stride));
            let is_own = tile != 0 && self.first[tile] == first;
            u8::from(is_own) * (self.goal_place[tile] + 1)
        })
    }

    /// The index of a line's content in the table of all short lines.
    #[inline(always)]
    fn index<W: Word>(&self, board: W, first: Cell) -> usize {
        let shifts = (0..).step_by(LineTable::BITS as usize);
        let places = self.places(board, first).map(usize::from).zip(shifts);
        places.fold(0, |index, (place, shift): (_, u32)| index | place << shift)
    }

    fn long_line<W: Word>(&self, board: W, first: Cell) -> [u8; MOST_LINE_CELLS] {
        let mut line = [0; MOST_LINE_CELLS];
        for (cell, place) in line.iter_mut().zip(self.places(board, first)) {
            *cell = place;
        }
        line
    }

    fn conflicts<W: Word>(&self, board: W, first: Cell) -> u32 {
        match self.table {
            Some(table) => table.conflicts(self.index(board, first)),
            None => conflicts(&self.long_line(board, first)[..self.cells]),
        }
    }

    /// Whether `tile`, which is in its goal line and as far along it as `cell` is in its own,
    /// takes a conflict with it when it leaves.
    #[inline(always)]
    fn is_in_conflict<W: Word>(&self, board: W, tile: Tile, cell: Cell) -> bool {
        let first = self.first[usize::from(tile)];
        let place = self.place[usize::from(cell)];
        match self.table {
            Some(table) => table.flags(self.index(board, first)) >> place & 1 == 1,
            None => {
                let line = &mut self.long_line(board, first)[..self.cells];
                is_in_conflict(line, place.into())
            }
        }
    }
}

impl LinearConflict {
    /// For boards of one size, to the goal that searches know: tile t belongs into cell t.
    pub fn new(size: Size) -> LinearConflict {
        LinearConflict::toward(&Board::solved(size, Goal::First))
    }

    /// To any board.
    pub fn toward(target: &Board) -> LinearConflict {
        let (size, homes) = (target.size(), target.homes());
        let crosses = SlideSets::new(size, |gap, from, tile| {
            let home = homes[usize::from(tile)];
            let is_vertical = size.col_of(gap) == size.col_of(from);
            let is_goal_line_of = |cell: Cell| match is_vertical {
                true => size.row_of(home) == size.row_of(cell),
                false => size.col_of(home) == size.col_of(cell),
            };
            is_goal_line_of(gap) || is_goal_line_of(from)
        });
        LinearConflict {
            size,
            taxicab: Taxicab::toward(target),
            crosses,
            rows: Lines::new(&homes, size.cols(), 1),
            cols: Lines::new(&homes, size.rows(), size.cols()),
        }
    }
}

impl LinearConflict {
    /// The estimate of a board for a goal of its size.
    pub fn of(board: &Board, goal: Goal) -> u32 {
        let estimate = LinearConflict::toward(&Board::solved(board.size(), goal));
        estimate.start(Packed::<Wide>::new(board))
    }
}

impl<W: Word> Heuristic<W> for LinearConflict {
    type Carried = u32;

    const STEP: u32 = 2;

    fn supports(&self, size: Size) -> bool {
        self.size == size
    }

    fn leads_to(&self, target: &Board) -> bool {
        Heuristic::<W>::leads_to(&self.taxicab, target)
    }

    fn start(&self, state: Packed<W>) -> u32 {
        let rows = (0..self.size.cells()).step_by(self.size.cols());
        let in_rows = rows.map(|first| self.rows.conflicts(state.cells, first as Cell));
        let cols = 0..self.size.cols();
        let in_cols = cols.map(|first| self.cols.conflicts(state.cells, first as Cell));
        self.taxicab.start(state) + 2 * in_rows.chain(in_cols).sum::<u32>()
    }

    #[inline(always)]
    fn moved(&self, estimate: u32, before: Packed<W>, after: Packed<W>, tile: Tile) -> u32 {
        let (gap, from) = (before.gap, after.gap);
        let is_farther = self.taxicab.is_farther::<W>(gap, from, tile);
        if !self.crosses.holds::<W>(gap, from, tile) {
            return estimate + 2 * u32::from(is_farther) - 1;
        }
        // A tile that leaves its line was in it before, one that enters it is in it after.
        let board = if is_farther { before } else { after };
        // Rows have at least two cells: only cells of one row are adjacent in number.
        let is_vertical = gap.abs_diff(from) != 1;
        let lines = if is_vertical { &self.rows } else { &self.cols };
        let turns = lines.is_in_conflict(board.cells, tile, gap);
        estimate + 2 * u32::from(is_farther != turns) - 1
    }

    #[inline(always)]
    fn value(&self, estimate: u32) -> u32 {
        estimate
    }

    #[inline(always)]
    fn resume(&self, _state: Packed<W>, value: u32) -> u32 {
        value
    }
}
