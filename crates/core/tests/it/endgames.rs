//! Endgame tables that are built for a test, and searches that end in them.

use std::sync::Mutex;

use slidebench::lookup::BuildControl;
use slidebench::lookup::endgame::{Builder, BuiltEndgame, Until};
use slidebench::puzzle::Problem;
use slidebench::search::{Control, Event, Outcome, Settings, solve};

pub fn built(size: &str, depth: u32) -> BuiltEndgame {
    let builder = Builder {
        size: size.parse().unwrap(),
        until: Until::Depth(depth),
        memory: None,
        control: BuildControl::default(),
    };
    builder.build().unwrap()
}

/// A search, and the nodes of its thresholds that are complete.
pub fn run(problem: &Problem, settings: &Settings<'_>) -> (Outcome, Vec<(u32, u64)>) {
    let thresholds = Mutex::new(Vec::new());
    let listener = |event: Event| {
        if let Event::Iteration(iteration) = event
            && iteration.complete
        {
            let nodes = (iteration.threshold, iteration.generated);
            thresholds.lock().unwrap().push(nodes);
        }
    };
    let control = Control {
        listener: Some(&listener),
        ..Control::default()
    };
    let outcome = solve(problem, settings, &control);
    let solution = outcome.result.as_ref().expect("no limit is set");
    assert!(solution.verified);
    (outcome, thresholds.into_inner().unwrap())
}

pub fn cost(outcome: &Outcome) -> usize {
    outcome.result.as_ref().unwrap().moves.len()
}
