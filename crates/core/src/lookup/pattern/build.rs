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

use super::Pattern;
use super::index::{Index, position};
use super::permutations::MOST_TILES;
use super::regions::{FloodFill, cells};
use super::transpose::transpose;
use crate::lookup::{Layer, VALUES};
use crate::sys::huge_pages::use_huge_pages;
use crate::sys::pages::Pages;

/// How a builder is watched.
#[derive(Clone, Copy, Default)]
pub struct BuildControl<'a> {
    /// The build ends soon after this becomes true.
    pub cancel: Option<&'a AtomicBool>,
    /// Called after each level.
    pub listener: Option<&'a (dyn Fn(Layer) + Sync)>,
}

impl BuildControl<'_> {
    /// Whether the caller wants no more of it.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|flag| flag.load(Relaxed))
    }
}

/// Why a table was not built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unbuilt {
    /// The caller did not wait.
    #[error("the build was interrupted")]
    Cancelled,
    /// The system gives no more memory.
    #[error("the build takes {0} bytes of memory more than the system gives")]
    NoMemory(u64),
    /// There are no tables of the way to such a board.
    #[error(
        "the target is another board than that of the tables' size with each tile in the cell of its number, \
         but for the one that makes room for the gap"
    )]
    Target,
}

/// What a build takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildPlan {
    /// Placements of the tiles.
    pub places: u64,
    /// States: places with each of the regions that the gap can be in.
    pub states: u64,
    /// Bytes of the table, a bit for each state.
    pub bytes: u64,
    /// Bytes of memory while it is built, the table included, beside the program itself.
    pub memory: u64,
}

impl BuildPlan {
    /// What the table of a pattern will take.
    pub fn new(pattern: &Pattern) -> BuildPlan {
        let index = pattern.index();
        let blocks = index.regions().blocks();
        let bytes = index.bits() / 8;
        let bits = blocks * index.orders().div_ceil(64) * 8;
        let flood = FloodFill::new(pattern.size());
        let edges: usize = all_blocks(&index)
            .map(|(block, set)| edges_into(block, set, &index, &flood).count())
            .sum();
        // While levels are searched, three bits for each state and the moves between blocks; then
        // the values alone, and the table that they are put into.
        let searching = 3 * bits + edges * size_of::<Edge>() + blocks * size_of::<Block>();
        let ordering = bits + bytes + blocks * size_of::<(u8, usize)>();
        // For an order what each shift makes of it, by the index and once more here; for a block
        // its cells and its numbers, and two words for a set.
        let shifts = 2 * index.orders() * MOST_TILES * MOST_TILES * size_of::<u16>();
        let always = shifts + 6 * blocks * size_of::<u32>() + 2 * index.sets() * size_of::<u32>();
        BuildPlan {
            places: index.places() as u64,
            states: index.states() as u64,
            bytes: bytes as u64,
            memory: (always + searching.max(ordering)) as u64,
        }
    }

    /// How long the build takes on so many cores, about.
    pub fn time(&self, cores: usize) -> Duration {
        let rate = STATES_PER_CORE * cores as f64;
        Duration::from_secs_f64(self.states as f64 / rate)
    }
}

/// All blocks by their numbers, each with its set of cells.
fn all_blocks(index: &Index) -> impl Iterator<Item = (usize, u32)> {
    let sets = index.all_sets().enumerate();
    sets.flat_map(|(rank, set)| index.regions().of_set(rank).map(move |block| (block, set)))
}

/// States that a core searches in a second: 80 million on an AMD EPYC (Zen 3).
const STATES_PER_CORE: f64 = 80e6;

/// A table as it was built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuiltPattern {
    /// For each state, by its rank in the [`Index`], the bit of its value that is worth two.
    pub bits: Vec<u8>,
    /// How many states have each value.
    pub histogram: [u64; VALUES],
}

