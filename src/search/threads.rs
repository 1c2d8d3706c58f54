//! One search on every thread of its pool.

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
    let (mut found, mut stopped) = (None, None);
    for (end, own) in ends {
        meter.absorb(&own);
        match end {
            Ok(end) => found = better(found, end),
            // A thread that ends for another one does not know why that one ends.
            Err(stop) => stopped = stopped.filter(|&why| why != Stop::Cancelled).or(Some(stop)),
        }
    }
    match (found, stopped) {
        (None, Some(stop)) => Err(stop),
        (found, _) => Ok(found),
    }
}
