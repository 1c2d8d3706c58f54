//! A worker of A*: it has a part of all states, and expands them layer by layer.

use bytemuck::Pod;

use super::Task;
use super::child::Child;
use super::closed::Closed;
use super::crew::{Crew, Turn, make_room, owner_of};
use super::endings::{Ending, Endings};
use super::estimates::{Batch, Estimates, Parent};
#[cfg(target_arch = "x86_64")]
use super::line::Avx2;
use super::line::{Lanes, Single};
use super::onward::NO_MOVE;
use super::open::{Bucket, Open};
use crate::puzzle::{Entry, Move, Packed};
use crate::search::Stop;
use crate::search::meter::Meter;

/// States popped and probed together, so that their cache misses overlap.
pub(crate) const BATCH: usize = 64;
/// The same where there are several workers. Each keeps only a part of its children: with 64, two threads
/// take 7 % more CPU time (instance 26 of korf100).
const BATCH_OF_SEVERAL: usize = 2 * BATCH;
/// Children that are sent together, unless the sender has nothing else to do. If those of each batch were sent
/// at once, two threads would take 5 % more CPU time.
const PARCEL: usize = 256;

/// How a search ends, if no limit ends it.
pub(super) enum End<W> {
    /// At the goal.
    Goal { cost: u32 },
    /// In the endgame table.
    Table(Ending<W>),
    /// At an f that the word has no room for.
    NoRoom,
    /// With an open list as long as was wanted.
    Full,
}

impl<W> End<W> {
    fn cost(&self) -> u32 {
        match self {
            End::Goal { cost } => *cost,
            End::Table(ending) => ending.cost,
            End::NoRoom | End::Full => u32::MAX,
        }
    }

    /// The better of two ends that workers came to.
    pub fn better(one: Option<End<W>>, other: Option<End<W>>) -> Option<End<W>> {
        let ends = one.into_iter().chain(other);
        ends.min_by_key(End::cost)
    }
}

/// A state that was taken from the open list.
#[derive(Clone, Copy)]
struct Popped<W, N> {
    /// With the move that led to it.
    entry: W,
    note: N,
    /// Its line in the closed list.
    home: usize,
    h: u32,
}

/// Its own open and closed list, and what is on the way between them.
pub(super) struct Worker<'a, W, N> {
    task: &'a Task<'a, W>,
    estimates: Box<dyn Estimates<W, N> + 'a>,
    pub open: Open<W, N>,
    /// How long the open list may become, if the search shall end there.
    pub most_open: Option<usize>,
    /// Whether its layers are what the search counts as iterations.
    pub counts_layers: bool,
    closed: Closed<W>,
    endings: Option<Endings<'a, W>>,
    /// How many states make a batch.
    batch_size: usize,
    batch: Vec<Popped<W, N>>,
    /// The states of the batch that are expanded.
    parents: Vec<Parent<W, N>>,
    /// The children of the batch, or at first the start.
    children: Vec<Child<W, N>>,
    /// For each worker, its children that were made here and not sent yet.
    outgoing: Vec<Vec<Child<W, N>>>,
    /// Children that others have made, with this worker's own, and in how many parcels they came.
    received: Vec<Child<W, N>>,
    parcels: usize,
}

/// Address space where there is no limit: more than any machine has memory.
const UNLIMITED: u64 = 1 << 40;
/// Address space that no system is short of.
const LEAST: usize = 1 << 16;

/// Empty lists for one of several who share the memory, in address space for as much as they may
/// hold, or as the system lets have.
pub(crate) fn empty_lists<W: Entry, N: Pod>(
    sharers: usize,
    note_bytes: usize,
    meter: &mut Meter<'_>,
) -> Result<(Open<W, N>, Closed<W>), Stop> {
    let most = meter.memory_limit().unwrap_or(UNLIMITED).min(UNLIMITED);
    let most = usize::try_from(most).unwrap_or(isize::MAX as usize / 4);
    // States are dealt evenly, but not to the last one.
    let mut most = (most / sharers).saturating_mul(2).min(most);
    loop {
        let open = Open::new(most, note_bytes);
        if let (Some(open), Some(closed)) = (open, Closed::new(most, meter)?) {
            return Ok((open, closed));
        }
        if most < LEAST {
            return Err(Stop::Memory);
        }
        most -= most / 4;
    }
}

