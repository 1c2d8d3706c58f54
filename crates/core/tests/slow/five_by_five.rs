//! 5x5: every estimate and an endgame table agree on what a board costs.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;
use slidebench::harness::suite::Random;
use slidebench::harness::suite::generate::{Kind, walks};
use slidebench::heuristic::{Estimate, Prepared, Tables};
use slidebench::lookup::endgame::{Builder, Until};
use slidebench::lookup::{BuildControl, Directory, Endgame};
use slidebench::puzzle::{Goal, Metric, Problem, Size};
use slidebench::search::{Algorithm, Control, Limits, Prune, Settings, Stop, solve};

const SIZE: &str = "5x5";
const WALKS: usize = 100;
const LENGTH: usize = 60;
/// 29,285 states, where most of these boards have 40 moves and more.
const ENDGAME: u32 = 14;

fn size() -> Size {
    SIZE.parse().unwrap()
}

/// An estimate whose tables are built in memory.
fn built(name: &str) -> Prepared {
    let tables = Tables::new(Directory::new("no such folder"));
    let name = name.parse().unwrap();
    let prepared = tables.prepare(&name, size(), &BuildControl::default());
    prepared.unwrap()
}

fn problems(goal: Goal, seed: u64) -> Vec<Problem> {
    let kind = Kind {
        size: size(),
        goal,
        metric: Metric::Single,
    };
    let walks = walks(kind, LENGTH, WALKS / 2, &mut Random::new(seed));
    let boards = walks.into_iter().map(|instance| instance.board);
    boards
        .map(|board| Problem::new(&board, goal).unwrap())
        .collect()
}

/// The cost, of moves that were replayed.
fn cost(problem: &Problem, settings: &Settings<'_>) -> usize {
    let solution = solve(problem, settings, &Control::default()).result;
    let solution = solution.unwrap();
    assert!(solution.verified);
    solution.moves.len()
}

fn few_nodes() -> Control<'static> {
    Control {
        limits: Limits {
            nodes: Some(20_000_000),
            ..Limits::default()
        },
        ..Control::default()
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn estimates_and_endgame_agree_on_a_hundred_walks() {
    let builder = Builder {
        size: size(),
        until: Until::Depth(ENDGAME),
        memory: None,
        control: BuildControl::default(),
    };
    let endgame: Endgame = builder.build().unwrap().into();
    let (patterns, walking) = (built("pdb:5-5-5-5-4"), built("wd"));
    let plain = |heuristic| Settings {
        heuristic,
        ..Settings::new(Algorithm::IdaStar)
    };
    let (longest, by_taxicab) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut hundred = problems(Goal::First, 1);
    hundred.extend(problems(Goal::Last, 2));
    assert_eq!(hundred.len(), WALKS);
    hundred.par_iter().for_each(|problem| {
        let patterns = plain(patterns.estimate());
        let expected = cost(problem, &patterns);
        assert!(expected <= LENGTH && expected.is_multiple_of(2));
        longest.fetch_max(expected, Relaxed);
        for other in [
            plain(Estimate::LinearConflict),
            Settings {
                // Some boards take it hundreds of millions of nodes without.
                prune: Prune::new(12),
                ..plain(walking.estimate())
            },
            Settings {
                endgame: Some(&endgame),
                ..patterns
            },
        ] {
            let board = problem.board();
            assert_eq!(cost(problem, &other), expected, "{board}: {other:?}");
        }
        // Some of them take taxicab billions of nodes.
        let taxicab = plain(Estimate::Taxicab);
        match solve(problem, &taxicab, &few_nodes()).result {
            Ok(solution) => {
                assert_eq!(solution.moves.len(), expected, "{}", problem.board());
                by_taxicab.fetch_add(1, Relaxed);
            }
            Err(stop) => assert_eq!(stop, Stop::Nodes),
        }
    });
    let (longest, by_taxicab) = (longest.into_inner(), by_taxicab.into_inner());
    assert!(by_taxicab > WALKS / 2, "taxicab solved {by_taxicab}");
    assert!(longest > 2 * ENDGAME as usize, "the boards are too easy");
}
