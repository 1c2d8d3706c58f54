//! The states one move on, as an assignment on A* wants them listed.

use std::fmt;

use super::Listed;
use crate::heuristic::Taxicab;
use crate::puzzle::{Board, Goal, Move};

/// The goal of this assignment and of [`trace`](super::trace), unless the caller says
/// otherwise.
pub const GOAL: Goal = Goal::Last;

/// A state and its estimate; printed as `[1, 2, 0, 4, 5, 3, 6, 7, 8] h=6`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Estimated {
    /// The state.
    pub state: Listed,
    /// Its distance from the goal.
    pub taxicab: u32,
}

impl Estimated {
    /// Estimates a state.
    pub fn new(state: Listed, goal: Goal) -> Estimated {
        Estimated {
            state,
            taxicab: Taxicab::of(&state.0, goal),
        }
    }
}

impl fmt::Display for Estimated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} h={}", self.state, self.taxicab)
    }
}

/// The states that one move leads to, in ascending order of their lists.
pub fn successors(board: &Board, goal: Goal) -> Vec<Estimated> {
    let after = |mv| board.after(mv).map(Listed);
    let mut states: Vec<Listed> = Move::ALL.into_iter().filter_map(after).collect();
    states.sort_unstable();
    let estimated = |state| Estimated::new(state, goal);
    states.into_iter().map(estimated).collect()
}
