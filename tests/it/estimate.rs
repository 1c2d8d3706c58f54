//! Forecasts: how near they come to the nodes that a search then takes, and what is told of them.

use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value;
use slidebench::harness::analysis::{Budget, Forecast, Growth, Left, NoForecast, forecast};
use slidebench::harness::humanize::rough;
use slidebench::harness::suite::{Asked, Suite, built_in, parse_suite};
use slidebench::heuristic::{Estimate, Tables};
use slidebench::lookup::{BuildControl, Directory};
use slidebench::puzzle::{Goal, Problem, parse_board};
use slidebench::search::{
    Algorithm, Control, Iteration, Progress, Settings, Stop, solve, upper_bound,
};

use crate::estimates::estimates;

/// How far a forecast may be from the truth.
const FACTOR: f64 = 5.0;

fn suite(name: &str) -> Suite {
    let text = built_in(name).unwrap().text;
    parse_suite(name, text.as_bytes(), Asked::default()).unwrap()
}

/// The boards of a suite with their costs, those of some numbers.
fn problems(name: &str, wanted: impl Fn(usize) -> bool) -> Vec<(Problem, Option<u32>)> {
    let suite = suite(name);
    let numbered = suite.instances.iter().zip(1..);
    let numbered = numbered.filter(|(_, number)| wanted(*number));
    let problem = |board| Problem::new(board, suite.goal).unwrap();
    let problems = numbered.map(|(instance, _)| (problem(&instance.board), instance.optimal));
    problems.collect()
}

