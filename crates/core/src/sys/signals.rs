//! What the process was told about signals when it was started.

/// Whether a signal was to be ignored, as `nohup` has it for SIGHUP.
#[cfg(unix)]
pub fn is_ignored(signal: i32) -> bool {
    // SAFETY: it asks for the action of a signal and sets none; the structure is this function's.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let asked = libc::sigaction(signal, std::ptr::null(), &mut action);
        asked == 0 && action.sa_sigaction == libc::SIG_IGN
    }
}

/// Elsewhere there is no such thing.
#[cfg(not(unix))]
pub fn is_ignored(_signal: i32) -> bool {
    false
}
