//! Pattern databases against a plain 0-1 breadth-first search, and the searches that read them.

use std::collections::{HashMap, VecDeque};
use std::sync::LazyLock;

use proptest::prelude::*;
use slidebench::heuristic::{Estimate, Heuristic, Patterns};
use slidebench::lookup::{
    Bits, BuildControl, BuildPlan, Collection, Partition, PartitionError, Pattern, PatternTable,
    Placement, Slide, build,
};
use slidebench::puzzle::{Cell, Goal, Move, Packed, Problem, Size, Tile, parse_board};
use slidebench::search::{Algorithm, Control, EngineChoice, Limits, Prune, Settings, solve};

use crate::walks::walks;

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn table(pattern: Pattern) -> PatternTable {
    PatternTable::build(pattern, &BuildControl::default()).unwrap()
}

fn patterns(size: Size, collection: &str, mirror: bool) -> Patterns {
    let collection = Collection::parse(collection, size).unwrap();
    Patterns::build(collection, mirror, &BuildControl::default()).unwrap()
}

/// Cells of the pattern's tiles, in the order of their numbers, and the gap's cell.
type State = (Vec<Cell>, Cell);

/// The fewest moves of the pattern's tiles from the goal to every state: the gap's own moves
/// are free.
fn distances(pattern: &Pattern) -> HashMap<State, u8> {
    let goal: State = (pattern.tiles().collect(), 0);
    let mut distances = HashMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([(goal, 0)]);
    while let Some(((tiles, gap), distance)) = queue.pop_front() {
        if distances[&(tiles.clone(), gap)] < distance {
            continue;
        }
        for mv in Move::ALL {
            let Some(to) = pattern.size().neighbour(gap, mv) else {
                continue;
            };
            let mut next = tiles.clone();
            let moved = next.iter_mut().find(|cell| **cell == to);
            let cost = u8::from(moved.is_some());
            if let Some(cell) = moved {
                *cell = gap;
            }
            let state = (next, to);
            let reached = distance + cost;
            if distances.get(&state).is_none_or(|&known| reached < known) {
                distances.insert(state.clone(), reached);
                match cost {
                    0 => queue.push_front((state, reached)),
                    _ => queue.push_back((state, reached)),
                }
            }
        }
    }
    distances
}

/// The place of tiles that are in these cells.
fn place(table: &PatternTable, tiles: &[Cell]) -> Placement {
    let numbers: Vec<Tile> = table.pattern().tiles().collect();
    table.place(|tile| tiles[numbers.iter().position(|&t| t == tile).unwrap()])
}

#[test]
fn a_table_is_what_a_plain_search_finds() {
    let cases = [
        ("3x3", "4-4"),
        ("3x3", ".AAAA/AAAA"),
        ("2x4", ".AAB/BABA"),
        ("3x4", ".AAA/ABBB/BCCC"),
        ("2x2", ".AAA"),
        ("2x3", ".A/BB/AB"),
        ("2x5", ".ABCA/BCABC"),
    ];
    for (of, partition) in cases {
        for pattern in Partition::parse(partition, size(of)).unwrap().patterns() {
            let built = build(pattern, &BuildControl::default()).unwrap();
            let histogram = built.histogram;
            let table = PatternTable::new(*pattern, Bits::Built(built.bits)).unwrap();
            let mut states: HashMap<(Placement, u32), u8> = HashMap::new();
            for ((tiles, gap), distance) in distances(pattern) {
                let place = place(&table, &tiles);
                assert_eq!(
                    table.value(place, gap),
                    distance,
                    "{of} {pattern} {place:?}"
                );
                states.insert((place, table.index().region(place, gap)), distance);
            }
            for (value, &count) in histogram.iter().enumerate() {
                let found = states
                    .values()
                    .filter(|&&distance| usize::from(distance) == value);
                assert_eq!(found.count() as u64, count, "{of} {pattern} {value}");
            }
        }
    }
}

