//! Breadth-first search from the goal, layer by layer, without a set of states seen.
//!
//! A move changes the distance by exactly one. So a state that notes every move that led to it
//! knows which of its neighbours are nearer, and all others are one farther: only states of the
//! new layer can be equal. They are dealt into parts by their hashes, and each part is rid of
//! duplicates in a table that fits the cache.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use rayon::current_thread_index;
use rayon::prelude::*;

use crate::lookup::BuildControl;
use crate::puzzle::{Entry, Grid, MoveOrder, Packed, Size};

const PARTS_LOG2: u32 = 10;
pub(super) const PARTS: usize = 1 << PARTS_LOG2;
/// Bytes of a layer without its states.
pub(super) const LAYER_BYTES: u64 = (PARTS * size_of::<Vec<u64>>()) as u64;

/// States of one distance, in parts by the first bits of their hashes; each notes, as bits, the
/// moves that lead back.
type Parts<W> = Vec<Vec<W>>;

/// The layers so far.
pub(super) struct Layers<W> {
    grid: Grid,
    layers: Vec<Parts<W>>,
    sizes: Vec<u64>,
    /// How long each layer took.
    times: Vec<Duration>,
}

impl<W: Entry> Layers<W> {
    /// The goal alone.
    pub fn new(size: Size) -> Layers<W> {
        let goal = W::pack(Packed::<W>::solved(size).cells, 0);
        let mut layer = vec![Vec::new(); PARTS];
        layer[part(goal)].push(goal);
        Layers {
            grid: Grid::new(size, MoveOrder::UDLR),
            layers: vec![layer],
            sizes: vec![1],
            times: vec![Duration::ZERO],
        }
    }

    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    pub fn times(&self) -> &[Duration] {
        &self.times
    }

    pub fn total(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// Finds the next layer; false, and nothing is changed, where it is cancelled.
    pub fn deepen(&mut self, control: &BuildControl<'_>) -> bool {
        let begun = Instant::now();
        let last = self.layers.last().expect("there is always the goal");
        let share = PARTS.div_ceil(rayon::current_num_threads());
        // Not `collect`, which is compiled for lists of unknown length as well.
        let mut dealt: Vec<(Option<usize>, Parts<W>)> = Vec::new();
        last.par_chunks(share)
            .map(|parts| (current_thread_index(), self.deal_children(parts, control)))
            .collect_into_vec(&mut dealt);
        let mut next: Parts<W> = Vec::new();
        (0..PARTS)
            .into_par_iter()
            .map_init(Vec::new, |scratch, part| {
                let dealt: Vec<&[W]> = dealt.iter().map(|(_, layer)| &layer[part][..]).collect();
                match control.is_cancelled() {
                    true => Vec::new(),
                    false => united(&dealt, scratch),
                }
            })
            .collect_into_vec(&mut next);
        give_back(dealt);
        if control.is_cancelled() {
            return false;
        }
        self.sizes
            .push(next.iter().map(|part| part.len() as u64).sum());
        self.times.push(begun.elapsed());
        self.layers.push(next);
        true
    }

    /// The children of some parts that are one farther from the goal.
    fn deal_children(&self, parts: &[Vec<W>], control: &BuildControl<'_>) -> Parts<W> {
        let size = self.grid.size();
        let states: usize = parts.iter().map(Vec::len).sum();
        // Seldom more than two children for each; a part that gets more grows.
        let room = || Vec::with_capacity(2 * states / PARTS);
        let mut dealt: Parts<W> = std::iter::repeat_with(room).take(PARTS).collect();
        for states in parts {
            if control.is_cancelled() {
                break;
            }
            for &entry in states {
                let state = entry.state(size);
                for &(mv, to) in self.grid.steps(state.gap) {
                    if entry.tag() >> mv as u8 & 1 == 1 {
                        continue;
                    }
                    let (child, _) = state.slide(to);
                    let child = W::pack(child.cells, 1 << mv.opposite() as u8);
                    dealt[part(child)].push(child);
                }
            }
        }
        dealt
    }

    /// Lists a part of all layers, each entry with half its depth, in the order of the hashes.
    pub fn sort_part(&self, part: usize, entries: &mut Vec<W>) {
        entries.clear();
        let states = self.layers.iter().map(|layer| layer[part].len()).sum();
        entries.reserve_exact(states);
        for (depth, layer) in self.layers.iter().enumerate() {
            let half = (depth / 2) as u8;
            entries.extend(layer[part].iter().map(|entry| entry.with_tag(half)));
        }
        entries.sort_unstable_by_key(|&entry| (entry.hash(), entry));
    }
}

/// Frees each list on the thread that made it. An allocator keeps what another thread frees until
/// its owner asks for memory again: the lists of the last layer, half as large as all layers, would
/// be there while the table is filled.
fn give_back<W: Entry>(lists: Vec<(Option<usize>, Parts<W>)>) {
    let lists = Mutex::new(lists);
    rayon::broadcast(|thread| {
        let mut lists = lists.lock().expect("no thread panics here");
        let own = lists.extract_if(.., |(owner, _)| *owner == Some(thread.index()));
        let own: Vec<_> = own.collect();
        drop(lists);
        drop(own);
    });
}

fn part<W: Entry>(entry: W) -> usize {
    (entry.hash() >> (u64::BITS - PARTS_LOG2)) as usize
}

/// One entry for each state of a part, with the moves back of all.
fn united<W: Entry>(dealt: &[&[W]], table: &mut Vec<W>) -> Vec<W> {
    let states: usize = dealt.iter().map(|states| states.len()).sum();
    if states == 0 {
        return Vec::new();
    }
    let slots = (2 * states).next_power_of_two();
    table.clear();
    table.resize(slots, W::default());
    let shift = u64::BITS - slots.ilog2();
    let mut kept = 0;
    for &entry in dealt.iter().copied().flatten() {
        let mut at = ((entry.hash() << PARTS_LOG2) >> shift) as usize;
        loop {
            let slot = &mut table[at];
            if *slot == W::default() {
                *slot = entry;
                kept += 1;
                break;
            }
            if slot.same_state(entry) {
                *slot = slot.with_tag(slot.tag() | entry.tag());
                break;
            }
            at = (at + 1) & (slots - 1);
        }
    }
    let mut states = Vec::with_capacity(kept);
    states.extend(table.iter().filter(|&&slot| slot != W::default()));
    states
}
