//! Several threads at one search: who owns a state, what is sent, and when a part is done.
//!
//! A state belongs to the worker that its hash names (hash-distributed A*, Kishimoto et al.), and children
//! are sent to their owners in parcels. There are more workers than threads: a thread works for one of them
//! for a while, and then for the next one that has something to do. So a thread that the system
//! holds up, or a list that grows, keeps the others from one worker only.
//!
//! All workers are in the same [part](super::part) of a layer of f: it begins when the one before it is done.
//! So every state that is expanded has its least g, none is expanded twice, and what rows count is the same on any
//! number of threads.
//!
//! **When is a part done?** When no thread is busy. A worker is marked as due when a part begins, when a parcel is
//! sent to it, and when a thread leaves it although it has something left to do. The thread that has a worker
//! takes the mark off before it takes the children that were sent: what is sent later marks it again. So a worker
//! that is not marked and has no thread has nothing to insert, to expand or to send. A busy thread takes
//! marked workers that have no thread, one after the other, and rests when it has looked at all of them and found
//! none.
//!
//! Suppose that all threads rest and worker *v* is marked. *X* marked it last, and was busy then. (The marks that a part
//! begins with are set by, or before, the thread that is busy then.) Before *X* rested it looked at *v* and did not
//! take it, so another thread had it. Let *U* be the last thread that had *v*. Either *U* left *v* after *X* had marked it,
//! or a look of *U* behind that sees the mark: a fence before each look makes sure of it. So when *U* looked, *v* was marked
//! and had no thread, and *U* would have taken it. So no worker is marked, and the part is done.
//!
//! Whoever rests last knows it: the count of busy threads is 0 then, and nobody else raises it, since a resting thread
//! becomes busy only while others are. So one thread alone asks all workers what they know, and begins the next part
//! or ends the search. It is busy until all workers are marked, so a thread that joins it late does no harm.
//! A part has finitely many states to insert, so it is done at last.
//!
//! A thread that has a worker waits for nothing but an inbox that another one copies, so none waits forever. A thread
//! that ends the search within a part, by a limit for instance, never rests: the others see that the search has
//! ended.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::*, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::search::Stop;
use crate::search::meter::Meter;
use crate::search::store::reserve;

/// Workers for each thread, where there are several threads. Beside other work, two threads took 1.5 times as long with
/// one worker each as by a search that does not wait for parts, and take as long as that with two (instance 26 of
/// korf100).
const WORKERS_FOR_ONE: usize = 2;
/// Looks at what others do, before a thread lets the system have its core.
const LOOKS: usize = 1 << 7;

/// How many workers so many threads have.
pub(super) fn workers_for(threads: usize) -> usize {
    match threads {
        1 => 1,
        _ => WORKERS_FOR_ONE * threads,
    }
}

/// The worker, of so many, that a state with this hash belongs to, by the upper bits of the lower half. The closed list of
/// a worker places states by the upper half of the hash, and by its lowest six bits where a line is full.
#[inline(always)]
pub(super) fn owner_of(hash: u64, workers: usize) -> usize {
    (((hash & u64::from(u32::MAX)) * workers as u64) >> 32) as usize
}

/// What the threads share; `C` is a child.
pub(super) struct Crew<C> {
    inboxes: Vec<Inbox<C>>,
    /// How many threads are busy.
    busy: AtomicUsize,
    has_ended: AtomicBool,
}

/// What was sent to a worker, in cache lines of its own: others write to it while its neighbour is read.
#[repr(align(128))]
struct Inbox<C> {
    /// Whether a thread has to look after its worker; the mark of the proof above.
    is_due: AtomicBool,
    children: Mutex<Vec<C>>,
}

impl<C> Crew<C> {
    /// One thread is busy, the first one; all workers are due, and one of them has the start.
    pub fn new(workers: usize) -> Crew<C> {
        let inbox = |_| Inbox {
            is_due: AtomicBool::new(true),
            children: Mutex::new(Vec::new()),
        };
        Crew {
            inboxes: (0..workers).map(inbox).collect(),
            busy: AtomicUsize::new(1),
            has_ended: AtomicBool::new(false),
        }
    }

