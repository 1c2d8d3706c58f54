//! Tables of walking distances against a plain search of the abstract boards, and as files.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use slidebench::harness::suite::Random;
use slidebench::heuristic::{
    Estimate, Heuristic, Tables, TablesError, TalliedWalks, WalkingDistance,
};
use slidebench::lookup::{
    AbstractBoards, Bits, BuildControl, Description, Directory, FormatError, Layer, TableProblem,
    Tally, Unbuilt, VALUES, WalkingTable,
};
use slidebench::puzzle::{Board, Goal, Grid, MoveOrder, Packed, Problem, Size, parse_board};
use slidebench::search::{Algorithm, Control, Limits, Settings, solve};

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn boards(text: &str) -> AbstractBoards {
    AbstractBoards::new(size(text)).unwrap()
}

/// How many tiles of each goal line are in each line, and the line of the gap.
type Counts = (Vec<Vec<u8>>, usize);

/// The distance of every abstract board up to a depth: a breadth-first search over lists of
/// counts, which shares nothing with the table.
fn distances(lines: usize, cells: u8, depth: u8) -> HashMap<Counts, u8> {
    let mut goal = vec![vec![0; lines]; lines];
    for (line, counts) in goal.iter_mut().enumerate() {
        counts[line] = cells - u8::from(line == 0);
    }
    let mut distances = HashMap::from([((goal.clone(), 0), 0)]);
    let mut layer = vec![(goal, 0)];
    for distance in 1..=depth {
        let mut next = Vec::new();
        for (counts, gap) in layer {
            for from in (0..lines).filter(|from| from.abs_diff(gap) == 1) {
                for goal_line in (0..lines).filter(|&goal_line| counts[from][goal_line] > 0) {
                    let mut moved = counts.clone();
                    moved[from][goal_line] -= 1;
                    moved[gap][goal_line] += 1;
                    let found = (moved, from);
                    if !distances.contains_key(&found) {
                        distances.insert(found.clone(), distance);
                        next.push(found);
                    }
                }
            }
        }
        layer = next;
    }
    distances
}

