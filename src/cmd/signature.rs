//! `slidebench signature`: a fixed small bench, the same counts on every machine.

use super::Exit;
use crate::cmd::terminal::output::{print, print_while_read};
use crate::harness::signature;

/// Run a fixed small bench and print its exact node counts.
///
/// The total is the same on every machine; it changes only where a search does.
#[derive(clap::Args)]
pub struct Args {}

pub fn run(_args: &Args) -> anyhow::Result<Exit> {
    let mut total = 0;
    for signed in signature() {
        if !print_while_read(&format!("{signed}\n"))? {
            return Ok(Exit::Done);
        }
        total += signed.generated;
    }
    print(&format!("total {total}\n"))?;
    Ok(Exit::Done)
}
