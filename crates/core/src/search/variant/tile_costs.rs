//! Tiles whose moves cost other than one: each move is of one tile, and costs what that tile does.
//!
//! The estimate is the taxicab distance with each tile's part times its cost. A tile has to make
//! that many moves of its own, so it is never too high; and a move changes it by exactly its cost.

use super::{Query, Variant, best_first, ees, rbfs};
use crate::puzzle::{Cell, MAX_CELLS, Move, Packed, Problem, Size, Tile, Word};
use crate::search::{Algorithm, Meter, Stop};

pub(super) struct TileCosts {
    size: Size,
    /// The cell that each tile belongs into.
    homes: [Cell; MAX_CELLS],
    /// What each tile costs, in millionths, by its number on the searched board.
    costs: [u64; MAX_CELLS],
    /// Whether there is an estimate.
    is_guided: bool,
}

impl TileCosts {
    pub fn of(problem: &Problem, is_guided: bool) -> TileCosts {
        let (size, rules) = (problem.size(), problem.rules());
        let mut costs = [0; MAX_CELLS];
        for tile in 1..size.cells() as Tile {
            let given = problem.tile_as_given(tile);
            costs[usize::from(tile)] = rules.costs.of(given, size).millionths();
        }
        TileCosts {
            size,
            homes: problem.target().homes(),
            costs,
            is_guided,
        }
    }

    /// How many moves are left at least: the taxicab distance.
    pub fn moves_left<W: Word>(&self, state: Packed<W>) -> u64 {
        let distances = self.tiles(state).map(|(_, distance)| distance);
        distances.sum()
    }

    /// Each tile of a state, and how far it is from home.
    fn tiles<W: Word>(&self, state: Packed<W>) -> impl Iterator<Item = (usize, u64)> {
        let cells = (0..self.size.cells() as Cell).filter(move |&cell| cell != state.gap);
        cells.map(move |cell| {
            let tile = usize::from(state.cells.tile(cell));
            (tile, self.size.distance(cell, self.homes[tile]).into())
        })
    }
}

impl<W: Word> Variant<W> for TileCosts {
    type Carried = u64;

    const GOES_ON: bool = false;

    fn start(&self, state: Packed<W>) -> u64 {
        let parts = self.tiles(state).map(|(tile, far)| far * self.costs[tile]);
        parts.sum()
    }

    fn slid(&self, estimate: u64, tile: Tile, from: Cell, to: Cell) -> u64 {
        let tile = usize::from(tile);
        let home = self.homes[tile];
        match self.size.distance(to, home) < self.size.distance(from, home) {
            true => estimate - self.costs[tile],
            false => estimate + self.costs[tile],
        }
    }

    fn value(&self, estimate: u64) -> u64 {
        match self.is_guided {
            true => estimate,
            false => 0,
        }
    }

    fn cost(&self, tile: Tile) -> u64 {
        self.costs[usize::from(tile)]
    }

    fn widest(&self) -> Option<u64> {
        self.costs.iter().max().map(|most| 2 * most)
    }

    fn other(
        query: &Query<'_, W, TileCosts>,
        algorithm: Algorithm,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Move>, Stop> {
        match algorithm {
            Algorithm::Ees(weight) => ees::search(query, weight, meter),
            Algorithm::Rbfs => rbfs::search(query, meter),
            _ => best_first::search(query, algorithm, meter),
        }
    }
}
