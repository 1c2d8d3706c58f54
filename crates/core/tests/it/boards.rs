//! Boards: the parser, parity, and the packed form.

use proptest::prelude::*;
use slidebench::puzzle::{
    Board, Cell, Goal, Grid, Move, MoveOrder, Packed, Size, Wide, Word, parse_board, parse_bytes,
};

/// Every legal size.
fn sizes() -> impl Strategy<Value = Size> {
    let legal =
        (2..=32).flat_map(|rows| (2..=32).filter_map(move |cols| Size::new(rows, cols).ok()));
    prop::sample::select(legal.collect::<Vec<_>>())
}

/// Any permutation, solvable or not.
fn boards() -> impl Strategy<Value = Board> {
    sizes().prop_flat_map(|size| {
        let tiles: Vec<u32> = (0..size.cells() as u32).collect();
        Just(tiles)
            .prop_shuffle()
            .prop_map(move |tiles| Board::new(size, &tiles).unwrap())
    })
}

fn goals() -> impl Strategy<Value = Goal> {
    prop_oneof![Just(Goal::First), Just(Goal::Last)]
}

fn joined(board: &Board, separator: &str, gap: &str) -> String {
    let cells = board.tiles().iter().map(|tile| match tile {
        0 => gap.to_owned(),
        _ => tile.to_string(),
    });
    cells.collect::<Vec<_>>().join(separator)
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_refused(text in any::<String>(), size in prop::option::of(sizes())) {
        if let Err(error) = parse_board(&text, size) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }

    #[test]
    fn any_bytes_are_parsed_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = parse_bytes(&bytes, None);
    }

    #[test]
    fn near_boards_are_parsed_or_refused(text in "[0-9A-Z._,/ \\[\\]\n-]{0,70}", size in prop::option::of(sizes())) {
        let _ = parse_board(&text, size);
    }

    #[test]
    fn what_is_printed_parses_to_the_same_board(board in boards(), gap in "[0._]") {
        let size = board.size();
        prop_assert_eq!(parse_board(&board.to_string(), None), Ok(board));
        for separator in [" ", ",", ", ", "\n", "  \t"] {
            let text = joined(&board, separator, &gap);
            prop_assert_eq!(parse_board(&text, Some(size)), Ok(board));
            let list = format!("[{text}]");
            prop_assert_eq!(parse_board(&list, Some(size)), Ok(board));
        }
        prop_assert_eq!(board.letters().is_some(), size.cells() <= 27);
        let Some(letters) = board.letters() else {
            return Ok(());
        };
        prop_assert_eq!(parse_board(&letters, Some(size)), Ok(board));
        let letters: Vec<char> = letters.chars().collect();
        for separator in ["/", "\n"] {
            let rows: Vec<String> = letters.chunks(size.cols()).map(|row| row.iter().collect()).collect();
            prop_assert_eq!(parse_board(&rows.join(separator), None), Ok(board));
        }
    }

    #[test]
    fn swapping_two_tiles_flips_parity_and_no_move_does(
        board in boards(), goal in goals(), a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>()
    ) {
        let is_solvable = board.is_solvable(goal);
        let (gap, cells) = (board.gap(), board.size().cells());
        let tiles: Vec<Cell> = (0..cells as Cell).filter(|&cell| cell != gap).collect();
        let (a, b) = (tiles[a.index(cells - 1)], tiles[b.index(cells - 1)]);
        if a != b {
            prop_assert_eq!(board.swapped(a, b).is_solvable(goal), !is_solvable);
        }
        for after in Move::ALL.into_iter().filter_map(|mv| board.after(mv)) {
            prop_assert_eq!(after.is_solvable(goal), is_solvable);
        }
    }

    #[test]
    fn turning_a_board_exchanges_the_goals(board in boards()) {
        prop_assert_eq!(board.turned().turned(), board);
        prop_assert_eq!(board.turned().is_solvable(Goal::First), board.is_solvable(Goal::Last));
        let size = board.size();
        prop_assert_eq!(Board::solved(size, Goal::Last).turned(), Board::solved(size, Goal::First));
    }

    #[test]
    fn packed_boards_move_like_plain_ones(board in boards()) {
        fn check<W: Word>(board: &Board) {
            let packed = Packed::<W>::new(board);
            let grid = Grid::new(board.size(), MoveOrder::UDLR);
            let legal = Move::ALL.into_iter().filter(|&mv| board.after(mv).is_some());
            assert!(grid.steps(packed.gap).iter().map(|step| step.0).eq(legal));
            for &(mv, to) in grid.steps(packed.gap) {
                let (after, tile) = packed.slide(to);
                assert_eq!(tile, board.tiles()[usize::from(to)]);
                assert_eq!(after, Packed::new(&board.after(mv).unwrap()));
                assert_eq!(after.slide(packed.gap), (packed, tile));
            }
        }
        if board.size().cells() <= <u64 as Word>::CELLS {
            check::<u64>(&board);
        }
        if board.size().cells() <= <u128 as Word>::CELLS {
            check::<u128>(&board);
        }
        check::<Wide>(&board);
    }
}

/// Walks from the goal to every state that can be reached: half of all, as parity says.
#[test]
fn parity_agrees_with_reachability() {
    for (size, reachable) in [("2x2", 12), ("2x3", 360), ("3x2", 360)] {
        let size: Size = size.parse().unwrap();
        for goal in [Goal::First, Goal::Last] {
            let mut seen = std::collections::HashSet::from([Board::solved(size, goal)]);
            let mut stack: Vec<Board> = seen.iter().copied().collect();
            while let Some(board) = stack.pop() {
                assert!(board.is_solvable(goal));
                for after in Move::ALL.into_iter().filter_map(|mv| board.after(mv)) {
                    if seen.insert(after) {
                        stack.push(after);
                    }
                }
            }
            assert_eq!(seen.len(), reachable);
        }
    }
}

/// `text | size | the board, or what the error says with its place`
#[test]
fn every_notation_and_every_mistake() {
    let cases = include_str!("../../../../tests/data/notations.txt");
    let mut tried = 0;
    for case in cases
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        let [text, size, expected] = case.split(" |").map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("three columns: {case}");
        };
        let size = (!size.is_empty()).then(|| size.parse().unwrap());
        let found = match parse_board(&text.replace("\\n", "\n"), size) {
            Ok(board) => format!("{} {board}", board.size()),
            Err(error) => format!("{}: {error}", error.place),
        };
        assert_eq!(found, expected, "{text}");
        tried += 1;
    }
    assert!(tried > 30);
}
