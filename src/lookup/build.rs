//! Builds pattern databases: breadth-first from the goal, block by block.
//!
//! A state is a set of cells, the region of the gap, and the order of the tiles; all k! orders
//! on one (set, region) are a block. A move of a tile leads from all states of a block to all
//! states of another one: along a row the order stays, along a column it changes by a fixed
//! permutation. So a level is a bit for each state, and a block takes its next level from those
//! of its neighbours: along a row 64 states at a time, along a column one by one, everything in
//! the cache.
//!
//! Every move changes the parity of the set of cells. A level lives on sets of one parity, and
//! takes from the other: no block is read and written at once, and threads need no lock.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use rayon::prelude::*;

use crate::puzzle::{Cell, Size};

use super::huge_pages::use_huge_pages;
use super::index::{Index, MOST_TILES, position};
use super::regions::{Regions, Spread, cells};
use super::{Layer, Pattern};

/// The value of a place that no sequence of moves leads to.
pub const UNREACHED: u8 = u8::MAX;

/// How a builder is watched.
#[derive(Clone, Copy, Default)]
pub struct BuildControl<'a> {
    /// The build ends soon after this becomes true.
    pub cancel: Option<&'a AtomicBool>,
    /// Called after each level.
    pub listener: Option<&'a (dyn Fn(Layer) + Sync)>,
}

/// The build was cancelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the build was interrupted")]
pub struct Cancelled;

/// What a build takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildPlan {
    /// Values in the table, one byte each.
    pub entries: u64,
    /// States to be searched, those that differ in the gap's region alone included.
    pub states: u64,
    /// Bytes of memory while it is built, the table included.
    pub memory: u64,
}

impl BuildPlan {
    pub fn new(pattern: &Pattern) -> BuildPlan {
        let index = Index::new(pattern);
        let blocks = Regions::new(&index, pattern.size()).blocks();
        let entries = index.places() as u64;
        let bits = 2 * blocks * index.orders().div_ceil(64) * 8;
        let edges = blocks * (size_of::<Block>() + 12 * size_of::<Edge>());
        BuildPlan {
            entries,
            states: (blocks * index.orders()) as u64,
            memory: entries + entries.max((bits + edges) as u64),
        }
    }

    /// How long the build takes on so many cores, about.
    pub fn time(&self, cores: usize) -> Duration {
        let rate = STATES_PER_CORE * cores as f64;
        Duration::from_secs_f64(self.states as f64 / rate)
    }
}

/// States that a core searches in a second: 80 million on an AMD EPYC (Zen 3).
const STATES_PER_CORE: f64 = 80e6;

/// The fewest moves of the pattern's tiles that bring them home, for each of their places: the
/// least over all regions that the gap can be in.
pub fn build(pattern: &Pattern, control: &BuildControl<'_>) -> Result<Vec<u8>, Cancelled> {
    let index = Index::new(pattern);
    let regions = Regions::new(&index, pattern.size());
    let mut values = vec![UNREACHED; index.places()];
    let shifts = shifts(&index);
    let (even, odd) = halves(&index, &regions, pattern.size());
    let home = index.place(|tile| tile);
    let start = regions.block_of(index.set_rank(home.cells), 0);
    let (mut now, mut next) = match start < regions.even_blocks() {
        true => (even, odd),
        false => (odd, even),
    };
    let mut reached = now.begin(start, home.order.into());
    values[index.set_rank(home.cells) * index.orders() + usize::from(home.order)] = 0;
    let mut depth = 0;
    loop {
        depth += 1;
        let states = next.advance(&now, &shifts);
        if states == 0 {
            drop((now, next));
            return Ok(by_order(&values, index.orders()));
        }
        next.note(depth, &index, &regions, &mut values);
        reached += states;
        if let Some(listener) = control.listener {
            listener(Layer {
                depth: depth.into(),
                states,
                reached,
            });
        }
        if control.cancel.is_some_and(|flag| flag.load(Relaxed)) {
            return Err(Cancelled);
        }
        std::mem::swap(&mut now, &mut next);
    }
}

/// The blocks whose sets of cells have one parity.
struct Half {
    /// The number of its first block.
    base: usize,
    /// Words of bits for each block.
    words: usize,
    blocks: Vec<Block>,
    edges: Vec<Edge>,
    /// The states of the last level, a bit for each order of each block.
    level: Vec<u64>,
    seen: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    first_edge: u32,
    edges: u32,
    /// States that have not been seen.
    unseen: u32,
    /// Whether the last level has any of its states.
    is_live: bool,
}

/// A move of a tile that leads into a block.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The block it comes from, in the other half.
    from: u32,
    /// Positions of the tile before and after, `i * MOST_TILES + j`.
    shift: u8,
}

fn halves(index: &Index, regions: &Regions, size: Size) -> (Half, Half) {
    let even = regions.even_blocks();
    let half = |base: usize, end: usize, other: usize| {
        let words = index.orders().div_ceil(64);
        let mut half = Half {
            base,
            words,
            blocks: Vec::with_capacity(end - base),
            edges: Vec::new(),
            level: vec![0; (end - base) * words],
            seen: vec![0; (end - base) * words],
        };
        let spread = Spread::new(size);
        for block in base..end {
            let first_edge = half.edges.len();
            let into = edges_into(block, index, regions, &spread);
            half.edges.extend(into.map(|(from, shift)| Edge {
                from: (from - other) as u32,
                shift,
            }));
            half.blocks.push(Block {
                first_edge: first_edge as u32,
                edges: (half.edges.len() - first_edge) as u32,
                unseen: index.orders() as u32,
                is_live: false,
            });
        }
        half
    };
    (half(0, even, even), half(even, regions.blocks(), 0))
}

