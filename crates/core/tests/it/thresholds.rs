//! IDA* with its thresholds, and engines that have to have the same ones.

use std::sync::Mutex;

use slidebench::heuristic::Estimate;
use slidebench::puzzle::Problem;
use slidebench::search::{
    Algorithm, Control, EngineChoice, Event, Iteration, Outcome, Settings, solve,
};

/// A search, and its thresholds without their times.
pub fn run(problem: &Problem, settings: &Settings<'_>) -> (Outcome, Vec<(u32, u64, u64, bool)>) {
    let iterations = Mutex::new(Vec::new());
    let listener = |event: Event| {
        if let Event::Iteration(Iteration {
            threshold,
            expanded,
            generated,
            complete,
            ..
        }) = event
        {
            let counts = (threshold, expanded, generated, complete);
            iterations.lock().unwrap().push(counts);
        }
    };
    let control = Control {
        listener: Some(&listener),
        ..Control::default()
    };
    let outcome = solve(problem, settings, &control);
    assert!(
        outcome
            .result
            .as_ref()
            .is_ok_and(|solution| solution.verified)
    );
    (outcome, iterations.into_inner().unwrap())
}

pub fn with(heuristic: Estimate<'static>, engine: EngineChoice) -> Settings<'static> {
    Settings {
        heuristic,
        engine,
        ..Settings::new(Algorithm::IdaStar)
    }
}

pub fn cost(outcome: &Outcome) -> usize {
    outcome.result.as_ref().unwrap().moves.len()
}

/// The order ULRD has engines of its own for 4x4 and 5x5, any other the plain recursion;
/// complete thresholds have the same nodes in every order.
pub fn assert_engines_agree(problem: &Problem) {
    for heuristic in [Estimate::Taxicab, Estimate::LinearConflict] {
        let (scalar, thresholds) = run(problem, &with(heuristic, EngineChoice::Scalar));
        let is_solved = thresholds.is_empty();
        assert_eq!(
            scalar.stats.engine,
            (!is_solved).then_some(EngineChoice::Scalar)
        );
        let (batched, batched_thresholds) = run(problem, &with(heuristic, EngineChoice::Batched));
        assert_eq!(thresholds, batched_thresholds);
        assert_eq!(scalar.result, batched.result);
        let plain = Settings {
            order: Some("UDLR".parse().unwrap()),
            ..with(heuristic, EngineChoice::Auto)
        };
        let (plain, plain_thresholds) = run(problem, &plain);
        assert_eq!(cost(&plain), cost(&scalar));
        let complete = thresholds.len().saturating_sub(1);
        assert_eq!(thresholds[..complete], plain_thresholds[..complete]);
    }
}