impl<'a, W: Entry, N: Pod> Worker<'a, W, N> {
    /// One of so many workers, with empty lists.
    pub fn new(
        task: &'a Task<'a, W>,
        estimates: Box<dyn Estimates<W, N> + 'a>,
        workers: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Worker<'a, W, N>, Stop> {
        let (open, closed) = empty_lists(workers, estimates.note_bytes(), meter)?;
        let endgame = task.endgame;
        let batch_size = match workers {
            1 => BATCH,
            _ => BATCH_OF_SEVERAL,
        };
        Ok(Worker {
            task,
            estimates,
            open,
            most_open: None,
            counts_layers: true,
            closed,
            endings: endgame.map(|it| Endings::new(it, task.grid.size())),
            batch_size,
            batch: Vec::with_capacity(batch_size),
            parents: Vec::with_capacity(batch_size),
            children: Vec::with_capacity(3 * batch_size),
            outgoing: (0..workers).map(|_| Vec::new()).collect(),
            received: Vec::new(),
            parcels: 0,
        })
    }

    /// Says that [`Worker::move_back`] will be asked; before anything is reached.
    pub fn keep_moves_back(&mut self) {
        self.closed.keep_moves_back();
    }

    /// States in the closed list.
    pub fn stored(&self) -> usize {
        self.closed.len()
    }

    /// The layer that a state was reached in.
    pub fn layer(&self, state: W) -> Option<u32> {
        let home = self.closed.home(state.hash());
        self.closed.layer(Single, state, home)
    }

    /// Takes the start, which is then the first state on the open list.
    pub fn begin(&mut self, start: Packed<W>) {
        let (h, note) = self.estimates.start(start);
        let entry = W::pack(start.cells, NO_MOVE);
        let child = Child::new(entry, Bucket { layer: 0, h }, h, note);
        self.children.push(child);
    }

