//! The abstract boards of the walking distance: their number, and a table of them all.

use std::collections::HashMap;
use std::sync::OnceLock;

use foldhash::fast::FixedState;

use crate::puzzle::MAX_CELLS;

/// The most abstract boards that are listed in memory. The largest table below is that of
/// 2x6, 0.1 s and 27 MB; the smallest above, that of 4x5, would take 4 s and 400 MB.
pub(super) const MOST_BOARDS: u128 = 2_000_000;

/// How many abstract boards there are for `lines` lines of `cells` cells, without listing them.
///
/// They are the square matrices whose rows and columns add up to `cells`, but for the gap's
/// row and column. Which row is the gap's does not change their number. So one row after the
/// other is filled from what the columns have left, and columns with equal rests are alike.
pub(super) fn abstract_boards(lines: usize, cells: usize) -> u128 {
    let mut totals = vec![cells; lines];
    totals[0] -= 1;
    let mut rests = HashMap::from([(totals.clone(), 1)]);
    for &total in &totals {
        let whole_row = rests.into_iter().map(|(rest, ways)| ((rest, total), ways));
        let mut rows: HashMap<(Vec<usize>, usize), u128> = whole_row.collect();
        for col in 0..lines {
            let mut filled = HashMap::new();
            for ((rest, free), ways) in rows {
                for taken in 0..=free.min(rest[col]) {
                    let mut rest = rest.clone();
                    rest[col] -= taken;
                    *filled.entry((rest, free - taken)).or_default() += ways;
                }
            }
            rows = filled;
        }
        rests = HashMap::new();
        for ((mut rest, free), ways) in rows {
            if free == 0 {
                rest.sort_unstable();
                *rests.entry(rest).or_default() += ways;
            }
        }
    }
    lines as u128 * rests.values().sum::<u128>()
}

/// An abstract board: how many tiles of each goal line are in each line, a few bits a count.
///
/// The last line is left out, as the others imply it; and so is the gap, which is in the line
/// that lacks a tile.
type Key = u64;

/// All abstract boards of one shape, with their distances and the steps between them.
///
/// An abstract board goes by the offset of its steps, so that a step is one look-up.
pub(super) struct WalkingTable {
    shape: Shape,
    offsets: hashbrown::HashMap<Key, u32, FixedState>,
    /// By number, which is the offset divided by the slots of a board.
    distances: Vec<u8>,
    /// For each slot of each board, the offset of the board it leads to, shifted by one bit
    /// that says whether that is farther from the goal.
    steps: Vec<u32>,
}

