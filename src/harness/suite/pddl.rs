//! Boards as planning problems, in PDDL.
//!
//! One domain for all sizes: tiles on cells, and a move of a tile into the gap. A plan has as many
//! actions as a solution has moves.

use std::fmt::Write;

use super::definition::{Instance, Suite};
use crate::puzzle::{Board, Cell, Move, Size};

/// What every file begins with.
pub const PDDL_MARK: &str = "; slidebench";

/// The domain: one action, `move`, of a tile into the gap.
pub fn pddl_domain() -> String {
    format!(
        "{PDDL_MARK}: sliding tiles of any size
(define (domain sliding-tiles)
  (:requirements :strips :typing)
  (:types tile cell)
  (:predicates
    (at ?tile - tile ?cell - cell)
    (gap ?cell - cell)
    (beside ?one - cell ?other - cell))
  (:action move
    :parameters (?tile - tile ?from - cell ?to - cell)
    :precondition (and (at ?tile ?from) (gap ?to) (beside ?from ?to))
    :effect (and
      (at ?tile ?to) (gap ?from)
      (not (at ?tile ?from)) (not (gap ?to)))))
"
    )
}

/// The problem of an instance: its board, and the goal of its suite.
pub fn pddl_problem(suite: &Suite, instance: &Instance) -> String {
    let board = &instance.board;
    let size = board.size();
    let goal = Board::solved(size, suite.goal);
    let optimal = instance.optimal.map_or(String::new(), |optimal| {
        format!(", shortest solution {optimal}")
    });
    let (suite_name, name) = (comment(&suite.name), comment(&instance.name));
    let mut text = format!("{PDDL_MARK}: {suite_name} {name}, {board}{optimal}\n");
    let (suite_name, name) = (word(&suite.name), word(&instance.name));
    let _ = writeln!(text, "(define (problem {suite_name}-{name})");
    text += "  (:domain sliding-tiles)\n  (:objects\n   ";
    for tile in 1..size.cells() {
        let _ = write!(text, " t{tile}");
    }
    text += " - tile\n   ";
    for cell in 0..size.cells() {
        let _ = write!(text, " {}", cell_name(size, cell as Cell));
    }
    text += " - cell)\n  (:init\n";
    text += &places(board);
    let _ = writeln!(text, "    (gap {})", cell_name(size, board.gap()));
    for cell in 0..size.cells() as Cell {
        for beside in Move::ALL
            .into_iter()
            .filter_map(|mv| size.neighbour(cell, mv))
        {
            let (one, other) = (cell_name(size, cell), cell_name(size, beside));
            let _ = writeln!(text, "    (beside {one} {other})");
        }
    }
    let _ = write!(text, "  )\n  (:goal (and\n{}  )))\n", places(&goal));
    text
}

/// Where the tiles are.
fn places(board: &Board) -> String {
    let mut text = String::new();
    for (cell, &tile) in board
        .tiles()
        .iter()
        .enumerate()
        .filter(|(_, tile)| **tile != 0)
    {
        let cell = cell_name(board.size(), cell as Cell);
        let _ = writeln!(text, "    (at t{tile} {cell})");
    }
    text
}

/// `r1c1` is the first cell.
fn cell_name(size: Size, cell: Cell) -> String {
    format!("r{}c{}", size.row_of(cell) + 1, size.col_of(cell) + 1)
}

/// A name as PDDL takes it: letters, digits and hyphens, a letter first.
pub fn word(name: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let kept: String = name.chars().map(keep).collect();
    match kept.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => kept,
        false => format!("p{kept}"),
    }
}

fn comment(name: &str) -> String {
    name.replace(char::is_control, "_")
}
