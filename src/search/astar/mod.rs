//! A*: best first by f, within equal f the deepest first, nothing expanded twice
//! without need.
//!
//! Both lists hold a state in one word. The closed list ([`closed`]) is a hash table whose
//! slots keep the state and the layer of f it was reached in; the open list ([`open`]) is a
//! stack for each (f, h). There are no parent pointers: g follows from f and h,
//! so the path is walked back from the goal through the closed list.
//!
//! With an endgame table branches end where they enter it ([`endings`]), at an exact cost; the
//! search ends when no path that is left can be shorter than the best of these.

mod closed;
mod endings;
mod line;
mod onward;
mod open;
mod segment;

use super::Stop;
use super::meter::Meter;
use crate::heuristic::Heuristic;
use crate::lookup::endgame::Lookup;
use crate::puzzle::{Entry, Grid, Move, Packed};
use closed::{Closed, SEGMENTS, segment_of};
use endings::Endings;
#[cfg(target_arch = "x86_64")]
use line::Avx2;
use line::{Lanes, Single};
use onward::{NO_MOVE, Onward};
use open::{Bucket, Open};

/// States popped and probed together, so that their cache misses overlap.
const BATCH: usize = 64;

/// Returns `None` where f grows past the layers that the word has room for.
pub(crate) fn search<W: Entry, H: Heuristic<W>>(
    start: Packed<W>,
    grid: &Grid,
    heuristic: &H,
    endgame: Option<Lookup<'_, W>>,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Move>>, Stop> {
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = Avx2::new() {
        // SAFETY: the processor has what the function is compiled for.
        return unsafe { search_by_avx2(lanes, start, grid, heuristic, endgame, meter) };
    }
    search_by(Single, start, grid, heuristic, endgame, meter)
}

/// The search, compiled for AVX2 and what came with it.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn search_by_avx2<W: Entry, H: Heuristic<W>>(
    lanes: Avx2,
    start: Packed<W>,
    grid: &Grid,
    heuristic: &H,
    endgame: Option<Lookup<'_, W>>,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Move>>, Stop> {
    search_by(lanes, start, grid, heuristic, endgame, meter)
}

#[inline(always)]
fn search_by<W: Entry, H: Heuristic<W>>(
    lanes: impl Lanes,
    start: Packed<W>,
    grid: &Grid,
    heuristic: &H,
    endgame: Option<Lookup<'_, W>>,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Move>>, Stop> {
    let goal = Packed::solved(grid.size());
    if start == goal {
        return Ok(Some(Vec::new()));
    }
    let h = heuristic.value(heuristic.start(start));
    let mut lists = Lists::new(grid, heuristic, h, lanes, meter)?;
    let bucket = Bucket { layer: 0, h };
    let (mut batch, mut children) = (Vec::with_capacity(BATCH), Vec::with_capacity(3 * BATCH));
    children.push(lists.child(start.cells, NO_MOVE, bucket));
    lists.insert(&mut children, meter)?;
    let mut endings = endgame.map(|endgame| Endings::new(endgame, grid.size()));
    loop {
        batch.clear();
        let layer = lists.pop(&mut batch);
        let f = layer.map_or(u32::MAX, |layer| h + layer * H::STEP);
        if let Some(ending) = endings.as_ref().and_then(|endings| endings.best_below(f)) {
            let rest = endgame.and_then(|endgame| endgame.path(ending.state));
            let moves = lists.walk_back(ending.state, ending.g)?;
            return Ok(Some([moves, rest.ok_or(Stop::DamagedTable)?].concat()));
        }
        // A problem is solvable, so only a table can have cut off all paths.
        let layer = layer.ok_or(Stop::DamagedTable)?;
        meter.threshold(f);
        for &popped in &batch {
            if let Some(cost) = lists.expand(popped, layer, &mut children, meter)? {
                meter.stats.stored = lists.closed.len() as u64 + 1;
                return lists.walk_back(goal, cost).map(Some);
            }
        }
        if let Some(endings) = &mut endings {
            endings.take_out(&mut children, |bucket| {
                let f = h + bucket.layer * H::STEP;
                (f, f - bucket.h)
            });
        }
        if children.iter().any(|child| child.bucket.layer >= W::LAYERS) {
            return Ok(None);
        }
        // One after the other, with nothing between: so the misses overlap, those of the TLB too.
        for child in &children {
            lists.closed.prefetch(child.home);
        }
        lists.insert(&mut children, meter)?;
        meter.stats.stored = lists.closed.len() as u64;
        meter.frontier(lists.open.len());
    }
}

/// A child that waits to be looked up in the closed list.
struct Child<W> {
    /// With no note.
    state: W,
    /// Its line in the closed list.
    home: usize,
    bucket: Bucket,
    /// The segment of the closed list that this line is in.
    segment: u8,
    /// The move that led to it.
    last: u8,
    /// Whether it was not reached as well before.
    is_improved: bool,
}

impl<W> Child<W> {
    #[inline(always)]
    fn segment(&self) -> usize {
        usize::from(self.segment) % SEGMENTS
    }
}

/// A state that was taken from the open list.
#[derive(Clone, Copy)]
struct Popped<W> {
    /// With the move that led to it.
    entry: W,
    /// Its line in the closed list.
    home: usize,
    h: u32,
}

/// Address space where there is no limit: more than any machine has memory.
const UNLIMITED: u64 = 1 << 40;
/// Address space that no system is short of.
const LEAST: usize = 1 << 16;

