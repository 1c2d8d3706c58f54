//! How many states lie at each distance from the goal.

use crate::puzzle::{Grid, MoveOrder, Packed, Size, Word};

/// How many states are 0, 1, 2 … moves from the goal, up to `depth` or the farthest.
///
/// Neighbours of a layer lie in the layer before or after it, so two layers are enough.
pub fn layer_sizes<W: Word>(size: Size, depth: usize) -> Vec<u64> {
    let grid = Grid::new(size, MoveOrder::UDLR);
    let mut before: Vec<(W, u8)> = Vec::new();
    let goal = Packed::<W>::solved(size);
    let mut layer = vec![(goal.cells, goal.gap)];
    let mut sizes = Vec::new();
    while !layer.is_empty() && sizes.len() <= depth {
        sizes.push(layer.len() as u64);
        let mut after = Vec::with_capacity(layer.len() * 2);
        for &(cells, gap) in &layer {
            let state = Packed { cells, gap };
            for &(_, to) in grid.steps(gap) {
                let (child, _) = state.slide(to);
                after.push((child.cells, child.gap));
            }
        }
        after.sort_unstable();
        after.dedup();
        // Both lists are sorted: one walk takes out what the layer before has.
        let mut old = before.iter().peekable();
        after.retain(|state| {
            while old.next_if(|&&seen| seen < *state).is_some() {}
            old.peek() != Some(&state)
        });
        before = std::mem::replace(&mut layer, after);
    }
    sizes
}
