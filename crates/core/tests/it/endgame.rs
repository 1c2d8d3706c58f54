//! Endgame tables: what is in them, and what searches make of them.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use slidebench::heuristic::{Estimate, Tables};
use slidebench::lookup::endgame::{BuildError, Builder, BuiltEndgame, EndgamePlan, Until};
use slidebench::lookup::{BuildControl, Directory, Endgame, Header, TableFile};
use slidebench::puzzle::{Board, Goal, Move, Problem, Size, parse_board};
use slidebench::search::{
    Algorithm, Control, EngineChoice, Event, Limits, Outcome, Prune, Settings, Stop, solve,
};

use crate::estimates::estimates;
use crate::walks::walks;

fn built(size: &str, depth: u32) -> BuiltEndgame {
    let builder = Builder {
        size: size.parse().unwrap(),
        until: Until::Depth(depth),
        memory: None,
        control: BuildControl::default(),
    };
    builder.build().unwrap()
}

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

/// Tables of several depths for a few sizes.
static TABLES: LazyLock<Vec<Endgame>> = LazyLock::new(|| {
    let tables = [
        ("2x3", [0, 5, 10, 31]),
        ("3x3", [1, 8, 13, 20]),
        ("3x4", [0, 9, 14, 16]),
        ("4x4", [0, 7, 12, 15]),
        ("5x5", [1, 6, 9, 11]),
    ];
    let all = tables.iter().flat_map(|(size, depths)| {
        let build = move |&depth: &u32| built(size, depth).into();
        depths.iter().map(build)
    });
    all.collect()
});

/// A search, and the nodes of its thresholds that are complete.
fn run(problem: &Problem, settings: &Settings<'_>) -> (Outcome, Vec<(u32, u64)>) {
    let thresholds = Mutex::new(Vec::new());
    let listener = |event: Event| {
        if let Event::Iteration(iteration) = event
            && iteration.complete
        {
            let nodes = (iteration.threshold, iteration.generated);
            thresholds.lock().unwrap().push(nodes);
        }
    };
    let control = Control {
        listener: Some(&listener),
        ..Control::default()
    };
    let outcome = solve(problem, settings, &control);
    let solution = outcome.result.as_ref().expect("no limit is set");
    assert!(solution.verified);
    (outcome, thresholds.into_inner().unwrap())
}

fn cost(outcome: &Outcome) -> usize {
    outcome.result.as_ref().unwrap().moves.len()
}

/// Costs with tables against costs without, for one board: how many searches without an estimate
/// ended within a few nodes, and so could be compared. All others have to.
fn compared_without_estimate(problem: &Problem) -> usize {
    // Without an estimate only near boards are a matter of moments.
    let limits = Limits {
        nodes: Some(300_000),
        ..Limits::default()
    };
    let control = Control {
        limits,
        ..Control::default()
    };
    let mut compared = 0;
    for heuristic in estimates(problem.size()) {
        let is_zero = matches!(heuristic, Estimate::Zero);
        for algorithm in [Algorithm::IdaStar, Algorithm::AStar] {
            let settings = Settings {
                heuristic,
                ..Settings::new(algorithm)
            };
            let plain = solve(problem, &settings, &control);
            if let (Err(stop), true) = (&plain.result, is_zero) {
                assert_eq!(*stop, Stop::Nodes);
                continue;
            }
            compared += usize::from(is_zero);
            let tables = TABLES.iter().filter(|it| it.size() == problem.size());
            for endgame in tables {
                let settings = Settings {
                    endgame: Some(endgame),
                    ..settings
                };
                let (ended, _) = run(problem, &settings);
                assert_eq!(cost(&ended), cost(&plain), "{settings:?} {endgame:?}");
            }
        }
    }
    compared
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn a_table_keeps_every_cost() {
    const CASES: u32 = 30;
    let config = ProptestConfig {
        source_file: Some(file!()),
        ..ProptestConfig::with_cases(CASES)
    };
    let compared = Cell::new(0);
    let boards = walks(&["2x3", "3x3", "3x4", "4x4", "5x5"], 60);
    let result = TestRunner::new(config).run(&boards, |(board, goal)| {
        let problem = Problem::new(&board, goal).unwrap();
        compared.set(compared.get() + compared_without_estimate(&problem));
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
    // Two searches a board, of which nearly all end in time.
    let (compared, all) = (compared.get(), 2 * CASES as usize);
    println!("without an estimate {compared} of {all} could be compared");
    assert!(compared * 4 >= all * 3, "{compared} of {all}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// The order ULRD has a recursion of its own for 4x4 and 5x5, any other the textbook's.
    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
    fn explorers_agree_at_the_rim((board, goal) in walks(&["4x4", "5x5"], 110)) {
        let problem = Problem::new(&board, goal).unwrap();
        for endgame in TABLES.iter().filter(|table| table.size() == board.size()) {
            for heuristic in [Estimate::Taxicab, Estimate::LinearConflict] {
                let plain = Settings { heuristic, ..Settings::new(Algorithm::IdaStar) };
                let tuned = Settings { endgame: Some(endgame), ..plain };
                let textbook = Settings { order: Some("UDLR".parse().unwrap()), ..tuned };
                let shared = Settings { threads: 3, ..tuned };
                let pruned = Settings { prune: Prune::new(6), ..tuned };
                let (of_plain, without) = run(&problem, &plain);
                let (of_tuned, thresholds) = run(&problem, &tuned);
                for other in [textbook, shared] {
                    let (of_other, same) = run(&problem, &other);
                    prop_assert_eq!(&same, &thresholds);
                    prop_assert_eq!(cost(&of_other), cost(&of_tuned));
                }
                prop_assert_eq!(cost(&of_tuned), cost(&of_plain));
                prop_assert_eq!(cost(&run(&problem, &pruned).0), cost(&of_plain));
                for (threshold, nodes) in thresholds {
                    let plain = without.iter().find(|(plain, _)| *plain == threshold).unwrap();
                    prop_assert!(nodes <= plain.1);
                }
            }
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
