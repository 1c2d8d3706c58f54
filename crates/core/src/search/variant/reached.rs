//! How states were reached, where tiles have costs of their own.

use super::{Child, Query, Step, trace_back};
use crate::puzzle::{Move, Packed, Word};
use crate::search::store::Seen;
use crate::search::{Meter, Stop};

/// The cheapest path so far to a state.
#[derive(Clone, Copy)]
pub(super) struct Reached {
    pub g: u64,
    pub depth: u32,
    pub last: Option<Step>,
    /// The round in which it was expanded with this g or a larger one; 0 for none.
    closed_in: u32,
    was_expanded: bool,
}

impl Reached {
    fn new(g: u64, depth: u32, last: Option<Step>) -> Reached {
        Reached {
            g,
            depth,
            last,
            closed_in: 0,
            was_expanded: false,
        }
    }
}

/// What becomes of a state that was expanded, and that a cheaper path leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WhenClosed {
    Leave,
    Reopen,
    /// It waits for the next round.
    Defer,
}

/// What becomes of a child.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrival {
    /// It has a path that counts already.
    Passed,
    Waits,
    /// It waits for the next round.
    Deferred,
}

/// All states reached. A state is expanded at most once a round, unless it is reopened.
pub(super) struct States<W> {
    seen: Seen<W, Reached>,
    round: u32,
    when_closed: WhenClosed,
}

impl<W: Word> States<W> {
    /// Reaches the start.
    pub fn begin(
        start: Packed<W>,
        when_closed: WhenClosed,
        meter: &mut Meter<'_>,
    ) -> Result<States<W>, Stop> {
        let mut seen = Seen::default();
        seen.insert(start.cells, Reached::new(0, 0, None), meter)?;
        Ok(States {
            seen,
            round: 1,
            when_closed,
        })
    }

    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// Lets all states be expanded again.
    pub fn begin_round(&mut self) {
        self.round += 1;
    }

    /// The path to a state, if it waits with this g: it may have been expanded since, or have a cheaper
    /// path.
    pub fn waiting(&self, cells: &W, g: u64) -> Option<Reached> {
        let waits = |path: &Reached| path.g == g && path.closed_in != self.round;
        self.seen.get(cells).filter(waits)
    }

    /// Closes a state that waits and is about to be expanded.
    pub fn close(&mut self, cells: &W, path: Reached, meter: &mut Meter<'_>) {
        meter.stats.reopened += u64::from(path.was_expanded);
        let closed = Reached {
            closed_in: self.round,
            was_expanded: true,
            ..path
        };
        self.seen.renote(cells, closed);
    }

    /// Reaches a child by a path of this cost and length.
    pub fn reach<C>(
        &mut self,
        child: &Child<W, C>,
        (g, depth): (u64, u32),
        meter: &mut Meter<'_>,
    ) -> Result<Arrival, Stop> {
        let cells = child.state.cells;
        let mut path = Reached::new(g, depth, Some(child.step));
        let Some(before) = self.seen.get(&cells) else {
            self.seen.insert(cells, path, meter)?;
            return Ok(Arrival::Waits);
        };
        let is_closed = before.closed_in == self.round;
        if before.g <= g || is_closed && self.when_closed == WhenClosed::Leave {
            return Ok(Arrival::Passed);
        }
        path.was_expanded = before.was_expanded;
        let arrival = match is_closed && self.when_closed == WhenClosed::Defer {
            true => {
                path.closed_in = self.round;
                Arrival::Deferred
            }
            false => Arrival::Waits,
        };
        self.seen.renote(&cells, path);
        Ok(arrival)
    }

    /// The moves to the goal, which was reached.
    pub fn path<V>(&self, query: &Query<'_, W, V>) -> Vec<Move> {
        let reached_by = |state: Packed<W>| self.seen.get(&state.cells)?.last;
        trace_back(query.goal, query.grid, reached_by)
    }
}
