//! The boards that runs began with. Rows do not hold them, but a solution played backwards from
//! the goal ends at its start.

use std::collections::HashMap;

use super::series::Run;
use crate::harness::record::Row;
use crate::harness::suite::{Asked, Suite, built_in};
use crate::puzzle::{Board, Goal, Move, Size};

/// What an instance is called.
type Name<'a> = (&'a str, &'a str);

/// The starts of all instances that are known.
pub struct Starts<'a> {
    solved: HashMap<Name<'a>, (Board, Goal)>,
    suites: HashMap<&'a str, Suite>,
}

impl<'a> Starts<'a> {
    /// From what was solved, and from the suites that are built in.
    pub fn new(runs: &[Run<'a>]) -> Starts<'a> {
        let mut starts = Starts {
            solved: HashMap::new(),
            suites: HashMap::new(),
        };
        for row in runs.iter().map(|run| run.row) {
            if let Some(start) = played_back(row) {
                starts.solved.insert(name(row), start);
            } else if let Some(suite) = built_in(&row.suite) {
                starts.suites.entry(&row.suite).or_insert_with(|| {
                    let parsed = Suite::parse(suite.name, suite.text.as_bytes(), Asked::default());
                    parsed.expect("what is built in was tested")
                });
            }
        }
        starts
    }

    /// The start of a run: from its own solution, from another run of the same instance, or from
    /// its suite.
    pub fn of(&self, row: &Row) -> Option<(Board, Goal)> {
        let (size, goal) = puzzle(row)?;
        let fits = |(board, other): &(Board, Goal)| board.size() == size && *other == goal;
        played_back(row)
            .or_else(|| self.solved.get(&name(row)).copied().filter(fits))
            .or_else(|| {
                let suite = self.suites.get(row.suite.as_str())?;
                let mut instances = suite.instances.iter();
                let instance = instances.find(|instance| instance.name == row.instance)?;
                Some((instance.board, suite.goal)).filter(fits)
            })
    }
}

fn name(row: &Row) -> Name<'_> {
    (&row.suite, &row.instance)
}

fn puzzle(row: &Row) -> Option<(Size, Goal)> {
    let size = Size::new(row.rows, row.cols).ok()?;
    Some((size, row.goal.parse().ok()?))
}

/// The board from which the solution of a row leads to the goal.
fn played_back(row: &Row) -> Option<(Board, Goal)> {
    let (size, goal) = puzzle(row)?;
    let solution = row
        .solution
        .as_ref()
        .filter(|_| row.verified == Some(true))?;
    let moves = solution.chars().rev().map(Move::from_letter);
    let back: Option<Vec<Move>> = moves.map(|mv| mv.map(Move::opposite)).collect();
    Some((Board::solved(size, goal).replay(&back?)?, goal))
}
