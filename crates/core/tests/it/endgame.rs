//! Endgame tables: what is in them, and what searches make of them.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use slidebench::heuristic::{Estimate, Tables};
use slidebench::lookup::endgame::{BuildError, Builder, EndgamePlan, Until};
use slidebench::lookup::{BuildControl, Directory, Endgame, Header, TableFile};
use slidebench::puzzle::{Board, Goal, Move, Problem, Size, parse_board};
use slidebench::search::{Algorithm, Control, EngineChoice, Settings, Stop, solve};

use crate::endgames::{built, cost, run};

/// The published sizes of a board's layers.
fn published() -> BTreeMap<String, Vec<u64>> {
    let mut layers: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let text = include_str!("../../../../tests/data/layer_sizes.csv");
    for line in text.lines().filter(|line| !line.starts_with(['#', 's'])) {
        let fields: Vec<&str> = line.split(',').collect();
        let layer = layers.entry(fields[0].to_owned()).or_default();
        layer.push(fields[2].parse().unwrap());
    }
    layers
}

#[test]
fn layers_have_their_published_sizes() {
    let depths = [("3x4", 21), ("4x4", 19), ("5x5", 15)];
    for (size, sizes) in published() {
        let depth = depths.iter().find(|(name, _)| *name == size);
        let deepest = Endgame::deepest(size.parse().unwrap());
        let depth = depth.map_or(deepest, |&(_, depth)| depth);
        let built = built(&size, depth);
        let most = sizes.len().min(depth as usize + 1);
        assert_eq!(built.layers(), &sizes[..most], "{size}");
        let table = built.description("test");
        assert_eq!(table.entries, sizes[..most].iter().sum::<u64>());
        assert_eq!(table.histogram[..most], sizes[..most]);
    }
}

/// Every state of a small board, by a walk that knows nothing of the table.
fn distances(size: Size) -> BTreeMap<Vec<u8>, u32> {
    let mut distances = BTreeMap::new();
    let mut layer = vec![Board::solved(size, Goal::First)];
    let mut depth = 0;
    while !layer.is_empty() {
        layer.retain(|board| distances.insert(board.tiles().to_vec(), depth).is_none());
        let next = |board: &Board| Move::ALL.map(|mv| board.after(mv));
        layer = layer.iter().flat_map(next).flatten().collect();
        layer.retain(|board| !distances.contains_key(board.tiles()));
        depth += 1;
    }
    distances
}

#[test]
fn every_state_of_small_boards_has_its_distance_or_is_too_far() {
    for (size, depth) in [
        ("2x3", 12),
        ("2x3", 31),
        ("2x4", 17),
        ("3x3", 20),
        ("3x3", 31),
    ] {
        let endgame = Endgame::from(built(size, depth));
        for (tiles, distance) in distances(size.parse().unwrap()) {
            let text = tiles.iter().map(u8::to_string).collect::<Vec<_>>();
            let board = parse_board(&text.join(" "), Some(size.parse().unwrap())).unwrap();
            let expected = (distance <= depth).then_some(distance);
            assert_eq!(endgame.distance(&board), expected, "{board}");
        }
    }
}

#[test]
fn builds_are_the_same_bytes_on_any_number_of_threads() {
    let payload = |threads: usize, size: &str, depth| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let built = pool.build().unwrap().install(|| built(size, depth));
        built.payload().to_vec()
    };
    for (size, depth) in [("4x4", 14), ("5x5", 11)] {
        let alone = payload(1, size, depth);
        assert!(alone == payload(2, size, depth));
        assert!(alone == payload(3, size, depth));
    }
}

#[test]
fn a_table_is_read_from_bytes_of_any_alignment() {
    let built = built("4x4", 10);
    let header = Header::new(&built.description("test"), built.payload());
    let file = [&header.to_bytes()[..], built.payload()].concat();
    let shifted = Shifted([&[0][..], &file].concat());
    let (even, odd) = (
        TableFile::new(file).unwrap(),
        TableFile::new(shifted).unwrap(),
    );
    let (even, odd) = (Endgame::new(even).unwrap(), Endgame::new(odd).unwrap());
    let mut board = Board::solved("4x4".parse().unwrap(), Goal::First);
    for mv in [Move::Down, Move::Right, Move::Down, Move::Right, Move::Up] {
        board = board.after(mv).unwrap();
        assert_eq!(even.distance(&board), odd.distance(&board));
        assert!(odd.distance(&board).is_some());
    }
}

/// Bytes from the second on.
struct Shifted(Vec<u8>);

impl AsRef<[u8]> for Shifted {
    fn as_ref(&self) -> &[u8] {
        &self.0[1..]
    }
}

