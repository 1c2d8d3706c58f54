//! Endgame tables of many depths: searches that end in them find the costs of those that do not.

use std::cell::Cell;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use slidebench::heuristic::Estimate;
use slidebench::lookup::Endgame;
use slidebench::puzzle::Problem;
use slidebench::search::{Algorithm, Control, Limits, Prune, Settings, Stop, solve};

use crate::endgames::{built, cost, run};
use crate::estimates::estimates;
use crate::walks::walks;

/// Tables of several depths for a few sizes.
static TABLES: LazyLock<Vec<Endgame>> = LazyLock::new(|| {
    let tables = [
        ("2x3", [0, 5, 10, 31]),
        ("3x3", [1, 8, 13, 20]),
        ("3x4", [0, 9, 14, 16]),
        ("4x4", [0, 7, 12, 15]),
        ("5x5", [1, 6, 9, 11]),
    ];
    let all = tables.iter().flat_map(|(size, depths)| {
        let build = move |&depth: &u32| built(size, depth).into();
        depths.iter().map(build)
    });
    all.collect()
});

/// Costs with tables against costs without, for one board: how many searches without an estimate
/// ended within a few nodes, and so could be compared. All others have to.
fn compared_without_estimate(problem: &Problem) -> usize {
    // Without an estimate only near boards are a matter of moments.
    let limits = Limits {
        nodes: Some(300_000),
        ..Limits::default()
    };
    let control = Control {
        limits,
        ..Control::default()
    };
    let mut compared = 0;
    for heuristic in estimates(problem.size()) {
        let is_zero = matches!(heuristic, Estimate::Zero);
        for algorithm in [Algorithm::IdaStar, Algorithm::AStar] {
            let settings = Settings {
                heuristic,
                ..Settings::new(algorithm)
            };
            let plain = solve(problem, &settings, &control);
            if let (Err(stop), true) = (&plain.result, is_zero) {
                assert_eq!(*stop, Stop::Nodes);
                continue;
            }
            compared += usize::from(is_zero);
            let tables = TABLES.iter().filter(|it| it.size() == problem.size());
            for endgame in tables {
                let settings = Settings {
                    endgame: Some(endgame),
                    ..settings
                };
                let (ended, _) = run(problem, &settings);
                assert_eq!(cost(&ended), cost(&plain), "{settings:?} {endgame:?}");
            }
        }
    }
    compared
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn a_table_keeps_every_cost() {
    const CASES: u32 = 30;
    let config = ProptestConfig {
        source_file: Some(file!()),
        ..ProptestConfig::with_cases(CASES)
    };
    let compared = Cell::new(0);
    let boards = walks(&["2x3", "3x3", "3x4", "4x4", "5x5"], 60);
    let result = TestRunner::new(config).run(&boards, |(board, goal)| {
        let problem = Problem::new(&board, goal).unwrap();
        compared.set(compared.get() + compared_without_estimate(&problem));
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
    // Two searches a board, of which nearly all end in time.
    let (compared, all) = (compared.get(), 2 * CASES as usize);
    println!("without an estimate {compared} of {all} could be compared");
    assert!(compared * 4 >= all * 3, "{compared} of {all}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// The order ULRD has a recursion of its own for 4x4 and 5x5, any other the textbook's.
    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
    fn explorers_agree_at_the_perimeter((board, goal) in walks(&["4x4", "5x5"], 110)) {
        let problem = Problem::new(&board, goal).unwrap();
        for endgame in TABLES.iter().filter(|table| table.size() == board.size()) {
            for heuristic in [Estimate::Taxicab, Estimate::LinearConflict] {
                let plain = Settings { heuristic, ..Settings::new(Algorithm::IdaStar) };
                let tuned = Settings { endgame: Some(endgame), ..plain };
                let textbook = Settings { order: Some("UDLR".parse().unwrap()), ..tuned };
                let shared = Settings { threads: 3, ..tuned };
                let pruned = Settings { prune: Prune::new(6), ..tuned };
                let (of_plain, without) = run(&problem, &plain);
                let (of_tuned, thresholds) = run(&problem, &tuned);
                for other in [textbook, shared] {
                    let (of_other, same) = run(&problem, &other);
                    prop_assert_eq!(&same, &thresholds);
                    prop_assert_eq!(cost(&of_other), cost(&of_tuned));
                }
                prop_assert_eq!(cost(&of_tuned), cost(&of_plain));
                prop_assert_eq!(cost(&run(&problem, &pruned).0), cost(&of_plain));
                for (threshold, nodes) in thresholds {
                    let plain = without.iter().find(|(plain, _)| *plain == threshold).unwrap();
                    prop_assert!(nodes <= plain.1);
                }
            }
        }
    }
}
