//! Beam search: a solution at a price that is known before.
//!
//! Breadth-first, but of each layer only the states with the least estimates are kept, as many as the
//! beam is wide. What it finds is seldom a shortest solution and seldom much longer, and the time
//! hardly depends on the board. A beam that has not come to the goal by a depth where it turns in
//! circles is followed by one of twice the width.
//!
//! Only what an estimate carries along a path is compiled for each estimate ([`layer`]).

mod layer;
mod seen;

use super::Stop;
use super::meter::Meter;
use super::store::{copies, reserve};
use super::threads::share;
use crate::puzzle::{Move, Packed, Size, Word};
pub(crate) use layer::{CarryingLayer, Child, Chunk, Layer};
use seen::Seen;

/// States whose children are made in one piece.
const CHUNK: usize = 1 << 11;
/// Children whose look-ups overlap.
const BATCH: usize = 16;

/// The most layers for each cell: no board is known to need as many moves.
pub(crate) const LAYERS_FOR_A_CELL: usize = 16;

/// A search, but for what is carried along.
pub(crate) struct Beam<W> {
    pub start: Packed<W>,
    pub goal: Packed<W>,
    pub size: Size,
    pub width: usize,
    pub threads: usize,
}

/// Which state of the layer before a state comes from, above the two bits of the move.
type Step = u32;

impl<W: Word> Beam<W> {
    /// Searches with beams that grow until one comes to the goal.
    pub fn search(
        &self,
        layer: &mut dyn Layer<W>,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Move>, Stop> {
        if self.start == self.goal {
            return Ok(Vec::new());
        }
        let mut width = self.width;
        loop {
            meter.stats.iterations += 1;
            layer.begin(self.start);
            if let Some(moves) = self.follow(width, layer, meter)? {
                return Ok(moves);
            }
            width *= 2;
        }
    }

    /// Follows one beam from layer to layer.
    fn follow(
        &self,
        width: usize,
        layer: &mut dyn Layer<W>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Move>>, Stop> {
        let mut trail: Vec<Vec<Step>> = Vec::new();
        let mut held = Held::default();
        let slots = Seen::<W>::slots(width);
        held.grow(3 * slots * size_of::<W>(), meter)?;
        // Of the layer that is made, of this one, and of the one before: a state of that is a step
        // back, whichever way it is reached.
        let (mut new, mut last) = (Seen::new(slots)?, Seen::new(slots)?);
        let mut before = Seen::new(slots)?;
        last.insert(self.start.cells);
        for depth in 0..self.size.cells() * LAYERS_FOR_A_CELL {
            meter.threshold(depth as u32);
            held.make_room_for_layer(layer, width, meter)?;
            let chunks = self.children(layer, meter)?;
            if let Some(child) = chunks.iter().find_map(|chunk| chunk.goal) {
                return Ok(Some(walk_back(&trail, child)));
            }
            let children = in_order(&chunks)?;
            drop(chunks);
            let kept = keep_nearest(&children, layer.states(), width, &mut new, &before)?;
            if kept.is_empty() {
                return Ok(None);
            }
            layer.advance(&kept, self.threads, meter)?;
            held.grow(kept.len() * size_of::<Step>(), meter)?;
            let mut steps = Vec::new();
            reserve(&mut steps, kept.len())?;
            steps.extend(kept.iter().map(Child::step));
            trail.push(steps);
            meter.depth(depth as u32 + 1);
            meter.frontier(kept.len());
            (before, last, new) = (last, new, before);
            new.clear();
            meter.stats.stored = trail.iter().map(Vec::len).sum::<usize>() as u64;
        }
        Ok(None)
    }

    /// The children of a layer, chunk by chunk.
    fn children(&self, layer: &dyn Layer<W>, meter: &mut Meter<'_>) -> Result<Vec<Chunk>, Stop> {
        let states = layer.states().len();
        let mut chunks: Vec<Chunk> = (0..states.div_ceil(CHUNK))
            .map(|_| Chunk::default())
            .collect();
        let jobs = chunks.iter_mut().enumerate().collect();
        share(
            jobs,
            self.threads,
            meter,
            &|(number, chunk): (usize, &mut Chunk), meter| {
                let range = number * CHUNK..states.min((number + 1) * CHUNK);
                meter.pulse()?;
                meter.stats.expanded += range.len() as u64;
                reserve(&mut chunk.children, most_children(range.len()))?;
                layer.expand(range, chunk);
                meter.stats.generated += chunk.children.len() as u64;
                Ok(())
            },
        )?;
        meter.pulse()?;
        Ok(chunks)
    }
}

/// All children, smallest estimate first; of equals, in the order in which they were made.
fn in_order(chunks: &[Chunk]) -> Result<Vec<Child>, Stop> {
    let children = || chunks.iter().flat_map(|chunk| &chunk.children);
    let most = children().map(|child| child.h).max().unwrap_or(0);
    let mut places = vec![0; usize::from(most) + 2];
    children().for_each(|child| places[usize::from(child.h) + 1] += 1);
    for h in 1..places.len() {
        places[h] += places[h - 1];
    }
    let mut ordered = copies(Child::default(), places[places.len() - 1])?;
    for child in children() {
        let place = &mut places[usize::from(child.h)];
        ordered[*place] = *child;
        *place += 1;
    }
    Ok(ordered)
}

/// No state has a child that is the state before it, but for the start.
fn most_children(states: usize) -> usize {
    (Move::ALL.len() - 1) * states + 1
}

/// Keeps the first children, each state once.
fn keep_nearest<W: Word>(
    children: &[Child],
    states: &[Packed<W>],
    width: usize,
    new: &mut Seen<W>,
    before: &Seen<W>,
) -> Result<Vec<Child>, Stop> {
    let mut kept = Vec::new();
    reserve(&mut kept, width.min(children.len()))?;
    for batch in children.chunks(BATCH) {
        let mut looked_up = [(W::default(), 0); BATCH];
        for (child, place) in batch.iter().zip(&mut looked_up) {
            let (state, _) = states[child.parent as usize].slide(child.to);
            *place = (state.cells, new.home(state.cells));
            new.prefetch(place.1);
            before.prefetch(place.1);
        }
        for (child, &(cells, home)) in batch.iter().zip(&looked_up) {
            if !before.contains(cells, home) && new.insert_at(cells, home) {
                kept.push(*child);
                if kept.len() == width {
                    return Ok(kept);
                }
            }
        }
    }
    Ok(kept)
}

/// The moves to a child of the last layer.
fn walk_back(trail: &[Vec<Step>], last: Child) -> Vec<Move> {
    let mut moves = Vec::with_capacity(trail.len() + 1);
    let mut step = last.step();
    for layer in trail.iter().rev() {
        moves.push(Move::ALL[(step & 3) as usize]);
        step = layer[(step >> 2) as usize];
    }
    moves.push(Move::ALL[(step & 3) as usize]);
    moves.reverse();
    moves
}

/// The bytes that the meter has agreed to.
#[derive(Default)]
struct Held {
    /// Of the layers that are made and their children.
    layers: usize,
}

impl Held {
    fn grow(&mut self, bytes: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        meter.grow(0, bytes)
    }

    /// What the children of a layer take, twice while they are put in order, and the next layer.
    fn make_room_for_layer<W>(
        &mut self,
        layer: &dyn Layer<W>,
        width: usize,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let children = most_children(layer.states().len());
        let bytes = 2 * children * size_of::<Child>()
            + 2 * children.min(width) * (layer.bytes_of_a_state() + size_of::<Child>());
        let more = bytes.saturating_sub(self.layers);
        self.layers += more;
        self.grow(more, meter)
    }
}
