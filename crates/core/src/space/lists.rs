//! States one by one, for layers that are small: the first ones and the last.

use foldhash::fast::FixedState;
use hashbrown::HashSet;

use super::index::Index;
use crate::puzzle::{Grid, Metric, MoveOrder, Packed, Size};

pub(super) type State = Packed<u64>;
type States = HashSet<State, FixedState>;

/// The moves of a metric.
#[derive(Debug)]
pub(super) struct Neighbours {
    grid: Grid,
    metric: Metric,
}

impl Neighbours {
    pub fn new(laid: Size, metric: Metric) -> Neighbours {
        Neighbours {
            grid: Grid::new(laid, MoveOrder::UDLR),
            metric,
        }
    }

    /// Calls back with each neighbour, until that says to stop; whether it did.
    fn any(&self, state: State, mut is_it: impl FnMut(State) -> bool) -> bool {
        for &(mv, to) in self.grid.steps(state.gap) {
            let (mut child, _) = state.slide(to);
            if is_it(child) {
                return true;
            }
            while self.metric == Metric::Multi
                && let Some(to) = self.grid.size().neighbour(child.gap, mv)
            {
                child = child.slide(to).0;
                if is_it(child) {
                    return true;
                }
            }
        }
        false
    }
}

/// The first layers.
pub(super) struct Head {
    /// All states of them.
    pub states: Vec<State>,
    /// How many there are in each.
    pub counts: Vec<u64>,
}

impl Head {
    /// Layers around the goal, as long as all of them have no more than so many states.
    pub fn new(index: &Index, neighbours: &Neighbours, most: usize) -> Head {
        let goal = State::solved(index.laid());
        let mut seen: States = [goal].into_iter().collect();
        let mut head = Head {
            states: vec![goal],
            counts: vec![1],
        };
        let mut layer = 0;
        loop {
            let mut next = Vec::new();
            for &state in &head.states[layer..] {
                neighbours.any(state, |child| {
                    if seen.insert(child) {
                        next.push(child);
                    }
                    false
                });
                if seen.len() > most {
                    return head;
                }
            }
            layer = head.states.len();
            head.counts.push(next.len() as u64);
            head.states.append(&mut next);
        }
    }
}

/// The last layers.
pub(super) struct Tail {
    /// How many states there are in each.
    pub counts: Vec<u64>,
    /// Those of the last one.
    pub farthest: Vec<State>,
}

impl Tail {
    /// Layers of the states that are left when all others have been reached.
    pub fn new(left: Vec<State>, neighbours: &Neighbours) -> Tail {
        let mut left: States = left.into_iter().collect();
        let mut tail = Tail {
            counts: Vec::new(),
            farthest: Vec::new(),
        };
        while !left.is_empty() {
            let is_next = |state: &State| neighbours.any(*state, |child| !left.contains(&child));
            tail.farthest = left.iter().copied().filter(is_next).collect();
            assert!(!tail.farthest.is_empty(), "every state can be reached");
            tail.counts.push(tail.farthest.len() as u64);
            for state in &tail.farthest {
                left.remove(state);
            }
        }
        tail.farthest.sort_unstable_by_key(|state| state.cells);
        tail
    }
}
