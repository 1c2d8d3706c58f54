//! Which states lie at each distance from the goal.

use crate::puzzle::{Board, Cell, Goal, Grid, MoveOrder, Packed, Size, Word};

/// How many states are 0, 1, 2 … moves from the goal, up to `depth` or the farthest.
pub fn layer_sizes<W: Word>(size: Size, depth: usize) -> Vec<u64> {
    let mut sizes = Vec::new();
    each_layer(size, Packed::<W>::solved(size), &mut |layer| {
        sizes.push(layer.len() as u64);
        sizes.len() <= depth
    });
    sizes
}

/// Boards at each distance from one board, for sizes whose whole space is small.
#[derive(Clone, Debug)]
pub struct WholeSpace {
    size: Size,
    layers: Vec<Vec<State<u64>>>,
}

impl WholeSpace {
    /// The most cells: 2x5 has 1.8 million states, which take 29 MB and about a second.
    pub const MOST_CELLS: usize = 10;

    /// All boards of a size around the goal `first`; `None` where they are too many.
    pub fn new(size: Size) -> Option<WholeSpace> {
        WholeSpace::around(&Board::solved(size, Goal::First))
    }

    /// The same around any board.
    pub fn around(goal: &Board) -> Option<WholeSpace> {
        let size = goal.size();
        if size.cells() > WholeSpace::MOST_CELLS {
            return None;
        }
        let mut layers = Vec::new();
        each_layer(size, Packed::<u64>::new(goal), &mut |layer| {
            layers.push(layer.to_vec());
            true
        });
        Some(WholeSpace { size, layers })
    }

    /// How many moves the farthest boards need.
    pub fn radius(&self) -> usize {
        self.layers.len() - 1
    }

    /// How many boards need exactly so many moves.
    pub fn count(&self, distance: usize) -> usize {
        self.layers.get(distance).map_or(0, Vec::len)
    }

    /// One of them, by its number.
    pub fn board(&self, distance: usize, number: usize) -> Board {
        let (cells, _) = self.layers[distance][number];
        let tile = |cell| u32::from(cells.tile(cell as Cell));
        let tiles: Vec<u32> = (0..self.size.cells()).map(tile).collect();
        Board::new(self.size, &tiles).expect("moves keep a permutation")
    }
}

/// A state's word, and where its gap is.
type State<W> = (W, Cell);

/// Calls back with each layer, in the order of the states' words, until that says to stop.
///
/// Neighbours of a layer lie in the layer before or after it, so two layers are enough.
fn each_layer<W: Word>(size: Size, goal: Packed<W>, on_layer: &mut dyn FnMut(&[State<W>]) -> bool) {
    let grid = Grid::new(size, MoveOrder::UDLR);
    let mut before: Vec<State<W>> = Vec::new();
    let mut layer = vec![(goal.cells, goal.gap)];
    while !layer.is_empty() && on_layer(&layer) {
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
}