/// The moves that lead into a block: those that lead out of it, taken back.
fn edges_into(
    block: usize,
    index: &Index,
    regions: &Regions,
    spread: &Spread,
) -> impl Iterator<Item = (usize, u8)> {
    let (set, region) = regions.block(block);
    let moves = cells(region)
        .flat_map(move |gap| cells(spread.next_to(gap) & set).map(move |tile| (tile, gap)));
    moves.map(move |(tile, gap): (Cell, Cell)| {
        let rest = set ^ 1 << tile;
        let rank = index.set_rank(rest | 1 << gap);
        let (i, j) = (position(rest, gap), position(rest, tile));
        (regions.block_of(rank, tile), (i * MOST_TILES + j) as u8)
    })
}

impl Half {
    /// Puts the goal into its block: the first state.
    fn begin(&mut self, block: usize, order: usize) -> u64 {
        let block = block - self.base;
        let bit = 1 << (order % 64);
        let word = block * self.words + order / 64;
        self.level[word] |= bit;
        self.seen[word] |= bit;
        self.blocks[block].unseen -= 1;
        self.blocks[block].is_live = true;
        1
    }

    /// The next level, all states of this half that one move reaches from the other's level and
    /// that are new; says how many.
    fn advance(&mut self, other: &Half, shifts: &[Option<Vec<u16>>]) -> u64 {
        let (words, edges) = (self.words, &self.edges);
        let levels = self.level.par_chunks_mut(words);
        let seen = self.seen.par_chunks_mut(words);
        let blocks = self.blocks.par_iter_mut().zip(levels).zip(seen);
        // Blocks of a few states are not worth a task each.
        let together = (1 << 10) / words + 1;
        let states = blocks.with_min_len(together).map(|((block, level), seen)| {
            if block.is_live {
                level.fill(0);
                block.is_live = false;
            }
            if block.unseen == 0 {
                return 0;
            }
            let mut touched = false;
            let first = block.first_edge as usize;
            for edge in &edges[first..first + block.edges as usize] {
                let from = edge.from as usize;
                if other.blocks[from].is_live {
                    touched = true;
                    let from = &other.level[from * words..][..words];
                    take_over(level, from, shifts[usize::from(edge.shift)].as_deref());
                }
            }
            let states = if touched { keep_new(level, seen) } else { 0 };
            block.unseen -= states;
            block.is_live = states > 0;
            u64::from(states)
        });
        states.sum()
    }

    /// Writes the depth of the level to all its places that were not reached before with the
    /// gap in another region.
    fn note(&self, depth: u8, index: &Index, regions: &Regions, values: &mut [u8]) {
        let sets = values.par_chunks_mut(index.orders()).enumerate();
        sets.for_each(|(rank, values)| {
            for block in regions.blocks_of(rank) {
                let own = block
                    .checked_sub(self.base)
                    .filter(|&own| own < self.blocks.len());
                let Some(own) = own.filter(|&own| self.blocks[own].is_live) else {
                    continue;
                };
                let level = &self.level[own * self.words..][..self.words];
                for (word, values) in level.iter().zip(values.chunks_mut(64)) {
                    for order in bits(*word) {
                        values[order] = values[order].min(depth);
                    }
                }
            }
        });
    }
}

/// For positions i and j at `i * MOST_TILES + j`, what a move from one to the other does to the
/// orders; `None` where it keeps them.
fn shifts(index: &Index) -> Vec<Option<Vec<u16>>> {
    let pairs = (0..MOST_TILES).flat_map(|i| (0..MOST_TILES).map(move |j| (i, j)));
    pairs
        .map(|(i, j)| (i != j).then(|| index.shift(i, j)))
        .collect()
}

/// Takes the states of a neighbour's level, with their orders after the move.
fn take_over(level: &mut [u64], from: &[u64], shift: Option<&[u16]>) {
    let Some(shift) = shift else {
        for (word, from) in level.iter_mut().zip(from) {
            *word |= from;
        }
        return;
    };
    for (word, orders) in from.iter().zip(shift.chunks(64)) {
        for order in bits(*word) {
            let order = usize::from(orders[order]);
            level[order / 64] |= 1 << (order % 64);
        }
    }
}

/// Values that lie set by set, laid order by order: as a table has them.
fn by_order(by_set: &[u8], orders: usize) -> Vec<u8> {
    /// Orders, and sets, that are moved together: a line of the cache each.
    const TILE: usize = 64;
    let sets = by_set.len() / orders;
    let mut by_order = vec![0; by_set.len()];
    use_huge_pages(&mut by_order);
    let tiles = by_order.par_chunks_mut(TILE * sets).enumerate();
    tiles.for_each(|(tile, rows)| {
        for first in (0..sets).step_by(TILE) {
            for set in first..sets.min(first + TILE) {
                let from = &by_set[set * orders + tile * TILE..];
                for (row, &value) in rows.chunks_mut(sets).zip(from) {
                    row[set] = value;
                }
            }
        }
    });
    by_order
}

/// Takes out what has been seen, and notes the rest; says how many are left.
fn keep_new(level: &mut [u64], seen: &mut [u64]) -> u32 {
    let mut states = 0;
    for (word, seen) in level.iter_mut().zip(seen) {
        *word &= !*seen;
        *seen |= *word;
        states += word.count_ones();
    }
    states
}

fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit as usize)
    })
}
