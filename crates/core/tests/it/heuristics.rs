//! Every heuristic against exact distances, and against what defines it.

use std::collections::HashMap;

use proptest::prelude::*;
use slidebench::heuristic::{Estimate, LinearConflict, Taxicab, WalkingDistance, line_conflicts};
use slidebench::lookup::AbstractBoards;
use slidebench::puzzle::{
    Board, Goal, Grid, MoveOrder, Packed, Problem, Size, Tile, Wide, Word, parse_board,
};

use crate::consistency::{checked_estimate, is_admissible_and_consistent};
use crate::estimates::estimates;
use crate::walks::walks;

/// The walking distance, checked, if there is one.
fn checked_walk<W: Word>(state: Packed<W>, grid: &Grid) -> Option<u32> {
    match estimates(grid.size()).pop() {
        Some(Estimate::WalkingDistance(WalkingDistance::Stepped(walks))) => {
            Some(checked_estimate(walks, state, grid))
        }
        Some(Estimate::WalkingDistance(WalkingDistance::Tallied(walks))) => {
            Some(checked_estimate(walks, state, grid))
        }
        _ => None,
    }
}

#[test]
fn estimates_are_admissible_and_consistent_on_all_of_3x3() {
    is_admissible_and_consistent("3x3", 31, 181_440);
}

/// The tiles of `line` that have to leave it, by trying every subset that could stay.
fn conflicts_by_subsets(line: &[Tile], home: &[Tile]) -> u32 {
    let own: Vec<Tile> = line
        .iter()
        .copied()
        .filter(|tile| *tile != 0 && home.contains(tile))
        .collect();
    let can_stay = |subset: &u32| {
        let stay = (0..own.len()).filter(|place| subset >> place & 1 == 1);
        stay.map(|place| own[place]).is_sorted()
    };
    let subsets = (0..1u32 << own.len()).filter(can_stay);
    own.len() as u32 - subsets.map(u32::count_ones).max().unwrap()
}

/// Linear conflict by its definition, for either goal.
fn linear_conflict_by_subsets(board: &Board, goal: Goal) -> u32 {
    let size = board.size();
    let solved = Board::solved(size, goal);
    let col = |board: &Board, col| -> Vec<Tile> { board.rows().map(|row| row[col]).collect() };
    let in_rows = board
        .rows()
        .zip(solved.rows())
        .map(|(row, home)| conflicts_by_subsets(row, home));
    let in_cols = (0..size.cols()).map(|c| conflicts_by_subsets(&col(board, c), &col(&solved, c)));
    Taxicab::of(board, goal) + 2 * in_rows.chain(in_cols).sum::<u32>()
}

proptest! {
    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
    fn what_is_carried_is_what_is_computed(
        (board, goal) in walks(
            &["2x2", "3x2", "3x3", "4x4", "2x6", "2x7", "6x2", "3x6", "4x5", "5x4", "5x5", "3x8", "2x12", "12x2", "6x6", "7x7", "8x8", "5x9", "12x4"],
            300,
        )
    ) {
        fn check<W: Word>(problem: &Problem) {
            let (size, board, goal) = (problem.size(), problem.board(), problem.goal());
            let grid = Grid::new(size, MoveOrder::UDLR);
            let state = Packed::<W>::new(problem.start());
            let md = checked_estimate(&Taxicab::new(size), state, &grid);
            assert_eq!(md, Taxicab::of(board, goal));
            let lc = checked_estimate(&LinearConflict::new(size), state, &grid);
            assert_eq!(lc, linear_conflict_by_subsets(board, goal));
            if let Some(wd) = checked_walk(state, &grid) {
                assert!(md <= wd && (wd - md).is_multiple_of(2));
            }
        }
        let problem = Problem::new(&board, goal).unwrap();
        if board.size().cells() <= <u64 as Word>::CELLS {
            check::<u64>(&problem);
        }
        if board.size().cells() <= <u128 as Word>::CELLS {
            check::<u128>(&problem);
        }
        check::<Wide>(&problem);
    }

    #[test]
    fn conflicts_of_a_line_are_the_fewest_tiles_to_remove(
        (cells, tiles) in (1..=12u8).prop_flat_map(|cells| {
            let foreign = 3;
            let tiles: Vec<Tile> = (0..cells + foreign).collect();
            (Just(cells), Just(tiles).prop_shuffle())
        })
    ) {
        let home: Vec<Tile> = (0..cells).collect();
        let line = &tiles[..home.len()];
        prop_assert_eq!(line_conflicts(line, &home), conflicts_by_subsets(line, &home));
    }
}

