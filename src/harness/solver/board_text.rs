//! A board as other programs read it.

use crate::puzzle::{Board, Goal, named};

/// How a program gets its board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Given {
    /// In its arguments, where `{board}` stands.
    #[default]
    Argument,
    /// On stdin, which ends behind it.
    Stdin,
    /// In a file, whose name stands for `{file}`.
    File,
}

named!(Given, "a way to give a board": Argument "argument", Stdin "stdin", File "file");

/// The notation in which a program wants its boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BoardForm {
    /// `1 2 0 3`, row by row.
    #[default]
    Numbers,
    /// `1,2,0,3`.
    Commas,
    /// `A.CB`: a letter for each tile, a point for the gap; numbers where there are more than 26
    /// tiles.
    Letters,
    /// A row of numbers on each line, or `1 2 / 0 3` where a board has to be one line.
    Rows,
    /// A row on each line with a point for the gap, as `.puz` files have it.
    Puz,
}

named!(BoardForm, "a notation of boards": Numbers "numbers", Commas "commas", Letters "letters", Rows "rows", Puz "puz");

impl BoardForm {
    /// The board on one line.
    pub fn line(self, board: &Board) -> String {
        self.text(board).replace('\n', " / ")
    }

    /// The board in this notation.
    pub fn text(self, board: &Board) -> String {
        let numbers = |tiles: &[u8], separator: &str| {
            let numbers: Vec<String> = tiles.iter().map(ToString::to_string).collect();
            numbers.join(separator)
        };
        let rows = |separator: &str| {
            let rows: Vec<String> = board.rows().map(|row| numbers(row, " ")).collect();
            rows.join(separator)
        };
        match self {
            BoardForm::Numbers => numbers(board.tiles(), " "),
            BoardForm::Commas => numbers(board.tiles(), ","),
            BoardForm::Letters => {
                let letters = board.letters();
                letters.unwrap_or_else(|| BoardForm::Numbers.text(board))
            }
            BoardForm::Rows => rows("\n"),
            BoardForm::Puz => {
                let rows = board.rows().map(|row| {
                    let cell = |&tile: &u8| match tile {
                        0 => ".".to_owned(),
                        tile => tile.to_string(),
                    };
                    row.iter().map(cell).collect::<Vec<_>>().join(" ")
                });
                rows.collect::<Vec<_>>().join("\n")
            }
        }
    }
}

/// A goal as a program reads it: `first`, `last`, or a board in the notation of its boards.
fn goal_text(goal: Goal, form: BoardForm, board: &Board) -> String {
    match goal.of_size(board.size()) {
        Goal::Board(goal) => form.text(&goal),
        named => named.to_string(),
    }
}

/// What stands for what in a command.
#[derive(Clone, Debug)]
pub struct Placeholders {
    values: [(&'static str, String); 6],
}

impl Placeholders {
    /// Those of one board; `file` is where it was written, if it was.
    pub fn new(board: &Board, goal: Goal, form: BoardForm, file: &str) -> Placeholders {
        let size = board.size();
        Placeholders {
            values: [
                ("{board}", form.text(board)),
                ("{file}", file.to_owned()),
                ("{rows}", size.rows().to_string()),
                ("{cols}", size.cols().to_string()),
                ("{size}", size.to_string()),
                ("{goal}", goal_text(goal, form, board)),
            ],
        }
    }

    /// A word of a command with its placeholders filled in.
    pub fn fill(&self, word: &str) -> String {
        let mut filled = word.to_owned();
        for (name, value) in &self.values {
            if filled.contains(name) {
                filled = filled.replace(name, value);
            }
        }
        filled
    }
}
