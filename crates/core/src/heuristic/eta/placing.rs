//! States drawn tile by tile, with a probability that is known.

use crate::puzzle::{Board, MAX_OPTIMAL_CELLS, Packed, Size};
use crate::sys::Random;

/// How likely each tile, the gap included, is in each cell.
///
/// The gap is placed, then the tiles one after the other, in any order, each in a cell that is free:
/// the likelier it is there, and the less likely others are that are still to be placed. The last
/// two go where the parity of the board wants them.
pub(super) struct Placing {
    size: Size,
    /// By tile and cell. Rows and columns add up to one.
    likely: Table,
}

type Table = [[f64; MAX_OPTIMAL_CELLS]; MAX_OPTIMAL_CELLS];

/// A state that was drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// By tiles, the gap first.
    cells: [u8; MAX_OPTIMAL_CELLS],
    count: usize,
    /// Of the logarithm to the base e.
    pub log_probability: f64,
}

impl Placed {
    pub fn state(&self, size: Size) -> Packed<u128> {
        let mut tiles = [0; MAX_OPTIMAL_CELLS];
        for (tile, &cell) in (0..).zip(&self.cells[..self.count]) {
            tiles[usize::from(cell)] = tile;
        }
        let board = Board::new(size, &tiles[..self.count]);
        Packed::new(&board.expect("each tile once"))
    }
}

/// How much of what was likely before remains so when it is fitted, and how much is even.
const KEPT: f64 = 0.2;
const EVEN: f64 = 0.002;

impl Placing {
    /// As if each tile's distance from home were all that the estimate is: a tile d away is b^−d
    /// times as likely as at home.
    pub fn new(size: Size, branching: f64) -> Placing {
        let mut likely = [[0.0; MAX_OPTIMAL_CELLS]; MAX_OPTIMAL_CELLS];
        for (tile, row) in likely.iter_mut().enumerate().take(size.cells()) {
            for (cell, likely) in row.iter_mut().enumerate().take(size.cells()) {
                let distance = match tile {
                    0 => 0,
                    _ => size.distance(tile as u8, cell as u8),
                };
                *likely = branching.powi(-(distance as i32));
            }
        }
        let mut placing = Placing { size, likely };
        placing.balance();
        placing
    }

    /// Makes rows and columns add up to one (Sinkhorn 1964).
    fn balance(&mut self) {
        let cells = self.size.cells();
        for _ in 0..50 {
            for row in &mut self.likely[..cells] {
                let sum: f64 = row.iter().sum();
                row.iter_mut().for_each(|it| *it /= sum);
            }
            for cell in 0..cells {
                let sum: f64 = self.likely[..cells].iter().map(|row| row[cell]).sum();
                self.likely[..cells]
                    .iter_mut()
                    .for_each(|row| row[cell] /= sum);
            }
        }
    }

    /// Makes likely what carried the mean in these samples (the cross-entropy method). A few of
    /// them that weigh more than all others together must not decide alone, so none counts for more
    /// than a hundredth.
    pub fn fit(&mut self, drawn: &[(Placed, f64)], weights: &[f64]) {
        let sum: f64 = weights.iter().sum();
        let most = sum / 100.0;
        let mut carried = [[0.0; MAX_OPTIMAL_CELLS]; MAX_OPTIMAL_CELLS];
        let mut total = 0.0;
        for ((placed, _), weight) in drawn.iter().zip(weights) {
            let weight = weight.min(most);
            total += weight;
            for (row, &cell) in carried.iter_mut().zip(&placed.cells[..placed.count]) {
                row[usize::from(cell)] += weight;
            }
        }
        if total == 0.0 {
            return;
        }
        let cells = self.size.cells();
        let even = EVEN / cells as f64;
        for (row, carried) in self.likely.iter_mut().zip(&carried).take(cells) {
            for (likely, carried) in row.iter_mut().zip(carried).take(cells) {
                let fitted = KEPT * *likely + (1.0 - KEPT) * carried / total;
                *likely = (1.0 - EVEN) * fitted + even;
            }
        }
        self.balance();
    }

    /// Draws a state.
    pub fn draw(&self, random: &mut Random) -> Placed {
        let cells = self.size.cells();
        let mut order: [u8; MAX_OPTIMAL_CELLS] = std::array::from_fn(|tile| tile as u8);
        // The gap is first: to swap it with a tile need not change whether a state is reachable.
        random.shuffle(&mut order[1..cells]);
        let mut placed = Placed {
            cells: [0; MAX_OPTIMAL_CELLS],
            count: cells,
            log_probability: 0.0,
        };
        // By cell: how likely the tiles that are still to be placed are there.
        let mut wanted = [1.0; MAX_OPTIMAL_CELLS];
        let mut free: Vec<u8> = (0..cells as u8).collect();
        for &tile in &order[..cells - 2] {
            let likely = &self.likely[usize::from(tile)];
            let weight = |&cell: &u8| likely[usize::from(cell)] / wanted[usize::from(cell)];
            let sum: f64 = free.iter().map(weight).sum();
            let mut left = random.unit() * sum;
            let chosen = free.iter().position(|cell| {
                left -= weight(cell);
                left < 0.0
            });
            // Rounding may leave a little more than nothing.
            let chosen = chosen.unwrap_or(free.len() - 1);
            let weight = weight(&free[chosen]);
            placed.log_probability += (weight / sum).ln();
            placed.cells[usize::from(tile)] = free.swap_remove(chosen);
            for (wanted, likely) in wanted.iter_mut().zip(likely).take(cells) {
                *wanted = (*wanted - likely).max(f64::MIN_POSITIVE);
            }
        }
        let last = [order[cells - 2], order[cells - 1]].map(usize::from);
        (placed.cells[last[0]], placed.cells[last[1]]) = (free[0], free[1]);
        if !self.is_reachable(&placed.cells[..cells]) {
            placed.cells.swap(last[0], last[1]);
        }
        placed
    }

    /// Whether moves lead from the goal to a state: each one is a swap with the gap, and moves the
    /// gap by one.
    fn is_reachable(&self, cells: &[u8]) -> bool {
        let mut seen = [false; MAX_OPTIMAL_CELLS];
        let mut swaps = 0;
        for start in 0..cells.len() {
            let mut tile = start;
            while !std::mem::replace(&mut seen[tile], true) {
                tile = usize::from(cells[tile]);
                swaps += u32::from(tile != start);
            }
        }
        (swaps + self.size.distance(0, cells[0])).is_multiple_of(2)
    }
}
