//! Recursive best-first search (Korf 1993): best first by f in the memory of one path.
//!
//! A state remembers the least f that was cut off below each of its children. The best child is
//! searched until all below it is worse than the second best; what that has come to is remembered, and
//! the second best becomes the best.

use super::Stop;
use super::astar::{NO_MOVE, Onward};
use super::meter::Meter;
use crate::heuristic::Heuristic;
use crate::puzzle::{Grid, Move, Packed, Word};

/// Searches from the start to the goal.
pub(crate) fn search<W: Word, H: Heuristic<W>>(
    [start, goal]: [Packed<W>; 2],
    grid: &Grid,
    heuristic: &H,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    if start == goal {
        return Ok(Vec::new());
    }
    let carried = heuristic.start(start);
    let f = heuristic.value(carried);
    let mut search = Search {
        heuristic,
        onward: Onward::new(grid),
        goal,
        moves: Vec::new(),
        meter,
    };
    let root = Node {
        state: start,
        carried,
        f,
        stored: f,
        last: NO_MOVE,
    };
    search.visit(&root, 0, u32::MAX)?;
    search.moves.reverse();
    Ok(search.moves)
}

struct Node<W, C> {
    state: Packed<W>,
    carried: C,
    f: u32,
    /// The least f below it, as far as that is known.
    stored: u32,
    /// The move that led to it.
    last: u8,
}

struct Search<'a, 'm, W, H> {
    heuristic: &'a H,
    onward: Onward,
    goal: Packed<W>,
    /// The solution, last move first.
    moves: Vec<Move>,
    meter: &'a mut Meter<'m>,
}

impl<W: Word, H: Heuristic<W>> Search<'_, '_, W, H> {
    /// Searches below a node up to an f; returns the least f that was cut off, `None` at a solution.
    fn visit(
        &mut self,
        node: &Node<W, H::Carried>,
        g: u32,
        most: u32,
    ) -> Result<Option<u32>, Stop> {
        let mut children = self.children(node, g)?;
        loop {
            insertion_sort(&mut children, |child| child.stored);
            let second = children.get(1).map_or(u32::MAX, |child| child.stored);
            let Some(best) = children.first_mut().filter(|best| best.stored <= most) else {
                // Without children there is no way on: a gap that turns back is none.
                return Ok(Some(children.first().map_or(u32::MAX, |best| best.stored)));
            };
            if g == 0 {
                self.meter.threshold(best.stored);
            }
            if best.state == self.goal {
                self.moves.push(Move::ALL[usize::from(best.last)]);
                return Ok(None);
            }
            match self.visit(best, g + 1, most.min(second))? {
                Some(least) => best.stored = least,
                None => {
                    self.moves.push(Move::ALL[usize::from(best.last)]);
                    return Ok(None);
                }
            }
        }
    }

    /// The children of a node. One that was searched before hands down what is known of it.
    fn children(
        &mut self,
        node: &Node<W, H::Carried>,
        g: u32,
    ) -> Result<Vec<Node<W, H::Carried>>, Stop> {
        self.meter.expand()?;
        self.meter.depth(g + 1);
        let steps = self.onward.steps(node.state.gap, node.last);
        self.meter.stats.generated += steps.len() as u64;
        let children = steps.iter().map(|&(mv, to)| {
            let (state, tile) = node.state.slide(to);
            let carried = self.heuristic.moved(node.carried, node.state, state, tile);
            let f = (g + 1) + self.heuristic.value(carried);
            Node {
                state,
                carried,
                f,
                stored: match node.f < node.stored {
                    true => node.stored.max(f),
                    false => f,
                },
                last: mv as u8,
            }
        });
        Ok(children.collect())
    }
}

/// Sorts the few children of a node, those that are equal in their order. The general sort does the
/// same with so few, but is a thousand instructions to compile for each kind of node.
pub(super) fn insertion_sort<T, K: Ord>(nodes: &mut [T], key: impl Fn(&T) -> K) {
    for sorted in 1..nodes.len() {
        let mut place = sorted;
        while place > 0 && key(&nodes[place - 1]) > key(&nodes[place]) {
            nodes.swap(place - 1, place);
            place -= 1;
        }
    }
}
