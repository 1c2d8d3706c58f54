//! Searches whose solutions need not be shortest: every bound against breadth-first search, names and
//! parameters, incumbents, and the mean costs that public programs have on korf100.

use std::sync::Mutex;

use proptest::prelude::*;
use slidebench::harness::suite::built_in;
use slidebench::heuristic::Estimate;
use slidebench::puzzle::{Cost, Goal, Problem, parse_board};
use slidebench::search::{
    Algorithm, Control, Event, Incumbent, Limits, Outcome, Settings, Stop, Weight, solve,
};

use crate::estimates::estimates;
use crate::walks::walks;

fn settings(algorithm: &str, heuristic: Estimate<'static>) -> Settings<'static> {
    Settings {
        heuristic,
        ..Settings::new(algorithm.parse().unwrap())
    }
}

fn found(problem: &Problem, settings: &Settings<'_>) -> Outcome {
    let outcome = solve(problem, settings, &Control::default());
    let solution = outcome.result.as_ref().expect("no limit is set");
    assert!(solution.verified, "{}", settings.algorithm);
    outcome
}

fn cost(outcome: &Outcome) -> u32 {
    outcome.result.as_ref().unwrap().moves.len() as u32
}

const WEIGHTED: [&str; 4] = ["wastar", "widastar", "ees", "arastar"];
const WEIGHTS: [&str; 6] = ["1", "1.05", "1.5", "2", "3.3", "100"];

/// All with parameters from the least to large ones.
fn searches() -> Vec<String> {
    let weighted = WEIGHTED
        .iter()
        .flat_map(|name| WEIGHTS.iter().map(move |weight| format!("{name}:{weight}")));
    let reopening = WEIGHTS
        .iter()
        .map(|weight| format!("wastar:{weight}:reopen"));
    let others = ["greedy", "beam:1", "beam:7", "beam:1000", "rbfs"];
    let others = others.into_iter().map(str::to_owned);
    weighted.chain(reopening).chain(others).collect()
}

/// Without an estimate these two begin anew with every move, and a large weight lets paths of weighted IDA*
/// wander as long.
fn is_endless(name: &str, heuristic: Estimate<'_>) -> bool {
    let is_widastar = name.starts_with("widastar");
    let is_heavy = !["widastar:1", "widastar:1.05", "widastar:1.5"].contains(&name);
    (heuristic == Estimate::Zero && (is_widastar || name == "rbfs")) || (is_widastar && is_heavy)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// A walk is a solution, so no bound is above it.
    #[test]
    fn they_search_boards_of_up_to_64_cells(
        (board, goal) in walks(&["6x6", "7x7", "8x8", "2x32", "5x6"], 25)
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        for heuristic in [Estimate::Taxicab, Estimate::LinearConflict] {
            for name in searches().into_iter().filter(|name| !is_endless(name, heuristic)) {
                let settings = settings(&name, heuristic);
                if settings.algorithm.is_optimal() {
                    let refused = solve(&problem, &settings, &Control::default());
                    prop_assert_eq!(refused.result, Err(Stop::WideBoard));
                    continue;
                }
                let outcome = found(&problem, &settings);
                let (cost, stats) = (cost(&outcome), outcome.stats);
                if let Some(weight) = settings.algorithm.promise() {
                    let (numerator, denominator) = weight.ratio();
                    prop_assert!(cost * denominator <= 25 * numerator, "{} {}", name, cost);
                    let proven = stats.lower_bound.expect("a promise is kept by a proof");
                    prop_assert!(proven <= 25, "{} {:?}", name, stats);
                }
            }
        }
    }

    #[test]
    fn every_bound_holds(
        (board, goal) in walks(&["2x2", "2x3", "3x2", "2x4", "3x3"], 50)
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        let least = cost(&found(&problem, &Settings::new(Algorithm::Bfs)));
        for heuristic in estimates(board.size()) {
            for name in searches().into_iter().filter(|name| !is_endless(name, heuristic)) {
                let settings = settings(&name, heuristic);
                let outcome = found(&problem, &settings);
                let (cost, stats) = (cost(&outcome), outcome.stats);
                prop_assert!(cost >= least && (cost - least).is_multiple_of(2), "{}", name);
                let proven = stats.lower_bound;
                prop_assert!(proven.is_none_or(|proven| proven <= least), "{} {:?}", name, stats);
                if let Some(weight) = settings.algorithm.promise() {
                    let (numerator, denominator) = weight.ratio();
                    prop_assert!(cost * denominator <= least * numerator, "{} {}", name, cost);
                    let proven = proven.expect("a promise is kept by a proof");
                    prop_assert!(cost * denominator <= proven * numerator, "{} {:?}", name, stats);
                }
                if name.starts_with("arastar") {
                    prop_assert_eq!((cost, proven), (least, Some(least)), "{}", name);
                }
                if !name.ends_with("reopen") && name.starts_with("wastar") {
                    prop_assert_eq!(stats.reopened, 0);
                }
            }
        }
    }
}

/// Boards of korf100, where A* is done in a moment.
fn easy_boards() -> [Problem; 2] {
    let boards = [
        "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15",
        "5 7 0 11 12 1 9 10 15 6 2 3 8 4 13 14",
    ];
    boards.map(|board| Problem::new(&parse_board(board, None).unwrap(), Goal::First).unwrap())
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn a_weight_of_one_is_a_star() {
    for (problem, least) in easy_boards().iter().zip([45, 44]) {
        for name in [
            "wastar:1",
            "wastar:1:reopen",
            "ees:1",
            "arastar:1",
            "arastar:2.5",
            "widastar:1",
        ] {
            let outcome = found(problem, &settings(name, Estimate::Taxicab));
            let proven = outcome.stats.lower_bound;
            assert_eq!((cost(&outcome), proven), (least, Some(least)), "{name}");
        }
    }
}

#[test]
fn a_beam_is_the_same_on_all_threads() {
    let board = "10 3 24 12 0 7 8 11 14 21 22 23 2 1 9 17 18 6 20 4 13 15 5 19 16";
    let board = parse_board(board, None).unwrap();
    let problem = Problem::new(&board, Goal::First).unwrap();
    for width in ["beam:5000", "beam:10000"] {
        let on = |threads| {
            let settings = Settings {
                threads,
                ..settings(width, Estimate::LinearConflict)
            };
            let outcome = found(&problem, &settings);
            (outcome.result.unwrap().moves, outcome.stats.generated)
        };
        let alone = on(1);
        assert_eq!(alone, on(2));
        assert_eq!(alone, on(3));
        assert!(alone.0.len() < 130, "{}", alone.0.len());
    }
}

#[test]
fn incumbents_get_better_and_end_at_the_optimum() {
    let [problem, _] = easy_boards();
    let heard: Mutex<Vec<Incumbent>> = Mutex::default();
    let listener = |event: Event| {
        if let Event::Incumbent(incumbent) = event {
            heard.lock().unwrap().push(incumbent);
        }
    };
    let control = Control {
        listener: Some(&listener),
        ..Control::default()
    };
    let outcome = solve(
        &problem,
        &settings("arastar:5", Estimate::Taxicab),
        &control,
    );
    let heard = heard.into_inner().unwrap();
    assert!(heard.len() > 2, "{heard:?}");
    assert!(
        heard.is_sorted_by_key(|it| std::cmp::Reverse(it.cost)),
        "{heard:?}"
    );
    assert!(heard.is_sorted_by_key(|it| it.lower_bound), "{heard:?}");
    assert!(heard.is_sorted_by_key(|it| it.elapsed), "{heard:?}");
    let known = |it: &Incumbent| (it.cost, it.lower_bound);
    assert!(
        heard.windows(2).all(|two| known(&two[0]) != known(&two[1])),
        "{heard:?}"
    );
    let last = heard.last().unwrap();
    let least = Cost::from(45u32);
    assert_eq!((last.cost, last.lower_bound), (least, Some(least)));
    assert_eq!((cost(&outcome), outcome.stats.stopped_by), (45, None));
}

#[test]
fn an_anytime_search_ends_with_its_best_at_a_limit() {
    let board = parse_board("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", None).unwrap();
    let problem = Problem::new(&board, Goal::First).unwrap();
    let settings = settings("arastar:3", Estimate::Taxicab);
    let limits = [
        (
            Limits {
                nodes: Some(1_000_000),
                ..Limits::default()
            },
            Stop::Nodes,
        ),
        (
            Limits {
                memory: Some(20 << 20),
                ..Limits::default()
            },
            Stop::Memory,
        ),
    ];
    for (limits, why) in limits {
        let control = Control {
            limits,
            ..Control::default()
        };
        let outcome = solve(&problem, &settings, &control);
        let stats = outcome.stats;
        assert_eq!(stats.stopped_by, Some(why), "{stats:?}");
        let proven = stats.lower_bound.unwrap();
        assert!(
            (57..70).contains(&cost(&outcome)) && (41..=57).contains(&proven),
            "{stats:?}"
        );
    }
}

/// The sum of all costs of korf100 with taxicab, and of what was generated.
fn korf100(name: &str) -> (u32, u64) {
    let suite = built_in("korf100").unwrap().suite();
    let settings = settings(name, Estimate::Taxicab);
    let outcomes = suite.instances.iter().map(|instance| {
        let problem = Problem::new(&instance.board, suite.goal).unwrap();
        let outcome = found(&problem, &settings);
        (cost(&outcome), outcome.stats.generated)
    });
    outcomes.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
}

/// The means of the public program `eaburns/search` are 74.8 and, with a beam that knows all states it
/// ever had, 58.6. Its greedy search has 379, which prefers states far from the start and expands
/// states again.
#[test]
fn means_of_korf100_are_those_of_others() {
    assert_eq!(korf100("wastar:3"), (7_487, 3_020_558));
    assert_eq!(korf100("greedy").0, 14_347);
    assert_eq!(korf100("beam:1000").0, 5_967);
}

#[test]
fn names_carry_parameters() {
    for name in [
        "wastar:2",
        "wastar:1.5",
        "wastar:1.000001:reopen",
        "widastar:3",
        "ees:1.25",
        "arastar:1000",
        "beam:1",
        "beam:100000000",
        "greedy",
        "rbfs",
    ] {
        let algorithm: Algorithm = name.parse().unwrap();
        assert_eq!(algorithm.to_string(), name);
        assert_eq!(Algorithm::of_row(name), Some(algorithm));
    }
    assert_eq!("wastar:2.0".parse::<Algorithm>(), "wastar:2".parse());
    assert_eq!(
        Algorithm::of_row("astar+idastar:77"),
        Some(Algorithm::AStarIdaStar)
    );
    for (name, part) in [
        (
            "wastar:0.5",
            "'0.5' is not a weight; write a number from 1 to 1000",
        ),
        (
            "wastar",
            "wastar takes a weight behind a colon, such as wastar:1.5",
        ),
        ("wastar:2:again", "'2:again' is not a weight"),
        ("ees:", "'' is not a weight"),
        ("beam", "beam takes the states of a layer behind a colon"),
        (
            "beam:0",
            "from 1 to 100000000, such as beam:1000, and not '0'",
        ),
        ("beam:1.5", "and not '1.5'"),
        ("greedy:2", "greedy takes nothing behind its name"),
        (
            "wastr:2",
            "'wastr:2' is not an algorithm; choose one of bfs",
        ),
    ] {
        let error = name.parse::<Algorithm>().unwrap_err().to_string();
        assert!(error.contains(part), "{name}: {error}");
    }
    assert!(Weight::ONE < "1.000001".parse().unwrap());
}
