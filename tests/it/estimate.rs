//! Forecasts: what is told of a search before it is made. How near that comes is a slow test.

use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value;
use slidebench::harness::analysis::{Budget, Growth, Left, NoForecast, forecast};
use slidebench::harness::humanize::rough;
use slidebench::heuristic::Estimate;
use slidebench::puzzle::{Goal, Problem, parse_board};
use slidebench::search::{Algorithm, Control, Iteration, Progress, Settings, Stop, solve};

use crate::estimates::estimates;
use crate::instances::{forecast_of, problems, with};

/// `slidebench estimate`, as a user calls it.
fn estimate(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slidebench"));
    command.arg("estimate").args(arguments.split(' '));
    command.output().unwrap()
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
        let found = ["beam:1", "beam:100", "beam:10000"].map(|beam| {
            let settings = Settings {
                algorithm: beam.parse::<Algorithm>().unwrap(),
                ..with(Estimate::LinearConflict)
            };
            let outcome = solve(&problem, &settings, &Control::default());
            outcome.result.unwrap().moves.len() as u32
        });
        let optimal = optimal.unwrap();
        for cost in found {
            assert!(cost >= optimal && (cost - optimal).is_multiple_of(2));
        }
        if optimal <= 30 {
            assert_eq!(found[2], optimal);
        }
    }
}

#[test]
fn every_estimate_and_the_least_budget_have_a_forecast() {
    let least = Budget { nodes: 1, width: 1 };
    for text in ["5 1 2 3 4 6 7 0 8", "0 1 2 3 4 5 6 7 8"] {
        let board = parse_board(text, None).unwrap();
        let problem = Problem::new(&board, Goal::First).unwrap();
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
    assert_eq!(growth.left(&progress(5, 40), None, 0.5), None);
    for (threshold, generated) in [(40, 1_000), (42, 10_000)] {
        growth.add(&Iteration {
            threshold,
            expanded: 0,
            generated,
            time: Duration::ZERO,
            cpu_time: None,
            complete: true,
            best: None,
        });
    }
    let seconds = |left| match left {
        Some(Left::OfSearch(left) | Left::OfThreshold(left)) => left.as_secs_f64(),
        None => f64::NAN,
    };
    // The thresholds up to 44 have 111,111 nodes; those up to half of 46 have 611,111.
    let of_threshold = growth.left(&progress(11_111, 44), None, 0.5);
    assert!(matches!(of_threshold, Some(Left::OfThreshold(_))));
    assert!((seconds(of_threshold) - 90.0).abs() < 0.1);
    let of_search = growth.left(&progress(11_111, 44), Some(46), 0.5);
    assert!(matches!(of_search, Some(Left::OfSearch(_))));
    assert!((seconds(of_search) - 540.0).abs() < 0.1);
    let past_the_middle = growth.left(&progress(1_000_000, 46), Some(46), 0.5);
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
