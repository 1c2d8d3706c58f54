//! What a table will take, before it is built.

use std::mem::size_of;
use std::time::Duration;

use super::build::TOGETHER;
use super::layers::{LAYER_BYTES, Layers, PARTS};
use super::slots::home_bytes;
use super::{Endgame, is_narrow};
use crate::lookup::{BuildControl, Header};
use crate::puzzle::{Entry, Size};

/// An estimate from the first layers, which are counted, and how the later ones grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgamePlan {
    /// The distance of the last layer.
    pub depth: u32,
    /// States up to there.
    pub entries: u64,
    /// Whether all layers were counted.
    pub is_exact: bool,
    /// Bytes of the file.
    pub bytes: u64,
    /// The most bytes held while it is built.
    pub memory: u64,
    /// About how long it takes.
    pub time: Duration,
}

/// States that are counted for an estimate: a tenth of a second.
const COUNTED: u64 = 1_000_000;
/// States found and placed in a second, by words of 8 bytes on two cores.
const RATE: u64 = 8_000_000;

impl EndgamePlan {
    /// What a table to this depth will take.
    pub fn new(size: Size, depth: u32) -> EndgamePlan {
        let depth = depth.min(Endgame::deepest(size));
        match is_narrow(size) {
            true => EndgamePlan::of_words::<u64>(size, depth),
            false => EndgamePlan::of_words::<u128>(size, depth),
        }
    }

    fn of_words<W: Entry>(size: Size, depth: u32) -> EndgamePlan {
        let mut layers = Layers::<W>::new(size);
        let is_complete =
            |sizes: &[u64]| sizes.len() > depth as usize || sizes[sizes.len() - 1] == 0;
        while !is_complete(layers.sizes()) && layers.total() < COUNTED {
            layers.deepen(&BuildControl::default());
        }
        let mut sizes = layers.sizes().to_vec();
        let is_exact = is_complete(&sizes);
        while !is_complete(&sizes) {
            let next = EndgamePlan::next_layer(size, &sizes);
            sizes.push(next);
        }
        let entries = sizes.iter().sum::<u64>().min(reachable(size));
        let words = size_of::<W>() as u64 / 8;
        EndgamePlan {
            depth,
            entries,
            is_exact,
            bytes: Header::LEN as u64 + home_bytes::<W>(entries),
            memory: EndgamePlan::memory::<W>(entries, sizes.len()),
            time: Duration::from_secs_f64(entries as f64 * words as f64 / RATE as f64),
        }
    }

    /// About how large the next layer is. Layers grow by turns more and less, and ever less in
    /// all: the growth over two layers is taken as before, lessened by half as much as it was.
    pub(super) fn next_layer(size: Size, sizes: &[u64]) -> u64 {
        let at = |back: usize| {
            sizes
                .len()
                .checked_sub(back)
                .map(|index| sizes[index] as f64)
        };
        let next = match (at(1), at(2), at(4), at(6)) {
            (_, Some(two), Some(four), Some(six)) if two > 0.0 => {
                let (growth, before) = (two / four, four / six);
                two * growth * (growth / before).min(1.0).sqrt()
            }
            (last, ..) => 3.0 * last.unwrap_or(1.0),
        };
        (next as u64).min(reachable(size))
    }

    /// Bytes held at most, beside the program itself. That is when the table is filled: all states
    /// as lists, which the allocator rounds up, some parts of them once more, in order, and the
    /// table in huge pages.
    pub(super) fn memory<W>(entries: u64, layers: usize) -> u64 {
        const HUGE_PAGE: u64 = 2 << 20;
        let states = entries * size_of::<W>() as u64;
        let lists = states + states / 16 + layers as u64 * LAYER_BYTES;
        let in_order = states * TOGETHER as u64 / PARTS as u64;
        lists + in_order + home_bytes::<W>(entries).next_multiple_of(HUGE_PAGE)
    }
}

/// All states that can reach the goal: half of the permutations.
fn reachable(size: Size) -> u64 {
    let permutations =
        (1..=size.cells() as u64).try_fold(1u64, |product, n| product.checked_mul(n));
    permutations.map_or(u64::MAX / 1024, |all| all / 2)
}
