//! What it costs to move a tile.

use super::named::named;
use super::{Cost, Size, Tile};

/// What it costs to move a tile by one cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Costs {
    /// One, whatever the tile.
    #[default]
    Unit,
    /// The number of the tile.
    Heavy,
    /// The square root of its number.
    Sqrt,
    /// One divided by its number.
    Inverse,
    /// Its number counted from the last tile: that one costs 1, and tile 1 the most.
    Reverse,
}

named!(
    Costs,
    "a way to cost moves":
    Unit "unit" "1 for every tile",
    Heavy "heavy" "the tile's number",
    Sqrt "sqrt" "its square root",
    Inverse "inverse" "1 divided by it",
    Reverse "reverse" "counted from the last tile",
);

impl Costs {
    /// The cost of a tile on boards of a size, rounded to the nearest millionth.
    pub fn of(self, tile: Tile, size: Size) -> Cost {
        let number = u64::from(tile).max(1);
        Cost::from_millionths(match self {
            Costs::Unit => Cost::SCALE,
            Costs::Heavy => number * Cost::SCALE,
            // Twice the number rounded down, and half of that rounded up: the nearest.
            Costs::Sqrt => (4 * number * Cost::SCALE * Cost::SCALE).isqrt().div_ceil(2),
            Costs::Inverse => (2 * Cost::SCALE / number).div_ceil(2),
            Costs::Reverse => (size.cells() as u64 - number) * Cost::SCALE,
        })
    }
}
