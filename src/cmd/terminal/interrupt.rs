//! Signals that ask a command to end: it ends with what it has, and with their exit code.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, LazyLock, OnceLock};

use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

use crate::sys::signals::is_ignored;

/// Whether a signal has come, and which.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// From now on Ctrl-C, SIGTERM and SIGHUP set what is returned instead of ending the process. A
/// second one ends it at once: what was recorded is on the disk.
pub fn catch_interrupt() -> anyhow::Result<&'static AtomicBool> {
    static CAUGHT: OnceLock<()> = OnceLock::new();
    // A command may ask twice: for its tables, and for its search.
    if CAUGHT.set(()).is_ok() {
        // A run under nohup goes on when its terminal is closed.
        let is_meant = |signal: &i32| *signal != SIGHUP || !is_ignored(SIGHUP);
        for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(is_meant) {
            catch(signal).context("cannot catch signals")?;
        }
    }
    Ok(&INTERRUPTED)
}

/// From now on a file that would grow past the limit of the process (`ulimit -f`) is a write that
/// fails, and not the death of the process.
pub fn fail_at_file_limit() {
    // Where that cannot be, the system does as it always does.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

fn catch(signal: i32) -> std::io::Result<()> {
    flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&INTERRUPTED))?;
    flag::register(signal, Arc::clone(&INTERRUPTED))?;
    flag::register_usize(signal, Arc::clone(&SIGNAL), signal as usize)?;
    Ok(())
}

/// Whether a signal has come.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Relaxed)
}

/// How a command ends that was interrupted, as shells count: 130 after Ctrl-C, 143 after SIGTERM,
/// 129 after SIGHUP.
pub fn code() -> u8 {
    match SIGNAL.load(Relaxed) {
        0 => 130,
        signal => 128 + signal as u8,
    }
}
