//! Moves of the gap, their names, and the orders they are tried in.

use std::fmt;
use std::str::FromStr;

use super::named::named;

/// A move, named by the way the gap goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Move {
    /// The gap goes up, a tile comes down.
    Up,
    /// The gap goes down.
    Down,
    /// The gap goes left.
    Left,
    /// The gap goes right.
    Right,
}

impl Move {
    /// All four; a move is a number in this order too.
    pub const ALL: [Move; 4] = [Move::Up, Move::Down, Move::Left, Move::Right];

    /// The move that takes this one back.
    pub const fn opposite(self) -> Move {
        match self {
            Move::Up => Move::Down,
            Move::Down => Move::Up,
            Move::Left => Move::Right,
            Move::Right => Move::Left,
        }
    }

    /// `Up`, `Down`, `Left` or `Right`.
    pub const fn name(self) -> &'static str {
        match self {
            Move::Up => "Up",
            Move::Down => "Down",
            Move::Left => "Left",
            Move::Right => "Right",
        }
    }

    /// `U`, `D`, `L` or `R`.
    pub const fn letter(self) -> char {
        match self {
            Move::Up => 'U',
            Move::Down => 'D',
            Move::Left => 'L',
            Move::Right => 'R',
        }
    }

    /// The move of a capital letter.
    pub fn from_letter(letter: char) -> Option<Move> {
        Move::ALL.into_iter().find(|mv| mv.letter() == letter)
    }
}

/// The two conventions of the field for writing a move down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// Up: the gap moves up.
    #[default]
    Gap,
    /// U: a tile moves up into the gap.
    Tile,
}

impl Notation {
    /// The move that this convention writes for a move of the gap.
    pub fn of(self, mv: Move) -> Move {
        match self {
            Notation::Gap => mv,
            Notation::Tile => mv.opposite(),
        }
    }

    /// Moves of the gap as one counts them where a row of tiles is one move: `U2 L D3`.
    pub fn runs(self, moves: &[Move]) -> String {
        let runs = moves.chunk_by(|a, b| a == b).map(|run| {
            let letter = self.of(run[0]).letter();
            match run.len() {
                1 => letter.to_string(),
                cells => format!("{letter}{cells}"),
            }
        });
        runs.collect::<Vec<_>>().join(" ")
    }

    /// Moves of the gap as a string of `UDLR`.
    pub fn letters(self, moves: &[Move]) -> String {
        moves.iter().map(|&mv| self.of(mv).letter()).collect()
    }
}

named!(Notation, "a move notation": Gap "gap", Tile "tile");

/// The order in which a search tries the moves of the gap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveOrder([Move; 4]);

impl MoveOrder {
    /// Up, Down, Left, Right: the order of the textbook searches.
    pub const UDLR: MoveOrder = MoveOrder([Move::Up, Move::Down, Move::Left, Move::Right]);
    /// Up, Left, Right, Down: the order of Korf's IDA*.
    pub const ULRD: MoveOrder = MoveOrder([Move::Up, Move::Left, Move::Right, Move::Down]);

    /// The moves, first one first.
    pub const fn moves(self) -> [Move; 4] {
        self.0
    }

    /// The same order for a board turned by 180°.
    pub fn turned(self) -> MoveOrder {
        self.map(Move::opposite)
    }

    /// The order of what the moves of this one become.
    pub(super) fn map(self, becomes: impl Fn(Move) -> Move) -> MoveOrder {
        MoveOrder(self.0.map(becomes))
    }
}

impl fmt::Display for MoveOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Notation::Gap.letters(&self.0))
    }
}

/// A text that is no order of moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not an order of moves; write each of U, D, L, R once, for example UDLR")]
pub struct MoveOrderError(pub String);

impl FromStr for MoveOrder {
    type Err = MoveOrderError;

    fn from_str(text: &str) -> Result<MoveOrder, MoveOrderError> {
        let moves: Vec<Move> = text
            .chars()
            .filter_map(|c| Move::from_letter(c.to_ascii_uppercase()))
            .collect();
        match <[Move; 4]>::try_from(moves) {
            Ok(order) if text.len() == 4 && Move::ALL.iter().all(|mv| order.contains(mv)) => {
                Ok(MoveOrder(order))
            }
            _ => Err(MoveOrderError(text.to_owned())),
        }
    }
}