fn tally(boards: &AbstractBoards, axis: usize, (counts, _): &Counts) -> Tally {
    let lines = counts.iter().enumerate();
    let tiles = lines.flat_map(|(line, counts)| {
        let of_goal = counts.iter().enumerate();
        of_goal.flat_map(move |(goal_line, &count)| {
            std::iter::repeat_n((line as u8, goal_line as u8), count.into())
        })
    });
    boards.tally(axis, tiles)
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn every_abstract_board_of_small_sizes_has_its_distance() {
    for text in [
        "2x2", "2x3", "3x2", "3x3", "3x4", "4x3", "4x4", "2x5", "5x3", "2x6", "6x2",
    ] {
        let boards = boards(text);
        let built = boards.build(&BuildControl::default()).unwrap();
        let bits = Bits::Built(built.bits.clone());
        let table = WalkingTable::new(boards.clone(), bits).unwrap();
        let (rows, cols) = (size(text).rows(), size(text).cols());
        let mut histogram = [0; VALUES];
        for (axis, lines, cells) in [(0, rows, cols), (1, cols, rows)] {
            let distances = distances(lines, cells as u8, u8::MAX);
            let mut numbers = HashSet::new();
            for (counts, &distance) in &distances {
                let tally = tally(&boards, axis, counts);
                assert_eq!(table.distance(axis, tally), distance, "{text} {counts:?}");
                assert_eq!(table.residue(axis, tally), distance % 4);
                assert!(numbers.insert(boards.number(axis, tally)));
                if axis == 0 || rows != cols {
                    histogram[usize::from(distance)] += 1;
                }
            }
            assert_eq!(numbers.iter().max(), Some(&(distances.len() - 1)));
        }
        assert_eq!(built.histogram, histogram, "{text}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn abstract_boards_of_larger_sizes_have_their_distances_near_the_goal() {
    for (text, depth) in [("4x5", 16), ("6x3", 18)] {
        let (rows, cols) = (size(text).rows(), size(text).cols());
        let table = WalkingTable::build(boards(text), &BuildControl::default()).unwrap();
        for (axis, lines, cells) in [(0, rows, cols), (1, cols, rows)] {
            for (counts, distance) in distances(lines, cells as u8, depth) {
                let tally = tally(table.boards(), axis, &counts);
                assert_eq!(table.distance(axis, tally), distance, "{text} {counts:?}");
            }
        }
    }
}

/// 5x5 near the goal, and along a random walk, where every step changes the distance by one.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn abstract_boards_of_5x5_have_their_distances() {
    let table = WalkingTable::build(boards("5x5"), &BuildControl::default()).unwrap();
    for (counts, distance) in distances(5, 5, 16) {
        let tally = tally(table.boards(), 0, &counts);
        assert_eq!(table.distance(0, tally), distance, "{counts:?}");
    }
    let walking = TalliedWalks::new(table);
    let grid = Grid::new(size("5x5"), MoveOrder::UDLR);
    let solved = Board::solved(size("5x5"), Goal::First);
    let mut state = Packed::<u128>::new(&solved);
    let mut carried = walking.start(state);
    let mut random = Random::new(5);
    let mut most = 0;
    let value = |carried| Heuristic::<u128>::value(&walking, carried);
    for _ in 0..20_000 {
        let steps = grid.steps(state.gap);
        let &(_, to) = random.choose(steps);
        for &(_, to) in steps {
            let (after, tile) = state.slide(to);
            let moved = value(walking.moved(carried, state, after, tile));
            assert_eq!(moved.abs_diff(value(carried)), 1);
            assert_eq!(moved, value(walking.start(after)));
        }
        let (after, tile) = state.slide(to);
        carried = walking.moved(carried, state, after, tile);
        state = after;
        most = most.max(value(carried));
    }
    assert!(most > 80, "the walk went no farther than {most}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn threads_do_not_change_a_table() {
    let built = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let build = || boards("4x5").build(&BuildControl::default()).unwrap();
        pool.build().unwrap().install(build)
    });
    assert_eq!(built[0], built[1]);
    assert_eq!(built[0].histogram.iter().sum::<u64>(), 107_712 + 5_977_015);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn a_build_that_is_not_wanted_any_more_ends() {
    let cancel = AtomicBool::new(false);
    let listener = |layer: Layer| cancel.store(layer.depth >= 5, Relaxed);
    let control = BuildControl {
        cancel: Some(&cancel),
        listener: Some(&listener),
    };
    assert_eq!(boards("4x5").build(&control), Err(Unbuilt::Cancelled));
    let tables = Tables::new(Directory::new("no such folder"));
    let prepared = tables.prepare(&"wd".parse().unwrap(), size("4x5"), &control);
    assert!(matches!(
        prepared,
        Err(TablesError::Unbuilt(Unbuilt::Cancelled))
    ));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn a_file_is_what_was_built() {
    let folder = tempfile::tempdir().unwrap();
    let directory = Directory::new(folder.path());
    let boards = boards("4x5");
    assert!(WalkingTable::open(&directory, &boards).unwrap().is_none());
    let built = boards.build(&BuildControl::default()).unwrap();
    let table = boards.description(&built, "test");
    let path = directory.create(&table, &built.bits, &|| false).unwrap();
    assert_eq!(path, folder.path().join("wd-4x5.pdb"));
    let tables = Tables::new(directory.clone());
    let prepare = || {
        tables.prepare(
            &"wd".parse().unwrap(),
            size("4x5"),
            &BuildControl::default(),
        )
    };
    let prepared = prepare().unwrap();
    let Estimate::WalkingDistance(walking) = prepared.estimate() else {
        panic!("wd is the walking distance");
    };
    let bits = walking.table().unwrap().bits();
    assert_eq!(bits.as_ref(), &built.bits[..]);
    assert!(!bits.is_built());
    let mut damaged = fs::read(&path).unwrap();
    damaged[5000] ^= 1;
    fs::write(&path, damaged).unwrap();
    let told = prepare().unwrap_err().to_string();
    assert!(told.contains("the checksum differs"), "{told}");
    for (encoding, bits) in [(2, &built.bits[..]), (1, &built.bits[8..])] {
        let other = Description {
            encoding,
            ..table.clone()
        };
        directory.create(&other, bits, &|| false).unwrap();
        let error = WalkingTable::open(&directory, &boards).unwrap_err();
        let TableProblem::Format(FormatError::Content(told)) = &error.problem else {
            panic!("{error}");
        };
        assert!(told.contains("where encoding 1 in 760"), "{told}");
    }
}

/// Whatever bits a table has, a search ends without a crash, and with no path that does not
/// replay.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn a_damaged_table_crashes_no_search() {
    let text = "5 1 2 8 / 4 13 6 3 / 9 0 7 11 / 12 10 14 15 / 16 17 18 19";
    let board = parse_board(text, None).unwrap();
    let problem = Problem::new(&board, Goal::First).unwrap();
    let boards = boards("5x4");
    let whole = boards.build(&BuildControl::default()).unwrap().bits;
    for damage in (0..=u8::MAX).step_by(5) {
        let mut bits = whole.clone();
        match damage {
            0 | 85 | 170 | 255 => bits.fill(damage),
            _ => bits.iter_mut().for_each(|byte| *byte ^= damage),
        }
        let table = WalkingTable::new(boards.clone(), Bits::Built(bits)).unwrap();
        let walking = WalkingDistance::Tallied(TalliedWalks::new(table));
        for algorithm in [Algorithm::AStar, Algorithm::IdaStar] {
            let settings = Settings {
                heuristic: Estimate::WalkingDistance(&walking),
                ..Settings::new(algorithm)
            };
            let limits = Limits {
                nodes: Some(100_000),
                ..Limits::default()
            };
            let control = Control {
                limits,
                ..Control::default()
            };
            let outcome = solve(&problem, &settings, &control);
            assert!(outcome.result.is_err() || outcome.result.unwrap().verified);
        }
    }
}