/// A move of a tile changes the value by exactly one, and one bit says which way.
#[test]
fn a_move_changes_a_value_by_one() {
    let pattern = Partition::parse("4-4", size("3x3")).unwrap().patterns()[0];
    let table = table(pattern);
    for ((tiles, gap), &distance) in &distances(&pattern) {
        let place = place(&table, tiles);
        for mv in Move::ALL {
            let Some(to) = pattern.size().neighbour(*gap, mv) else {
                continue;
            };
            if !tiles.contains(&to) {
                assert_eq!(table.value(place, to), distance, "the gap's move is free");
                continue;
            }
            let slid = table.index().slid(place, &Slide::new(to, *gap));
            let value = table.value(slid, to);
            assert_eq!(value.abs_diff(distance), 1);
            assert_eq!(table.next_value(distance, slid, to), value);
        }
    }
}

#[test]
fn no_value_is_below_the_taxicab_distance_of_its_tiles() {
    for (of, partition) in [
        ("4x4", "6-6-3"),
        ("4x4", "5-5-5"),
        ("3x4", "6-5"),
        ("5x5", "5-5-5-5-4"),
    ] {
        let size = size(of);
        for pattern in Partition::parse(partition, size).unwrap().patterns() {
            let table = table(*pattern);
            let tiles: Vec<Tile> = pattern.tiles().collect();
            let mut cells: Vec<Cell> = (0..size.cells() as Cell).collect();
            // Every rotation of the cells: places from all over the table.
            for _ in 0..cells.len() {
                cells.rotate_left(1);
                let taxicab = |(&tile, &cell): (&Tile, &Cell)| size.distance(tile, cell);
                let taxicab: u32 = tiles.iter().zip(&cells).map(taxicab).sum();
                let place = place(&table, &cells[..tiles.len()]);
                let gap = cells[tiles.len()];
                let value = u32::from(table.value(place, gap));
                assert!(
                    value >= taxicab && value % 2 == taxicab % 2,
                    "{of} {pattern}"
                );
            }
        }
    }
}

#[test]
fn threads_build_the_same_bytes() {
    let pattern = Partition::parse("6-6-3", size("4x4")).unwrap().patterns()[0];
    let build_on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| build(&pattern, &BuildControl::default()).unwrap())
    };
    let one = build_on(1);
    assert!(one == build_on(2) && one == build_on(5));
    let plan = BuildPlan::new(&pattern);
    assert_eq!(plan.bytes, one.bits.len() as u64);
    assert_eq!(plan.states, one.histogram.iter().sum::<u64>());
}

/// Sizes of tables as published or tried: places, and states with the gap's regions.
#[test]
fn a_plan_says_how_large_a_table_is() {
    let plan = |of: &str, partition: &str, number: usize| {
        let partition = Partition::parse(partition, size(of)).unwrap();
        let plan = BuildPlan::new(&partition.patterns()[number]);
        (plan.places, plan.states)
    };
    assert_eq!(plan("4x4", "7-8", 0), (57_657_600, 139_849_920));
    assert_eq!(plan("4x4", "7-8", 1), (518_918_400, 1_425_191_040));
    assert_eq!(plan("5x5", "6-6-6-6", 0), (127_512_000, 181_008_000));
}

