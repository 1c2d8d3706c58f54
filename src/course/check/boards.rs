//! The boards that a program is checked on: built in, or a file with one on each line.

use super::Interface;
use super::tasks::{TaskError, TaskProblem};
use crate::puzzle::{Board, TextPosition, parse_board, parse_text};

impl Interface {
    /// Boards that a program should manage in seconds, as a file would have them: the samples of the
    /// assignments, boards of its grading, and what is easily forgotten.
    pub fn built_in_boards(self) -> &'static str {
        match self {
            Interface::Driver => {
                "3,1,2,0,4,5,6,7,8\n1,2,5,3,4,0,6,7,8\n6,1,8,4,0,2,7,3,5\n8,6,4,2,1,3,5,7,0\n"
            }
            // Solved ones, ones without a solution, and all codes.
            Interface::Lines => {
                "2 A.CB !\n2 .123 !\n2 ABC. A\n3 87643.152 A\n3 .25187643 B\n3 836.54217 A\n\
                 4 BECDAFOGI.JHMNLK !\n4 AFB.DEGCMOJKHILN A\n"
            }
            // No moves, some, many, none that lead to the goal, and no square.
            Interface::Puz => {
                "1 2 3 / 4 5 .\n1 2 3 / . 4 5\n1 2 3 / 5 4 .\n1 2 3 / 4 . 6 / 7 5 8\n\
                 8 6 7 / 2 5 4 / 3 . 1\n1 2 3 4 / 5 6 . 8 / 9 10 7 12 / 13 14 11 15\n"
            }
            // The gap in the middle, at an edge and in a corner.
            Interface::Succ => "1,2,3,4,5,0,6,7,8\n2,5,8,4,0,6,7,1,3\n0,1,3,4,2,5,7,8,6\n",
            Interface::Trace => "4,3,8,5,1,6,7,2,0\n1,2,3,4,5,6,7,0,8\n1,2,3,4,5,6,7,8,0\n",
        }
    }
}

/// A line of a file of boards.
pub(super) struct BoardLine<'a> {
    /// Counted from 1.
    pub number: usize,
    /// What stands before the board, if `is_word` takes it.
    pub word: Option<&'a str>,
    pub board: Board,
}

impl BoardLine<'_> {
    /// What is wrong with this board.
    pub fn error(&self, problem: TaskProblem) -> TaskError {
        error(self.number, 1, problem)
    }
}

/// A board on each line, in any notation; `#` starts a comment. A first word may say something
/// about it.
pub(super) fn parse(
    bytes: &[u8],
    is_word: impl Fn(&str) -> bool,
) -> Result<Vec<BoardLine<'_>>, TaskError> {
    let text = parse_text(bytes)
        .map_err(|failed| error(failed.place.line, failed.place.column, failed.into()))?;
    let mut boards = Vec::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, board) = match line.split_once(char::is_whitespace) {
            Some((word, board)) if is_word(word) => (Some(word), board),
            _ => (None, line),
        };
        let before = line.chars().count() - board.chars().count();
        let board = parse_board(board, None)
            .map_err(|failed| error(number, failed.place.column + before, failed.into()))?;
        boards.push(BoardLine {
            number,
            word,
            board,
        });
    }
    match boards.is_empty() {
        true => Err(error(1, 1, TaskProblem::Empty)),
        false => Ok(boards),
    }
}

fn error(line: usize, column: usize, problem: TaskProblem) -> TaskError {
    TaskError {
        place: TextPosition { line, column },
        problem,
    }
}
