//! One tile a move: two bitmaps of half the space, each made anew from the other.
//!
//! A move takes the gap to a cell of the other colour of a chequered board. So the states with the
//! gap on one colour that are within d + 1 moves of the goal, if d + 1 is a distance of that
//! colour, are exactly the neighbours of those of the other colour within d: a step reads one half
//! and writes the other, and what it writes contains what was there. Nothing tells layers apart;
//! how many states a half has gained is how many are new.

use std::io;

use super::bitmaps::{Bitmaps, Map, for_chunks};
use super::index::{CHUNK, Index};
use super::lists::State;
use super::steps::{Step, Steps, add};
use super::watch::{Cancelled, Watch};
use crate::puzzle::{Cell, Move};

/// The states that have been reached.
pub(super) struct Single {
    index: Index,
    steps: Steps,
    halves: [Half; 2],
}

/// Those with the gap on cells of one colour.
struct Half {
    cells: Vec<Cell>,
    /// A map for each of the cells.
    reached: Bitmaps,
}

/// A neighbour of a cell: the number of its map in the other half, and how the gap comes from
/// there.
type Way = (usize, Option<Step>);

impl Single {
    /// The cells of each colour: so many maps.
    pub fn cells(index: &Index) -> [Vec<Cell>; 2] {
        let laid = index.laid();
        let cells = || 0..laid.cells() as Cell;
        [0, 1].map(|colour| {
            let is_own = |cell: &Cell| (laid.row_of(*cell) + laid.col_of(*cell)) % 2 == colour;
            cells().filter(is_own).collect()
        })
    }

    /// Over bitmaps for the cells of each colour.
    pub fn new(index: Index, reached: [Bitmaps; 2]) -> Single {
        let [white, black] = Single::cells(&index);
        let [of_white, of_black] = reached;
        Single {
            index,
            steps: Steps::new(index),
            halves: [(white, of_white), (black, of_black)]
                .map(|(cells, reached)| Half { cells, reached }),
        }
    }

    pub fn insert(&mut self, state: State) {
        let rank = self.index.rank(state);
        let half = &mut self.halves[self.colour(rank.gap)];
        let number = half.cells.iter().position(|&cell| cell == rank.gap);
        let number = number.expect("a cell has its colour");
        half.reached.insert(number, rank.word, rank.bit);
    }

    fn colour(&self, cell: Cell) -> usize {
        let laid = self.index.laid();
        usize::from((laid.row_of(cell) + laid.col_of(cell)) % 2)
    }

    /// Makes the half whose states are at this distance; says how many it has now.
    pub fn advance(&mut self, depth: usize, watch: &Watch<'_>) -> Result<u64, Cancelled> {
        let ways = self.ways(depth % 2);
        let [white, black] = &mut self.halves;
        let (from, to) = match depth % 2 {
            0 => (&*black, white),
            _ => (&*white, black),
        };
        let maps: Vec<Map<'_>> = (0..from.cells.len())
            .map(|it| from.reached.map(it))
            .collect();
        let steps = &self.steps;
        for_chunks(
            &mut to.reached,
            watch,
            #[inline(always)]
            |chunk, words| advance_chunk(steps, &maps, &ways, chunk, words),
        )
    }

    /// Puts all that was written on the disk, if it is in files.
    pub fn flush(&self) -> io::Result<()> {
        self.halves.iter().try_for_each(|half| half.reached.flush())
    }

    /// For each cell of a colour, the ways there.
    fn ways(&self, colour: usize) -> Vec<Vec<Way>> {
        let laid = self.index.laid();
        let others = &self.halves[1 - colour].cells;
        let cells = self.halves[colour].cells.iter();
        let ways = cells.map(|&cell| {
            let ways = Move::ALL.into_iter().filter_map(|mv| {
                // The gap came with the opposite move.
                let from = laid.neighbour(cell, mv)?;
                let step = match mv {
                    Move::Left | Move::Right => None,
                    Move::Up | Move::Down => Some(Step {
                        upper: from.min(cell).into(),
                        is_down: mv == Move::Up,
                    }),
                };
                let map = others.iter().position(|&other| other == from)?;
                Some((map, step))
            });
            ways.collect()
        });
        ways.collect()
    }

    /// The states that have not been reached.
    pub fn left(&self) -> Vec<State> {
        let (index, chunk) = (&self.index, self.index.chunk());
        let halves = self.halves.iter().flat_map(|half| {
            let chunks = half.reached.all().chunks_exact(chunk).enumerate();
            chunks.flat_map(move |(place, words)| {
                let gap = half.cells[place % half.cells.len()];
                let first = place / half.cells.len() * chunk;
                let words = words
                    .iter()
                    .map(|reached| !reached & index.used())
                    .enumerate();
                let words = words.filter(|(_, left)| *left != 0);
                words.flat_map(move |(word, left)| index.states(gap, first + word, left))
            })
        });
        halves.collect()
    }
}

/// A chunk of all maps of a half; says how many states it has.
#[inline(always)]
fn advance_chunk(
    steps: &Steps,
    from: &[Map<'_>],
    ways: &[Vec<Way>],
    chunk: usize,
    words: &mut [u64],
) -> u64 {
    let each = words.len() / ways.len();
    let mut buffer = [0; CHUNK];
    let next = &mut buffer[..each];
    let mut states = 0;
    for (words, ways) in words.chunks_exact_mut(each).zip(ways) {
        next.fill(0);
        for &(map, step) in ways {
            match step {
                None => add(next, from[map].chunk(chunk)),
                Some(step) => steps.add(next, chunk, from[map], step),
            }
        }
        // Pages of a file that stay as they are need not be written.
        let mut is_new = false;
        for (word, next) in words.iter().zip(&mut *next) {
            is_new |= *word != *next;
            states += u64::from(next.count_ones());
        }
        if is_new {
            words.copy_from_slice(next);
        }
    }
    states
}
