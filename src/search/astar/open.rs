//! The open list: a stack for each (layer of f, h), the best one first.

use std::mem::size_of;

use super::Entry;
use crate::search::Stop;
use crate::search::meter::Meter;

/// Entries of a block; stacks take and return whole blocks, so nothing is ever copied.
const BLOCK: usize = 256;

/// What all states of one stack have in common; g is f − h.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bucket {
    /// How many steps f is above that of the start.
    pub layer: u32,
    pub h: u32,
}

/// A priority queue of packed states.
pub(crate) struct Open<W> {
    layers: Vec<Layer>,
    /// The first layer that is not empty.
    first: usize,
    blocks: Vec<Box<[W]>>,
    free: Vec<u32>,
    len: usize,
}

#[derive(Default)]
struct Layer {
    /// By h, so that the first ones have the largest g.
    stacks: Vec<Stack>,
    /// No stack before this one has entries.
    first: usize,
}

#[derive(Default)]
struct Stack {
    blocks: Vec<u32>,
    len: usize,
}

impl<W: Entry> Open<W> {
    pub fn new() -> Open<W> {
        Open {
            layers: Vec::new(),
            first: 0,
            blocks: Vec::new(),
            free: Vec::new(),
            len: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn push(&mut self, bucket: Bucket, entry: W, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let (layer, index) = (bucket.layer as usize, bucket.h as usize);
        if layer >= self.layers.len() {
            self.layers.resize_with(layer + 1, Layer::default);
        }
        let layer_stacks = &mut self.layers[layer];
        if index >= layer_stacks.stacks.len() {
            layer_stacks.stacks.resize_with(index + 1, Stack::default);
        }
        layer_stacks.first = layer_stacks.first.min(index);
        self.first = self.first.min(layer);
        self.len += 1;
        let stack = &mut layer_stacks.stacks[index];
        if stack.len == stack.blocks.len() * BLOCK {
            let block = match self.free.pop() {
                Some(block) => block,
                None => {
                    meter.grow(0, size_of::<[W; BLOCK]>())?;
                    // Zeros, which the system has at hand: nothing is written until it is pushed.
                    let block = vec![W::default(); BLOCK];
                    self.blocks.push(block.into_boxed_slice());
                    self.blocks.len() as u32 - 1
                }
            };
            stack.blocks.push(block);
        }
        let block = stack.blocks[stack.len / BLOCK];
        self.blocks[block as usize][stack.len % BLOCK] = entry;
        stack.len += 1;
        Ok(())
    }

    /// Takes up to `most` entries of the first layer, smallest h first, last in first out, each
    /// with its h. Returns the layer.
    pub fn pop(&mut self, most: usize, batch: &mut Vec<(W, u32)>) -> Option<u32> {
        loop {
            let layer = self.layers.get_mut(self.first)?;
            while batch.len() < most
                && let Some(stack) = layer.stacks.get_mut(layer.first)
            {
                while batch.len() < most && stack.len > 0 {
                    stack.len -= 1;
                    let block = stack.blocks[stack.len / BLOCK];
                    let entry = self.blocks[block as usize][stack.len % BLOCK];
                    batch.push((entry, layer.first as u32));
                    if stack.len.is_multiple_of(BLOCK) {
                        self.free.extend(stack.blocks.pop());
                    }
                }
                layer.first += usize::from(stack.len == 0);
            }
            if !batch.is_empty() {
                self.len -= batch.len();
                return Some(self.first as u32);
            }
            self.first += 1;
        }
    }
}