    /// Expands states until the search ends: here, or elsewhere (`None`).
    pub fn run(
        &mut self,
        crew: &Crew<Child<W, N>>,
        number: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<End<W>>, Stop> {
        // However this worker ends, in a panic too, the others need not wait for it.
        let _ending = crew.member();
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = Avx2::new() {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { self.run_by_avx2(lanes, crew, number, meter) };
        }
        self.run_by(Single, crew, number, meter)
    }

    /// The same, compiled for AVX2 and what came with it.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn run_by_avx2(
        &mut self,
        lanes: Avx2,
        crew: &Crew<Child<W, N>>,
        number: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<End<W>>, Stop> {
        self.run_by(lanes, crew, number, meter)
    }

    #[inline(always)]
    fn run_by(
        &mut self,
        lanes: impl Lanes,
        crew: &Crew<Child<W, N>>,
        number: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<End<W>>, Stop> {
        let mut layer = 0;
        loop {
            self.insert(lanes, meter)?;
            if self.parcels > 0 {
                crew.settle(std::mem::take(&mut self.parcels));
            }
            meter.frontier(self.open.len());
            // The start is expanded, however short the list shall be.
            if !self.batch.is_empty() && self.is_full(meter) {
                return Ok(Some(End::Full));
            }
            if let Some(ending) = self.best_ending(self.f_of(layer)) {
                return Ok(Some(ending));
            }
            self.pop(layer);
            if self.batch.is_empty() && !self.has_unsent() {
                match crew.next_turn(number, || self.open.first_layer()) {
                    Turn::Layer(next) => layer = next,
                    Turn::SameLayer => {}
                    Turn::NoLayer => return Ok(self.best_ending(u32::MAX)),
                    Turn::Ended => return Ok(None),
                }
                meter.threshold(self.f_of(layer));
                if self.counts_layers {
                    meter.stats.iterations = layer + 1;
                }
            } else if let Some(end) = self.expand_batch(lanes, layer, meter)? {
                return Ok(Some(end));
            }
            if crew.is_of_several() {
                self.exchange(crew, number, meter)?;
                if crew.has_ended() {
                    return Ok(None);
                }
            }
        }
    }

    /// Whether the open list is as long as it may become.
    #[inline(always)]
    pub fn is_full(&self, meter: &Meter<'_>) -> bool {
        self.most_open
            .is_some_and(|most| self.open.len() >= most || meter.is_short_of_memory())
    }

    /// Where the search began.
    pub fn start(&self) -> Packed<W> {
        self.task.start
    }

    /// The least f on the open list.
    pub fn first_f(&mut self) -> u32 {
        let layer = self.open.first_layer();
        layer.map_or(u32::MAX, |layer| self.f_of(layer))
    }

    /// The layer of an f that is not below the first one.
    pub fn layer_of(&self, f: u32) -> u32 {
        self.task.layers_in(f - self.task.first)
    }

    pub fn f_of(&self, layer: u32) -> u32 {
        self.task.f_of(layer)
    }

    /// The move back from a state to the one before it, where that is kept.
    pub fn move_back(&self, entry: W) -> Option<Move> {
        let home = self.closed.home(entry.hash());
        self.closed.move_back(Single, entry, home)
    }

    /// Asks for what the closed list says of a state.
    pub fn prefetch(&self, entry: W) {
        self.closed.prefetch(self.closed.home(entry.hash()));
    }

    /// Whether a state of the open list was reached in an earlier layer since it was put there.
    pub fn is_stale(&self, entry: W, layer: u32) -> bool {
        self.layer(entry) < Some(layer)
    }

    /// The best end in a table, if no path of less than `f` moves is left to be tried.
    #[inline(always)]
    fn best_ending(&self, f: u32) -> Option<End<W>> {
        let endings = self.endings.as_ref()?;
        endings.best_below(f).map(End::Table)
    }

    /// Takes a batch from the open list and asks for its lines of the closed list.
    #[inline(always)]
    fn pop(&mut self, layer: u32) {
        let (closed, batch) = (&self.closed, &mut self.batch);
        batch.clear();
        self.open.pop(layer, self.batch_size, |entry, note, h| {
            let home = closed.home(entry.hash());
            closed.prefetch(home);
            batch.push(Popped {
                entry,
                note,
                home,
                h,
            });
        });
    }

    /// Makes the children of a batch, with their estimates.
    #[inline(always)]
    fn expand_batch(
        &mut self,
        lanes: impl Lanes,
        layer: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Option<End<W>>, Stop> {
        self.parents.clear();
        for popped in &self.batch {
            // Otherwise reached again with a smaller f since it was pushed, and expanded by then.
            if self.closed.layer(lanes, popped.entry, popped.home) >= Some(layer) {
                self.parents.push(Parent {
                    state: popped.entry.state(self.task.grid.size()),
                    h: popped.h,
                    note: popped.note,
                    last: popped.entry.tag(),
                });
            }
        }
        let batch = Batch {
            task: self.task,
            layer,
            states: &self.parents,
        };
        let cost = self.estimates.expand(&batch, &mut self.children, meter)?;
        if let Some(cost) = cost {
            return Ok(Some(End::Goal { cost }));
        }
        let mut last = 0;
        for child in &mut self.children {
            // A consistent heuristic lets f never fall.
            let growth = child.growth().ok_or(Stop::Inconsistent)?;
            child.add_layers(self.task.layers_in(growth));
            last = last.max(child.layer());
        }
        if let Some(endings) = &mut self.endings {
            endings.take_out(&mut self.children, |bucket| {
                let f = self.task.f_of(bucket.layer);
                (f, f - bucket.h)
            });
            last = self.children.iter().map(Child::layer).max().unwrap_or(0);
        }
        Ok((last >= self.closed.layers()).then_some(End::NoRoom))
    }

    /// Puts children on the open list, unless they were reached as well before.
    #[inline(always)]
    fn insert(&mut self, lanes: impl Lanes, meter: &mut Meter<'_>) -> Result<(), Stop> {
        for list in [&mut self.received, &mut self.children] {
            for children in list.chunks_mut(3 * BATCH) {
                self.closed.insert_all(lanes, children, meter)?;
                // What a stack takes last it gives first.
                for child in children.iter().rev().filter(|child| child.is_improved) {
                    self.open
                        .push(child.bucket(), child.entry, &child.note, meter)?;
                }
            }
            list.clear();
        }
        Ok(())
    }

    /// Whether there are children here that belong to others.
    fn has_unsent(&self) -> bool {
        self.outgoing.iter().any(|children| !children.is_empty())
    }

    /// Sends the children that belong to others, when they fill a parcel or there is nothing else to do, and
    /// takes what was sent to this worker.
    fn exchange(
        &mut self,
        crew: &Crew<Child<W, N>>,
        number: usize,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let workers = self.outgoing.len();
        // Own children too, so that no branch depends on the owner.
        for &child in &self.children {
            let owner = owner_of(child.entry.hash(), workers);
            self.outgoing[owner].push(child);
        }
        self.children.clear();
        let least = if self.batch.is_empty() { 1 } else { PARCEL };
        for owner in (0..workers).filter(|&owner| owner != number) {
            if self.outgoing[owner].len() < least {
                continue;
            }
            // While it waits it takes what was sent to it: otherwise two could wait for each other.
            let states = self.stored();
            while !crew.send(owner, &mut self.outgoing[owner], states, meter)? {
                if crew.has_ended() {
                    return Ok(());
                }
                self.parcels += crew.receive(number, &mut self.received, meter)?;
                std::thread::yield_now();
            }
        }
        self.parcels += crew.receive(number, &mut self.received, meter)?;
        // Looked up together with those received: so more of their misses overlap.
        let own = &mut self.outgoing[number];
        make_room(&mut self.received, own.len(), meter)?;
        self.received.append(own);
        Ok(())
    }
}
