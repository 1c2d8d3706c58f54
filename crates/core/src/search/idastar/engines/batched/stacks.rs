//! The stacks of the batched search, and the vector code that expands a batch.

use std::arch::x86_64::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::super::square::{self, DOWN, LEFT, OFF, RIGHT, Square, UP};
use crate::puzzle::Move;
use crate::search::control::Stop;
use crate::search::meter::Meter;
use crate::search::node_counts::NodeCounts;

/// Nodes expanded together. 1,024: 1,212 million nodes/s on #88 of korf100; 256: 881.
const BATCH: usize = 1024;
/// Boards in a register.
const LANES: usize = 4;

/// A subtree to be exhausted.
pub(super) struct Root {
    pub cells: u64,
    pub gap: usize,
    pub last: Move,
    pub slack: u64,
}

/// Nodes by gap and last move; initialised beyond the tops of their stacks, so that a register may
/// be loaded or stored across one.
type Nodes = [Vec<u64>; 64];

/// Nodes that wait to be expanded.
struct Stacks {
    nodes: Nodes,
    tops: [u32; 64],
    counts: NodeCounts,
    /// The part of the counts that was reported to the meter.
    reported: NodeCounts,
    is_solved: bool,
}

/// The memory of stacks that no run uses now, so that the next one need not ask the system for it.
#[derive(Default)]
pub(super) struct Pool(Mutex<Vec<Nodes>>);

impl Pool {
    fn empty_stacks(&self) -> Stacks {
        let used = self.lock().pop();
        Stacks {
            nodes: used.unwrap_or_else(|| std::array::from_fn(|_| Vec::new())),
            tops: [0; 64],
            counts: NodeCounts::default(),
            reported: NodeCounts::default(),
            is_solved: false,
        }
    }

