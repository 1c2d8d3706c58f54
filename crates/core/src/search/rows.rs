//! Row by row, as people do it by hand: from any board to the goal at once, at whatever length.
//!
//! The lines that are farthest from where the gap belongs are filled first: rows as long as there
//! are more than two, then columns. A tile is carried to its cell step by step; for each step the
//! gap walks round it, over cells that are not filled yet. The last two tiles of a line cannot come
//! one by one, as the second has no way past the first: both are brought to the end of the line, and
//! change places there, by breadth-first search on six cells. So do the last three of all, on four.
//!
//! Each state that it makes is one of the path. That is what it counts as generated; the small
//! searches are none of states of the board.

use super::Stop;
use super::meter::Meter;
use crate::puzzle::{Board, Cell, MAX_CELLS, Move, Size, Tile};

/// The moves from a board to one that it can become.
pub(crate) fn search(
    start: &Board,
    target: &Board,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let size = target.size();
    // The last four cells are those at the first corner. A target with its gap elsewhere is a few
    // moves behind one with its gap there.
    let to_corner = moves_to_first_cell(size, target.gap());
    let near = target.replay(&to_corner).expect("a way on the board");
    let mut hand = Hand::new(start, &near, meter);
    let (mut rows, mut cols) = (size.rows(), size.cols());
    let cell = |row, col| (row * size.cols() + col) as Cell;
    while rows > 2 {
        rows -= 1;
        let line: Vec<Cell> = (0..cols).rev().map(|col| cell(rows, col)).collect();
        hand.fill(&line, Move::Up)?;
    }
    while cols > 2 {
        cols -= 1;
        hand.fill(&[cell(1, cols), cell(0, cols)], Move::Left)?;
    }
    let last = [cell(0, 1), cell(1, 0), cell(1, 1)];
    hand.settle(u64::MAX, &last)?;
    for mv in to_corner.iter().rev().map(|mv| mv.opposite()) {
        let to = size.neighbour(hand.gap(), mv);
        hand.step(to.expect("the way back is on the board"))?;
    }
    Ok(hand.moves)
}

/// The moves of a gap to the first cell.
fn moves_to_first_cell(size: Size, gap: Cell) -> Vec<Move> {
    let up = std::iter::repeat_n(Move::Up, size.row_of(gap).into());
    let left = std::iter::repeat_n(Move::Left, size.col_of(gap).into());
    up.chain(left).collect()
}

/// A set of cells, a bit each.
type Cells = u64;

fn only(cell: Cell) -> Cells {
    1 << cell
}

/// A board under way.
struct Hand<'a, 'm> {
    size: Size,
    /// All cells, and the first of each row.
    all: Cells,
    row_starts: Cells,
    /// The cell of each tile, and of the gap.
    cell_of: [Cell; MAX_CELLS],
    /// The tile of each cell, as it is and as it is to be.
    tile_in: [Tile; MAX_CELLS],
    tile_for: [Tile; MAX_CELLS],
    /// Where the gap may go: the cells that are not filled.
    free: Cells,
    moves: Vec<Move>,
    meter: &'a mut Meter<'m>,
}

impl<'a, 'm> Hand<'a, 'm> {
    fn new(board: &Board, target: &Board, meter: &'a mut Meter<'m>) -> Hand<'a, 'm> {
        let tiles_of = |board: &Board| {
            let mut tiles = [0; MAX_CELLS];
            tiles[..board.tiles().len()].copy_from_slice(board.tiles());
            tiles
        };
        let size = board.size();
        let all = Cells::MAX >> (MAX_CELLS - size.cells());
        let starts = (0..size.cells()).step_by(size.cols());
        Hand {
            size,
            all,
            row_starts: starts.fold(0, |cells, cell| cells | only(cell as Cell)),
            cell_of: board.homes(),
            tile_in: tiles_of(board),
            tile_for: tiles_of(target),
            free: all,
            moves: Vec::new(),
            meter,
        }
    }

    fn gap(&self) -> Cell {
        self.cell_of[0]
    }

    /// Fills a line of at least two cells, in their order. `inward` leads to the cells that are
    /// filled after it: at least two lines of them.
    fn fill(&mut self, line: &[Cell], inward: Move) -> Result<(), Stop> {
        let (first, &[beside, end]) = line.split_last_chunk().expect("two cells or more");
        for &cell in first {
            self.carry(self.tile_for[usize::from(cell)], only(cell))?;
            self.free &= !only(cell);
        }
        if [beside, end].iter().any(|&cell| !self.is_filled(cell)) {
            self.fill_end(beside, end, inward)?;
        }
        self.free &= !(only(beside) | only(end));
        Ok(())
    }

