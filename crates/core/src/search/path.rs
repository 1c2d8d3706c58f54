//! From a state back to where the search came from.

use crate::puzzle::{Move, Packed, Size, Word};

/// The moves that led to `state`, by undoing the move that each state was reached by until
/// one was reached by none.
pub fn trace_back<W: Word>(
    mut state: Packed<W>,
    size: Size,
    reached_by: impl Fn(Packed<W>) -> Option<Move>,
) -> Vec<Move> {
    let mut moves = Vec::new();
    while let Some(mv) = reached_by(state) {
        moves.push(mv);
        let from = size.neighbour(state.gap, mv.opposite());
        (state, _) = state.slide(from.expect("a move on the board can be undone"));
    }
    moves.reverse();
    moves
}
