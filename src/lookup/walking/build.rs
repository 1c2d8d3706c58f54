//! Builds tables of walking distances: breadth-first from the goal, along each axis.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::numbering::Numbering;
use super::tally::Tally;
use crate::lookup::{BuildControl, Cancelled, Layer, VALUES};

/// A bit for each tally, by its number; threads may set any.
struct Bits(Vec<AtomicU64>);

impl Bits {
    fn new(tallies: usize) -> Bits {
        let words = tallies.div_ceil(64);
        Bits((0..words).map(|_| AtomicU64::new(0)).collect())
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

/// The bit worth two of each tally's distance, and how many tallies have each distance.
pub(super) fn build(
    numbering: &Numbering,
    control: &BuildControl<'_>,
) -> Result<(Vec<u8>, [u64; VALUES]), Cancelled> {
    let found = Bits::new(numbering.tallies());
    let bits = Bits::new(numbering.tallies());
    let goal = numbering.shape().goal();
    found.set(numbering.number(goal));
    let mut layer = vec![goal];
    let mut reached = 1;
    let mut histogram = [0; VALUES];
    histogram[0] = reached;
    for depth in 1.. {
        let has_bit = depth & 2 != 0;
        let next = layer.par_chunks(CHUNK).flat_map_iter(|chunk| {
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
            new
        });
        layer = next.collect();
        if layer.is_empty() {
            break;
        }
        let states = layer.len() as u64;
        histogram[depth % VALUES] += states;
        reached += states;
        if let Some(listener) = control.listener {
            listener(Layer {
                depth: depth as u32,
                states,
                reached,
            });
        }
        if control.cancel.is_some_and(|flag| flag.load(Relaxed)) {
            return Err(Cancelled);
        }
    }
    assert_eq!(reached as usize, numbering.tallies(), "all can be reached");
    let words = bits.0.into_iter().map(AtomicU64::into_inner);
    Ok((words.flat_map(u64::to_le_bytes).collect(), histogram))
}
