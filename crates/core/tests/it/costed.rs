//! Searches of boards whose tiles have costs.

use slidebench::puzzle::{Board, Cost, Costs, Goal, Metric, Problem, Rules};
use slidebench::search::{Algorithm, Control, Settings, solve};

pub const SEARCHES: [Algorithm; 3] = [Algorithm::Bfs, Algorithm::AStar, Algorithm::IdaStar];
pub const REAL: [Costs; 4] = [Costs::Heavy, Costs::Sqrt, Costs::Inverse, Costs::Reverse];

pub fn rules(goal: Goal, costs: Costs) -> Rules {
    Rules {
        goal,
        metric: Metric::Single,
        costs,
    }
}

pub fn cost(board: &Board, rules: Rules, settings: &Settings<'_>) -> Cost {
    let problem = Problem::new(board, rules).unwrap();
    let solution = solve(&problem, settings, &Control::default()).result;
    let solution = solution.unwrap();
    assert!(solution.verified);
    solution.cost
}
