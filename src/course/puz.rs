//! A solution as a list of tile moves, or `None`.

use super::python;
use crate::puzzle::{Goal, Move, Notation, Problem};
use crate::search::{Algorithm, Control, Outcome, Settings, solve};

/// The goal of this assignment, unless the caller says otherwise.
pub const GOAL: Goal = Goal::Last;

/// Finds a shortest solution.
pub fn search(problem: &Problem, control: &Control<'_>) -> Outcome {
    let settings = Settings::new(Algorithm::IdaStar);
    solve(problem, &settings, control)
}

/// The moves of the tiles as `['U', 'U', 'L']`; `None` stands for no solution.
pub fn list(moves: Option<&[Move]>) -> String {
    match moves {
        Some(moves) => {
            let letters = moves.iter().map(|&mv| Notation::Tile.of(mv).letter());
            python::list_of_words(letters)
        }
        None => "None".to_owned(),
    }
}
