//! What comes of a search: a path that was replayed, or why there is none, and what it counted.

use std::time::Duration;

use super::{EngineChoice, Stop};
use crate::puzzle::{Cost, Move, Problem};

/// What a search counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// The estimate at the start.
    pub h0: u32,
    /// The same where tiles have costs of their own.
    pub h0_cost: Option<Cost>,
    /// Nodes whose children were made.
    pub expanded: u64,
    /// The start and every child made (Korf's count).
    pub generated: u64,
    /// States that were expanded again.
    pub reopened: u64,
    /// States in memory at the end.
    pub stored: u64,
    /// The deepest node that was kept.
    pub max_depth: u32,
    /// The most nodes that waited to be expanded at one time.
    pub max_frontier: u64,
    /// Thresholds or depth limits tried; of A* layers of f that were begun, and of searches from both
    /// ends lower bounds.
    pub iterations: u32,
    /// The f, threshold or lower bound that was searched last: no solution is shorter.
    pub f_reached: u32,
    /// No solution costs less, as far as the search has proven; `None` where it has proven nothing.
    pub lower_bound: Option<u32>,
    /// The same where tiles have costs of their own.
    pub lower_bound_cost: Option<Cost>,
    /// The limit that ended an anytime search which had found a solution; `None` where it came to its
    /// end.
    pub stopped_by: Option<Stop>,
    /// Wall time, tables aside.
    pub time: Duration,
    /// CPU time of the threads that searched; `None` where the system does not say.
    pub cpu_time: Option<Duration>,
    /// The most bytes held at one time, tables aside.
    pub peak_memory: u64,
    /// The engine of IDA*: the one of the last threshold, since [`EngineChoice::Auto`] takes one
    /// for each threshold, by how many nodes it is expected to have. Never `Auto`; `None` where
    /// no threshold was searched.
    pub engine: Option<EngineChoice>,
}

impl Stats {
    /// The cost that no solution is below, as far as that is proven.
    pub fn least_cost(&self) -> Option<Cost> {
        self.lower_bound_cost.or(self.lower_bound.map(Cost::from))
    }
}

/// How a search ended.
///
/// ```
/// use slidebench::puzzle::{Board, Goal, Problem};
/// use slidebench::search::{Algorithm, Control, Settings, solve};
///
/// let board: Board = "1 2 / . 3".parse()?;
/// let problem = Problem::new(&board, Goal::Last)?;
/// let outcome = solve(&problem, &Settings::new(Algorithm::Bfs), &Control::default());
/// match outcome.result {
///     Ok(solution) => assert_eq!(solution.moves.len(), 1),
///     Err(stop) => println!("{stop}, after {} nodes", outcome.stats.generated),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The path, or why there is none.
    pub result: Result<Solution, Stop>,
    /// What the search counted until then.
    pub stats: Stats,
}

impl Outcome {
    /// Replays the moves that were found on the searched board.
    pub fn new(problem: &Problem, found: Result<Vec<Move>, Stop>, stats: Stats) -> Outcome {
        let result = found.map(|moves| {
            let moves = problem.moves_as_given(moves);
            let verified = problem.is_solved_by(&moves);
            let cost = problem.rules().cost(problem.board(), &moves);
            Solution {
                moves,
                cost,
                verified,
            }
        });
        Outcome { result, stats }
    }
}

/// A path to the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Moves of the gap on the board as it was given, by one cell each.
    pub moves: Vec<Move>,
    /// What they cost by the rules of the problem.
    pub cost: Cost,
    /// Whether a replay, move by move on a plain board, ended on the goal.
    pub verified: bool,
}
