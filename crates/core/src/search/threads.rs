//! One search on every thread of its pool.

use std::sync::{Mutex, PoisonError};

use super::control::Stop;
use super::meter::Meter;
use crate::sys::cpu_time::thread_cpu_time;

/// Works on every thread of the pool, each with a meter of its own, which is taken into the
/// caller's, and joins what they found.
///
/// What is found counts, whatever stopped other threads meanwhile.
pub(crate) fn on_every_thread<T: Send>(
    meter: &mut Meter<'_>,
    work: impl Fn(usize, &mut Meter<'_>) -> Result<Option<T>, Stop> + Sync,
    better: impl Fn(Option<T>, Option<T>) -> Option<T>,
) -> Result<Option<T>, Stop> {
    let threads = 0..rayon::current_num_threads();
    let ends: Vec<Mutex<Option<T>>> = threads.map(|_| Mutex::new(None)).collect();
    let end_of = |thread: usize| ends[thread].lock().unwrap_or_else(PoisonError::into_inner);
    let verdict = broadcast(meter, &|thread, own| {
        *end_of(thread) = work(thread, own)?;
        Ok(())
    });
    let found = (0..ends.len()).map(|thread| end_of(thread).take());
    match found.fold(None, better) {
        None => verdict.map(|()| None),
        found => Ok(found),
    }
}

/// The part of it that is the same for all searches, and compiled once. Says why threads stopped.
fn broadcast(
    meter: &mut Meter<'_>,
    work: &(dyn Fn(usize, &mut Meter<'_>) -> Result<(), Stop> + Sync),
) -> Result<(), Stop> {
    let watch = meter.watch();
    // The caller is one of the threads, and its CPU time is known already.
    let caller = rayon::current_thread_index();
    let ends = rayon::broadcast(|thread| {
        let begun = thread_cpu_time();
        let mut own = Meter::new(watch);
        let end = work(thread.index(), &mut own);
        own.end();
        if Some(thread.index()) != caller {
            watch.add_cpu_time(begun);
        }
        (end, own)
    });
    let mut verdict = Ok(());
    for (end, own) in ends {
        meter.absorb(&own);
        // A thread that ends for another one does not know why that one ends.
        if matches!(verdict, Ok(()) | Err(Stop::Cancelled)) {
            verdict = end.and(verdict);
        }
    }
    verdict
}

/// Does all jobs, in their order on one thread, and otherwise each on the next thread that is free.
pub(crate) fn share<T: Send>(
    jobs: Vec<T>,
    threads: usize,
    meter: &mut Meter<'_>,
    work: &(dyn Fn(T, &mut Meter<'_>) -> Result<(), Stop> + Sync),
) -> Result<(), Stop> {
    if threads == 1 || jobs.len() == 1 {
        return jobs.into_iter().try_for_each(|job| work(job, meter));
    }
    let jobs = Mutex::new(jobs.into_iter());
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    broadcast(meter, &|_, own| {
        while let Some(job) = next() {
            work(job, own)?;
        }
        Ok(())
    })
}
