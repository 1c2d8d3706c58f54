//! A*+IDA* and its thresholds, in one go and resumed.

use std::sync::Mutex;
use std::time::Duration;

use slidebench::puzzle::Problem;
use slidebench::search::{Control, Event, Iteration, Outcome, ResumePoint, Settings, solve};

/// A search, and what it said of its thresholds.
pub fn with_iterations(
    problem: &Problem,
    settings: &Settings<'_>,
    resume: Option<ResumePoint>,
) -> (Outcome, Vec<Iteration>) {
    let iterations = Mutex::new(Vec::new());
    let listener = |event: Event| {
        if let Event::Iteration(iteration) = event {
            iterations.lock().unwrap().push(iteration);
        }
    };
    let control = Control {
        listener: Some(&listener),
        resume,
        ..Control::default()
    };
    let outcome = solve(problem, settings, &control);
    (outcome, iterations.into_inner().unwrap())
}

pub fn complete(iterations: &[Iteration]) -> Vec<(u32, u64, u64)> {
    let complete = iterations.iter().filter(|it| it.complete);
    complete
        .map(|it| (it.threshold, it.expanded, it.generated))
        .collect()
}

/// What a search counted but for its last threshold.
fn before_last(outcome: &Outcome, iterations: &[Iteration]) -> u64 {
    outcome.stats.generated - iterations.last().unwrap().generated
}

/// Goes on from each threshold of a search, and has the next ones count what they count in one go; returns
/// all of them. The last one may be searched in another order.
pub fn same_when_resumed(problem: &Problem, settings: &Settings<'_>) -> Vec<(u32, u64, u64)> {
    let (whole, iterations) = with_iterations(problem, settings, None);
    let cost = whole.result.as_ref().unwrap().moves.len();
    let all = complete(&iterations);
    let mut sum = ResumePoint {
        threshold: 0,
        iterations: 0,
        expanded: 0,
        generated: 0,
        time: Duration::ZERO,
        cpu_time: None,
    };
    for (index, &(threshold, expanded, generated)) in all.iter().enumerate() {
        sum = ResumePoint {
            threshold,
            iterations: sum.iterations + 1,
            expanded: sum.expanded + expanded,
            generated: sum.generated + generated,
            ..sum
        };
        let (resumed, left) = with_iterations(problem, settings, Some(sum));
        assert_eq!(resumed.stats.iterations, whole.stats.iterations);
        assert_eq!(complete(&left), all[index + 1..], "behind {threshold}");
        assert_eq!(
            before_last(&resumed, &left),
            before_last(&whole, &iterations),
            "behind {threshold}"
        );
        assert_eq!(resumed.result.unwrap().moves.len(), cost);
    }
    all
}