#[test]
fn partitions_are_refused_with_the_reason() {
    let refused = |text: &str| Partition::parse(text, size("3x3")).unwrap_err().to_string();
    let reasons = [
        (
            "5-3",
            "'5-3' is no partition of 3x3; name one of 4-4, or draw one as a grid of letters with . for the gap, for example .AA/AAA/ABB",
        ),
        (
            ".AA/AAB/BB.",
            "tile 8 is in no pattern; each tile belongs to exactly one",
        ),
        (
            "AAA/AAB/BBB",
            "the gap's cell, the first one, belongs to pattern 'A'; write . there",
        ),
        (
            ".AA/AAB/BB",
            "'.AA/AAB/BB' has 8 cells; a partition of 3x3 has 9, one letter for each tile and . first for the gap",
        ),
        (
            "1.2.3.4/4.5.6.7.8",
            "tile 4 is in two patterns; each tile belongs to exactly one",
        ),
        (
            "1.2.3.4/5.6.7",
            "tile 8 is in no pattern; each tile belongs to exactly one",
        ),
        (
            "1.2.3.4/5.6.7.8.9",
            "'9' is no tile of 3x3; its tiles are 1 to 8",
        ),
        (
            "1.2.3.4/0.5.6.7.8",
            "'0' is no tile of 3x3; its tiles are 1 to 8",
        ),
    ];
    for (text, reason) in reasons {
        assert_eq!(refused(text), reason);
    }
    let large = Partition::parse(".AAA/AAAA/AABB/BBBB", size("4x4"));
    assert!(matches!(large, Err(PartitionError::TooLarge(_, 9))));
}

#[test]
fn a_partition_reads_what_it_writes() {
    for of in ["3x3", "3x4", "4x4", "5x5"] {
        for name in Partition::names(size(of)) {
            let partition = Partition::parse(name, size(of)).unwrap();
            assert_eq!(partition.to_string(), name);
            assert_eq!(
                Partition::parse(&partition.grid(), size(of)).unwrap(),
                partition
            );
            let lists: Vec<String> = partition
                .patterns()
                .iter()
                .map(Pattern::to_string)
                .collect();
            assert_eq!(
                Partition::parse(&lists.join("/"), size(of)).unwrap(),
                partition
            );
        }
    }
}

#[test]
fn a_collection_is_several_partitions() {
    let named = Collection::parse("small5x5", size("5x5")).unwrap();
    assert_eq!(named.to_string(), "small5x5");
    assert_eq!((named.partitions().len(), named.patterns().len()), (2, 7));
    assert_eq!(Collection::size_of("small5x5"), Some(size("5x5")));
    let night = Collection::parse("night5x5", size("5x5")).unwrap();
    assert_eq!(night.to_string(), "night5x5");
    assert_eq!(
        night.partitions()[0].grid(),
        ".AAAB/AAABB/CCDBB/CCDDB/CCDDD"
    );
    let drawn = "6-6-3+.ABB/AABB/AACB/CCCC";
    let drawn = Collection::parse(drawn, size("4x4")).unwrap();
    assert_eq!(drawn.to_string(), "6-6-3+5-5-5");
    let twice = Collection::parse("7-8+7-8", size("4x4")).unwrap();
    assert_eq!(twice.to_string(), "7-8");
    let refused = Collection::parse("7-8+8-7", size("4x4")).unwrap_err();
    assert!(
        refused
            .to_string()
            .starts_with("'8-7' is no partition of 4x4")
    );
    let cuts = [
        ".AA/AAB/BBB",
        ".AA/BAB/BAB",
        ".AB/AAB/ABB",
        ".BA/AAB/ABB",
        ".AB/BAA/ABB",
    ];
    let five = Collection::parse(&cuts.join("+"), size("3x3"));
    assert!(matches!(five, Err(PartitionError::TooManySums(_, 5))));
}

/// What is carried along a walk is what is computed anew at its end.
#[test]
fn carried_places_are_those_of_the_board() {
    for (of, partition) in [("3x3", "4-4"), ("3x4", "6-5"), ("4x4", "5-5-5")] {
        let size = size(of);
        let patterns = patterns(size, partition, true);
        let mut state = Packed::<u64>::solved(size);
        let mut carried = patterns.start(state);
        for step in 0..500u32 {
            let moves: Vec<Cell> = Move::ALL
                .iter()
                .filter_map(|&mv| size.neighbour(state.gap, mv))
                .collect();
            let to = moves[(step.wrapping_mul(2_654_435_761) >> 7) as usize % moves.len()];
            let (after, tile) = state.slide(to);
            carried = patterns.moved(carried, state, after, tile);
            state = after;
            let value = |carried| Heuristic::<u64>::value(&patterns, carried);
            assert_eq!(
                value(carried),
                value(patterns.start(state)),
                "{of} {partition}"
            );
        }
    }
}

