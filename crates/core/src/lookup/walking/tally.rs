//! Abstract boards: what walking distance sees of a board, along one of its axes.

/// How many tiles of each goal line are in each line: a few bits a count.
///
/// The last line is left out, as the others imply it; and so is the gap, which is in the line
/// that lacks a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tally(u64);

/// What a line holds: how many tiles of each goal line, in as many bits as in a [`Tally`].
pub(super) type Content = usize;

/// What the tallies of one axis have in common: a board has `lines` lines of `cells` cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub lines: usize,
    pub cells: usize,
    /// Of a count.
    bits: usize,
    /// Bits of a line.
    pub width: usize,
}

impl Shape {
    pub const MOST_LINES: usize = 6;

    /// `None` where there are too many tallies, or they are too large. The largest shapes are 5
    /// lines of 5 cells with 65,650,495 and 6 of 3 with 50,388,240; 6 of 4 have 2,988,868,680, and
    /// the tallies of 7 of 2 do not fit 64 bits.
    pub fn new(lines: usize, cells: usize) -> Option<Shape> {
        let bits = cells.ilog2() as usize + 1;
        let fits = bits * lines * (lines - 1) <= u64::BITS as usize;
        let is_small = lines < Shape::MOST_LINES || lines == Shape::MOST_LINES && cells <= 3;
        (fits && is_small).then_some(Shape {
            lines,
            cells,
            bits,
            width: bits * lines,
        })
    }

    /// The tiles of `goal_line` in what a line holds.
    pub fn count(self, content: Content, goal_line: usize) -> usize {
        content >> (self.bits * goal_line) & ((1 << self.bits) - 1)
    }

    pub fn counts(self, content: Content) -> impl Iterator<Item = usize> {
        (0..self.lines).map(move |goal_line| self.count(content, goal_line))
    }

    /// All tiles, as if a line held them: one less of the first goal line, where the gap belongs.
    pub fn tiles(self) -> Content {
        let full = (0..self.lines).map(|goal_line| self.cells << (self.bits * goal_line));
        full.sum::<Content>() - 1
    }

    /// What a tile adds to what a line holds.
    pub fn tile(self, goal_line: usize) -> Content {
        1 << (self.bits * goal_line)
    }

    /// What one tile in a line adds to a tally.
    pub fn one(self, line: usize, goal_line: usize) -> u64 {
        match line + 1 < self.lines {
            true => 1 << (self.width * line + self.bits * goal_line),
            false => 0,
        }
    }

    /// The tally of tiles given by line and goal line.
    pub fn tally(self, tiles: impl Iterator<Item = (usize, usize)>) -> Tally {
        Tally(
            tiles
                .map(|(line, goal_line)| self.one(line, goal_line))
                .sum(),
        )
    }

    pub fn goal(self) -> Tally {
        let counts = self.counts(self.tiles()).enumerate();
        Tally(
            counts
                .map(|(line, count)| count as u64 * self.one(line, line))
                .sum(),
        )
    }

    /// What the lines hold, the last one too.
    pub fn contents(self, tally: Tally) -> impl Iterator<Item = Content> {
        let mut left = self.tiles();
        (0..self.lines).map(move |line| {
            let content = match line + 1 < self.lines {
                true => tally.line(line, self.width),
                false => left,
            };
            left -= content;
            content
        })
    }
}

impl Tally {
    /// After a tile went from one line to the next: what it takes away there and adds here.
    #[inline(always)]
    pub(crate) fn moved(self, from: u64, to: u64) -> Tally {
        Tally(self.0 - from + to)
    }

    /// What a line that is not the last one holds.
    #[inline(always)]
    pub(super) fn line(self, line: usize, width: usize) -> Content {
        self.0 as usize >> (width * line) & ((1 << width) - 1)
    }
}
