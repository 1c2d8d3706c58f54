//! Boards that are solved row by row, one or all of a size.

use slidebench::puzzle::{Board, Goal, Problem, Size};
use slidebench::search::{Algorithm, Control, Settings, solve};

/// The moves that it takes, after checking that they lead to the goal; `None` where nothing does.
pub fn solved(board: &Board, goal: Goal) -> Option<usize> {
    let problem = Problem::new(board, goal).ok()?;
    let outcome = solve(
        &problem,
        &Settings::new(Algorithm::Rows),
        &Control::default(),
    );
    let solution = outcome.result.expect("no board is too hard");
    assert!(solution.verified, "{board} to {goal}");
    let solved = board.replay(&solution.moves);
    assert_eq!(
        solved,
        Some(Board::solved(board.size(), goal)),
        "{board} to {goal}"
    );
    let moves = solution.moves.len();
    assert_eq!(outcome.stats.generated, moves as u64 + 1);
    Some(moves)
}

/// Calls `visit` with every order of the tiles.
fn each_permutation(tiles: &mut [u32], from: usize, visit: &mut dyn FnMut(&[u32])) {
    if from == tiles.len() {
        return visit(tiles);
    }
    for other in from..tiles.len() {
        tiles.swap(from, other);
        each_permutation(tiles, from + 1, visit);
        tiles.swap(from, other);
    }
}

/// Solves each board of a size that can be.
pub fn solves_all(size: &str, solvable: usize) {
    let size: Size = size.parse().unwrap();
    for goal in [Goal::First, Goal::Last] {
        let mut count = 0;
        let mut tiles: Vec<u32> = (0..size.cells() as u32).collect();
        each_permutation(&mut tiles, 0, &mut |tiles| {
            let board = Board::new(size, tiles).unwrap();
            count += usize::from(solved(&board, goal).is_some());
        });
        assert_eq!(count, solvable, "{size} to {goal}");
    }
}
