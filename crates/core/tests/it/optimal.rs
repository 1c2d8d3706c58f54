//! Searches that claim a shortest solution, and so have to find the same cost.

use slidebench::heuristic::Estimate;
use slidebench::puzzle::Problem;
use slidebench::search::{Algorithm, Control, Settings, Solution, solve};

use crate::estimates::estimates;

pub fn settings(algorithm: Algorithm, heuristic: Estimate<'static>) -> Settings<'static> {
    Settings {
        heuristic,
        ..Settings::new(algorithm)
    }
}

pub fn solution(problem: &Problem, settings: &Settings<'_>) -> Solution {
    let outcome = solve(problem, settings, &Control::default());
    let solution = outcome.result.expect("no limit is set");
    assert!(solution.verified);
    assert!(outcome.stats.generated >= outcome.stats.expanded);
    solution
}

/// All settings that claim a shortest solution of this problem.
fn optimal_settings(problem: &Problem) -> impl Iterator<Item = Settings<'static>> {
    let size = problem.size();
    let optimal = Algorithm::ALL
        .into_iter()
        .filter(|search| search.is_optimal());
    optimal.flat_map(move |algorithm| {
        let readable = match algorithm.is_informed() {
            true => estimates(size),
            false => vec![Estimate::Zero],
        };
        // Without an estimate recursive best-first search begins anew with every move.
        let is_endless = algorithm == Algorithm::Rbfs && size.cells() > 9;
        let readable = readable.into_iter();
        readable
            .filter(move |it| !(is_endless && *it == Estimate::Zero))
            .map(move |heuristic| settings(algorithm, heuristic))
            .filter(|settings| settings.check(problem).is_ok())
    })
}

/// Every search with every estimate finds the same cost.
pub fn assert_one_cost(problem: &Problem) {
    let costs: Vec<(Settings<'_>, usize)> = optimal_settings(problem)
        .map(|settings| (settings, solution(problem, &settings).moves.len()))
        .collect();
    assert!(
        costs.iter().all(|(_, cost)| *cost == costs[0].1),
        "{costs:?}"
    );
}
