//! A* on long searches: it counts what was recorded, on several threads nearly so.

use slidebench::puzzle::{Goal, Problem, parse_board};
use slidebench::search::{Algorithm, Control, Settings, Stats, solve};

/// All hundred of Korf's boards with taxicab, on one thread.
const RECORDED: &str = include_str!("../../benchmarks/results/astar-8gib-2026-11-16.csv");

/// A row of the recording.
struct Recorded {
    problem: Problem,
    cost: usize,
    expanded: u64,
    generated: u64,
    stored: u64,
}

fn recorded() -> Vec<Recorded> {
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.comment(Some(b'#')).from_reader(RECORDED.as_bytes());
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|it| it == name).unwrap();
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        let number = |name: &str| row[column(name)].parse::<u64>().unwrap();
        let board = parse_board(&row[column("board")], None).unwrap();
        Recorded {
            problem: Problem::new(&board, Goal::First).unwrap(),
            cost: number("cost") as usize,
            expanded: number("expanded"),
            generated: number("generated"),
            stored: number("stored"),
        }
    });
    rows.collect()
}

fn stats(recorded: &Recorded, threads: usize) -> Stats {
    let settings = Settings {
        threads,
        ..Settings::new(Algorithm::AStar)
    };
    let outcome = solve(&recorded.problem, &settings, &Control::default());
    assert_eq!(outcome.result.unwrap().moves.len(), recorded.cost);
    outcome.stats
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn counts_are_those_that_were_recorded() {
    let rows = recorded();
    assert_eq!(rows.len(), 100);
    for row in rows.iter().filter(|row| row.stored <= 20_000_000) {
        let stats = stats(row, 1);
        let counts = (stats.expanded, stats.generated, stats.stored);
        assert_eq!(counts, (row.expanded, row.generated, row.stored));
    }
}

/// All layers but the last count the same, and on long searches that is nearly all: within 2 %,
/// with 5 % more memory at most.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn threads_count_nearly_the_same_on_long_searches() {
    let rows = recorded();
    let is_long = |row: &&Recorded| (15_000_000..25_000_000).contains(&row.stored);
    let (mut of_one, mut of_two) = ((0, 0), (0, 0));
    for row in rows.iter().filter(is_long) {
        for (threads, sum) in [(1, &mut of_one), (2, &mut of_two)] {
            let stats = stats(row, threads);
            sum.0 += stats.expanded;
            sum.1 += stats.peak_memory;
        }
    }
    assert!(of_one.0 > 0);
    assert!(
        of_two.0.abs_diff(of_one.0) * 50 <= of_one.0,
        "{of_one:?} {of_two:?}"
    );
    assert!(of_two.1 * 20 <= of_one.1 * 21, "{of_one:?} {of_two:?}");
}