/// Whatever bytes a table has, a search ends without a crash, and with no path that does not
/// replay.
#[test]
fn a_damaged_table_crashes_no_search() {
    let collection = Collection::parse("4-4", size("3x3")).unwrap();
    let board = parse_board("8 6 7 2 5 4 3 0 1", None).unwrap();
    let problem = Problem::new(&board, Goal::First).unwrap();
    let limits = Limits {
        nodes: Some(100_000),
        ..Limits::default()
    };
    for damage in 0..=u8::MAX {
        let tables = collection.patterns().into_iter().map(|pattern| {
            let mut bits = build(&pattern, &BuildControl::default()).unwrap().bits;
            match damage {
                0 | 1 | 64 | 128 | 255 => bits.fill(damage),
                _ => bits
                    .iter_mut()
                    .step_by(damage.into())
                    .for_each(|value| *value ^= damage),
            }
            PatternTable::new(pattern, Bits::Built(bits)).unwrap()
        });
        let patterns = Patterns::new(collection.clone(), tables.collect(), damage % 2 == 0);
        for algorithm in [Algorithm::AStar, Algorithm::IdaStar] {
            let settings = Settings {
                heuristic: Estimate::Patterns(&patterns),
                ..Settings::new(algorithm)
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

/// Tables of a few sizes, with and without the mirror image.
static TABLES: LazyLock<Vec<Patterns>> = LazyLock::new(|| {
    let partitions = [
        ("3x3", "4-4"),
        ("3x4", "6-5"),
        ("4x4", "6-6-3"),
        ("4x4", "5-5-5+.AAA/BBBA/BBAC/CCCC"),
        ("3x3", "4-4+.AB/AAB/ABB+.BA/AAB/ABB"),
        ("2x4", ".AAB/BBAA"),
    ];
    let both = partitions
        .iter()
        .flat_map(|partition| [(partition, true), (partition, false)]);
    both.map(|((of, partition), mirror)| patterns(size(of), partition, mirror))
        .collect()
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Every search with tables finds the length that IDA* with taxicab finds, whatever the goal,
    /// the engine, the pruning and the number of threads; and the engines count the same nodes.
    #[test]
    fn searches_with_tables_are_optimal(
        (board, goal) in walks(&["3x3", "3x4", "4x4", "2x4"], 150),
    ) {
        let problem = Problem::new(&board, goal).unwrap();
        let cost = |settings: &Settings<'_>| {
            let outcome = solve(&problem, settings, &Control::default());
            let solution = outcome.result.unwrap();
            assert!(solution.verified);
            (solution.moves.len(), outcome.stats.generated)
        };
        let (optimal, _) = cost(&Settings::new(Algorithm::IdaStar));
        for patterns in TABLES.iter().filter(|patterns| patterns.size() == board.size()) {
            let with = Settings {
                heuristic: Estimate::Patterns(patterns),
                ..Settings::new(Algorithm::IdaStar)
            };
            let scalar = cost(&Settings { engine: EngineChoice::Scalar, ..with });
            prop_assert_eq!(scalar.0, optimal);
            prop_assert_eq!(cost(&Settings { engine: EngineChoice::Batched, ..with }), scalar);
            prop_assert_eq!(cost(&Settings { threads: 2, ..with }).0, optimal);
            prop_assert_eq!(cost(&Settings { prune: Prune::new(8), ..with }).0, optimal);
            prop_assert_eq!(cost(&Settings { algorithm: Algorithm::AStar, ..with }).0, optimal);
        }
    }
}
