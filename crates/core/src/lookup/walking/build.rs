//! Builds tables of walking distances: breadth-first from the goal, along each axis.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::BuiltWalking;
use super::numbering::Numbering;
use super::tally::Tally;
use crate::lookup::{BuildControl, Layer, Unbuilt};

/// A bit for each tally, by its number; threads may set any.
struct AtomicBits(Vec<AtomicU64>);

impl AtomicBits {
    fn new(tallies: usize) -> Result<AtomicBits, Unbuilt> {
        let words = tallies.div_ceil(64);
        let mut bits = Vec::new();
        let no_memory = |_| Unbuilt::NoMemory(8 * words as u64);
        bits.try_reserve_exact(words).map_err(no_memory)?;
        bits.resize_with(words, || AtomicU64::new(0));
        Ok(AtomicBits(bits))
    }

    /// Sets a bit; whether it was not set before.
    fn set(&self, number: usize) -> bool {
        let (word, bit) = (&self.0[number / 64], 1 << (number % 64));
        // Most tallies were found before, and a read is cheaper than an exchange.
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }
}

/// Tallies that a thread takes at once.
const CHUNK: usize = 4096;

/// Adds the tallies of one axis to a table: the bit worth two of each one's distance, and how
/// many have each distance.
pub(super) fn build(
    numbering: &Numbering,
    table: &mut BuiltWalking,
    control: &BuildControl<'_>,
) -> Result<(), Unbuilt> {
    let before: u64 = table.histogram.iter().sum();
    let found = AtomicBits::new(numbering.tallies())?;
    let bits = AtomicBits::new(numbering.tallies())?;
    let goal = numbering.shape().goal();
    found.set(numbering.number(goal));
    // In pieces, as threads find them: one list of all would hold a layer twice while it is made.
    let mut layer = vec![vec![goal]];
    let mut reached = 1;
    table.histogram[0] += reached;
    for depth in 1.. {
        let has_bit = depth & 2 != 0;
        let chunks = layer.par_iter().flat_map(|piece| piece.par_chunks(CHUNK));
        let next = chunks.map(|chunk| {
            let mut new: Vec<Tally> = Vec::with_capacity(CHUNK);
            for &tally in chunk {
                numbering.for_each_step(tally, |step| {
                    if found.set(step.number) {
                        new.push(step.tally);
                        if has_bit {
                            bits.set(step.number);
                        }
                    }
                });
            }
            new.shrink_to_fit();
            new
        });
        layer = next.filter(|piece| !piece.is_empty()).collect();
        let states: u64 = layer.iter().map(|piece| piece.len() as u64).sum();
        if states == 0 {
            break;
        }
        table.histogram[depth] += states;
        reached += states;
        if let Some(listener) = control.listener {
            listener(Layer {
                depth: depth as u32,
                states,
                reached: before + reached,
            });
        }
        if control.is_cancelled() {
            return Err(Unbuilt::Cancelled);
        }
    }
    assert_eq!(reached as usize, numbering.tallies(), "all can be reached");
    drop(found);
    let bytes = numbering.bytes();
    let no_memory = |_| Unbuilt::NoMemory(bytes as u64);
    table.bits.try_reserve_exact(bytes).map_err(no_memory)?;
    let words = bits.0.into_iter().map(AtomicU64::into_inner);
    table.bits.extend(words.flat_map(u64::to_le_bytes));
    Ok(())
}
