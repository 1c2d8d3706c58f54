//! One of the two directions: its lists, and how it expands.

use super::estimator::{Estimator, Slide};
use crate::puzzle::{Entry, Grid, Move, Packed};
use crate::search::Stop;
#[cfg(target_arch = "x86_64")]
use crate::search::astar::Avx2;
use crate::search::astar::{
    BATCH, Bucket, Child, Closed, Lanes, Lists, NO_MOVE, Onward, Open, Single, empty_lists,
};
use crate::search::meter::Meter;

/// What layers of the lists count, in steps of two above that of the root.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layers {
    /// f = g + h, as in A*.
    F,
    /// b = 2 g + h − h', where h' estimates the way back to the root: f and by how much g exceeds
    /// its own estimate.
    B,
}

/// The estimate of the way back, of a state that waits, where layers are those of b.
type Note = [u8; 1];

/// What a side begins with.
type Empty<W> = Lists<W, Note>;

impl Layers {
    /// Empty lists for both sides.
    pub fn empty_lists<W: Entry>(self, meter: &mut Meter<'_>) -> Result<[Empty<W>; 2], Stop> {
        let note_bytes = usize::from(self == Layers::B);
        let lists = empty_lists(2, note_bytes, meter)?;
        let [forward, backward] = <[_; 2]>::try_from(lists)
            .ok()
            .expect("as many as asked for");
        Ok([forward, backward])
    }
}

/// One direction of the search.
pub(super) struct Side<'a, W: Entry> {
    pub root: Packed<W>,
    grid: &'a Grid,
    onward: Onward,
    layers: Layers,
    /// To the root of the other side.
    ahead: &'a dyn Estimator<W>,
    /// To the own root.
    behind: &'a dyn Estimator<W>,
    /// What layer 0 stands for.
    first: u32,
    open: Open<W, Note>,
    closed: Closed<W>,
    /// States that wait, by layer; some of them may have been reached again in a lower one.
    waiting: Vec<usize>,
    /// The largest g of all states reached.
    deepest: u32,
    batch: Vec<(W, Note, usize)>,
    children: Vec<Child<W, Note>>,
    slides: Vec<Slide<W>>,
    estimates: Vec<u32>,
}

/// The best solution so far.
pub(super) struct Best<W> {
    /// More than any, where there is none.
    pub cost: u32,
    /// A state on it that both sides have reached.
    pub meeting: Option<Packed<W>>,
}

/// Why a side cannot go on.
pub(super) enum Full {
    Stopped(Stop),
    /// The word has no room for a layer.
    Layers,
}

impl From<Stop> for Full {
    fn from(stop: Stop) -> Full {
        Full::Stopped(stop)
    }
}

impl<'a, W: Entry> Side<'a, W> {
    /// A side that has reached its root.
    pub fn new(
        root: Packed<W>,
        grid: &'a Grid,
        layers: Layers,
        [ahead, behind]: [&'a dyn Estimator<W>; 2],
        (open, closed): Empty<W>,
        meter: &mut Meter<'_>,
    ) -> Result<Side<'a, W>, Stop> {
        let first = ahead.of(root);
        let mut side = Side {
            root,
            grid,
            onward: Onward::new(grid),
            layers,
            ahead,
            behind,
            first,
            open,
            closed,
            waiting: Vec::new(),
            deepest: 0,
            batch: Vec::with_capacity(BATCH),
            children: Vec::with_capacity(3 * BATCH),
            slides: Vec::with_capacity(3 * BATCH),
            estimates: Vec::with_capacity(3 * BATCH),
        };
        let bucket = Bucket { layer: 0, h: first };
        let entry = W::pack(root.cells, NO_MOVE);
        side.children.push(Child::new(entry, bucket, first, [0]));
        side.insert(Single, meter)?;
        side.push_improved(meter)?;
        Ok(side)
    }

