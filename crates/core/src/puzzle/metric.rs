//! What counts as one move.

use super::named::named;

/// What counts as one move, and so how far apart two boards are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Metric {
    /// One tile moves by one cell.
    #[default]
    Single,
    /// All tiles between the gap and a cell of its row or column move by one cell.
    Multi,
}

named!(Metric, "a metric": Single "single" "one tile a move", Multi "multi" "a row of tiles a move");
