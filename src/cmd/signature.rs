//! `slidebench signature`: a fixed small bench, the same counts on every machine.

use std::io::Write;

use slidebench::harness::signature;

use super::Exit;

/// Run a fixed small bench and print its exact node counts.
///
/// The total is the same on every machine; it changes only where a search does.
#[derive(clap::Args)]
pub struct Args {}

pub fn run(_args: &Args) -> anyhow::Result<Exit> {
    let mut total = 0;
    let mut stdout = std::io::stdout().lock();
    for signed in signature() {
        writeln!(stdout, "{signed}")?;
        total += signed.generated;
    }
    writeln!(stdout, "total {total}")?;
    Ok(Exit::Done)
}
