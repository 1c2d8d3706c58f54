//! A* on long searches: it counts what was recorded, on several threads nearly so.

use slidebench::puzzle::{Goal, Problem, parse_board};
use slidebench::search::{Algorithm, Control, Settings, Stats, solve};

/// All hundred of Korf's boards with taxicab, on one thread.
const RECORDED: &str = include_str!("../../../../benchmarks/results/astar-8gib-2026-11-16.csv");

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

fn compare_up_to(most_stored: u64) {
    let rows = recorded();
    assert_eq!(rows.len(), 100);
    for row in rows.iter().filter(|row| row.stored <= most_stored) {
        let stats = stats(row, 1);
        let counts = (stats.expanded, stats.generated, stats.stored);
        assert_eq!(counts, (row.expanded, row.generated, row.stored));
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn counts_are_those_that_were_recorded() {
    compare_up_to(3_000_000);
}

#[test]
#[ignore = "a minute and more: run cargo test --release --test slow -- --ignored"]
fn counts_of_long_searches_are_those_that_were_recorded() {
    compare_up_to(20_000_000);
}

/// All layers but the last count the same, and on long searches that is nearly all: within 2 %,
/// with 5 % more memory at most. A thread that waits for its core lets the other run ahead, so this
/// needs two cores with nothing else to do.
#[test]
#[ignore = "needs two quiet cores: run cargo test --release --test slow -- --ignored"]
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
