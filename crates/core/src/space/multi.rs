//! A row of tiles a move: the classes of states that a move does not leave.
//!
//! A move along a row leads to each state with the same order of tiles and the gap elsewhere in its
//! row: they are a *row class*, and all states of one are neighbours. So are those of a *column
//! class*: the states that moves along one column make of each other. Every state is in one class
//! of each kind, and two states are neighbours if they share one. Classes that share a state are
//! neighbours too, and let the distance of a class be that from the nearer one of the goal's two
//! classes. A path of d moves from the goal to another state goes from class to class, d of them,
//! the first one the goal's; so a state is one move farther than the nearer one of its classes.
//!
//! Let R and C be the classes of each kind within distance d. The states with no class in R or C
//! are those farther than d + 1, and counting them counts layers. The next R are those with a state
//! of a class in C, and all that were, and likewise the next C. No layer is kept, nor any state,
//! and there are as many row classes as states divided by columns, column classes as states divided
//! by rows.
//!
//! A column class has the rank of its state with the gap in the highest row. From there moves down
//! the column, one cell at a time, come to the rank in each row.

use std::io;
use std::sync::{Mutex, PoisonError};

use super::bitmaps::{Bitmaps, Map, for_chunks};
use super::index::{CHUNK, Index};
use super::lists::State;
use super::steps::{Step, Steps, add};
use super::watch::{Cancelled, Watch};
use crate::puzzle::Cell;

/// The classes that have been reached.
pub(super) struct Multi {
    index: Index,
    steps: Steps,
    /// A map for each row.
    rows: Bitmaps,
    /// A map for each column, before a step and after it.
    columns: [Bitmaps; 2],
    /// The same on their way between rows.
    moved: [Bitmaps; 2],
}

/// How many maps each of the bitmaps has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MultiMaps {
    pub rows: usize,
    pub columns: [usize; 2],
    pub moved: [usize; 2],
}

impl MultiMaps {
    pub fn new(index: &Index) -> MultiMaps {
        let (rows, cols) = (index.laid().rows(), index.laid().cols());
        let outer = outer(index);
        MultiMaps {
            rows,
            columns: [cols; 2],
            moved: [1, 0].map(|least| if outer > least { cols } else { 0 }),
        }
    }

    pub fn sum(&self) -> usize {
        self.rows + self.columns.iter().chain(&self.moved).sum::<usize>()
    }
}

/// Rows from which a move down leads to other chunks, in one of the columns at least.
fn outer(index: &Index) -> usize {
    let rows = index.first_inside().div_ceil(index.laid().cols());
    rows.min(index.laid().rows() - 1)
}

/// A chunk for each column.
type Chunks = [[u64; CHUNK]; MOST_COLUMNS];
/// A laid board of 16 cells is no wider.
const MOST_COLUMNS: usize = 4;

impl Multi {
    pub fn new(index: Index, rows: Bitmaps, columns: [Bitmaps; 2], moved: [Bitmaps; 2]) -> Multi {
        Multi {
            index,
            steps: Steps::new(index),
            rows,
            columns,
            moved,
        }
    }

    /// Passes over all chunks that [`Multi::count_left`] and the two halves of a step make.
    pub fn passes(&self) -> usize {
        5 * outer(&self.index) + 3
    }

    /// Adds the classes of a state.
    pub fn insert(&mut self, state: State, slot: usize) {
        let laid = self.index.laid();
        let rank = self.index.rank(state);
        let row = laid.row_of(state.gap).into();
        self.rows.insert(row, rank.word, rank.bit);
        let mut highest = state;
        while let Some(above) = highest.gap.checked_sub(laid.cols() as Cell) {
            highest = highest.slide(above).0;
        }
        let rank = self.index.rank(highest);
        self.columns[slot].insert(rank.gap.into(), rank.word, rank.bit);
    }

    /// How many states have no class that has been reached.
    pub fn count_left(&mut self, slot: usize, watch: &Watch<'_>) -> Result<u64, Cancelled> {
        let used = self.index.used();
        self.descend(
            slot,
            watch,
            #[inline(always)]
            |_, _, of_row, columns| {
                let mut left = 0;
                for column in columns {
                    for (row, column) in of_row.iter().zip(column) {
                        left += u64::from((!(row | column) & used).count_ones());
                    }
                }
                left
            },
        )
    }

