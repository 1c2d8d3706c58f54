//! How near forecasts come to the nodes that a search then takes. The constants of a forecast were
//! fitted to korf100 and korf24, so none of these boards is from there.

use slidebench::harness::analysis::{Budget, Forecast};
use slidebench::harness::suite::{Asked, Suite, parse_suite};
use slidebench::heuristic::{Estimate, Tables};
use slidebench::lookup::{BuildControl, Directory};
use slidebench::puzzle::Problem;
use slidebench::search::{Control, Settings, solve};

use crate::instances::{forecast_of, problems, problems_of, with};

/// How far a forecast may be from the truth.
const FACTOR: f64 = 5.0;

/// Random boards with the nodes that taxicab takes.
fn fresh_boards() -> Suite {
    let text = include_bytes!("../../../../tests/data/fresh4x4.csv");
    parse_suite("fresh4x4", text, Asked::default()).unwrap()
}

fn is_near(forecast: &Forecast, generated: u64) -> bool {
    let ratio = forecast.generated as f64 / generated as f64;
    (1.0 / FACTOR..=FACTOR).contains(&ratio)
}

/// Forecasts of boards that no budget solves, against what a search takes: how many there are,
/// and how many are near.
fn near_ones(
    problems: &[(Problem, Option<u32>)],
    settings: &Settings<'_>,
    budget: Budget,
) -> (usize, usize) {
    let (mut all, mut near) = (0, 0);
    for (problem, optimal) in problems {
        let told = forecast_of(problem, settings, budget);
        let outcome = solve(problem, settings, &Control::default());
        if told.solved {
            assert_eq!(told.generated, outcome.stats.generated);
            continue;
        }
        assert!(told.cost_at_most >= *optimal, "no solution is shorter");
        all += 1;
        near += usize::from(is_near(&told, outcome.stats.generated));
    }
    (all, near)
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn fifty_fresh_boards_with_taxicab() {
    let suite = fresh_boards();
    let budget = Budget {
        nodes: 1_000_000,
        width: 30_000,
    };
    let mut near = 0;
    for instance in &suite.instances {
        let problem = Problem::new(&instance.board, suite.goal).unwrap();
        let told = forecast_of(&problem, &with(Estimate::Taxicab), budget);
        near += usize::from(is_near(&told, instance.ida_md_generated.unwrap()));
    }
    let all = suite.instances.len();
    println!("{near} of {all} within a factor of {FACTOR}");
    assert!(all == 50 && near * 10 >= all * 9, "{near} of {all}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn fresh_boards_with_linear_conflict() {
    let problems = problems_of(&fresh_boards(), |number| number % 2 == 0);
    let budget = Budget {
        nodes: 100_000,
        width: 10_000,
    };
    let (all, near) = near_ones(&problems, &with(Estimate::LinearConflict), budget);
    println!("{near} of {all} within a factor of {FACTOR}");
    assert!(all >= 20 && near * 5 >= all * 4, "{near} of {all}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn five_by_five_with_pattern_databases() {
    let tables = Tables::new(Directory::new("no such folder"));
    let name = "pdb:5-5-5-5-4".parse().unwrap();
    let size = "5x5".parse().unwrap();
    let prepared = tables.prepare(&name, size, &BuildControl::default());
    let prepared = prepared.unwrap();
    let problems = problems("ladder5x5", |_| true);
    let budget = Budget {
        nodes: 20_000,
        width: 20_000,
    };
    let (all, near) = near_ones(&problems, &with(prepared.estimate()), budget);
    println!("{near} of {all} within a factor of {FACTOR}");
    assert!(all >= 5 && near * 3 >= all * 2, "{near} of {all}");
}
