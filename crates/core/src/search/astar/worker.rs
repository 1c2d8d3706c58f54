//! A worker of A*: it has its share of all states, and expands them part by part.

use bytemuck::Pod;

use super::Task;
use super::child::Child;
use super::closed::{Closed, MOST_AT_ONCE};
use super::crew::{Crew, make_room, owner_of};
use super::endings::{Ending, Endings};
use super::estimates::{Batch, Estimates, Parent};
#[cfg(target_arch = "x86_64")]
use super::line::Avx2;
use super::line::{Lanes, Single};
use super::lists::Lists;
use super::onward::NO_MOVE;
use super::open::{Bucket, Open};
use super::part::{Findings, Part};
use crate::puzzle::{Entry, Move, Packed};
use crate::search::Stop;
use crate::search::meter::Meter;

/// States that are expanded together, so that cache misses overlap.
pub(crate) const BATCH: usize = 64;
/// The same where no count depends on it and estimates look nothing up. With 128, one thread takes 4 % more CPU
/// time (instance 26 of korf100); with `7-8` 128 take 3 % more than 64 (board 3 of hardest4x4).
const LARGE_BATCH: usize = 8 * BATCH;
/// The same where there are several workers: what each keeps for the others takes half of the memory so.
const SHARED_BATCH: usize = 4 * BATCH;
/// Children that are sent together, unless the sender has nothing else to do. If those of each batch were sent
/// at once, two threads would take 5 % more CPU time.
const PARCEL: usize = 256;
/// Children that a worker keeps room for. More of them arrive while the system holds a thread up.
const MOST_KEPT: usize = 8 * PARCEL;
/// Batches that a thread expands before it goes on to another worker, if there are several.
const BATCHES: usize = 16;

/// States that one of so many workers expands together, with notes `N`.
fn batch_size<N>(workers: usize) -> usize {
    match workers {
        _ if size_of::<N>() > 0 => BATCH,
        1 => LARGE_BATCH,
        _ => SHARED_BATCH,
    }
}

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
    /// With more states stored than one thread shall have.
    TooLarge,
}

impl<W: Entry> End<W> {
    /// The best end has the least: by cost, then by state, so that it does not matter who came to it first.
    fn rank(&self) -> (u32, W) {
        match self {
            End::Goal { cost } => (*cost, W::default()),
            End::Table(ending) => ending.rank(),
            End::NoRoom | End::Full | End::TooLarge => (u32::MAX, W::default()),
        }
    }

    /// The better of two ends that workers came to.
    pub fn better(one: Option<End<W>>, other: Option<End<W>>) -> Option<End<W>> {
        let ends = one.into_iter().chain(other);
        ends.min_by_key(End::rank)
    }
}

/// A state that was taken from the open list and may have been reached in an earlier layer since it was pushed.
#[derive(Clone, Copy)]
struct Popped<W, N> {
    /// With the move that led to it.
    entry: W,
    note: N,
    h: u32,
    /// Its line in the closed list.
    home: usize,
}

/// Its own open and closed list, and what is on the way between them.
pub(super) struct Worker<'a, W, N> {
    task: &'a Task<'a, W>,
    estimates: Box<dyn Estimates<W, N> + 'a>,
    pub open: Open<W, N>,
    /// How long the open list may become, if the search shall end there. It takes whole layers then, not parts,
    /// and ends as soon as it comes to the goal.
    pub most_open: Option<usize>,
    /// How many states may be stored when a part begins.
    pub most_stored: usize,
    /// Whether its layers are what the search counts as iterations.
    pub counts_layers: bool,
    closed: Closed<W>,
    endings: Option<Endings<'a, W>>,
    /// The least cost of a path that any worker knew to its end when this part began.
    least_ending: Option<u32>,
    /// The cost of the goal, if it was reached here.
    goal_cost: Option<u32>,
    /// Whether a child was left out because its layer has no room in a tag.
    lacks_room: bool,
    /// What is expanded.
    part: Option<Part>,
    /// Whether this worker has begun it: its states are where they are popped.
    has_begun: bool,
    /// The most states that waited on the open list.
    pub most_waiting: usize,
    batch: Vec<Popped<W, N>>,
    /// The states that are expanded together.
    parents: Vec<Parent<W, N>>,
    /// The children of the batch, or at first the start.
    children: Vec<Child<W, N>>,
    /// For each worker, its children that were made here and not sent yet.
    outgoing: Vec<Vec<Child<W, N>>>,
    /// Children that others have made, with this worker's own.
    received: Vec<Child<W, N>>,
    /// Where entries wait whose states were reached again in a lower layer.
    lowered: Vec<Bucket>,
}

