//! Beam search over any moves, on one thread: breadth-first, but of each layer only the states with
//! the least estimates are kept, as many as the beam is wide. A beam that has not come to the goal by
//! a depth where it turns in circles is followed by one of twice the width.

use super::{Query, Step, Variant};
use crate::puzzle::{Move, Packed, Word};
use crate::search::beam::LAYERS_FOR_A_CELL;
use crate::search::store::{Seen, push};
use crate::search::{Meter, Stop};

/// A state of a layer, and how it was reached.
#[derive(Clone, Copy)]
struct Node<W> {
    state: Packed<W>,
    last: Option<Step>,
}

/// A child of a layer. The least estimate comes first, and of equals the one that was made first.
#[derive(Clone, Copy)]
struct Candidate<W> {
    h: u64,
    number: u32,
    parent: u32,
    state: Packed<W>,
    step: Step,
}

/// Which state of the layer before a state comes from, and by which move.
type Trace = (u32, Step);

pub(super) fn search<W: Word, V: Variant<W>>(
    query: &Query<'_, W, V>,
    width: usize,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    if query.start == query.goal {
        return Ok(Vec::new());
    }
    let mut beam = Beam {
        query,
        width,
        candidates: Vec::new(),
        layer: Vec::new(),
        seen: [(); 3].map(|()| Seen::default()),
    };
    loop {
        meter.stats.iterations += 1;
        if let Some(moves) = beam.follow(meter)? {
            return Ok(moves);
        }
        beam.width *= 2;
    }
}

/// One beam, in containers that the next one uses again.
struct Beam<'a, W, V> {
    query: &'a Query<'a, W, V>,
    width: usize,
    candidates: Vec<Candidate<W>>,
    layer: Vec<Node<W>>,
    /// Of the layer that is made, of this one, and of the one before: what is there already is a
    /// step aside or back.
    seen: [Seen<W, ()>; 3],
}

impl<W: Word, V: Variant<W>> Beam<'_, W, V> {
    /// Goes from layer to layer; `None` if that leads nowhere.
    fn follow(&mut self, meter: &mut Meter<'_>) -> Result<Option<Vec<Move>>, Stop> {
        let mut trail: Vec<Vec<Trace>> = Vec::new();
        self.seen.iter_mut().for_each(Seen::clear);
        self.seen[1].insert(self.query.start.cells, (), meter)?;
        self.layer.clear();
        push(
            &mut self.layer,
            Node {
                state: self.query.start,
                last: None,
            },
            meter,
        )?;
        for depth in 0..self.query.grid.size().cells() * LAYERS_FOR_A_CELL {
            meter.threshold(depth as u32);
            if let Some(last) = self.expand(meter)? {
                return Ok(Some(walk_back(&trail, last)));
            }
            let kept = self.keep_nearest(meter)?;
            if kept.is_empty() {
                break;
            }
            trail.push(kept);
            meter.depth(depth as u32 + 1);
            meter.frontier(self.layer.len());
            meter.stats.stored = trail.iter().map(Vec::len).sum::<usize>() as u64;
        }
        // The next beam has the room of this one's trail.
        let bytes = trail
            .iter()
            .map(|layer| layer.capacity() * size_of::<Trace>());
        meter.grow(bytes.sum(), 0)?;
        Ok(None)
    }

    /// Makes the children of the layer; returns the first that is the goal.
    fn expand(&mut self, meter: &mut Meter<'_>) -> Result<Option<Trace>, Stop> {
        let Beam { query, layer, .. } = self;
        self.candidates.clear();
        for (parent, node) in layer.iter().enumerate() {
            meter.expand()?;
            let carried = query.variant.start(node.state);
            for child in query.children((node.state, carried), node.last) {
                meter.stats.generated += 1;
                if child.state == query.goal {
                    return Ok(Some((parent as u32, child.step)));
                }
                let candidate = Candidate {
                    h: query.estimate(child.carried),
                    number: self.candidates.len() as u32,
                    parent: parent as u32,
                    state: child.state,
                    step: child.step,
                };
                push(&mut self.candidates, candidate, meter)?;
            }
        }
        Ok(None)
    }

    /// Makes the next layer of the nearest children, each state once.
    fn keep_nearest(&mut self, meter: &mut Meter<'_>) -> Result<Vec<Trace>, Stop> {
        (self.candidates).sort_unstable_by_key(|candidate| (candidate.h, candidate.number));
        let [new, last, before] = &mut self.seen;
        let mut kept = Vec::new();
        self.layer.clear();
        for candidate in &self.candidates {
            let cells = candidate.state.cells;
            let is_old = last.get(&cells).or(before.get(&cells)).is_some();
            if is_old || !new.insert(cells, (), meter)? {
                continue;
            }
            let node = Node {
                state: candidate.state,
                last: Some(candidate.step),
            };
            push(&mut self.layer, node, meter)?;
            push(&mut kept, (candidate.parent, candidate.step), meter)?;
            if kept.len() == self.width {
                break;
            }
        }
        self.seen.rotate_right(1);
        self.seen[0].clear();
        Ok(kept)
    }
}

/// The moves to a child of the last layer, by one cell each.
fn walk_back(trail: &[Vec<Trace>], last: Trace) -> Vec<Move> {
    let mut steps = vec![last.1];
    let mut parent = last.0;
    for layer in trail.iter().rev() {
        let (before, step) = layer[parent as usize];
        steps.push(step);
        parent = before;
    }
    let steps = steps.into_iter().rev();
    let moves = steps.flat_map(|step| std::iter::repeat_n(step.mv, step.cells.into()));
    moves.collect()
}
