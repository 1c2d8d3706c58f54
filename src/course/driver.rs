//! The 8-puzzle driver: three searches, and a file of seven lines about the one that ran.

use std::fmt;

use super::{driver_astar, python};
use crate::puzzle::{Board, Goal, Move, Problem, Size, Unsolvable, named};
use crate::search::{Algorithm, Control, Outcome, Settings, Solution, Stats, solve};

/// The goal of this assignment, unless the caller says otherwise.
pub const GOAL: Goal = Goal::First;

/// The searches of the assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Breadth-first.
    Bfs,
    /// Depth-first.
    Dfs,
    /// A* with the taxicab distance, in the assignment's order of the queue.
    Ast,
}

named!(Method, "a method": Bfs "bfs", Dfs "dfs", Ast "ast");

/// Why the driver does not take a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the driver takes square boards from 3x3 to 5x5; this one is {0}")]
pub struct UnfitSize(pub Size);

/// The problem that the driver makes of a board; the inner error says it has no solution.
pub fn problem(board: &Board, goal: Goal) -> Result<Result<Problem, Unsolvable>, UnfitSize> {
    let size = board.size();
    if !size.is_square() || size.rows() < 3 || size.is_wide() {
        return Err(UnfitSize(size));
    }
    Ok(Problem::new(board, goal))
}

/// Runs a search: remove, check, expand, in that order, children in the order UDLR.
pub fn search(problem: &Problem, method: Method, control: &Control<'_>) -> Outcome {
    let algorithm = match method {
        Method::Bfs => Algorithm::Bfs,
        Method::Dfs => Algorithm::Dfs,
        Method::Ast => return driver_astar::solve(problem, control),
    };
    let settings = Settings::new(algorithm);
    solve(problem, &settings, control)
}

/// What the driver writes about a search that ended at the goal.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The path.
    pub solution: &'a Solution,
    /// What the search counted.
    pub stats: &'a Stats,
    /// The most memory the process had in use, in bytes.
    pub peak_rss: u64,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = &self.solution.moves;
        let path = python::list_of_words(moves.iter().map(|&mv| Move::name(mv)));
        let megabytes = self.peak_rss as f64 / (1024.0 * 1024.0);
        writeln!(f, "path_to_goal: {path}")?;
        writeln!(f, "cost_of_path: {}", moves.len())?;
        writeln!(f, "nodes_expanded: {}", self.stats.expanded)?;
        writeln!(f, "search_depth: {}", moves.len())?;
        writeln!(f, "max_search_depth: {}", self.stats.max_depth)?;
        writeln!(f, "running_time: {:.8}", self.stats.time.as_secs_f64())?;
        writeln!(f, "max_ram_usage: {megabytes:.8}")
    }
}