fn with(heuristic: Estimate<'_>) -> Settings<'_> {
    Settings {
        heuristic,
        ..Settings::new(Algorithm::IdaStar)
    }
}

/// `slidebench estimate`, as a user calls it.
fn estimate(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slidebench"));
    command.arg("estimate").args(arguments.split(' '));
    command.output().unwrap()
}

fn forecast_of(problem: &Problem, settings: &Settings<'_>, budget: Budget) -> Forecast {
    forecast(problem, settings, budget, &Control::default()).unwrap()
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
fn half_of_korf_100_with_taxicab() {
    let suite = suite("korf100");
    let budget = Budget {
        nodes: 1_000_000,
        width: 30_000,
    };
    let (mut all, mut near) = (0, 0);
    for instance in suite.instances.iter().step_by(2) {
        let problem = Problem::new(&instance.board, suite.goal).unwrap();
        let told = forecast_of(&problem, &with(Estimate::Taxicab), budget);
        let published = instance.ida_md_generated.unwrap();
        all += 1;
        near += usize::from(is_near(&told, published));
    }
    println!("{near} of {all} within a factor of {FACTOR}");
    assert!(near * 4 >= all * 3, "{near} of {all}");
}

#[test]
fn four_by_four_with_linear_conflict() {
    let problems = problems("korf100", |number| number % 4 == 1);
    let budget = Budget {
        nodes: 100_000,
        width: 10_000,
    };
    let (all, near) = near_ones(&problems, &with(Estimate::LinearConflict), budget);
    println!("{near} of {all} within a factor of {FACTOR}");
    assert!(all >= 20 && near * 4 >= all * 3, "{near} of {all}");
}

#[test]
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

#[test]
fn what_is_counted_is_the_same_every_time() {
    let (problem, _) = problems("korf100", |number| number == 3)[0];
    let budget = Budget {
        nodes: 200_000,
        width: 3_000,
    };
    let [mut one, mut two] =
        [1, 2].map(|_| forecast_of(&problem, &with(Estimate::Taxicab), budget));
    for it in [&mut one, &mut two] {
        (it.time_ns, it.nodes_per_s) = (0, 0.0);
    }
    assert_eq!(one, two);
    let thresholds: Vec<u32> = one.thresholds.iter().map(|it| it.threshold).collect();
    let expected: Vec<u32> = (one.h0..=one.cost).step_by(2).collect();
    assert_eq!(thresholds, expected);
    assert!(one.generated_from <= one.generated && one.generated <= one.generated_to);
}

#[test]
fn a_beam_is_never_too_short_and_a_wide_one_exact() {
    for (problem, optimal) in problems("ladder4x4", |number| number % 6 == 1) {
        let settings = with(Estimate::LinearConflict);
        let found = [1, 100, 10_000]
            .map(|width| upper_bound(&problem, width, &settings, &Control::default()));
        for cost in found.iter().flatten() {
            let optimal = optimal.unwrap();
            assert!(*cost >= optimal && (cost - optimal).is_multiple_of(2));
        }
        if optimal <= Some(30) {
            assert_eq!(found[2], optimal);
        }
    }
}

#[test]
fn every_estimate_and_the_least_budget_have_a_forecast() {
    let least = Budget { nodes: 1, width: 1 };
    for text in ["5 1 2 3 4 6 7 0 8", "0 1 2 3 4 5 6 7 8"] {
        let board = parse_board(text, None).unwrap();
        let Ok(problem) = Problem::new(&board, Goal::First) else {
            continue;
        };
        for estimate in estimates(board.size()) {
            let told = forecast_of(&problem, &with(estimate), least);
            let exact = forecast_of(&problem, &with(estimate), Budget::default());
            assert!(exact.solved && told.generated >= 1);
            assert!(told.cost_at_most.is_none_or(|most| most >= exact.cost));
        }
    }
}

#[test]
fn a_cancelled_forecast_says_so() {
    let (problem, _) = problems("korf100", |number| number == 88)[0];
    let cancel = AtomicBool::new(true);
    let control = Control {
        cancel: Some(&cancel),
        ..Control::default()
    };
    let settings = with(Estimate::Taxicab);
    let told = forecast(&problem, &settings, Budget::default(), &control);
    assert_eq!(told, Err(NoForecast(Stop::Cancelled)));
}

#[test]
fn what_is_left_follows_from_the_growth() {
    let mut growth = Growth::default();
    let progress = |generated, threshold| Progress {
        elapsed: Duration::from_secs(10),
        expanded: 0,
        generated,
        threshold,
    };
    assert_eq!(growth.left(&progress(5, 40), None), None);
    for (threshold, generated) in [(40, 1_000), (42, 10_000)] {
        growth.add(&Iteration {
            threshold,
            expanded: 0,
            generated,
            time: Duration::ZERO,
            cpu_time: None,
            complete: true,
        });
    }
    let seconds = |left| match left {
        Some(Left::OfSearch(left) | Left::OfThreshold(left)) => left.as_secs_f64(),
        None => f64::NAN,
    };
    // The thresholds up to 44 have 111,111 nodes; those up to half of 46 have 611,111.
    let of_threshold = growth.left(&progress(11_111, 44), None);
    assert!(matches!(of_threshold, Some(Left::OfThreshold(_))));
    assert!((seconds(of_threshold) - 90.0).abs() < 0.1);
    let of_search = growth.left(&progress(11_111, 44), Some(46));
    assert!(matches!(of_search, Some(Left::OfSearch(_))));
    assert!((seconds(of_search) - 540.0).abs() < 0.1);
    let past_the_middle = growth.left(&progress(1_000_000, 46), Some(46));
    assert!((seconds(past_the_middle) - 1.11).abs() < 0.01);
}

#[test]
fn rough_times_have_whole_units() {
    let told = [0, 40, 240, 7_100, 90_000, 1_000_000, 1_000_000_000]
        .map(|seconds| rough(Duration::from_secs(seconds)));
    let expected = [
        "0.00 ns", "40 s", "4 min", "2 h", "25 h", "12 days", "32 years",
    ];
    assert_eq!(told, expected);
}

#[test]
fn the_command_prints_text_and_json() {
    let board = "14,13,15,7,11,12,9,5,6,0,2,1,4,8,10,3 --goal first --budget 100000 --width 1000";
    let text = estimate(board);
    let text = String::from_utf8(text.stdout).unwrap();
    for line in [
        "status     predicted\n",
        "search     idastar with md, 41 at the start, 1 thread\n",
        "threshold  41: 212 nodes\n",
        "threshold  43: 1,494 nodes\n",
        "generated  about ",
        "time       about ",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let json = estimate(&format!("{board} --format json"));
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["status"], "predicted");
    assert_eq!(json["thresholds"][0]["generated"], 212);
    assert!(json["generated"].as_u64() > Some(100_000));
    assert!(json["nodes_per_s"].as_f64() > Some(0.0));
    let unsolvable = estimate("1,2,3,4,5,6,8,7,0");
    assert!(unsolvable.status.success());
    let told = String::from_utf8(unsolvable.stdout).unwrap();
    assert!(told.contains("status     unsolvable"), "{told}");
    let wrong = estimate("1,2,3,4,5,6,8,7,0 -H pdb:9-9");
    assert_eq!(wrong.status.code(), Some(2));
}
