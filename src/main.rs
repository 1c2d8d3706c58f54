//! The program: its allocator, and the command line in `cmd`.

use std::ffi::{c_int, c_long};
use std::process::ExitCode;

/// For the searches whose tables and queues grow to gigabytes on one thread. Breadth-first, 20
/// million nodes of 4x4: 3.8 s against 4.4 s with the system's allocator, the best of three
/// runs each on a busy machine. A* and IDA* showed no difference beyond the noise.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

unsafe extern "C" {
    fn mi_option_set(option: c_int, value: c_long);
}

/// Gives freed memory back to the system at once, and not after a while: `--max-memory` is about
/// what the process takes, and lists that grow leave their old room behind at every step. A
/// breadth-first search within 64 MiB had 109 MiB at its peak, and with the crate's `no_thp`, which
/// rounds nothing up to huge pages, it has 74 MiB.
fn return_freed_memory() {
    /// `mi_option_purge_delay`, in milliseconds.
    const PURGE_DELAY: c_int = 15;
    // SAFETY: the allocator is linked in and takes options at any time; this one is of version 3.
    unsafe { mi_option_set(PURGE_DELAY, 0) };
}

fn main() -> ExitCode {
    return_freed_memory();
    slidebench::cmd::main()
}
