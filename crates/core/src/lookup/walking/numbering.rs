//! Numbers for abstract boards, without gaps.

use super::tally::{Content, Shape, Tally};

/// Numbers the tallies of a shape from 0 on, ordered by their first lines, then the second ones.
///
/// How many tallies come before one is a sum over its lines: those that agree up to a line and
/// hold less there. It depends on what the line holds and on the tiles that the lines before it
/// have left, so each summand is in a table.
#[derive(Debug)]
pub(super) struct Numbering {
    shape: Shape,
    /// [`Shape::tiles`], at hand.
    tiles: Content,
    /// By content of a line, a number for it. Those that lack a tile come last.
    numbers: Vec<u8>,
    /// How many contents lack no tile.
    full: u8,
    /// For each line, by the tiles that are left: where its summands start.
    starts: Vec<u32>,
    /// By start and number of a content: how many tallies come before.
    summands: Vec<u32>,
    tallies: usize,
}

/// A tile of a goal line comes into the gap's line, from the line after it or the one before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub goal_line: usize,
    pub from_next: bool,
    /// What it leads to.
    pub tally: Tally,
    pub number: usize,
}

impl Numbering {
    pub fn new(shape: Shape) -> Numbering {
        let (contents, full) = contents(shape);
        let mut numbers = vec![0; 1 << shape.width];
        for (number, &content) in contents.iter().enumerate() {
            numbers[content] = number as u8;
        }
        let lefts = lefts(shape, &contents);
        // The last line follows from the others: its summands are the zeros at the front.
        let mut starts = vec![0; shape.lines << shape.width];
        let mut summands = vec![0; contents.len()];
        // How many ways there are to fill all lines from here on; the last line takes the rest.
        let mut ways = vec![1; 1 << shape.width];
        for line in (0..shape.lines - 1).rev() {
            let mut ways_here = vec![0; 1 << shape.width];
            for &left in &lefts[line] {
                starts[(line << shape.width) + left] = summands.len() as u32;
                let mut before = 0;
                for &content in &contents {
                    summands.push(before);
                    if fits(shape, content, left, line) {
                        before += ways[left - content];
                    }
                }
                ways_here[left] = before;
            }
            ways = ways_here;
        }
        Numbering {
            tiles: shape.tiles(),
            shape,
            numbers,
            full,
            starts,
            summands,
            tallies: ways[shape.tiles()] as usize,
        }
    }

    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How many tallies there are.
    pub fn tallies(&self) -> usize {
        self.tallies
    }

    /// Bytes of a bit for each, whole words.
    pub fn bytes(&self) -> usize {
        self.tallies.div_ceil(64) * 8
    }

    /// Bytes that the numbering itself takes.
    pub fn own_bytes(&self) -> usize {
        size_of_val(&self.numbers[..])
            + size_of_val(&self.starts[..])
            + size_of_val(&self.summands[..])
    }

    /// How many tallies agree in the lines before one and hold less in this one.
    #[inline(always)]
    fn summand(&self, line: usize, left: Content, content: Content) -> u32 {
        let start = self.starts[(line << self.shape.width) + left];
        self.summands[start as usize + usize::from(self.numbers[content])]
    }

    /// The number of a tally.
    #[inline(always)]
    pub fn number(&self, tally: Tally) -> usize {
        let mut left = self.tiles;
        let mut number = 0;
        for line in 0..self.shape.lines - 1 {
            let content = tally.line(line, self.shape.width);
            number += self.summand(line, left, content);
            left -= content;
        }
        number as usize
    }

    /// The line that lacks a tile.
    pub fn gap(&self, tally: Tally) -> usize {
        let mut contents = self.shape.contents(tally);
        let gap = contents.position(|content| self.numbers[content] >= self.full);
        gap.expect("one line lacks a tile")
    }

    /// Visits all steps from a tally.
    ///
    /// A step changes the summands of two adjacent lines, and no other: what both hold together
    /// stays, and so what is left for the lines after them.
    #[inline(always)]
    pub fn for_each_step(&self, tally: Tally, mut visit: impl FnMut(Step)) {
        let shape = self.shape;
        let mut contents = [0; Shape::MOST_LINES];
        let mut lefts = [0; Shape::MOST_LINES];
        let mut summands = [0; Shape::MOST_LINES];
        let mut left = self.tiles;
        let mut gap = 0;
        for (line, content) in shape.contents(tally).enumerate() {
            (contents[line], lefts[line]) = (content, left);
            summands[line] = self.summand(line, left, content);
            left -= content;
            if self.numbers[content] >= self.full {
                gap = line;
            }
        }
        let number: u32 = summands.iter().sum();
        for from in [gap.wrapping_sub(1), gap + 1] {
            if from >= shape.lines {
                continue;
            }
            let (upper, lower) = (gap.min(from), gap.max(from));
            let others = number - summands[upper] - summands[lower];
            let both = contents[upper] + contents[lower];
            let left = lefts[upper];
            for goal_line in 0..shape.lines {
                if shape.count(contents[from], goal_line) == 0 {
                    continue;
                }
                let tile = shape.tile(goal_line);
                let content = match from == upper {
                    true => contents[upper] - tile,
                    false => contents[upper] + tile,
                };
                let number = others
                    + self.summand(upper, left, content)
                    + self.summand(lower, left - content, both - content);
                visit(Step {
                    tally: tally.moved(shape.one(from, goal_line), shape.one(gap, goal_line)),
                    number: number as usize,
                    goal_line,
                    from_next: from == lower,
                });
            }
        }
    }
}

/// All that a line can hold, full lines first, and how many those are.
fn contents(shape: Shape) -> (Vec<Content>, u8) {
    let of_tiles = |tiles| {
        let is_one = move |content: &Content| {
            let mut counts = shape.counts(*content).zip(shape.counts(shape.tiles()));
            counts.all(|(count, all)| count <= all)
                && shape.counts(*content).sum::<usize>() == tiles
        };
        (0..1 << shape.width).filter(is_one)
    };
    let mut contents: Vec<Content> = of_tiles(shape.cells).collect();
    let full = contents.len() as u8;
    contents.extend(of_tiles(shape.cells - 1));
    (contents, full)
}

/// For each line, in order, what the lines before it can have left.
fn lefts(shape: Shape, contents: &[Content]) -> Vec<Vec<Content>> {
    let mut lefts = vec![vec![shape.tiles()]];
    for line in 0..shape.lines - 2 {
        let mut next: Vec<Content> = Vec::new();
        for &left in &lefts[line] {
            let fit = contents
                .iter()
                .filter(|&&content| fits(shape, content, left, line));
            next.extend(fit.map(|content| left - content));
        }
        next.sort_unstable();
        next.dedup();
        lefts.push(next);
    }
    lefts
}

/// Whether a line can take this from what is left, and only one line in all lacks a tile.
fn fits(shape: Shape, content: Content, left: Content, line: usize) -> bool {
    let mut counts = shape.counts(content).zip(shape.counts(left));
    let sum = |content| shape.counts(content).sum::<usize>();
    let lines_left = shape.lines - line - 1;
    counts.all(|(count, left)| count <= left)
        && sum(left) - sum(content) <= lines_left * shape.cells
}
