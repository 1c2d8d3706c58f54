//! Several workers at one search: who owns a state, what is sent, and when a layer is done.
//!
//! A state belongs to the worker that its hash names (hash-distributed A*, Kishimoto et al.).
//! Children are sent to their owners in parcels. All workers are in one layer of f:
//! it begins when the layers before it are exhausted. So every state that is expanded has its
//! least g, as with one worker, and none is expanded twice; only in the last layer the workers
//! may expand other states than one alone.
//!
//! When is a layer done? `unsettled` counts the workers that are not idle, and the parcels that
//! their receivers have not put into their lists yet. It is 0 only if the layer is done: then no
//! worker has a state of the layer, and no parcel brings one. And it stays 0 until all workers
//! know, because it grows in two ways only: a parcel is sent, by a worker that is not idle and
//! so is counted; or an idle worker finds a parcel, which is counted until that worker, counted
//! by then, has settled it. A worker holds children back until they fill a parcel, but it sends them all
//! before it becomes idle. If a layer is not done, some worker has states of it or will find a
//! parcel, and goes on. There are finitely many states to insert in a layer, so it is done at last.
//!
//! A worker whose children find an inbox full waits, and is not idle meanwhile. It takes what is sent to
//! itself, so its own inbox does not stay full. The owner of the full one takes it too: it works, and takes
//! it after its batch; or it waits likewise; or it is idle, and finds the parcels. So nobody waits forever.
//!
//! A worker that ends the search never becomes idle: none of the others can believe the layer
//! done and wait for it at the barrier. They see that the search has ended instead.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::*};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::search::Stop;
use crate::search::meter::Meter;
use crate::search::store::reserve;

/// An inbox is full with one child for so many states of its owner: the more states a worker has, the
/// longer a segment of its closed list takes to grow, and the others shall not wait for that. When 16,384
/// were always enough, two threads were idle for a tenth of the time on instance 60 of korf100.
const STATES_FOR_ONE: usize = 64;
/// The least and the most children that fill an inbox.
const LEAST_FULL: usize = 1 << 14;
const MOST_FULL: usize = 1 << 18;
/// Looks at what others do, before a worker lets the system have its core.
const LOOKS: usize = 1 << 7;

/// The worker, of so many, that a state with this hash belongs to. The closed list of a worker
/// places states by the upper half of the hash.
#[inline(always)]
pub(super) fn owner_of(hash: u64, workers: usize) -> usize {
    (((hash & u64::from(u32::MAX)) * workers as u64) >> 32) as usize
}

/// What the workers share; `C` is a child.
pub(super) struct Crew<C> {
    inboxes: Vec<Inbox<C>>,
    unsettled: AtomicUsize,
    /// The least layer that a worker has states of.
    next: AtomicU32,
    barrier: Barrier,
    has_ended: AtomicBool,
}

/// What was sent to a worker, in cache lines of its own: others write to it while its neighbour is read.
#[repr(align(128))]
struct Inbox<C> {
    /// How many parcels there are: who looks for one need not lock the children.
    parcels: AtomicUsize,
    children: Mutex<Vec<C>>,
}

impl<C> Inbox<C> {
    fn is_empty(&self) -> bool {
        self.parcels.load(Acquire) == 0
    }

    fn children(&self) -> MutexGuard<'_, Vec<C>> {
        // Whoever panics with it ends the search.
        self.children.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a worker does that has no state of the layer.
pub(super) enum Turn {
    /// It takes what was sent to it.
    SameLayer,
    /// It begins the next layer, with all others.
    Layer(u32),
    /// No worker has a state of any layer.
    NoLayer,
    /// Another one has ended the search.
    Ended,
}

const NO_LAYER: u32 = u32::MAX;

impl<C> Crew<C> {
    pub fn new(workers: usize) -> Crew<C> {
        let inbox = |_| Inbox {
            parcels: AtomicUsize::new(0),
            children: Mutex::new(Vec::new()),
        };
        Crew {
            inboxes: (0..workers).map(inbox).collect(),
            unsettled: AtomicUsize::new(workers),
            next: AtomicU32::new(NO_LAYER),
            barrier: Barrier::new(workers),
            has_ended: AtomicBool::new(false),
        }
    }

