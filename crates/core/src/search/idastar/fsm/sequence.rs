//! Sequences of moves, and what they do to the tiles.

use crate::puzzle::{Move, Size};

/// A sequence of moves, two bits each, the first one highest, below a one. So the shorter of two
/// is the smaller number, and of two as long the one whose moves come earlier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Sequence(u64);

impl Sequence {
    pub const EMPTY: Sequence = Sequence(1);

    pub fn len(self) -> usize {
        self.0.ilog2() as usize / 2
    }

    #[inline(always)]
    pub fn then(self, mv: Move) -> Sequence {
        Sequence(self.0 << 2 | mv as u64)
    }

    /// The sequence that takes it back.
    pub fn taken_back(self) -> Sequence {
        let mut moves: Vec<Move> = self.iter().collect();
        moves.reverse();
        let back = moves.into_iter().map(Move::opposite);
        back.fold(Sequence::EMPTY, Sequence::then)
    }

    pub fn iter(self) -> impl Iterator<Item = Move> {
        let shifts = (0..self.len()).rev().map(|index| 2 * index);
        shifts.map(move |shift| Move::ALL[(self.0 >> shift & 3) as usize])
    }
}

/// Row and column, seen from where the gap started.
type Offset = (i8, i8);

/// The least and greatest row and column that a gap was in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Rectangle {
    rows: (i8, i8),
    cols: (i8, i8),
}

impl Rectangle {
    #[inline(always)]
    pub fn with(self, (row, col): Offset) -> Rectangle {
        Rectangle {
            rows: (self.rows.0.min(row), self.rows.1.max(row)),
            cols: (self.cols.0.min(col), self.cols.1.max(col)),
        }
    }

    #[inline(always)]
    pub fn fits(self, size: Size) -> bool {
        let fits = |(least, most): (i8, i8), lines: usize| ((most - least) as usize) < lines;
        fits(self.rows, size.rows()) && fits(self.cols, size.cols())
    }

    pub fn is_within(self, other: Rectangle) -> bool {
        let within = |a: (i8, i8), b: (i8, i8)| a.0 >= b.0 && a.1 <= b.1;
        within(self.rows, other.rows) && within(self.cols, other.cols)
    }
}

/// What a sequence of moves does, and where its gap was meanwhile.
#[derive(Debug)]
pub(super) struct Effect {
    /// Cells with a tile that is not theirs, or the gap, each with the cell that it came from.
    moved: Vec<(usize, u16)>,
    rectangle: Rectangle,
}

impl Effect {
    /// Whether another sequence does the same wherever this one can be made.
    pub fn is_reached_by(&self, other: &Effect) -> bool {
        other.moved == self.moved && other.rectangle.is_within(self.rectangle)
    }
}

/// A grid in which the gap can go as far to any side as on a board of some size, and no farther.
pub(super) struct Board {
    size: Size,
    /// By cells, row by row: the cell that the tile there came from. The gap is one of them.
    tiles: Vec<u16>,
    gap: Offset,
    /// Random numbers for each cell, as the one that a tile came from and as the one that it is in.
    keys: Vec<(u64, u64)>,
    fingerprint: u64,
}

impl Board {
    pub fn new(size: Size) -> Board {
        let cells = 0..((2 * size.rows() - 1) * (2 * size.cols() - 1)) as u16;
        let keys = cells
            .clone()
            .map(|cell| (mixed(cell.into()), mixed(!u64::from(cell))));
        Board {
            size,
            keys: keys.collect(),
            tiles: cells.collect(),
            gap: (0, 0),
            fingerprint: 0,
        }
    }

    /// A number for what the moves so far do: the sum over all tiles of their key times that of the
    /// cell they are in, less the same sum at the start. The same tiles in the same cells have the
    /// same, others another but once in 2⁶⁰ times.
    #[inline(always)]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Where the gap would have been after a move; `None` if no board of the size has room for it.
    #[inline(always)]
    pub fn room_for(&self, mv: Move, so_far: Rectangle) -> Option<Rectangle> {
        let rectangle = so_far.with(after(self.gap, mv));
        rectangle.fits(self.size).then_some(rectangle)
    }

    #[inline(always)]
    pub fn slide(&mut self, mv: Move) {
        let from = self.cell_of(self.gap);
        self.gap = after(self.gap, mv);
        let to = self.cell_of(self.gap);
        let key_of = |tile: u16| self.keys[usize::from(tile)].0;
        let (gap, tile) = (key_of(self.tiles[from]), key_of(self.tiles[to]));
        let farther = self.keys[from].1.wrapping_sub(self.keys[to].1);
        let change = tile.wrapping_sub(gap).wrapping_mul(farther);
        self.fingerprint = self.fingerprint.wrapping_add(change);
        self.tiles.swap(from, to);
    }

    #[inline(always)]
    fn cell_of(&self, (row, col): Offset) -> usize {
        let (rows, cols) = (self.size.rows() as isize, self.size.cols() as isize);
        let (row, col) = (rows - 1 + isize::from(row), cols - 1 + isize::from(col));
        (row * (2 * cols - 1) + col) as usize
    }

    /// What a sequence does, on a board that is as it was.
    pub fn effect(&mut self, sequence: Sequence) -> Effect {
        let mut cells = vec![self.cell_of(self.gap)];
        let mut rectangle = Rectangle::default();
        for mv in sequence.iter() {
            self.slide(mv);
            cells.push(self.cell_of(self.gap));
            rectangle = rectangle.with(self.gap);
        }
        cells.sort_unstable();
        cells.dedup();
        let moved = cells.into_iter().map(|cell| (cell, self.tiles[cell]));
        let moved = moved.filter(|&(cell, tile)| cell != usize::from(tile));
        let moved = moved.collect();
        let moves: Vec<Move> = sequence.iter().collect();
        for mv in moves.into_iter().rev() {
            self.slide(mv.opposite());
        }
        Effect { moved, rectangle }
    }
}

#[inline(always)]
fn after((row, col): Offset, mv: Move) -> Offset {
    match mv {
        Move::Up => (row - 1, col),
        Move::Down => (row + 1, col),
        Move::Left => (row, col - 1),
        Move::Right => (row, col + 1),
    }
}

/// A number that has nothing in common with those of other words (splitmix64).
fn mixed(word: u64) -> u64 {
    let word = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
