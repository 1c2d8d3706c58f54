//! Times of the searches; each bench asserts the cost that it times.

use criterion::{Criterion, criterion_group, criterion_main};
use slidebench::puzzle::{Goal, Problem, parse_board};
use slidebench::search::{Algorithm, Control, Settings, solve};

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
    for (algorithm, (board, goal, cost)) in cases {
        let board = parse_board(board, None).expect("the board is right");
        let problem = Problem::new(&board, goal).expect("the board is solvable");
        let settings = Settings::new(algorithm);
        let name = format!("{algorithm} {} cost {cost}", board.size());
        criterion.bench_function(&name, |bencher| {
            bencher.iter(|| {
                let outcome = solve(&problem, &settings, &Control::default());
                let solution = outcome.result.expect("no limit is set");
                assert_eq!(solution.moves.len(), cost);
            });
        });
    }
}

criterion_group! {
    name = searches;
    config = Criterion::default().sample_size(20);
    targets = bench
}
criterion_main!(searches);
