//! The boards that runs began with, where a row does not have its own: rows of schema 1, and of
//! others. A solution played backwards from the goal ends at its start, and suites that are built
//! in are known.

use std::collections::HashMap;

use super::series::Run;
use crate::harness::record::Row;
use crate::harness::suite::{Asked, Suite, built_in, parse_suite};
use crate::puzzle::{Board, Goal, Move};

/// The starts of instances, as far as rows without a board need them.
pub struct Starts<'a> {
    suites: HashMap<&'a str, Suite>,
    solved: HashMap<(&'a str, &'a str), (Board, Goal)>,
}

impl<'a> Starts<'a> {
    pub fn new(runs: &[Run<'a>]) -> Starts<'a> {
        let (mut suites, mut solved) = (HashMap::new(), HashMap::new());
        let rows = runs.iter().map(|run| run.row);
        for row in rows.filter(|row| row.board.is_empty()) {
            if let Some(suite) = built_in(&row.suite) {
                suites.entry(row.suite.as_str()).or_insert_with(|| {
                    let parsed = parse_suite(suite.name, suite.text.as_bytes(), Asked::default());
                    parsed.expect("what is built in was tested")
                });
            } else if let Some(start) = played_back(row) {
                solved.insert((row.suite.as_str(), row.instance.as_str()), start);
            }
        }
        Starts { suites, solved }
    }

    /// The start of a run: its own, the one of its suite, or where its solution or that of
    /// another run of the instance leads back to.
    pub fn of(&self, row: &Row) -> Option<(Board, Goal)> {
        row.start()
            .or_else(|| self.in_suite(row))
            .or_else(|| played_back(row))
            .or_else(|| {
                let solved = self.solved.get(&(&row.suite[..], &row.instance[..]));
                let is_its =
                    |(board, goal): &&(Board, Goal)| row.puzzle() == Some((board.size(), *goal));
                solved.filter(is_its).copied()
            })
    }

    /// The instance of that name, unless the row is about another size or goal.
    fn in_suite(&self, row: &Row) -> Option<(Board, Goal)> {
        let suite = self.suites.get(row.suite.as_str())?;
        let board = suite.instance(&row.instance)?.board;
        let says_nothing = row.rows.is_none() && row.cols.is_none() && row.goal.is_empty();
        let goal = suite.goal.of_size(board.size());
        let is_its = row.puzzle() == Some((board.size(), goal));
        (says_nothing || is_its).then_some((board, goal))
    }
}

/// The board from which the solution of a row leads to the goal.
fn played_back(row: &Row) -> Option<(Board, Goal)> {
    let (size, goal) = row.puzzle()?;
    let solution = row
        .solution
        .as_ref()
        .filter(|_| row.verified == Some(true))?;
    let moves = solution.chars().rev().map(Move::from_letter);
    let back: Option<Vec<Move>> = moves.map(|mv| mv.map(Move::opposite)).collect();
    Some((Board::solved(size, goal).replay(&back?)?, goal))
}
