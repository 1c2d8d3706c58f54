//! The command line: parses, runs one command, turns errors into one line and an exit code.

mod cmd;

use std::process::ExitCode;

/// Searches that store states allocate in small blocks from several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cmd::main()
}
