//! The path that an assignment's A* finds, state by state.
//!
//! The queue is ordered by (f, state as a list), and that order fixes the path. A popped
//! state is closed, and a successor that is not closed is pushed, even if it waits in the
//! queue already. So a state can be popped twice; it is then expanded twice, as the
//! assignment has it. The second time its f is no smaller, so the path is not affected, but
//! the length of the queue is.

use std::fmt;

use super::Listed;
use super::successors::{Estimated, successors};
use crate::puzzle::{Board, Goal, Problem};
use crate::search::{Arena, Control, Heap, Meter, Seen, Stop, Watch};

/// The states from the start to the goal, and how long the queue got.
///
/// Printed as a line for each state and one for the queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The states from the start to the goal.
    pub path: Vec<Estimated>,
    /// The most entries in the queue, counted before each pop.
    pub max_queue: usize,
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (moves, state) in self.path.iter().enumerate() {
            writeln!(f, "{state} moves: {moves}")?;
        }
        writeln!(f, "Max queue length: {}", self.max_queue)
    }
}

/// What is done with states that were popped before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Popped {
    /// They are closed: not pushed again.
    Closed,
    /// They are pushed like any other, as the assignment's own sample was made.
    Revisited,
}

/// An entry of the queue; the fields are compared in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct OpenNode {
    f: u32,
    state: Listed,
    /// Equal states of equal f differ in their parents: the first pushed is popped first.
    pushed: u64,
    moves: u32,
    parent: Option<usize>,
}

/// A state that was popped, and the one that it was reached from.
struct Node {
    state: Listed,
    parent: Option<usize>,
}

/// Runs the assignment's A* to the problem's goal.
pub fn trace(problem: &Problem, popped: Popped, control: &Control<'_>) -> Result<Trace, Stop> {
    if problem.size().is_wide() {
        return Err(Stop::WideBoard);
    }
    let watch = Watch::new(control);
    watch.start();
    let mut meter = Meter::new(&watch);
    let goal = problem.goal();
    let solved = Listed(Board::solved(problem.size(), goal));
    let start = Estimated::new(Listed(*problem.board()), goal);
    let (mut nodes, mut closed) = (Arena::default(), Seen::default());
    let mut queue = Heap::default();
    let root = OpenNode {
        f: start.taxicab,
        state: start.state,
        pushed: 0,
        moves: 0,
        parent: None,
    };
    queue.push(root, &mut meter)?;
    let mut max_queue = queue.len();
    while let Some(OpenNode {
        state,
        moves,
        parent,
        ..
    }) = queue.pop()
    {
        let node = nodes.push(Node { state, parent }, &mut meter)?;
        if state == solved {
            let path = path_to(node, &nodes, goal);
            return Ok(Trace { path, max_queue });
        }
        if popped == Popped::Closed {
            closed.insert(state, (), &mut meter)?;
        }
        meter.expand()?;
        for Estimated { state, taxicab } in successors(&state.0, goal) {
            if closed.get(&state).is_some() {
                continue;
            }
            meter.stats.generated += 1;
            let waiting = OpenNode {
                f: moves + 1 + taxicab,
                state,
                pushed: meter.stats.generated,
                moves: moves + 1,
                parent: Some(node),
            };
            queue.push(waiting, &mut meter)?;
        }
        max_queue = max_queue.max(queue.len());
    }
    unreachable!("a problem is solvable")
}

fn path_to(node: usize, nodes: &Arena<Node>, goal: Goal) -> Vec<Estimated> {
    let parent_of = |&node: &usize| nodes.get(node).parent;
    let back = std::iter::successors(Some(node), parent_of);
    let mut path: Vec<Estimated> = back
        .map(|node| Estimated::new(nodes.get(node).state, goal))
        .collect();
    path.reverse();
    path
}