impl WalkingTable {
    /// The table for `lines` lines of `cells` cells, made once in a process; `None` where
    /// there are more than [`MOST_BOARDS`].
    pub fn of(lines: usize, cells: usize) -> Option<&'static WalkingTable> {
        const MOST_LINES: usize = MAX_CELLS / 2;
        static TABLES: [[OnceLock<Option<WalkingTable>>; MOST_LINES + 1]; MOST_LINES + 1] =
            [const { [const { OnceLock::new() }; MOST_LINES + 1] }; MOST_LINES + 1];
        let table = TABLES[lines][cells].get_or_init(|| {
            let boards = abstract_boards(lines, cells);
            (boards <= MOST_BOARDS).then(|| WalkingTable::new(lines, cells, boards as usize))
        });
        table.as_ref()
    }

    /// A breadth-first search from the goal over all abstract boards.
    fn new(lines: usize, cells: usize, boards: usize) -> WalkingTable {
        let shape = Shape {
            lines,
            cells,
            bits: cells.ilog2() + 1,
        };
        let slots = shape.slots();
        let goal = shape.goal();
        let mut queue = Vec::with_capacity(boards);
        let mut offsets =
            hashbrown::HashMap::with_capacity_and_hasher(boards, FixedState::default());
        let mut distances = Vec::with_capacity(boards);
        let mut steps = vec![0; boards * slots];
        queue.push(goal);
        offsets.insert(goal, 0);
        distances.push(0);
        let mut number = 0;
        while let Some(&board) = queue.get(number) {
            let distance: u8 = distances[number];
            for (slot, next) in shape.steps(board) {
                let offset = *offsets.entry(next).or_insert_with(|| {
                    queue.push(next);
                    distances.push(distance + 1);
                    ((queue.len() - 1) * slots) as u32
                });
                let is_farther = distances[offset as usize / slots] > distance;
                steps[number * slots + slot] = offset << 1 | u32::from(is_farther);
            }
            number += 1;
        }
        assert_eq!(queue.len(), boards, "every abstract board can be reached");
        WalkingTable {
            shape,
            offsets,
            distances,
            steps,
        }
    }

    /// The offset and the distance of the abstract board given by the line and the goal line
    /// of each tile.
    pub fn locate(&self, tiles: impl Iterator<Item = (u8, u8)>) -> (u32, u32) {
        let one = |(line, goal_line): (u8, u8)| self.shape.one(line.into(), goal_line.into());
        let offset = self.offsets[&tiles.map(one).sum::<Key>()];
        let distance = self.distances[offset as usize / self.shape.slots()];
        (offset, distance.into())
    }

    /// The slot for a tile of `goal_line` that comes into the gap's line from the line after
    /// it, or from the one before it.
    pub fn slot(&self, goal_line: u8, from_next: bool) -> u8 {
        self.shape.slot(goal_line.into(), from_next) as u8
    }

    /// The offset after a step, and whether it leads away from the goal.
    #[inline(always)]
    pub fn step(&self, offset: u32, slot: u8) -> (u32, bool) {
        let step = self.steps[offset as usize + usize::from(slot)];
        (step >> 1, step & 1 == 1)
    }
}

/// What the abstract boards of one table have in common.
struct Shape {
    lines: usize,
    cells: usize,
    /// Of one count.
    bits: u32,
}

impl Shape {
    fn slots(&self) -> usize {
        2 * self.lines
    }

    fn slot(&self, goal_line: usize, from_next: bool) -> usize {
        usize::from(from_next) * self.lines + goal_line
    }

    /// How many tiles belong to a goal line: one less to the first, where the gap belongs.
    fn total(&self, goal_line: usize) -> u64 {
        self.cells as u64 - u64::from(goal_line == 0)
    }

    /// What one tile adds to the key.
    fn one(&self, line: usize, goal_line: usize) -> Key {
        match line + 1 < self.lines {
            true => 1 << (self.bits as usize * (line * self.lines + goal_line)),
            false => 0,
        }
    }

    fn goal(&self) -> Key {
        (0..self.lines)
            .map(|line| self.total(line) * self.one(line, line))
            .sum()
    }

    /// The tiles of `goal_line` that are in `line`.
    fn count(&self, board: Key, line: usize, goal_line: usize) -> u64 {
        let counted = |line| {
            let shift = self.one(line, goal_line).trailing_zeros();
            board >> shift & ((1 << self.bits) - 1)
        };
        match line + 1 < self.lines {
            true => counted(line),
            false => self.total(goal_line) - (0..line).map(counted).sum::<u64>(),
        }
    }

    fn gap(&self, board: Key) -> usize {
        let tiles = |line| -> u64 { (0..self.lines).map(|j| self.count(board, line, j)).sum() };
        let gap = (0..self.lines).find(|&line| tiles(line) < self.cells as u64);
        gap.expect("one line lacks a tile")
    }

    /// The boards one step away, each with its slot.
    fn steps(&self, board: Key) -> impl Iterator<Item = (usize, Key)> {
        let gap = self.gap(board);
        let next = Some(gap + 1).filter(|&next| next < self.lines);
        let before = gap.checked_sub(1);
        let froms = [(before, false), (next, true)].into_iter();
        let froms = froms.filter_map(|(from, from_next)| Some((from?, from_next)));
        froms.flat_map(move |(from, from_next)| {
            (0..self.lines)
                .filter(move |&goal_line| self.count(board, from, goal_line) > 0)
                .map(move |goal_line| {
                    let moved = board - self.one(from, goal_line) + self.one(gap, goal_line);
                    (self.slot(goal_line, from_next), moved)
                })
        })
    }
}
