//! Boards of suites, and forecasts of their searches.

use slidebench::harness::analysis::{Budget, Forecast, forecast};
use slidebench::harness::suite::{Asked, Suite, built_in, parse_suite};
use slidebench::heuristic::Estimate;
use slidebench::puzzle::Problem;
use slidebench::search::{Algorithm, Control, Settings};

/// The boards of a built-in suite with their costs, those of some numbers.
pub fn problems(name: &str, wanted: impl Fn(usize) -> bool) -> Vec<(Problem, Option<u32>)> {
    let text = built_in(name).unwrap().text;
    let suite = parse_suite(name, text.as_bytes(), Asked::default()).unwrap();
    problems_of(&suite, wanted)
}

pub fn problems_of(suite: &Suite, wanted: impl Fn(usize) -> bool) -> Vec<(Problem, Option<u32>)> {
    let numbered = suite.instances.iter().zip(1..);
    let numbered = numbered.filter(|(_, number)| wanted(*number));
    let problem = |board| Problem::new(board, suite.goal).unwrap();
    let problems = numbered.map(|(instance, _)| (problem(&instance.board), instance.optimal));
    problems.collect()
}

pub fn with(heuristic: Estimate<'_>) -> Settings<'_> {
    Settings {
        heuristic,
        ..Settings::new(Algorithm::IdaStar)
    }
}

pub fn forecast_of(problem: &Problem, settings: &Settings<'_>, budget: Budget) -> Forecast {
    forecast(problem, settings, budget, &Control::default()).unwrap()
}
