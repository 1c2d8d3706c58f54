//! Units of long searches: a threshold in parts counts what it counts as a whole, node for node.

use slidebench::heuristic::{HeuristicName, Prepared, Tables};
use slidebench::lookup::{BuildControl, Directory};
use slidebench::puzzle::{Goal, Problem, parse_board};
use slidebench::search::{EngineChoice, Prune};

use crate::units::{compare, with};

fn patterns(name: &str, size: &str) -> Prepared {
    let folder = tempfile::tempdir().unwrap();
    let name: HeuristicName = name.parse().unwrap();
    let control = BuildControl {
        cancel: None,
        listener: None,
    };
    let tables = Tables::new(Directory::new(folder.path()));
    tables
        .prepare(&name, size.parse().unwrap(), &control)
        .unwrap()
}

/// Pattern databases, which have an engine of their own.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn parts_with_pattern_databases_add_up() {
    let four = patterns("pdb:5-5-5", "4x4");
    let five = patterns("pdb:5-5-5-5-4", "5x5");
    let boards = [
        ("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", &four),
        ("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", &four),
        (
            "5 3 9 8 24 10 2 18 13 23 6 12 0 4 14 15 21 1 22 19 11 16 20 17 7",
            &five,
        ),
    ];
    for (board, prepared) in boards {
        let problem = Problem::new(&parse_board(board, None).unwrap(), Goal::First).unwrap();
        for prune in [None, Prune::new(6)] {
            for engine in [EngineChoice::Scalar, EngineChoice::Batched] {
                compare(&problem, &with(prepared.estimate(), engine, prune), 100);
            }
        }
    }
}
