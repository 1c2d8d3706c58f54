//! A thread of A*: it works for one worker after the other, and the last one to rest begins the next part.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard};

use bytemuck::Pod;

use super::child::Child;
use super::crew::{Crew, lock};
use super::part::Findings;
use super::worker::{End, Worker};
use crate::puzzle::Entry;
use crate::search::Stop;
use crate::search::meter::Meter;

/// Works on one thread for whichever worker is due, until the search ends: here, or elsewhere (`None`).
pub(super) fn work<W: Entry, N: Pod>(
    workers: &[Mutex<&mut Worker<'_, W, N>>],
    crew: &Crew<Child<W, N>>,
    (thread, threads): (usize, usize),
    meter: &mut Meter<'_>,
) -> Result<Option<End<W>>, Stop> {
    // However this thread ends, in a panic too, the others need not wait for it.
    let _ending = crew.member();
    let mut next = thread * workers.len() / threads;
    let mut is_busy = thread == 0;
    let mut looks = 0;
    while is_busy || crew.wait(&mut looks) {
        while let Some((number, mut worker)) = crew.take(workers, next) {
            looks = 0;
            let end = worker.work(crew, number, meter)?;
            if end.is_some() || crew.has_ended() {
                return Ok(end);
            }
            next = number + 1;
        }
        is_busy = crew.rest();
        if is_busy {
            let mut all: Vec<_> = workers.iter().map(lock).collect();
            if let ControlFlow::Break(end) = begin_next_part(&mut all, meter) {
                return Ok(end);
            }
            drop(all);
            crew.set_all_due();
        }
    }
    Ok(None)
}

/// Has all workers begin the part after one that is done, unless the search ends there.
fn begin_next_part<W: Entry, N: Pod>(
    workers: &mut [MutexGuard<'_, &mut Worker<'_, W, N>>],
    meter: &mut Meter<'_>,
) -> ControlFlow<Option<End<W>>> {
    let findings = workers.iter_mut().map(|worker| worker.findings());
    let findings = findings.fold(Findings::NONE, Findings::join);
    if findings.lacks_room && !findings.is_at_goal {
        return ControlFlow::Break(Some(End::NoRoom));
    }
    let Some(part) = workers[0].next_part(&findings) else {
        let ends = workers.iter().map(|worker| worker.end());
        return ControlFlow::Break(ends.fold(None, End::better));
    };
    if findings.stored > workers[0].most_stored {
        return ControlFlow::Break(Some(End::TooLarge));
    }
    let layer = part.bucket.layer;
    meter.threshold(workers[0].f_of(layer));
    if workers[0].counts_layers {
        meter.stats.iterations = layer + 1;
    }
    for worker in workers {
        worker.set_part(part, &findings);
    }
    ControlFlow::Continue(())
}
