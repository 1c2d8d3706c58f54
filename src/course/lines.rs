//! A file of boards: each line is `SIZE BOARD CODE`, or a square board alone.
//!
//! The code says which searches run: `B` breadth-first, `I` iterative deepening, `A` A*,
//! `!` all three, and `D` breadth-first from both ends, which is ours. A line without size and
//! code runs A*, or what the caller's [`Codes`] name. Lines are numbered from 0 as they stand in
//! the file; blank ones are skipped but keep their number, so that the number in an answer always
//! finds its line.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use super::{python, reason};
use crate::heuristic::Taxicab;
use crate::puzzle::{
    Board, Goal, ParseError, ParseProblem, Problem, Size, SizeError, TextPosition, excerpt,
    parse_board, parse_text,
};
use crate::search::{Algorithm, Control, Outcome, Settings, solve};

/// The goal of this assignment, unless the caller says otherwise.
pub const GOAL: Goal = Goal::Last;

/// One board of the file and what is asked about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Counted from 0.
    pub number: usize,
    /// The board as it is written in the file.
    pub text: String,
    /// What is to be solved.
    pub board: Board,
    searches: Vec<Algorithm>,
}

/// The searches that run on a board without a code of its own: `BI` is breadth-first, then
/// iterative deepening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Codes(Vec<Algorithm>);

/// A*, as the assignment has it.
impl Default for Codes {
    fn default() -> Codes {
        Codes(vec![Algorithm::AStar])
    }
}

impl FromStr for Codes {
    type Err = LineProblem;

    fn from_str(text: &str) -> Result<Codes, LineProblem> {
        let named = text.chars().map(|code| {
            let searches = searches(code.encode_utf8(&mut [0; 4]));
            searches.ok_or_else(|| LineProblem::Code(code.to_string()))
        });
        let named: Vec<&[Algorithm]> = named.collect::<Result<_, _>>()?;
        match named.is_empty() {
            true => Err(LineProblem::Code(String::new())),
            false => Ok(Codes(named.concat())),
        }
    }
}

/// Why a line cannot be read, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{problem}")]
pub struct LineError {
    /// Where in the file.
    pub place: TextPosition,
    /// What is wrong there.
    pub problem: LineProblem,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineProblem {
    /// No such code.
    #[error("'{0}' is not a code; write B (BFS), I (ID-DFS), A (A*), ! (all three) or D (BiBFS)")]
    Code(String),
    /// A size and a board, and no code.
    #[error("a code is missing; write SIZE BOARD CODE, or the board alone")]
    NoCode,
    /// No number of rows.
    #[error("a size is missing; write SIZE BOARD CODE, or the board alone")]
    NoSize,
    /// A board alone that is no square.
    #[error("a board of {0} cells is no square; write its size, as in '2x3 ABCDE. A'")]
    NoSquare(usize),
    /// A file without a board.
    #[error("there is no board in the file; expected lines such as '2 A.CB A'")]
    Empty,
    /// No size of a board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// No board.
    #[error(transparent)]
    Board(#[from] ParseError),
}

/// Reads a whole file, so that a mistake is told before any search runs. Boards alone have the
/// searches of `bare`.
pub fn parse(bytes: &[u8], bare: &Codes) -> Result<Vec<Line>, LineError> {
    let text = parse_text(bytes).map_err(|error| LineError {
        place: error.place,
        problem: error.into(),
    })?;
    let lines: Vec<Line> = text
        .trim_start_matches('\u{feff}')
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| parse_line(number, line, bare))
        .collect::<Result<_, _>>()?;
    match lines.is_empty() {
        true => Err(LineError {
            place: TextPosition { line: 1, column: 1 },
            problem: LineProblem::Empty,
        }),
        false => Ok(lines),
    }
}

fn parse_line(number: usize, line: &str, bare: &Codes) -> Result<Line, LineError> {
    let at = |part: &str, problem| {
        let place = TextPosition {
            line: number + 1,
            column: column(part, line),
        };
        LineError { place, problem }
    };
    let Parts { size, board, code } = Parts::of(line);
    let searches = match code {
        None if size.is_some() => {
            return Err(at(&board[board.len()..], LineProblem::NoCode));
        }
        None => &bare.0[..],
        Some(_) if size.is_none() => return Err(at(board, LineProblem::NoSize)),
        Some(code) => searches(code).ok_or_else(|| at(code, LineProblem::Code(excerpt(code))))?,
    };
    let asked = size
        .map(|size| size_of(size).map_err(|error| at(size, error.into())))
        .transpose()?;
    let parsed = parse_board(board, asked).map_err(|error| {
        let before = column(board, line) - 1;
        LineError {
            place: TextPosition {
                line: number + 1,
                column: error.place.column + before,
            },
            problem: match error.problem {
                ParseProblem::NoSquare(cells) => LineProblem::NoSquare(cells),
                _ => error.into(),
            },
        }
    })?;
    Ok(Line {
        number,
        text: board.to_owned(),
        board: parsed,
        searches: searches.to_vec(),
    })
}

/// The column of a part of a line, counted from 1.
fn column(part: &str, line: &str) -> usize {
    let offset = part.as_ptr() as usize - line.as_ptr() as usize;
    line[..offset].chars().count() + 1
}

/// What a line is made of.
struct Parts<'a> {
    size: Option<&'a str>,
    board: &'a str,
    code: Option<&'a str>,
}

