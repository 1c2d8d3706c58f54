//! Every heuristic against exact distances, and against what defines it.

use std::collections::HashMap;

use proptest::prelude::*;
use slidebench::heuristic::{LinearConflict, line_conflicts};
use slidebench::lookup::AbstractBoards;
use slidebench::puzzle::{Board, Goal, Size, Tile, parse_board};

use crate::conflicts::conflicts_by_subsets;
use crate::consistency::is_admissible_and_consistent;

#[test]
fn estimates_are_admissible_and_consistent_on_all_of_3x3() {
    is_admissible_and_consistent("3x3", 31, 181_440);
}

proptest! {
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