/// Empty lists in address space for as much as they may hold, or as the system lets have.
fn reserved<W: Entry, L: Lanes>(
    lanes: L,
    meter: &mut Meter<'_>,
) -> Result<(Open<W>, Closed<W, L>), Stop> {
    let most = meter.memory_limit().unwrap_or(UNLIMITED).min(UNLIMITED);
    let mut most = usize::try_from(most).unwrap_or(isize::MAX as usize / 4);
    loop {
        let open = Open::new(most);
        if let (Some(open), Some(closed)) = (open, Closed::new(lanes, most, meter)?) {
            return Ok((open, closed));
        }
        if most < LEAST {
            return Err(Stop::Memory);
        }
        most -= most / 4;
    }
}

/// The open and the closed list, and what they are about.
struct Lists<'a, W, H, L> {
    grid: &'a Grid,
    onward: Onward,
    heuristic: &'a H,
    goal: Packed<W>,
    /// The f of layer 0: that of the start.
    first: u32,
    /// Whether the goal need not wait until it is popped, whichever neighbour makes it. If both of
    /// them have the same estimate they are popped in the order of their g, since f never falls
    /// along a path: the first one to make the goal is as near to the start as the other. If they
    /// differ, a neighbour whose g + 1 is above f may be popped before a better one.
    goal_by_g: bool,
    open: Open<W>,
    closed: Closed<W, L>,
}

impl<'a, W: Entry, H: Heuristic<W>, L: Lanes> Lists<'a, W, H, L> {
    /// Empty lists for a start with this estimate.
    fn new(
        grid: &'a Grid,
        heuristic: &'a H,
        first: u32,
        lanes: L,
        meter: &mut Meter<'_>,
    ) -> Result<Lists<'a, W, H, L>, Stop> {
        let (open, closed) = reserved(lanes, meter)?;
        let goal = Packed::solved(grid.size());
        let beside = grid.steps(goal.gap).iter().map(|&(_, to)| goal.slide(to).0);
        let mut estimates = beside.map(|state| heuristic.value(heuristic.start(state)));
        let nearest = estimates.next();
        Ok(Lists {
            grid,
            onward: Onward::new(grid),
            heuristic,
            goal,
            goal_by_g: estimates.all(|h| Some(h) == nearest),
            first,
            open,
            closed,
        })
    }

    /// Takes a batch from the open list and asks for its lines of the closed list; returns its
    /// layer.
    #[inline(always)]
    fn pop(&mut self, batch: &mut Vec<Popped<W>>) -> Option<u32> {
        let closed = &self.closed;
        self.open.pop(BATCH, |entry, h| {
            let home = closed.home(entry.hash());
            closed.prefetch(home);
            batch.push(Popped { entry, home, h });
        })
    }

    #[inline(always)]
    fn child(&self, cells: W, last: u8, bucket: Bucket) -> Child<W> {
        let state = W::pack(cells, 0);
        let hash = state.hash();
        Child {
            state,
            home: self.closed.home(hash),
            segment: segment_of(hash) as u8,
            bucket,
            last,
            is_improved: false,
        }
    }

    /// Makes the children of a state that was popped; the cost if the goal is reached.
    #[inline(always)]
    fn expand(
        &self,
        Popped { entry, home, h }: Popped<W>,
        layer: u32,
        children: &mut Vec<Child<W>>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<u32>, Stop> {
        // Reached again with a smaller f since it was pushed, and expanded by then.
        if self.closed.layer(entry, home) < Some(layer) {
            return Ok(None);
        }
        let state = entry.state(self.grid.size());
        let carried = self.heuristic.resume(state, h);
        let f = self.first + layer * H::STEP;
        let g = f - h;
        if !self.goal_by_g && state == self.goal {
            return Ok(Some(g));
        }
        meter.expand()?;
        meter.depth(g + 1);
        for &(mv, to) in self.onward.steps(state.gap, entry.tag()) {
            let (child, tile) = state.slide(to);
            meter.stats.generated += 1;
            if child == self.goal && (self.goal_by_g || g < f) {
                return Ok(Some(g + 1));
            }
            let h = (self.heuristic).value(self.heuristic.moved(carried, state, child, tile));
            // A consistent heuristic lets f never fall.
            let growth = (g + 1 + h).checked_sub(f).ok_or(Stop::Inconsistent)?;
            let layer = layer + growth / H::STEP;
            children.push(self.child(child.cells, mv as u8, Bucket { layer, h }));
        }
        Ok(None)
    }

    /// Puts children on the open list, unless they were reached as well before.
    #[inline(always)]
    fn insert(&mut self, children: &mut Vec<Child<W>>, meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.closed.insert_all(children, meter)?;
        // What a stack takes last it gives first.
        for child in children.iter().rev().filter(|child| child.is_improved) {
            let waiting = child.state.with_tag(child.last);
            self.open.push(child.bucket, waiting, meter)?;
        }
        children.clear();
        Ok(())
    }

    /// The moves to a state, found from there: the state before one with g moves behind it is a
    /// neighbour in the closed list with g − 1.
    fn walk_back(&self, mut state: Packed<W>, moves_behind_it: u32) -> Result<Vec<Move>, Stop> {
        let moves_behind = |state: Packed<W>| {
            let entry = W::pack(state.cells, 0);
            let layer = self.closed.layer(entry, self.closed.home(entry.hash()))?;
            let h = self.heuristic.value(self.heuristic.start(state));
            (self.first + layer * H::STEP).checked_sub(h)
        };
        let mut moves = Vec::new();
        for g in (0..moves_behind_it).rev() {
            let before = self.grid.steps(state.gap).iter().find_map(|&(mv, to)| {
                let (before, _) = state.slide(to);
                (moves_behind(before) == Some(g)).then_some((before, mv.opposite()))
            });
            // A closed state was reached from a closed one, if no table says otherwise.
            let (before, mv) = before.ok_or(Stop::DamagedTable)?;
            moves.push(mv);
            state = before;
        }
        moves.reverse();
        Ok(moves)
    }
}
