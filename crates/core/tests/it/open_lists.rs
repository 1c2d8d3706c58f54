//! A*+IDA* with open lists of any length, and tables for it.

use std::sync::LazyLock;

use slidebench::heuristic::{Estimate, Patterns};
use slidebench::lookup::{BuildControl, Collection};
use slidebench::puzzle::{Problem, Size};
use slidebench::search::{Algorithm, Control, Prune, Settings, solve};

fn patterns(size: &str, collection: &str) -> Patterns {
    let collection = Collection::parse(collection, size.parse().unwrap()).unwrap();
    Patterns::build(collection, true, &BuildControl::default()).unwrap()
}

pub static PATTERNS: LazyLock<Vec<Patterns>> = LazyLock::new(|| {
    vec![
        patterns("2x3", ".AB/BAA"),
        patterns("3x3", "4-4+.AB/BAB/ABA"),
        patterns("4x4", "5-5-5"),
        patterns("5x5", "5-5-5-5-4"),
    ]
});

pub fn estimates(size: Size) -> Vec<Estimate<'static>> {
    let tables = PATTERNS.iter().filter(|it| it.size() == size);
    (Estimate::COMPUTED.into_iter())
        .chain(tables.map(Estimate::Patterns))
        .collect()
}

pub fn with(heuristic: Estimate<'_>, open: usize, prune: Option<Prune>) -> Settings<'_> {
    Settings {
        heuristic,
        open: Some(open),
        prune,
        ..Settings::new(Algorithm::AStarIdaStar)
    }
}

pub fn cost(problem: &Problem, settings: &Settings<'_>) -> usize {
    let solution = solve(problem, settings, &Control::default()).result;
    let solution = solution.unwrap();
    assert!(solution.verified);
    solution.moves.len()
}
