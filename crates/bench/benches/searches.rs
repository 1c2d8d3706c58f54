//! Times of the searches; each bench asserts the cost that it times.

use criterion::{Criterion, criterion_group, criterion_main};
use slidebench::heuristic::{Estimate, WalkingDistance};
use slidebench::lookup::{AbstractBoards, BuildControl};
use slidebench::puzzle::{Goal, Problem, parse_board};
use slidebench::search::{Algorithm, Control, EngineChoice, Settings, solve};

/// The hardest board of 3x3 with the goal `last`.
const HARDEST_3X3: (&str, Goal, usize) = ("8 6 7 2 5 4 3 0 1", Goal::Last, 31);
/// Instance 12 of korf100: 546,344 nodes of IDA* with taxicab.
const KORF_12: (&str, Goal, usize) = ("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", Goal::First, 45);

fn bench(criterion: &mut Criterion) {
    let cases = [
        (Algorithm::Bfs, HARDEST_3X3),
        (Algorithm::BiBfs, HARDEST_3X3),
        (Algorithm::AStar, HARDEST_3X3),
        (Algorithm::IdaStar, HARDEST_3X3),
        (Algorithm::AStar, KORF_12),
        (Algorithm::IdaStar, KORF_12),
    ];
    let engines = [EngineChoice::Scalar, EngineChoice::Batched].map(|engine| Settings {
        engine,
        ..Settings::new(Algorithm::IdaStar)
    });
    let boards = AbstractBoards::new("4x4".parse().expect("a size")).expect("a small board");
    let walking = WalkingDistance::build(boards, &BuildControl::default());
    let walking = walking.expect("nothing cancels it");
    let estimates = [
        Estimate::LinearConflict,
        Estimate::WalkingDistance(&walking),
    ];
    let estimates = estimates.map(|heuristic| Settings {
        heuristic,
        ..Settings::new(Algorithm::IdaStar)
    });
    for settings in engines.into_iter().chain(estimates) {
        let (board, goal, cost) = KORF_12;
        let Settings {
            heuristic, engine, ..
        } = settings;
        let name = format!("idastar {heuristic} {engine} 4x4 cost {cost}");
        time(criterion, &name, board, goal, cost, &settings);
    }
    for (algorithm, (board, goal, cost)) in cases {
        let size = parse_board(board, None).expect("the board is right").size();
        let name = format!("{algorithm} {size} cost {cost}");
        time(
            criterion,
            &name,
            board,
            goal,
            cost,
            &Settings::new(algorithm),
        );
    }
}

fn time(
    criterion: &mut Criterion,
    name: &str,
    board: &str,
    goal: Goal,
    cost: usize,
    settings: &Settings<'_>,
) {
    let board = parse_board(board, None).expect("the board is right");
    let problem = Problem::new(&board, goal).expect("the board is solvable");
    criterion.bench_function(name, |bencher| {
        bencher.iter(|| {
            let outcome = solve(&problem, settings, &Control::default());
            let solution = outcome.result.expect("no limit is set");
            assert_eq!(solution.moves.len(), cost);
        });
    });
}

criterion_group! {
    name = searches;
    config = Criterion::default().sample_size(20);
    targets = bench
}
criterion_main!(searches);