/// The fewest moves of the pattern's tiles that bring them home, for each of their states.
pub fn build(pattern: &Pattern, control: &BuildControl<'_>) -> Result<BuiltPattern, Unbuilt> {
    let index = pattern.index();
    let shifts = shifts(&index);
    let home = pattern.home();
    let (mut now, mut next) = Half::both(&index, pattern.size(), home.cells)?;
    let start = index.set_rank(home.cells);
    let start = index.regions().block_of(start, pattern.gap());
    let mut reached = now.begin(start, home.order.into());
    let mut histogram = [0; VALUES];
    histogram[0] = reached;
    let mut depth = 0;
    loop {
        depth += 1;
        let states = next.advance(&now, &shifts);
        if states == 0 {
            break;
        }
        if depth & 2 != 0 {
            next.note();
        }
        histogram[depth % VALUES] += states;
        reached += states;
        if let Some(listener) = control.listener {
            listener(Layer {
                depth: depth as u32,
                states,
                reached,
            });
        }
        if control.is_cancelled() {
            return Err(Unbuilt::Cancelled);
        }
        std::mem::swap(&mut now, &mut next);
    }
    let bits = by_order(&index, &[now.done(), next.done()])?;
    Ok(BuiltPattern { bits, histogram })
}

/// The blocks whose sets of cells have one parity.
struct Half {
    /// Words of bits for each block.
    words: usize,
    /// The numbers of its blocks among all.
    numbers: Vec<u32>,
    blocks: Vec<Block>,
    edges: Vec<Edge>,
    /// The states of the last level, a bit for each order of each block.
    level: Pages<u64>,
    seen: Pages<u64>,
    /// The bit of each state's value that is worth two.
    values: Pages<u64>,
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

impl Half {
    /// The half with a set of cells, and the other one.
    fn both(index: &Index, size: Size, set: u32) -> Result<(Half, Half), Unbuilt> {
        let flood = FloodFill::new(size);
        let regions = index.regions();
        // For each block, its number in its half.
        let mut own = vec![0; regions.blocks()];
        let mut halves = [0, 1].map(|_| Vec::new());
        for (rank, set) in index.all_sets().enumerate() {
            let half = &mut halves[flood.parity(set) as usize];
            for block in regions.of_set(rank) {
                own[block] = half.len() as u32;
                half.push((block as u32, set));
            }
        }
        let [even, odd] = halves.map(|blocks| Half::new(index, &flood, &blocks, &own));
        Ok(match flood.parity(set) {
            0 => (even?, odd?),
            _ => (odd?, even?),
        })
    }

    fn new(
        index: &Index,
        flood: &FloodFill,
        blocks: &[(u32, u32)],
        own: &[u32],
    ) -> Result<Half, Unbuilt> {
        let words = index.orders().div_ceil(64);
        let bits = || {
            let entries = blocks.len() * words;
            let bits = Pages::reserve(entries);
            let mut bits = bits.ok_or(Unbuilt::NoMemory(8 * entries as u64))?;
            use_huge_pages(bits.all_mut());
            Ok(bits)
        };
        let moves = |&(block, set): &(u32, u32)| edges_into(block as usize, set, index, flood);
        let edges = blocks.iter().map(|block| moves(block).count()).sum();
        let mut half = Half {
            words,
            numbers: blocks.iter().map(|&(block, _)| block).collect(),
            blocks: Vec::with_capacity(blocks.len()),
            edges: Vec::with_capacity(edges),
            level: bits()?,
            seen: bits()?,
            values: bits()?,
        };
        for block in blocks {
            let first_edge = half.edges.len();
            let into = moves(block);
            half.edges.extend(into.map(|(from, shift)| Edge {
                from: own[from],
                shift,
            }));
            half.blocks.push(Block {
                first_edge: first_edge as u32,
                edges: (half.edges.len() - first_edge) as u32,
                unseen: index.orders() as u32,
                is_live: false,
            });
        }
        Ok(half)
    }