    fn give_back(&self, stacks: Stacks) {
        self.lock().push(stacks.nodes);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Nodes>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const SIDE: usize = 4;

#[inline(always)]
const fn neighbour(cell: usize, mv: usize) -> usize {
    square::neighbour(SIDE, cell, mv)
}

#[inline(always)]
const fn has_child(gap: usize, last: usize, mv: usize) -> bool {
    square::has_child(SIDE, gap, last, mv)
}

#[inline(always)]
const fn stack(gap: usize, last: usize) -> usize {
    4 * gap + last
}

/// Exhausts subtrees in no particular order and counts them; false, with nothing counted, as
/// soon as a solution shows up.
///
/// # Safety
///
/// The processor has AVX2 and POPCNT.
pub(super) unsafe fn exhaust(
    pool: &Pool,
    roots: impl Iterator<Item = Root>,
    meter: &mut Meter<'_>,
) -> Result<bool, Stop> {
    let mut stacks = pool.empty_stacks();
    roots.for_each(|root| stacks.push(&root));
    // SAFETY: as the caller says.
    let verdict = unsafe { stacks.run(meter) };
    match stacks.is_solved {
        true => meter.retract(stacks.reported),
        false => meter.commit(stacks.reported, stacks.counts),
    }
    let is_exhausted = !stacks.is_solved;
    pool.give_back(stacks);
    verdict.map(|()| is_exhausted)
}

impl Stacks {
    /// Expands batches until no node is left, a solution shows up, or the meter says stop.
    ///
    /// # Safety
    ///
    /// The processor has AVX2 and POPCNT.
    unsafe fn run(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        while let Some((fullest, waiting)) = self.fullest() {
            // SAFETY: the processor is as the caller says; the stack has at least so many nodes.
            unsafe { EXPAND[fullest](self, waiting.min(BATCH)) };
            if self.is_solved {
                return Ok(());
            }
            if self.counts.generated - self.reported.generated >= meter.nodes_until_check() {
                self.report(meter)?;
            }
        }
        self.report(meter)
    }

    fn report(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let unreported = self.counts - self.reported;
        self.reported = self.counts;
        meter.report(unreported)
    }

    fn push(&mut self, root: &Root) {
        let index = stack(root.gap, root.last as usize);
        self.reserve(index, 1);
        let top = &mut self.tops[index];
        self.nodes[index][*top as usize] = root.cells | root.slack << (4 * root.gap);
        *top += 1;
    }

    /// Makes room for `more` nodes and for the rest of a register.
    #[inline(always)]
    fn reserve(&mut self, index: usize, more: usize) {
        let needed = self.tops[index] as usize + more + LANES;
        if self.nodes[index].len() < needed {
            self.nodes[index].resize(2 * needed, 0);
        }
    }

    /// The stack with the most nodes, and how many it has.
    fn fullest(&self) -> Option<(usize, usize)> {
        let (mut fullest, mut most) = (0, 0);
        for (index, &top) in self.tops.iter().enumerate() {
            if top > most {
                (fullest, most) = (index, top);
            }
        }
        (most > 0).then_some((fullest, most as usize))
    }
}

type Expand = unsafe fn(&mut Stacks, usize);

macro_rules! expand_by_gap {
    ($($gap:literal)*) => {
        [$(expand::<$gap, UP>, expand::<$gap, DOWN>, expand::<$gap, LEFT>, expand::<$gap, RIGHT>),*]
    };
}

/// The code for each stack.
static EXPAND: [Expand; 64] = expand_by_gap!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

/// What a tile's move costs in slack, by tile, twice: a shuffle looks up both halves alike.
const fn costs(gap: usize, mv: usize) -> [u8; 32] {
    let mut costs = [0; 32];
    if neighbour(gap, mv) != OFF {
        // There is no tile 0: it is what the bytes beside a tile look up.
        let farther = square::farther(SIDE, gap, neighbour(gap, mv)) & !1;
        let mut index = 0;
        while index < 32 {
            costs[index] = (farther >> (index % 16)) as u8 & 1;
            index += 1;
        }
    }
    costs
}

/// For each set of lanes the shuffle that moves them to the front, in halves of lanes.
static TO_FRONT: [[u32; 8]; 16] = {
    let mut table = [[0; 8]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut lane, mut to) = (0, 0);
        while lane < LANES {
            if set >> lane & 1 == 1 {
                table[set][2 * to] = 2 * lane as u32;
                table[set][2 * to + 1] = 2 * lane as u32 + 1;
                to += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

/// Pops a batch off one stack and pushes the children that have slack left.
///
/// # Safety
///
/// The processor has AVX2, and the stack has at least `batch` nodes.
#[target_feature(enable = "avx2,popcnt")]
unsafe fn expand<const GAP: usize, const LAST: usize>(stacks: &mut Stacks, batch: usize) {
    let index = stack(GAP, LAST);
    stacks.tops[index] -= batch as u32;
    stacks.counts.expanded += batch as u64;
    stacks.counts.generated += (square::children(SIDE, GAP, LAST) * batch) as u64;
    let bottom = stacks.tops[index] as usize;
    if GAP == 0 {
        let popped = &stacks.nodes[index][bottom..bottom + batch];
        stacks.is_solved |= popped.iter().any(|&node| node >> 4 == u64::SOLVED >> 4);
    }
    let mut tops = [std::ptr::null_mut(); 4];
    for (mv, top) in tops.iter_mut().enumerate() {
        if has_child(GAP, LAST, mv) {
            let to = stack(neighbour(GAP, mv), mv);
            stacks.reserve(to, batch);
            *top = stacks.nodes[to][stacks.tops[to] as usize..].as_mut_ptr();
        }
    }
    let nodes = stacks.nodes[index][bottom..].as_ptr();
    for first in (0..batch).step_by(LANES) {
        // SAFETY: `reserve` made room for a register beyond the top, here when this stack grew
        // and there just now; a batch is read from one stack and pushed to others.
        unsafe {
            let valid = if batch - first >= LANES {
                15
            } else {
                (1 << (batch - first)) - 1
            };
            let boards = _mm256_loadu_si256(nodes.add(first).cast());
            push_child::<GAP, LAST, UP>(boards, valid, &mut tops[UP]);
            push_child::<GAP, LAST, DOWN>(boards, valid, &mut tops[DOWN]);
            push_child::<GAP, LAST, LEFT>(boards, valid, &mut tops[LEFT]);
            push_child::<GAP, LAST, RIGHT>(boards, valid, &mut tops[RIGHT]);
        }
    }
    for (mv, top) in tops.into_iter().enumerate() {
        if has_child(GAP, LAST, mv) {
            let to = stack(neighbour(GAP, mv), mv);
            // SAFETY: both point into the same vector, which has not moved since `reserve`.
            let top = unsafe { top.offset_from(stacks.nodes[to].as_ptr()) };
            stacks.tops[to] = top as u32;
        }
    }
}

/// Makes one child of each of four boards, and pushes those that have slack left.
///
/// # Safety
///
/// The processor has AVX2, and `top` has room for four nodes.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn push_child<const GAP: usize, const LAST: usize, const MV: usize>(
    boards: __m256i,
    valid: u32,
    top: &mut *mut u64,
) {
    // As a constant, it keeps the rest from being compiled.
    if const { !has_child(GAP, LAST, MV) } {
        return;
    }
    let from = neighbour(GAP, MV);
    let (in_from, in_gap) = (15 << (4 * from), 15 << (4 * GAP));
    let tile = _mm256_and_si256(boards, _mm256_set1_epi64x(in_from));
    let slack = _mm256_and_si256(shift_right(boards, 4 * GAP), _mm256_set1_epi64x(15));
    let costs = const { costs(GAP, MV) };
    // SAFETY: the table is as large as a register.
    let costs = unsafe { _mm256_loadu_si256(costs.as_ptr().cast()) };
    let cost = _mm256_shuffle_epi8(costs, shift_right(tile, 4 * from));
    let slack = _mm256_sub_epi64(slack, cost);
    let is_pruned = _mm256_movemask_pd(_mm256_castsi256_pd(slack)) as u32;
    let others = _mm256_and_si256(boards, _mm256_set1_epi64x(!(in_from | in_gap)));
    let moved = if from > GAP {
        shift_right(tile, 4 * (from - GAP))
    } else {
        shift_left(tile, 4 * (GAP - from))
    };
    let boards = _mm256_or_si256(_mm256_or_si256(others, moved), shift_left(slack, 4 * from));
    let kept = !is_pruned & valid;
    // SAFETY: the shuffle is as large as a register; the caller has made room at the top.
    unsafe {
        let to_front = _mm256_loadu_si256(TO_FRONT[kept as usize].as_ptr().cast());
        let front = _mm256_permutevar8x32_epi32(boards, to_front);
        _mm256_storeu_si256((*top).cast(), front);
        *top = top.add(kept.count_ones() as usize);
    }
}

/// A shift by a number that the compiler knows, so that it becomes an immediate.
#[inline]
#[target_feature(enable = "avx2")]
fn shift_right(boards: __m256i, bits: usize) -> __m256i {
    _mm256_srlv_epi64(boards, _mm256_set1_epi64x(bits as i64))
}

#[inline]
#[target_feature(enable = "avx2")]
fn shift_left(boards: __m256i, bits: usize) -> __m256i {
    _mm256_sllv_epi64(boards, _mm256_set1_epi64x(bits as i64))
}
