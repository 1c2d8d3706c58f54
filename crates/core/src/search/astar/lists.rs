//! The lists that a search begins with.

use bytemuck::Pod;

use super::closed::Closed;
use super::open::Open;
use crate::puzzle::Entry;
use crate::search::Stop;
use crate::search::meter::Meter;

/// Address space where there is no limit: more than any machine has memory.
const UNLIMITED: u64 = 1 << 40;
/// Address space that no system is short of.
const LEAST: usize = 1 << 16;

/// An open and a closed list.
pub(crate) type Lists<W, N> = (Open<W, N>, Closed<W>);

/// Empty lists for each of several who share the memory, in address space for as much as they may
/// hold, or as the system lets have.
pub(crate) fn empty_lists<W: Entry, N: Pod>(
    sharers: usize,
    note_bytes: usize,
    meter: &mut Meter<'_>,
) -> Result<Vec<Lists<W, N>>, Stop> {
    let most = meter.memory_limit().unwrap_or(UNLIMITED).min(UNLIMITED);
    let most = usize::try_from(most).unwrap_or(isize::MAX as usize / 4);
    // States are dealt evenly, but not to the last one.
    let mut most = (most / sharers).saturating_mul(2).min(most);
    loop {
        let of_one = |number| {
            let closed = Closed::new((number, sharers), most)?;
            Some((Open::new(most, note_bytes)?, closed))
        };
        if let Some(lists) = (0..sharers).map(of_one).collect::<Option<Vec<_>>>() {
            for (_, closed) in &lists {
                closed.account(meter)?;
            }
            return Ok(lists);
        }
        if most < LEAST {
            return Err(Stop::Memory);
        }
        most -= most / 4;
    }
}
