//! Endgame tables: what is in them, and what searches make of them.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use slidebench::lookup::endgame::{BuildError, Builder, Built, Plan, Until};
use slidebench::lookup::{BuildControl, Endgame, Header, TableFile};
use slidebench::puzzle::{Board, Goal, Move, Size, parse_board};

fn built(size: &str, depth: u32) -> Built {
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
    let text = include_str!("data/layer_sizes.csv");
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
    assert!((2..22).contains(&depth), "{depth}");
}

#[test]
fn a_plan_is_near_the_truth() {
    for (size, depths) in [("4x4", 10..=28), ("3x4", 10..=28), ("5x5", 10..=24)] {
        let sizes = &published()[size];
        for depth in depths {
            let entries: u64 = sizes[..=depth as usize].iter().sum();
            let plan = Plan::new(size.parse().unwrap(), depth);
            let ratio = plan.entries as f64 / entries as f64;
            assert!((0.9..1.5).contains(&ratio), "{size} {depth}: {ratio}");
            assert!(!plan.is_exact || plan.entries == entries);
        }
    }
}