    /// Puts the goal into its block: the first state.
    fn begin(&mut self, block: usize, order: usize) -> u64 {
        let is_it = |&number: &u32| number as usize == block;
        let own = self.numbers.iter().position(is_it);
        let own = own.expect("a block of this half");
        let bit = 1 << (order % 64);
        let word = own * self.words + order / 64;
        self.level.all_mut()[word] |= bit;
        self.seen.all_mut()[word] |= bit;
        self.blocks[own].unseen -= 1;
        self.blocks[own].is_live = true;
        1
    }

    /// The next level, all states of this half that one move reaches from the other's level and
    /// that are new; says how many.
    fn advance(&mut self, other: &Half, shifts: &[Option<Vec<u16>>]) -> u64 {
        let (words, edges) = (self.words, &self.edges);
        let level_before = other.level.all();
        let levels = self.level.all_mut().par_chunks_mut(words);
        let seen = self.seen.all_mut().par_chunks_mut(words);
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
                    let from = &level_before[from * words..][..words];
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

    /// Notes that the states of the last level have a value with the bit that is worth two.
    fn note(&mut self) {
        let (words, blocks) = (self.words, &self.blocks);
        let levels = self.level.all().par_chunks(words).zip(blocks);
        let values = self.values.all_mut().par_chunks_mut(words);
        let live = values.zip(levels).filter(|(_, (_, block))| block.is_live);
        live.for_each(|(values, (level, _))| {
            for (word, level) in values.iter_mut().zip(level) {
                *word |= level;
            }
        });
    }

    /// What is left when all levels are done.
    fn done(self) -> Done {
        Done {
            words: self.words,
            numbers: self.numbers,
            values: self.values,
        }
    }
}

/// The moves that lead into a block: those that lead out of it, taken back.
fn edges_into(
    block: usize,
    set: u32,
    index: &Index,
    flood: &FloodFill,
) -> impl Iterator<Item = (usize, u8)> {
    let regions = index.regions();
    let moves = cells(regions.cells(block))
        .flat_map(move |gap| cells(flood.next_to(1 << gap) & set).map(move |tile| (tile, gap)));
    moves.map(move |(tile, gap): (Cell, Cell)| {
        let rest = set ^ 1 << tile;
        let rank = index.set_rank(rest | 1 << gap);
        let (i, j) = (position(rest, gap), position(rest, tile));
        (regions.block_of(rank, tile), (i * MOST_TILES + j) as u8)
    })
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

/// The values of half the blocks, those of a block together.
struct Done {
    words: usize,
    numbers: Vec<u32>,
    values: Pages<u64>,
}

/// The values of both halves, those of an order together: as a table has them.
fn by_order(index: &Index, halves: &[Done; 2]) -> Result<Vec<u8>, Unbuilt> {
    let row = index.regions().row();
    let bytes = index.bits() / 8;
    let mut table = Vec::new();
    let no_memory = |_| Unbuilt::NoMemory(bytes as u64);
    table.try_reserve_exact(bytes).map_err(no_memory)?;
    use_huge_pages(table.spare_capacity_mut());
    table.resize(bytes, 0u8);
    let values = [halves[0].values.all(), halves[1].values.all()];
    // For each block, where its words are: in which half, and from where on.
    let mut words = vec![(0u8, 0usize); index.regions().blocks()];
    for (half, done) in (0u8..).zip(halves) {
        for (own, &number) in done.numbers.iter().enumerate() {
            words[number as usize] = (half, own * done.words);
        }
    }
    let groups = table.par_chunks_mut(64 * row / 8).enumerate();
    groups.for_each(|(group, rows)| {
        for (column, blocks) in words.chunks(64).enumerate() {
            let mut square = [0; 64];
            for (word, &(half, first)) in square.iter_mut().zip(blocks) {
                *word = values[usize::from(half)][first + group];
            }
            transpose(&mut square);
            for (row, word) in rows.chunks_mut(row / 8).zip(square) {
                row[8 * column..][..8].copy_from_slice(&word.to_le_bytes());
            }
        }
    });
    Ok(table)
}