impl<'a> Parts<'a> {
    /// A line that is a board is one, whatever it starts or ends like. Otherwise the last word
    /// is a code if it is one, or if it stands where one has to; the first word is a size if it
    /// starts with a digit and what comes before the code is not yet a board.
    fn of(line: &'a str) -> Parts<'a> {
        let alone = Parts {
            size: None,
            board: line.trim(),
            code: None,
        };
        let is_board = |text| parse_board(text, None).is_ok();
        if is_board(alone.board) {
            return alone;
        }
        let Some((before, code)) = alone.board.rsplit_once(char::is_whitespace) else {
            return alone;
        };
        let before = before.trim_end();
        let sized = before
            .split_once(char::is_whitespace)
            .filter(|(size, _)| size.starts_with(|c: char| c.is_ascii_digit()))
            .map(|(size, board)| (size, board.trim_start()));
        match sized {
            _ if searches(code).is_some() && is_board(before) => Parts {
                board: before,
                code: Some(code),
                ..alone
            },
            Some((size, board)) if is_code_like(code) || fills(board, size) => Parts {
                size: Some(size),
                board,
                code: Some(code),
            },
            None if code == "!" => Parts {
                board: before,
                code: Some(code),
                ..alone
            },
            None if fills(code, before) => Parts {
                size: Some(before),
                board: code,
                code: None,
            },
            _ => alone,
        }
    }
}

/// Whether a word has as many characters as a board of that size has cells.
fn fills(board: &str, size: &str) -> bool {
    size_of(size).is_ok_and(|size| board.chars().count() == size.cells())
}

/// Whether a word at the end of a line is meant as a code: one character that is no number
/// and no gap.
fn is_code_like(word: &str) -> bool {
    word.len() == 1 && !word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '_'))
}

/// The side of a square, or `ROWSxCOLS`.
fn size_of(text: &str) -> Result<Size, SizeError> {
    match text.parse() {
        Ok(side) => Size::new(side, side),
        Err(_) => text.parse(),
    }
}

fn searches(code: &str) -> Option<&'static [Algorithm]> {
    match code {
        "B" => Some(&[Algorithm::Bfs]),
        "I" => Some(&[Algorithm::Iddfs]),
        "A" => Some(&[Algorithm::AStar]),
        "D" => Some(&[Algorithm::BiBfs]),
        "!" => Some(&[Algorithm::Bfs, Algorithm::Iddfs, Algorithm::AStar]),
        _ => None,
    }
}

impl Line {
    /// Runs the searches that the line asks for, one with each step of the iterator; for a
    /// board without a solution there is one answer and no search.
    pub fn answers<'a>(
        &'a self,
        goal: Goal,
        control: &'a Control<'a>,
    ) -> impl Iterator<Item = Answer<'a>> {
        let started = Instant::now();
        let problem = Problem::new(&self.board, goal).ok();
        let checked = started.elapsed();
        let searches = match problem {
            Some(_) => &self.searches[..],
            None => &self.searches[..1],
        };
        searches.iter().map(move |&algorithm| {
            let settings = Settings::new(algorithm);
            let outcome = problem.map(|problem| solve(&problem, &settings, control));
            Answer {
                line: self,
                algorithm,
                time: outcome
                    .as_ref()
                    .map_or(checked, |outcome| outcome.stats.time),
                outcome,
            }
        })
    }

    /// The line's taxicab distance, in the form of an answer.
    pub fn taxicab(&self, goal: Goal) -> String {
        let value = Taxicab::of(&self.board, goal);
        format!(
            "Line {}: {}, taxicab distance {value}",
            self.number, self.text
        )
    }

    /// The same in the assignment's own words: `Line 0: 0`.
    pub fn bare_taxicab(&self, goal: Goal) -> String {
        format!("Line {}: {}", self.number, Taxicab::of(&self.board, goal))
    }
}

/// What came of one search, as `Line 0: A.CB, BFS - 1 moves in 2.35e-05 seconds`.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    line: &'a Line,
    algorithm: Algorithm,
    time: Duration,
    /// `None` for a board without a solution.
    pub outcome: Option<Outcome>,
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { number, text, .. } = self.line;
        let seconds = python::three_digits(self.time.as_secs_f64());
        write!(f, "Line {number}: {text}, ")?;
        let Some(outcome) = &self.outcome else {
            return write!(f, "no solution determined in {seconds} seconds");
        };
        let name = match self.algorithm {
            Algorithm::Bfs => "BFS",
            Algorithm::Iddfs => "ID-DFS",
            Algorithm::AStar => "A*",
            Algorithm::BiBfs => "BiBFS",
            other => other.name(),
        };
        match &outcome.result {
            Ok(solution) => {
                let moves = solution.moves.len();
                write!(f, "{name} - {moves} moves in {seconds} seconds")
            }
            Err(stop) => {
                let reason = reason(*stop);
                write!(f, "{name} - stopped {reason} after {seconds} seconds")
            }
        }
    }
}