    /// Fills the last two cells of a line.
    fn fill_end(&mut self, beside: Cell, end: Cell, inward: Move) -> Result<(), Stop> {
        // The tile that belongs beside the end waits at the end, out of the way of the other.
        let mut corner = only(beside) | only(end);
        for _ in 0..2 {
            corner |= self.beside(corner, inward);
        }
        self.carry(self.tile_for[usize::from(beside)], only(end))?;
        self.free &= !only(end);
        let other = self.tile_for[usize::from(end)];
        self.carry(other, corner & self.free)?;
        let round = self.free & !only(self.cell_of[usize::from(other)]);
        self.walk(corner & round, round)?;
        self.free |= only(end);
        self.settle(corner, &[beside, end])
    }

    /// Whether a cell has the tile that it is to have.
    fn is_filled(&self, cell: Cell) -> bool {
        self.tile_in[usize::from(cell)] == self.tile_for[usize::from(cell)]
    }

    /// Carries a tile to the nearest of some cells.
    fn carry(&mut self, tile: Tile, to: Cells) -> Result<(), Stop> {
        let from = self.cell_of[usize::from(tile)];
        for next in self.way(from, to, self.free) {
            let here = self.cell_of[usize::from(tile)];
            self.walk(only(next), self.free & !only(here))?;
            self.step(here)?;
        }
        Ok(())
    }

    /// Walks the gap to the nearest of some cells, by cells `within` a set.
    fn walk(&mut self, to: Cells, within: Cells) -> Result<(), Stop> {
        let way = self.way(self.gap(), to, within);
        way.into_iter().try_for_each(|cell| self.step(cell))
    }

    /// Moves the gap to a cell beside it.
    fn step(&mut self, to: Cell) -> Result<(), Stop> {
        self.meter.expand()?;
        self.meter.stats.generated += 1;
        let gap = self.gap();
        let mut moves = Move::ALL.into_iter();
        let mv = moves.find(|&mv| self.size.neighbour(gap, mv) == Some(to));
        self.moves.push(mv.expect("a cell beside the gap"));
        self.meter.depth(self.moves.len() as u32);
        let tile = self.tile_in[usize::from(to)];
        self.tile_in.swap(gap.into(), to.into());
        self.cell_of[usize::from(tile)] = gap;
        self.cell_of[0] = to;
        Ok(())
    }

    /// The cells of a shortest way to the nearest of some cells, without the first one.
    fn way(&self, from: Cell, to: Cells, within: Cells) -> Vec<Cell> {
        // All cells that are 0, 1, 2 … steps away or less.
        let mut near = vec![to & within];
        while near[near.len() - 1] & only(from) == 0 {
            let last = near[near.len() - 1];
            let grown = self.around(last) & within | last;
            assert_ne!(grown, last, "what is not filled hangs together");
            near.push(grown);
        }
        near.pop();
        let mut cell = from;
        let nearer = near.into_iter().rev().map(|near| {
            cell = (self.around(only(cell)) & near).trailing_zeros() as Cell;
            cell
        });
        nearer.collect()
    }

    /// The cells that are one move from some.
    fn around(&self, cells: Cells) -> Cells {
        let each = Move::ALL.into_iter().map(|mv| self.beside(cells, mv));
        each.fold(0, |around, cells| around | cells)
    }

    /// The cells that a move leads to from some.
    fn beside(&self, cells: Cells, mv: Move) -> Cells {
        let cols = self.size.cols();
        match mv {
            Move::Up => cells >> cols,
            Move::Down => cells << cols & self.all,
            Move::Left => (cells & !self.row_starts) >> 1,
            Move::Right => cells << 1 & self.all & !self.row_starts,
        }
    }

    /// Brings the tiles of two or three cells there, by the fewest moves of the gap within a set of
    /// free cells. There are at most 120 ways to place two tiles and the gap on six cells.
    fn settle(&mut self, within: Cells, cells: &[Cell]) -> Result<(), Stop> {
        // The gap's cell, and those of the tiles.
        type Places = [Cell; 4];
        let (mut start, mut goal): (Places, Places) = ([0; 4], [0; 4]);
        start[0] = self.gap();
        for (place, &cell) in (1..).zip(cells) {
            start[place] = self.cell_of[usize::from(self.tile_for[usize::from(cell)])];
            goal[place] = cell;
        }
        // Each with the number of the one before it.
        let mut reached = vec![(start, 0)];
        let mut next = 0;
        while reached[next].0[1..] != goal[1..] {
            let places = reached[next].0;
            let mut steps = self.around(only(places[0])) & within & self.free;
            while steps != 0 {
                let to = steps.trailing_zeros() as Cell;
                steps &= steps - 1;
                let mut after = places;
                let moved = after[1..=cells.len()].iter_mut().find(|it| **it == to);
                moved.into_iter().for_each(|tile| *tile = places[0]);
                after[0] = to;
                if reached.iter().all(|(before, _)| *before != after) {
                    reached.push((after, next));
                }
            }
            next += 1;
        }
        let mut gaps = Vec::new();
        while next != 0 {
            gaps.push(reached[next].0[0]);
            next = reached[next].1;
        }
        gaps.into_iter().rev().try_for_each(|gap| self.step(gap))
    }
}