    /// A guard that ends the search when it is dropped.
    pub fn member(&self) -> Member<'_> {
        Member(&self.has_ended)
    }

    pub fn has_ended(&self) -> bool {
        self.has_ended.load(Relaxed)
    }

    /// Says that a thread has to look after a worker.
    pub fn set_due(&self, worker: usize) {
        self.inboxes[worker].is_due.store(true, SeqCst);
    }

    /// Says it of all of them.
    pub fn set_all_due(&self) {
        (0..self.inboxes.len()).for_each(|worker| self.set_due(worker));
    }

    /// Sends children to their owner.
    pub fn send(
        &self,
        owner: usize,
        children: &mut Vec<C>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let mut sent = lock(&self.inboxes[owner].children);
        make_room(&mut sent, children.len(), meter)?;
        sent.append(children);
        self.set_due(owner);
        Ok(())
    }

    /// Adds all children that were sent to a worker to those that it has.
    pub fn receive(
        &self,
        worker: usize,
        children: &mut Vec<C>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let inbox = &self.inboxes[worker];
        if !inbox.is_due.load(SeqCst) {
            return Ok(());
        }
        // Before the children are taken: what is sent later marks it again.
        inbox.is_due.store(false, SeqCst);
        let mut sent = lock(&inbox.children);
        if children.is_empty() {
            mem::swap(&mut *sent, children);
        } else {
            make_room(children, sent.len(), meter)?;
            children.append(&mut sent);
        }
        Ok(())
    }

    /// Takes a worker that is due and has no thread; the search for one begins with this number.
    pub fn take<'w, T>(
        &self,
        workers: &'w [Mutex<T>],
        first: usize,
    ) -> Option<(usize, MutexGuard<'w, T>)> {
        fence(SeqCst);
        (first..first + workers.len()).find_map(|number| {
            let number = number % workers.len();
            let is_due = self.inboxes[number].is_due.load(SeqCst);
            // Whoever panics with a worker ends the search.
            let worker = is_due.then(|| workers[number].try_lock().ok())??;
            Some((number, worker))
        })
    }

    /// A busy thread rests, unless it was the only one: then it goes on alone, and the part is done.
    pub fn rest(&self) -> bool {
        let is_last = self.busy.fetch_sub(1, SeqCst) == 1;
        if is_last {
            self.busy.store(1, SeqCst);
        }
        is_last
    }

    /// A resting thread waits until it can be busy again; false if the search has ended. `looks` are those since it last
    /// had a worker: one that is due may be with a thread that waits for this core.
    pub fn wait(&self, looks: &mut usize) -> bool {
        while !self.has_ended() {
            *looks += 1;
            match *looks < LOOKS {
                true => std::hint::spin_loop(),
                false => thread::yield_now(),
            }
            let mut inboxes = self.inboxes.iter();
            let join = |busy| (busy > 0).then_some(busy + 1);
            if inboxes.any(|inbox| inbox.is_due.load(SeqCst))
                && self.busy.fetch_update(SeqCst, SeqCst, join).is_ok()
            {
                return true;
            }
        }
        false
    }
}

/// Takes a lock. Whoever panics with it ends the search.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for more children, with the meter's leave.
#[inline(always)]
pub(super) fn make_room<C>(
    children: &mut Vec<C>,
    more: usize,
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    match children.capacity() - children.len() < more {
        true => widen(children, children.len() + more, meter),
        false => Ok(()),
    }
}

#[cold]
#[inline(never)]
fn widen<C>(children: &mut Vec<C>, needed: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
    let capacity = needed.next_power_of_two();
    let size = size_of::<C>();
    meter.grow(children.capacity() * size, capacity * size)?;
    reserve(children, capacity - children.len())
}

/// A thread that works.
pub(super) struct Member<'a>(&'a AtomicBool);

impl Drop for Member<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