    /// These states.
    pub fn left(&mut self, slot: usize, watch: &Watch<'_>) -> Result<Vec<State>, Cancelled> {
        let (index, cols) = (self.index, self.index.laid().cols());
        let found = Mutex::new(Vec::new());
        self.descend(slot, watch, |row, chunk, of_row, columns| {
            for (col, column) in columns.iter().enumerate() {
                for (word, (row_bits, column_bits)) in of_row.iter().zip(column).enumerate() {
                    let left = !(row_bits | column_bits) & index.used();
                    if left != 0 {
                        let gap = (row * cols + col) as Cell;
                        let states = index.states(gap, chunk * index.chunk() + word, left);
                        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                        found.extend(states);
                    }
                }
            }
            0
        })?;
        Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// The second half of a step: adds the row classes that meet column classes of a slot.
    pub fn advance_rows(&mut self, slot: usize, watch: &Watch<'_>) -> Result<(), Cancelled> {
        self.descend(
            slot,
            watch,
            #[inline(always)]
            |_, _, of_row, columns| {
                columns.iter().for_each(|column| add(of_row, column));
                0
            },
        )?;
        Ok(())
    }

    /// Moves all column classes down from row to row, and calls back with each chunk of a row and
    /// what the columns have there; adds up what that returns.
    fn descend(
        &mut self,
        slot: usize,
        watch: &Watch<'_>,
        meet: impl Fn(usize, usize, &mut [u64], &[[u64; CHUNK]]) -> u64 + Sync,
    ) -> Result<u64, Cancelled> {
        let (index, steps, rows) = (&self.index, &self.steps, &mut self.rows);
        let (outer, cols, each) = (outer(index), steps.cols(), index.chunk());
        let mut sum = 0;
        for level in 0..=outer {
            let [even, odd] = &mut self.moved;
            let (from, to) = match level % 2 {
                0 => (&*odd, even),
                _ => (&*even, odd),
            };
            let first = &self.columns[slot];
            if level > 0 {
                let from = if level == 1 { first } else { from };
                lower(steps, from, to, level - 1, watch)?;
            }
            let columns = if level == 0 { first } else { &*to };
            let columns: Vec<Map<'_>> = (0..cols).map(|col| columns.map(col)).collect();
            let last = if level == outer {
                index.laid().rows() - 1
            } else {
                level
            };
            sum += for_chunks(
                rows,
                watch,
                #[inline(always)]
                |chunk, of_rows| {
                    let mut moved: Chunks = [[0; CHUNK]; MOST_COLUMNS];
                    let moved = &mut moved[..cols];
                    for (moved, column) in moved.iter_mut().zip(&columns) {
                        moved[..each].copy_from_slice(column.chunk(chunk));
                    }
                    let of_rows = of_rows.chunks_exact_mut(each).enumerate();
                    let mut sum = 0;
                    for (row, of_row) in of_rows.take(last + 1).skip(level) {
                        if row > level {
                            for (col, moved) in moved.iter_mut().enumerate() {
                                let step = Step::down((row - 1) * cols + col);
                                steps.make_inside(&mut moved[..each], chunk, step);
                            }
                        }
                        sum += meet(row, chunk, of_row, moved);
                    }
                    sum
                },
            )?;
        }
        Ok(sum)
    }

    /// The first half of a step: makes the other slot's column classes, those of this one and all
    /// that meet row classes.
    pub fn advance_columns(&mut self, slot: usize, watch: &Watch<'_>) -> Result<(), Cancelled> {
        let (index, steps) = (&self.index, &self.steps);
        let (outer, cols, last) = (outer(index), steps.cols(), index.laid().rows() - 1);
        let rows: Vec<Map<'_>> = (0..=last).map(|row| self.rows.map(row)).collect();
        let [first, second] = &mut self.columns;
        let (before, after) = match slot {
            0 => (&*first, second),
            _ => (&*second, first),
        };
        for level in (0..=outer).rev() {
            let [even, odd] = &mut self.moved;
            let (from, to) = match level % 2 {
                0 => (&*odd, even),
                _ => (&*even, odd),
            };
            let to = if level == 0 { &mut *after } else { to };
            for_chunks(
                to,
                watch,
                #[inline(always)]
                |chunk, words| {
                    let each = words.len() / cols;
                    for (col, words) in words.chunks_exact_mut(each).enumerate() {
                        if level == outer {
                            words.copy_from_slice(rows[last].chunk(chunk));
                            for row in (level..last).rev() {
                                steps.make_inside(words, chunk, Step::up(row * cols + col));
                                add(words, rows[row].chunk(chunk));
                            }
                        } else {
                            words.copy_from_slice(rows[level].chunk(chunk));
                            let step = Step::up(level * cols + col);
                            steps.add(words, chunk, from.map(col), step);
                        }
                        if level == 0 {
                            add(words, before.map(col).chunk(chunk));
                        }
                    }
                    0
                },
            )?;
        }
        Ok(())
    }

    /// Puts all that was written on the disk, if it is in files.
    pub fn flush(&self) -> io::Result<()> {
        self.rows.flush()?;
        self.columns.iter().try_for_each(Bitmaps::flush)
    }
}

/// Moves the states of all columns one row down.
fn lower(
    steps: &Steps,
    from: &Bitmaps,
    to: &mut Bitmaps,
    row: usize,
    watch: &Watch<'_>,
) -> Result<(), Cancelled> {
    for_chunks(
        to,
        watch,
        #[inline(always)]
        |chunk, words| {
            let cols = steps.cols();
            let each = words.len() / cols;
            for (col, words) in words.chunks_exact_mut(each).enumerate() {
                words.fill(0);
                steps.add(words, chunk, from.map(col), Step::down(row * cols + col));
            }
            0
        },
    )?;
    Ok(())
}