    pub fn is_of_several(&self) -> bool {
        self.inboxes.len() > 1
    }

    /// A guard that ends the search when it is dropped.
    pub fn member(&self) -> Member<'_> {
        Member(&self.has_ended)
    }

    pub fn has_ended(&self) -> bool {
        self.has_ended.load(Relaxed)
    }

    /// Sends children to their owner. False, and none are sent, while its inbox is full. `states` is how
    /// many the sender has: the owner has about as many, since hashes deal them evenly.
    pub fn send(
        &self,
        owner: usize,
        children: &mut Vec<C>,
        states: usize,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        if children.is_empty() {
            return Ok(true);
        }
        let inbox = &self.inboxes[owner];
        let mut sent = inbox.children();
        let most = (states / STATES_FOR_ONE).clamp(LEAST_FULL, MOST_FULL);
        // One parcel always goes into an empty inbox.
        if !sent.is_empty() && sent.len() + children.len() > most {
            return Ok(false);
        }
        make_room(&mut sent, children.len(), meter)?;
        self.unsettled.fetch_add(1, SeqCst);
        sent.append(children);
        inbox.parcels.fetch_add(1, Release);
        Ok(true)
    }

    /// Adds all children that were sent to a worker to those that it has; how many parcels to settle.
    pub fn receive(
        &self,
        worker: usize,
        children: &mut Vec<C>,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Stop> {
        let inbox = &self.inboxes[worker];
        if inbox.is_empty() {
            return Ok(0);
        }
        let mut sent = inbox.children();
        if children.is_empty() {
            mem::swap(&mut *sent, children);
        } else {
            make_room(children, sent.len(), meter)?;
            children.append(&mut sent);
        }
        Ok(inbox.parcels.swap(0, AcqRel))
    }

    /// Says that the children of so many parcels are in their owner's lists.
    pub fn settle(&self, parcels: usize) {
        self.unsettled.fetch_sub(parcels, SeqCst);
    }

    /// What a worker does next that has no state of the layer, and whose first one with states is
    /// this.
    pub fn next_turn(&self, worker: usize, first_layer: impl FnOnce() -> Option<u32>) -> Turn {
        if self.is_of_several() {
            self.unsettled.fetch_sub(1, SeqCst);
            let mut looks = 0;
            while self.unsettled.load(SeqCst) > 0 {
                if self.has_ended() {
                    return Turn::Ended;
                }
                if !self.inboxes[worker].is_empty() {
                    self.unsettled.fetch_add(1, SeqCst);
                    return Turn::SameLayer;
                }
                looks += 1;
                match looks < LOOKS {
                    true => std::hint::spin_loop(),
                    false => thread::yield_now(),
                }
            }
        }
        let first = first_layer().unwrap_or(NO_LAYER);
        match self.least_of_all(first) {
            NO_LAYER => Turn::NoLayer,
            layer => Turn::Layer(layer),
        }
    }

    /// The least of the numbers that all workers bring, when the last one has come.
    fn least_of_all(&self, own: u32) -> u32 {
        if !self.is_of_several() {
            return own;
        }
        self.next.fetch_min(own, SeqCst);
        self.barrier.wait();
        let least = self.next.load(SeqCst);
        if self.barrier.wait().is_leader() {
            self.next.store(NO_LAYER, SeqCst);
            self.unsettled.store(self.inboxes.len(), SeqCst);
        }
        self.barrier.wait();
        least
    }
}

/// Makes room for more children, with the meter's leave.
pub(super) fn make_room<C>(
    children: &mut Vec<C>,
    more: usize,
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    let (needed, before) = (children.len() + more, children.capacity());
    if needed > before {
        let capacity = needed.next_power_of_two();
        meter.grow(before * size_of::<C>(), capacity * size_of::<C>())?;
        reserve(children, capacity - children.len())?;
    }
    Ok(())
}

/// A worker that works.
pub(super) struct Member<'a>(&'a AtomicBool);

impl Drop for Member<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
