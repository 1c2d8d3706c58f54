//! The CPU time of a thread.

use std::time::Duration;

/// What the calling thread has used so far; `None` where the system does not say.
pub(crate) fn thread_cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: the system writes to a place that is this function's own.
        let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
        let seconds = u64::try_from(time.tv_sec).ok().filter(|_| failed == 0)?;
        Some(Duration::new(seconds, u32::try_from(time.tv_nsec).ok()?))
    }
    #[cfg(not(unix))]
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::thread;

    /// It ends at all: so work counts.
    #[test]
    fn work_counts_and_sleep_does_not() {
        let before = thread_cpu_time().unwrap();
        thread::sleep(Duration::from_millis(50));
        let asleep = thread_cpu_time().unwrap() - before;
        let mut sum = 0u64;
        while thread_cpu_time().unwrap() - before < asleep + Duration::from_millis(5) {
            sum = sum.wrapping_mul(7) + 1;
        }
        std::hint::black_box(sum);
        assert!(asleep < Duration::from_millis(50));
    }
}
