//! Which moves the gap has in each cell, in the order they are tried.

use super::{Cell, MAX_CELLS, Move, MoveOrder, Size};

/// The moves of the gap from every cell of a grid, in one fixed order.
#[derive(Clone, Debug)]
pub struct Grid {
    size: Size,
    order: MoveOrder,
    steps: [[(Move, Cell); 4]; MAX_CELLS],
    count: [u8; MAX_CELLS],
}

impl Grid {
    /// The moves of each cell, tried in `order`.
    pub fn new(size: Size, order: MoveOrder) -> Grid {
        let mut grid = Grid {
            size,
            order,
            steps: [[(Move::Up, 0); 4]; MAX_CELLS],
            count: [0; MAX_CELLS],
        };
        for cell in 0..size.cells() {
            for mv in order.moves() {
                if let Some(to) = size.neighbour(cell as Cell, mv) {
                    grid.steps[cell][usize::from(grid.count[cell])] = (mv, to);
                    grid.count[cell] += 1;
                }
            }
        }
        grid
    }

    /// Its rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The order in which moves are tried.
    pub fn order(&self) -> MoveOrder {
        self.order
    }

    /// The moves of a gap in `cell`, each with the cell it leads to.
    #[inline(always)]
    pub fn steps(&self, cell: Cell) -> &[(Move, Cell)] {
        let cell = usize::from(cell);
        &self.steps[cell][..usize::from(self.count[cell])]
    }
}