impl<'a, W: Entry, N: Pod> Worker<'a, W, N> {
    /// One of so many workers, with empty lists.
    pub fn new(
        task: &'a Task<'a, W>,
        estimates: Box<dyn Estimates<W, N> + 'a>,
        (open, closed): Lists<W, N>,
        workers: usize,
    ) -> Worker<'a, W, N> {
        let endgame = task.endgame;
        let size = batch_size::<N>(workers);
        Worker {
            task,
            estimates,
            open,
            most_open: None,
            most_stored: usize::MAX,
            counts_layers: true,
            closed,
            endings: endgame.map(|it| Endings::new(it, task.grid.size())),
            least_ending: None,
            goal_cost: None,
            lacks_room: false,
            part: None,
            has_begun: true,
            most_waiting: 0,
            batch: Vec::with_capacity(size),
            parents: Vec::with_capacity(size),
            children: Vec::with_capacity(3 * size),
            outgoing: (0..workers).map(|_| Vec::new()).collect(),
            received: Vec::new(),
            lowered: Vec::new(),
        }
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

    /// Expands states of the part and takes what was sent, until there is nothing left to do or it is another
    /// worker's turn. What ends the search, if that happens here.
    pub fn work(
        &mut self,
        crew: &Crew<Child<W, N>>,
        number: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<End<W>>, Stop> {
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = Avx2::new() {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { self.work_by_avx2(lanes, crew, number, meter) };
        }
        self.work_by(Single, crew, number, meter)
    }

    /// The same, compiled for AVX2 and what came with it.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn work_by_avx2(
        &mut self,
        lanes: Avx2,
        crew: &Crew<Child<W, N>>,
        number: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<End<W>>, Stop> {
        self.work_by(lanes, crew, number, meter)
    }

    #[inline(always)]
    fn work_by(
        &mut self,
        lanes: impl Lanes,
        crew: &Crew<Child<W, N>>,
        number: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<End<W>>, Stop> {
        let is_alone = self.outgoing.len() == 1;
        crew.receive(number, &mut self.received, meter)?;
        self.begin_part(meter)?;
        let mut batches = 0;
        while is_alone || batches < BATCHES {
            self.insert(lanes, meter)?;
            // The start is expanded, however short the list shall be.
            if self.has_popped() && self.is_full(meter) {
                return Ok(Some(End::Full));
            }
            self.pop();
            if !self.has_popped() && !self.has_unsent() {
                return Ok(None);
            }
            if let Some(end) = self.expand_batch(lanes, meter)? {
                return Ok(Some(end));
            }
            if !is_alone {
                self.exchange(crew, number, meter)?;
            }
            batches += 1;
        }
        crew.set_due(number);
        Ok(None)
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

    /// What this worker knows when a part is done.
    pub fn findings(&mut self) -> Findings {
        let has_next = self.part.and_then(Part::next).is_some();
        Findings {
            first: (!has_next).then(|| self.open.first_bucket()).flatten(),
            stored: self.stored(),
            is_at_goal: self.goal_cost.is_some(),
            lacks_room: self.lacks_room,
            ending: self.endings.as_ref().and_then(Endings::least_cost),
        }
    }

    /// The part after this one, by what all workers know; `None` if the search ends here.
    pub fn next_part(&self, findings: &Findings) -> Option<Part> {
        let next = self.part.and_then(Part::next);
        let next = next.or_else(|| Part::first(findings))?;
        let layer = next.bucket.layer;
        // What is left is not shorter.
        let is_better = |cost: u32| cost <= self.f_of(layer);
        if findings.is_at_goal || findings.ending.is_some_and(is_better) {
            return None;
        }
        Some(match self.most_open {
            None => next,
            Some(_) => Part::layer(layer),
        })
    }

    /// Has it expand a part from now on, by what all workers know.
    pub fn set_part(&mut self, part: Part, findings: &Findings) {
        self.part = Some(part);
        self.has_begun = false;
        self.least_ending = findings.ending;
    }

    /// Puts the states of a new part where they are popped.
    fn begin_part(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let has_begun = std::mem::replace(&mut self.has_begun, true);
        let Some(part) = self.part.filter(|_| !has_begun) else {
            return Ok(());
        };
        if part.number == 0 && !part.is_layer() {
            // All of these were reached again in an earlier layer.
            self.open.drop_before(part.bucket);
        }
        if part.of == 1 {
            return Ok(());
        }
        if part.number == 0 {
            let part_of = |entry: W| part.number_of(entry.hash());
            self.open.divide(part.bucket, part.of, part_of, meter)?;
        }
        self.open.take_part(part.bucket, part.number);
        Ok(())
    }

    /// The best end that this worker has come to.
    pub fn end(&self) -> Option<End<W>> {
        let ending = self.endings.as_ref().and_then(Endings::best);
        let goal = self.goal_cost.map(|cost| End::Goal { cost });
        End::better(goal, ending.map(End::Table))
    }

    /// Whether the last batch had any states.
    fn has_popped(&self) -> bool {
        !self.parents.is_empty() || !self.batch.is_empty()
    }

    /// Takes a batch from the open list: parents, and states that have to be looked up first. Asks for the lines of
    /// these.
    #[inline(always)]
    fn pop(&mut self) {
        self.parents.clear();
        self.batch.clear();
        let Some(part) = self.part else {
            return;
        };
        let most = match self.most_open {
            None => batch_size::<N>(self.outgoing.len()),
            Some(_) => BATCH,
        };
        let size = self.task.grid.size();
        if let Some(of_this_layer) = part.of_this_layer() {
            let parent = |entry, note, h| Parent::new(entry, note, h, size);
            self.open
                .pop(of_this_layer, most, &mut self.parents, parent);
        }
        let left = most - self.parents.len();
        let closed = &self.closed;
        self.open
            .pop(part.bucket, left, &mut self.batch, |entry, note, h| {
                Popped {
                    entry,
                    note,
                    h,
                    home: closed.home(entry.hash()),
                }
            });
        for popped in &self.batch {
            self.closed.prefetch(popped.home);
        }
    }

    /// Makes the children of a batch, with their estimates.
    #[inline(always)]
    fn expand_batch(
        &mut self,
        lanes: impl Lanes,
        meter: &mut Meter<'_>,
    ) -> Result<Option<End<W>>, Stop> {
        let Some(part) = self.part else {
            return Ok(None);
        };
        let (layer, size) = (part.bucket.layer, self.task.grid.size());
        for &Popped {
            entry,
            note,
            h,
            home,
        } in &self.batch
        {
            // Otherwise expanded by then, in an earlier layer.
            if self.closed.layer(lanes, entry, home) >= Some(layer) {
                self.parents.push(Parent::new(entry, note, h, size));
            }
        }
        let batch = Batch {
            task: self.task,
            layer,
            states: &self.parents,
            ends_at_goal: self.most_open.is_some(),
        };
        if let Some(cost) = self.estimates.expand(&batch, &mut self.children, meter)? {
            self.goal_cost = Some(self.goal_cost.map_or(cost, |known| known.min(cost)));
            if self.most_open.is_some() {
                return Ok(Some(End::Goal { cost }));
            }
        }
        let mut last = self.add_layers()?;
        if let Some(endings) = &mut self.endings {
            endings.take_out(&mut self.children, self.least_ending, |bucket| {
                let f = self.task.f_of(bucket.layer);
                (f, f - bucket.h)
            });
            last = self.children.iter().map(Child::layer).max().unwrap_or(0);
        }
        let layers = self.closed.layers();
        if last >= layers {
            if self.most_open.is_some() {
                return Ok(Some(End::NoRoom));
            }
            self.lacks_room = true;
            self.children.retain(|child| child.layer() < layers);
        }
        Ok(None)
    }

    /// Puts the children into their layers; the last one of these.
    #[inline(always)]
    fn add_layers(&mut self) -> Result<u32, Stop> {
        let (mut last, mut least) = (0, 0);
        for child in &mut self.children {
            let growth = child.growth();
            least = least.min(growth);
            // Below 0 it is any number, and the search ends.
            child.add_layers(self.task.layers_in(growth as u32));
            last = last.max(child.layer());
        }
        // A consistent heuristic lets f never fall.
        match least < 0 {
            true => Err(Stop::Inconsistent),
            false => Ok(last),
        }
    }

    /// Puts children on the open list, unless they were reached as well before.
    #[inline(always)]
    fn insert(&mut self, lanes: impl Lanes, meter: &mut Meter<'_>) -> Result<(), Stop> {
        for list in [&mut self.received, &mut self.children] {
            for children in list.chunks_mut(MOST_AT_ONCE) {
                let (open, lowered) = (&mut self.open, &mut self.lowered);
                self.closed
                    .insert_all(lanes, children, meter, |child, layer| {
                        let h = child.h();
                        lowered.push(Bucket { layer, h });
                    })?;
                // What a stack takes last it gives first.
                for child in children.iter().rev().filter(|child| child.is_improved) {
                    open.push(child.bucket(), child.entry, &child.note, meter)?;
                }
                // Not before: some of them were pushed just now.
                for bucket in lowered.drain(..) {
                    open.retire(bucket);
                }
            }
            list.clear();
        }
        self.most_waiting = self.most_waiting.max(self.open.len());
        let kept = self.received.capacity();
        if kept > MOST_KEPT {
            self.received = Vec::new();
            meter.grow(kept * size_of::<Child<W, N>>(), 0)?;
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
            let outgoing = &mut self.outgoing[owner];
            make_room(outgoing, 1, meter)?;
            outgoing.push(child);
        }
        self.children.clear();
        let least = if self.has_popped() { PARCEL } else { 1 };
        for owner in (0..workers).filter(|&owner| owner != number) {
            if self.outgoing[owner].len() < least {
                continue;
            }
            crew.send(owner, &mut self.outgoing[owner], meter)?;
        }
        crew.receive(number, &mut self.received, meter)?;
        // Looked up together with those received: so more of their misses overlap.
        let own = &mut self.outgoing[number];
        make_room(&mut self.received, own.len(), meter)?;
        self.received.append(own);
        Ok(())
    }
}
