//! Answers that others published: node counts, optimal lengths, layer sizes.

use std::collections::BTreeMap;

use slidebench::puzzle::{Goal, Problem, Size, parse_board};
use slidebench::search::{Algorithm, Control, EngineChoice, Settings, layer_sizes, solve};

/// The records of a data file, its comments left out.
fn records(text: &str) -> Vec<BTreeMap<String, String>> {
    csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .expect("the data file is a CSV")
}

/// Runs IDA* with taxicab on the instances of korf100 below a number of nodes.
fn assert_korfs_counts(engine: EngineChoice, below: u64, instances: usize) {
    let settings = Settings {
        engine,
        ..Settings::new(Algorithm::IdaStar)
    };
    let mut tried = 0;
    for row in records(include_str!("../../../../benchmarks/korf100.csv")) {
        let generated: u64 = row["ida_md_generated"].parse().unwrap();
        if generated >= below {
            continue;
        }
        let board = parse_board(&row["board"], None).unwrap();
        let problem = Problem::new(&board, Goal::First).unwrap();
        let outcome = solve(&problem, &settings, &Control::default());
        let solution = outcome.result.unwrap();
        assert!(solution.verified);
        assert_eq!(solution.moves.len().to_string(), row["optimal"]);
        assert_eq!(outcome.stats.generated, generated, "{}", row["instance"]);
        tried += 1;
    }
    assert_eq!(tried, instances);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn the_batched_engine_generates_korfs_counts() {
    assert_korfs_counts(EngineChoice::Batched, 100_000_000, 60);
}

#[test]
fn the_scalar_engine_generates_korfs_counts() {
    assert_korfs_counts(EngineChoice::Scalar, 20_000_000, 37);
}

#[test]
fn layers_have_their_published_sizes() {
    let rows = records(include_str!("../../../../tests/data/layer_sizes.csv"));
    let mut published: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for row in &rows {
        let layers = published.entry(&row["size"]).or_default();
        assert_eq!(row["depth"], layers.len().to_string());
        layers.push(row["count"].parse().unwrap());
    }
    let depths = [("3x4", 20), ("4x4", 20), ("5x5", 15)];
    for (size, layers) in published {
        let depth = depths.iter().find(|(name, _)| *name == size);
        let depth = depth.map_or(layers.len(), |&(_, depth)| depth);
        let size: Size = size.parse().unwrap();
        let found = match size.cells() {
            0..=16 => layer_sizes::<u64>(size, depth),
            _ => layer_sizes::<u128>(size, depth),
        };
        let expected = &layers[..layers.len().min(depth + 1)];
        assert_eq!(found, expected, "{size}");
    }
}
