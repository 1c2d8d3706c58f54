//! Thresholds in parts, and as a whole.

use std::sync::Mutex;

use slidebench::heuristic::Estimate;
use slidebench::puzzle::Problem;
use slidebench::search::{
    Algorithm, Control, EngineChoice, Event, NodeCounts, Prune, Settings, Stop, Unit, search_unit,
    solve, split,
};

/// A threshold of one search: its number, its nodes, and whether it was exhausted.
pub type Whole = (u32, NodeCounts, bool);

/// The thresholds of one search.
pub fn thresholds(problem: &Problem, settings: &Settings<'_>) -> Vec<Whole> {
    let thresholds = Mutex::new(Vec::new());
    let listener = |event: Event| {
        if let Event::Iteration(it) = event {
            let nodes = NodeCounts {
                expanded: it.expanded,
                generated: it.generated,
            };
            thresholds
                .lock()
                .unwrap()
                .push((it.threshold, nodes, it.complete));
        }
    };
    let control = Control {
        listener: Some(&listener),
        ..Control::default()
    };
    solve(problem, settings, &control).result.unwrap();
    thresholds.into_inner().unwrap()
}

pub fn units(
    problem: &Problem,
    threshold: u32,
    wanted: usize,
    settings: &Settings<'_>,
) -> Vec<Unit> {
    split(
        problem,
        Some(threshold),
        wanted,
        settings,
        &Control::default(),
    )
    .unwrap()
}

/// Runs units until one has a solution: what they counted, and whether none has.
pub fn run_units(problem: &Problem, units: &[Unit], settings: &Settings<'_>) -> (NodeCounts, bool) {
    let mut nodes = NodeCounts::default();
    for unit in units {
        let outcome = search_unit(problem, unit, settings, &Control::default());
        nodes.expanded += outcome.stats.expanded;
        nodes.generated += outcome.stats.generated;
        match outcome.result {
            Ok(solution) => {
                assert!(solution.verified);
                assert_eq!(solution.moves.len(), unit.threshold as usize);
                assert_eq!(solution.moves[..unit.moves.len()], unit.moves);
                return (nodes, false);
            }
            Err(stop) => assert_eq!(stop, Stop::Exhausted),
        }
    }
    (nodes, true)
}

/// Every threshold in parts against the whole, the last one up to its solution.
pub fn compare(problem: &Problem, settings: &Settings<'_>, wanted: usize) {
    for (threshold, nodes, complete) in thresholds(problem, settings) {
        let units = units(problem, threshold, wanted, settings);
        assert!(!units.is_empty());
        assert_eq!(
            run_units(problem, &units, settings),
            (nodes, complete),
            "{threshold}"
        );
    }
}

pub fn with<'a>(
    heuristic: Estimate<'a>,
    engine: EngineChoice,
    prune: Option<Prune>,
) -> Settings<'a> {
    Settings {
        heuristic,
        engine,
        prune,
        ..Settings::new(Algorithm::IdaStar)
    }
}
