//! Boards reached by random moves.

use proptest::prelude::*;
use slidebench::puzzle::{Board, Goal, Move};

/// A board some random moves away from the goal, on any of the sizes.
pub fn walks(sizes: &'static [&'static str], most: usize) -> impl Strategy<Value = (Board, Goal)> {
    let goal = prop_oneof![Just(Goal::First), Just(Goal::Last)];
    let moves = prop::collection::vec(prop::sample::select(&Move::ALL), 0..=most);
    (prop::sample::select(sizes), goal, moves).prop_map(|(size, goal, moves)| {
        let solved = Board::solved(size.parse().unwrap(), goal);
        let walk = moves
            .iter()
            .fold(solved, |board, &mv| board.after(mv).unwrap_or(board));
        (walk, goal)
    })
}