    /// The estimate to the root of the other side.
    pub fn ahead(&self) -> &'a dyn Estimator<W> {
        self.ahead
    }

    /// States reached.
    pub fn stored(&self) -> usize {
        self.closed.len()
    }

    /// States that wait.
    pub fn waiting(&self) -> usize {
        self.open.len()
    }

    /// How many of them are in this layer.
    pub fn waiting_in(&self, layer: u32) -> usize {
        self.waiting.get(layer as usize).copied().unwrap_or(0)
    }

    /// The first layer where some wait.
    pub fn first_layer(&self) -> Option<u32> {
        let first = self.waiting.iter().position(|&waiting| waiting > 0);
        first.map(|layer| layer as u32)
    }

    /// What a layer stands for: f or b.
    pub fn value(&self, layer: u32) -> u32 {
        self.first + 2 * layer
    }

    /// The values of h in a layer for which states wait, smallest first.
    pub fn estimates_in(&self, layer: u32) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.open.estimates_in(layer)
    }

    /// How many layers there are.
    pub fn layers(&self) -> u32 {
        self.waiting.len() as u32
    }

    /// The moves behind the states of a bucket.
    pub fn g(&self, bucket: Bucket, behind: u32) -> u32 {
        let value = self.value(bucket.layer);
        match self.layers {
            Layers::F => value.saturating_sub(bucket.h),
            Layers::B => (value + behind).saturating_sub(bucket.h) / 2,
        }
    }

    /// The moves behind a state, if it was reached.
    fn g_of(&self, state: Packed<W>) -> Option<u32> {
        let entry = W::pack(state.cells, 0);
        let layer = self
            .closed
            .layer(Single, entry, self.closed.home(entry.hash()))?;
        let h = self.ahead.of(state);
        Some(self.g(Bucket { layer, h }, self.behind.of(state)))
    }

    /// The moves from the root to a state that was reached: the state before one with g moves
    /// behind it is a neighbour with g − 1.
    pub fn path_to(&self, mut state: Packed<W>) -> Result<Vec<Move>, Stop> {
        let mut moves = Vec::new();
        let mut g = self.g_of(state).ok_or(Stop::Inconsistent)?;
        while g > 0 {
            g -= 1;
            let before = self.grid.steps(state.gap).iter().find_map(|&(mv, to)| {
                let (before, _) = state.slide(to);
                (self.g_of(before) == Some(g)).then_some((before, mv.opposite()))
            });
            let mv;
            (state, mv) = before.ok_or(Stop::Inconsistent)?;
            moves.push(mv);
        }
        moves.reverse();
        match state == self.root {
            true => Ok(moves),
            false => Err(Stop::Inconsistent),
        }
    }

    /// Expands up to `most` states of a bucket, and looks for their children on the other side; how
    /// many were taken.
    pub fn expand(
        &mut self,
        bucket: Bucket,
        most: usize,
        other: &Side<'_, W>,
        best: &mut Best<W>,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Full> {
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = Avx2::new() {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { self.expand_by_avx2(lanes, bucket, most, other, best, meter) };
        }
        self.expand_by(Single, bucket, most, other, best, meter)
    }

    /// The same, compiled for AVX2 and what came with it.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn expand_by_avx2(
        &mut self,
        lanes: Avx2,
        bucket: Bucket,
        most: usize,
        other: &Side<'_, W>,
        best: &mut Best<W>,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Full> {
        self.expand_by(lanes, bucket, most, other, best, meter)
    }

    #[inline(always)]
    fn expand_by(
        &mut self,
        lanes: impl Lanes,
        bucket: Bucket,
        most: usize,
        other: &Side<'_, W>,
        best: &mut Best<W>,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Full> {
        self.pop(bucket, most.min(BATCH));
        self.make_children(lanes, bucket, best.cost, meter)?;
        self.estimate_children(best.cost)?;
        self.insert(lanes, meter)?;
        self.meet(lanes, other, best);
        self.push_improved(meter)?;
        Ok(self.batch.len())
    }

    /// Takes states from the open list and asks for their lines of the closed list.
    #[inline(always)]
    fn pop(&mut self, bucket: Bucket, most: usize) {
        let (closed, batch) = (&self.closed, &mut self.batch);
        batch.clear();
        self.open.pop_bucket(bucket, most, batch, |entry, note| {
            let home = closed.home(entry.hash());
            closed.prefetch(home);
            (entry, note, home)
        });
        self.waiting[bucket.layer as usize] -= batch.len();
    }

    /// Makes the children of what was popped, but for their estimates.
    #[inline(always)]
    fn make_children(
        &mut self,
        lanes: impl Lanes,
        bucket: Bucket,
        best: u32,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        for number in 0..self.batch.len() {
            let (entry, note, home) = self.batch[number];
            let g = self.g(bucket, note[0].into());
            // Reached again with a smaller g since it was pushed; or on no path that is better.
            if self.closed.layer(lanes, entry, home) < Some(bucket.layer) || g + bucket.h >= best {
                continue;
            }
            meter.expand()?;
            meter.depth(g + 1);
            self.deepest = self.deepest.max(g + 1);
            let before = entry.state(self.grid.size());
            for &(mv, to) in self.onward.steps(before.gap, entry.tag()) {
                let (after, tile) = before.slide(to);
                meter.stats.generated += 1;
                let slide = Slide {
                    before,
                    after,
                    tile,
                };
                self.slides.push(slide);
                let entry = W::pack(after.cells, mv as u8);
                let child = Child::new(entry, bucket, bucket.h, note);
                self.children.push(child);
            }
        }
        Ok(())
    }

    /// Estimates all children, and drops those on no path that is better than `best`.
    #[inline(always)]
    fn estimate_children(&mut self, best: u32) -> Result<(), Full> {
        let (children, estimates) = (&mut self.children, &mut self.estimates);
        estimates.clear();
        estimates.extend(children.iter().map(|child| child.h()));
        self.ahead.slide_all(&self.slides, estimates);
        for (child, &h) in children.iter_mut().zip(&*estimates) {
            child.set_h(h);
        }
        if self.layers == Layers::B {
            estimates.clear();
            estimates.extend(children.iter().map(|child| u32::from(child.note[0])));
            self.behind.slide_all(&self.slides, estimates);
        }
        self.slides.clear();
        let mut last = 0;
        for (child, &behind) in children.iter_mut().zip(&*estimates) {
            // From one move to the next an estimate changes by one.
            let ahead = u32::try_from(child.growth()).ok();
            let mut steps = ahead.filter(|&it| it <= 2).ok_or(Stop::Inconsistent)? / 2;
            if self.layers == Layers::B {
                let back = (u32::from(child.note[0]) + 1).checked_sub(behind);
                steps += back.filter(|&it| it <= 2).ok_or(Stop::Inconsistent)? / 2;
                child.note = [behind as u8];
            }
            child.add_layers(steps);
            last = last.max(child.layer());
        }
        if best < u32::MAX || last >= W::LAYERS {
            let mut children = std::mem::take(&mut self.children);
            children
                .retain(|child| self.g(child.bucket(), child.note[0].into()) + child.h() < best);
            self.children = children;
        }
        let has_room = |child: &Child<W, Note>| child.layer() < W::LAYERS;
        match last < W::LAYERS || self.children.iter().all(has_room) {
            true => Ok(()),
            false => Err(Full::Layers),
        }
    }

    /// Notes the children in the closed list.
    #[inline(always)]
    fn insert(&mut self, lanes: impl Lanes, meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.closed
            .insert_all(lanes, &mut self.children, meter, |_, _| ())
    }

    /// Looks for the children on the other side.
    ///
    /// A path is found where the second side reaches a state of it. Every state that is reached is
    /// looked for once with each g, so none is missed.
    #[inline(always)]
    fn meet(&mut self, lanes: impl Lanes, other: &Side<'_, W>, best: &mut Best<W>) {
        // Nearer to the other root than that side has come: it cannot have reached others.
        let is_near = |child: &&Child<W, Note>| child.is_improved && child.h() <= other.deepest;
        for child in self.children.iter().filter(is_near) {
            other.closed.prefetch(other.closed.home(child.entry.hash()));
        }
        for child in self.children.iter().filter(is_near) {
            let home = other.closed.home(child.entry.hash());
            let Some(layer) = other.closed.layer(lanes, child.entry, home) else {
                continue;
            };
            let state = child.entry.state(self.grid.size());
            let behind = match self.layers {
                Layers::B => child.note[0].into(),
                Layers::F => self.behind.of(state),
            };
            let seen_from_there = Bucket { layer, h: behind };
            let cost = self.g(child.bucket(), behind) + other.g(seen_from_there, child.h());
            if cost < best.cost {
                *best = Best {
                    cost,
                    meeting: Some(state),
                };
            }
        }
    }

    /// Puts children on the open list that were not reached as well before.
    #[inline(always)]
    fn push_improved(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        for child in self.children.iter().rev().filter(|child| child.is_improved) {
            let layer = child.layer() as usize;
            if self.waiting.len() <= layer {
                self.waiting.resize(layer + 1, 0);
            }
            self.waiting[layer] += 1;
            self.open
                .push(child.bucket(), child.entry, &child.note, meter)?;
        }
        self.children.clear();
        Ok(())
    }
}