#[test]
fn a_build_ends_where_it_has_to() {
    let builder = Builder {
        size: "4x4".parse().unwrap(),
        until: Until::Depth(22),
        memory: Some(100 << 20),
        control: BuildControl::default(),
    };
    let error = builder.build().err();
    assert!(matches!(error, Some(BuildError::Memory { needed, .. }) if needed > 200 << 20));
    let too_deep = Builder {
        until: Until::Depth(32),
        ..builder
    };
    let told = too_deep.build().err().unwrap().to_string();
    assert_eq!(told, "an endgame of 4x4 has at most depth 31, not 32");
    let cancelled = Builder {
        memory: None,
        control: BuildControl {
            cancel: Some(&AtomicBool::new(true)),
            listener: None,
        },
        ..builder
    };
    assert_eq!(cancelled.build().err(), Some(BuildError::Cancelled));
    let short = Builder {
        until: Until::Time(Duration::from_millis(50)),
        memory: None,
        ..builder
    };
    let depth = short.build().unwrap().depth();
    assert!(depth < 31, "{depth}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn a_plan_is_near_the_truth() {
    for (size, depths) in [("4x4", 10..=28), ("3x4", 10..=28), ("5x5", 10..=24)] {
        let sizes = &published()[size];
        for depth in depths {
            let entries: u64 = sizes[..=depth as usize].iter().sum();
            let plan = EndgamePlan::new(size.parse().unwrap(), depth);
            let ratio = plan.entries as f64 / entries as f64;
            assert!((0.9..1.5).contains(&ratio), "{size} {depth}: {ratio}");
            assert!(!plan.is_exact || plan.entries == entries);
        }
    }
}

/// Pattern databases, which have an engine of their own that knows no perimeter.
#[test]
fn pattern_databases_end_in_tables_too() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tables::new(Directory::new(folder.path()));
    let boards = [
        ("3x3", "pdb:4-4", "8 0 6 5 4 7 2 3 1", 13),
        (
            "4x4",
            "pdb:5-5-5",
            "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15",
            15,
        ),
    ];
    for (size, name, board, depth) in boards {
        let (name, size) = (name.parse().unwrap(), size.parse().unwrap());
        let prepared = tables.prepare(&name, size, &BuildControl::default());
        let prepared = prepared.unwrap();
        let endgame = Endgame::from(built(&size.to_string(), depth));
        let problem = Problem::new(&parse_board(board, None).unwrap(), Goal::First).unwrap();
        for algorithm in [Algorithm::IdaStar, Algorithm::AStar] {
            let plain = Settings {
                heuristic: prepared.estimate(),
                ..Settings::new(algorithm)
            };
            let ended = Settings {
                endgame: Some(&endgame),
                ..plain
            };
            let (plain, ended) = (run(&problem, &plain).0, run(&problem, &ended).0);
            assert_eq!(cost(&plain), cost(&ended), "{algorithm}");
        }
    }
}

/// The counts of one board at every depth: they fall, and never by chance.
#[test]
fn deeper_tables_save_more() {
    let board = parse_board("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", None).unwrap();
    let problem = Problem::new(&board, Goal::First).unwrap();
    let generated = |algorithm, endgame: Option<&Endgame>| {
        let settings = Settings {
            heuristic: Estimate::LinearConflict,
            engine: EngineChoice::Auto,
            endgame,
            ..Settings::new(algorithm)
        };
        let (outcome, _) = run(&problem, &settings);
        assert_eq!(cost(&outcome), 55);
        outcome.stats.generated
    };
    let mut tables: Vec<Option<Endgame>> = vec![None];
    tables.extend([10, 14, 18].map(|depth| Some(built("4x4", depth).into())));
    for algorithm in [Algorithm::IdaStar, Algorithm::AStar] {
        let counts: Vec<u64> = tables
            .iter()
            .map(|table| generated(algorithm, table.as_ref()))
            .collect();
        assert!(
            counts.is_sorted_by(|more, fewer| more > fewer),
            "{counts:?}"
        );
    }
}

/// Damage that nobody has looked for: an answer is right or there is none.
#[test]
fn a_damaged_table_is_no_reason_to_panic() {
    let table = built("3x3", 12);
    let header = Header::new(&table.description("test"), table.payload());
    let file = [&header.to_bytes()[..], table.payload()].concat();
    let board = parse_board("87643.152", None).unwrap();
    let problem = Problem::new(&board, Goal::Last).unwrap();
    for byte in (Header::LEN..file.len()).step_by(61) {
        let mut damaged = file.clone();
        damaged[byte] ^= 0x55;
        let whole = TableFile::new(damaged).unwrap();
        assert!(whole.verify().is_err());
        let endgame = Endgame::new(whole).unwrap();
        for algorithm in [Algorithm::IdaStar, Algorithm::AStar] {
            let settings = Settings {
                endgame: Some(&endgame),
                ..Settings::new(algorithm)
            };
            let outcome = solve(&problem, &settings, &Control::default());
            match outcome.result {
                Ok(solution) => assert!(solution.verified),
                Err(stop) => assert_eq!(stop, Stop::DamagedTable),
            }
        }
    }
}

/// Without an estimate a search has wider words than the table of a small board.
#[test]
fn searches_without_an_estimate_end_in_tables() {
    use Move::{Down, Left, Right, Up};
    let moves = [
        Right, Right, Down, Down, Left, Up, Left, Up, Right, Down, Down,
    ];
    let solved = Board::solved("3x3".parse().unwrap(), Goal::First);
    let board = moves
        .iter()
        .fold(solved, |board, &mv| board.after(mv).unwrap());
    let problem = Problem::new(&board, Goal::First).unwrap();
    let (bfs, _) = run(&problem, &Settings::new(Algorithm::Bfs));
    for depth in [0, 1, 6, 11] {
        let table = built("3x3", depth).into();
        for algorithm in [Algorithm::IdaStar, Algorithm::AStar] {
            let settings = Settings {
                heuristic: Estimate::Zero,
                endgame: Some(&table),
                ..Settings::new(algorithm)
            };
            let (ended, _) = run(&problem, &settings);
            assert_eq!(cost(&ended), cost(&bfs), "{algorithm} {depth}");
        }
    }
}