/// The first row of a 4x4 board with the goal `last`, and its conflicts.
#[test]
fn conflicts_have_their_known_values() {
    let known = [
        ("BACD", 1),
        ("CABD", 1),
        ("CDAB", 2),
        ("FABC", 0),
        ("HGFE", 0),
        ("DCBA", 3),
        ("DCEA", 2),
        ("BDAC", 2),
    ];
    for (row, conflicts) in known {
        let rest = ('A'..='O').filter(|&letter| !row.contains(letter));
        let letters: String = row.chars().chain(rest).chain(['.']).collect();
        let board = parse_board(&letters, None).unwrap();
        let home = Board::solved(board.size(), Goal::Last);
        let (row, home) = (&board.tiles()[..4], &home.tiles()[..4]);
        assert_eq!(line_conflicts(row, home), conflicts, "{letters}");
    }
}

/// How many abstract boards there are for `lines` lines of `cells` cells, by another way than
/// the numbering: they are the square matrices whose rows and columns add up to `cells`, but for
/// the gap's row and column. Which row is the gap's does not change their number. So one row
/// after the other is filled from what the columns have left, and columns with equal rests are
/// alike.
fn abstract_boards(lines: usize, cells: usize) -> u128 {
    let mut totals = vec![cells; lines];
    totals[0] -= 1;
    let mut rests = HashMap::from([(totals.clone(), 1)]);
    for &total in &totals {
        let whole_row = rests.into_iter().map(|(rest, ways)| ((rest, total), ways));
        let mut rows: HashMap<(Vec<usize>, usize), u128> = whole_row.collect();
        for col in 0..lines {
            let mut filled = HashMap::new();
            for ((rest, free), ways) in rows {
                for taken in 0..=free.min(rest[col]) {
                    let mut rest = rest.clone();
                    rest[col] -= taken;
                    *filled.entry((rest, free - taken)).or_default() += ways;
                }
            }
            rows = filled;
        }
        rests = HashMap::new();
        for ((mut rest, free), ways) in rows {
            if free == 0 {
                rest.sort_unstable();
                *rests.entry(rest).or_default() += ways;
            }
        }
    }
    lines as u128 * rests.values().sum::<u128>()
}

#[test]
fn walking_distance_has_its_known_numbers_of_abstract_boards() {
    let known = [("4x4", 24_964), ("5x5", 65_650_495)];
    for (size, boards) in known {
        let size: Size = size.parse().unwrap();
        assert_eq!(abstract_boards(size.rows(), size.cols()), boards.into());
        assert_eq!(AbstractBoards::new(size).unwrap().count(), boards);
    }
}

/// Every size has all its estimates, but for walking distances with too many abstract boards.
#[test]
fn every_size_has_its_estimates_or_is_refused() {
    let sides = (2..=12).flat_map(|rows| (2..=12).map(move |cols| (rows, cols)));
    for size in sides.filter_map(|(rows, cols)| Size::new(rows, cols).ok()) {
        LinearConflict::new(size);
        let [rows, cols] = [(size.rows(), size.cols()), (size.cols(), size.rows())];
        let made = AbstractBoards::new(size);
        let is_small = rows.0.max(rows.1) <= 5 || [(2, 6), (3, 6)].contains(&rows.min(cols));
        assert_eq!(made.is_ok(), is_small, "{size}");
        if let Ok(boards) = made {
            let both = match size.is_square() {
                true => abstract_boards(rows.0, rows.1),
                false => abstract_boards(rows.0, rows.1) + abstract_boards(cols.0, cols.1),
            };
            assert_eq!(u128::from(boards.count()), both, "{size}");
        }
    }
}

#[test]
fn what_is_refused_says_what_to_use() {
    let refused = AbstractBoards::new("4x6".parse().unwrap());
    let told = refused.unwrap_err().to_string();
    assert!(
        told.starts_with("there is no walking distance for 4x6"),
        "{told}"
    );
    assert!(told.ends_with("use lc (linear conflict)"), "{told}");
}
