//! The one parser: every notation of a board, everywhere a board is accepted.
//!
//! - Numbers separated by spaces, commas, newlines, `/`, `|` or `;`; the gap is `0`, `.` or `_`.
//!   Brackets around all of it or around rows, as in `[1,2,0,3]`, and zeros before a number are
//!   passed over. Two signs with nothing between them, as in `1,2,,0`, are a mistake.
//! - One character a cell. Letters stand for 1, 2, 3 … (`A.CB`), digits for themselves
//!   (`87643.152`), both together for digits first and then letters (`123456789ABCDEF.`): enough
//!   for 36 cells. Larger boards are written in numbers.
//!
//! The size comes from the rows where there are rows (`/`, newlines, brackets; `|` and `;` where
//! there are none of these), from the caller, or is the square root of the number of cells. One
//! number a line counts as no rows.

use std::fmt;
use std::str::FromStr;

use super::size::counted;
use super::{Board, BoardError, MAX_CELLS, MAX_OPTIMAL_CELLS, Size, SizeError, excerpt};

/// The most cells that characters can name: the gap, nine digits and the letters.
const MAX_CHARACTERS: usize = 1 + 9 + 26;

/// Line and column in the text that was parsed, both counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextPosition {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1.
    pub column: usize,
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Why a text is not a board, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{problem}")]
pub struct ParseError {
    /// Where.
    pub place: TextPosition,
    /// What is wrong there.
    pub problem: ParseProblem,
}

/// What is wrong with a text that should be a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseProblem {
    /// No cell at all.
    #[error("there is no board; expected numbers such as '1 2 3 0', or letters such as 'A.CB'")]
    Empty,
    /// A byte that is no text.
    #[error("byte 0x{0:02x} is not text; a board is written in numbers or letters")]
    NotText(u8),
    /// A word that is no tile.
    #[error("'{0}' is not a tile; write numbers or letters, and the gap as 0, . or _")]
    NotATile(String),
    /// A letter where other cells are numbers of two digits.
    #[error("'{0}' is a letter among numbers; write tiles as numbers, and the gap as 0, . or _")]
    LetterAmongNumbers(char),
    /// Two separators with nothing between them.
    #[error("there is nothing between '{0}' and '{1}'; a tile or the gap is missing")]
    Nothing(char, char),
    /// Tiles only, and not as many as fill a board.
    #[error("there are {0} cells and none is the gap; write the gap as 0, . or _")]
    NoGap(usize),
    /// Rows of different lengths.
    #[error(
        "row {row} has {} where row 1 has {expected}; all rows are equally long",
        counted(*.found)
    )]
    Ragged {
        /// Which one, from 1.
        row: usize,
        /// How many cells it has.
        found: usize,
        /// How many the first one has.
        expected: usize,
    },
    /// More than the largest board has.
    #[error("there are more than {MAX_CELLS} cells; the largest board is 8x8")]
    TooManyCells,
    /// More cells, a character each, than there are characters.
    #[error("there are more than {MAX_CHARACTERS} cells of one character; write numbers")]
    TooManyCharacters,
    /// Cells that make no square, and nothing says what else.
    #[error("{} cannot make a square", counted(*.0))]
    NoSquare(usize),
    #[error("the rows make a board of {rows}, but the size asked for is {asked}")]
    /// Rows that are not of the size asked for.
    OtherSize {
        /// What the rows show.
        rows: Size,
        /// What was asked for.
        asked: Size,
    },
    /// No size of a board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The cells are no permutation.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// Any notation that [`parse_board`] reads, the size as the text shows it.
impl FromStr for Board {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Board, ParseError> {
        parse_board(text, None)
    }
}

/// Reads a board from text; `size` is what the caller knows about it.
pub fn parse_board(text: &str, size: Option<Size>) -> Result<Board, ParseError> {
    let tokens = tokens(text)?;
    let cells = cells(&tokens)?;
    let start = TextPosition { line: 1, column: 1 };
    let Some(first) = cells.first() else {
        return Err(error(start, ParseProblem::Empty));
    };
    if let Some(extra) = cells.get(MAX_CELLS) {
        return Err(error(extra.place, ParseProblem::TooManyCells));
    }
    let is_gapless = cells.len() >= 3 && cells.iter().all(|cell| cell.tile != 0);
    let has_too_few = |size: Size| cells.len() + 1 == size.cells();
    let no_gap = || Err(error(first.place, ParseProblem::NoGap(cells.len())));
    let size = match (size_of_rows(&cells)?, size) {
        (None, Some(asked)) if is_gapless && has_too_few(asked) => return no_gap(),
        (None, None) if is_gapless && Size::square(cells.len()).is_none() => return no_gap(),
        (Some(rows), Some(asked)) if rows != asked => {
            return Err(error(first.place, ParseProblem::OtherSize { rows, asked }));
        }
        (Some(rows), _) => rows,
        (None, Some(asked)) => asked,
        (None, None) => Size::square(cells.len())
            .ok_or_else(|| error(first.place, ParseProblem::NoSquare(cells.len())))?,
    };
    let tiles: Vec<u32> = cells.iter().map(|cell| cell.tile).collect();
    Board::new(size, &tiles).map_err(|problem| {
        let place = problem.cell().map_or(first.place, |cell| cells[cell].place);
        error(place, problem.into())
    })
}

/// Reads a board from bytes that should be text.
pub fn parse_bytes(bytes: &[u8], size: Option<Size>) -> Result<Board, ParseError> {
    parse_board(parse_text(bytes)?, size)
}

/// Bytes that should be text, as text.
pub fn parse_text(bytes: &[u8]) -> Result<&str, ParseError> {
    std::str::from_utf8(bytes).map_err(|broken| {
        let valid = String::from_utf8_lossy(&bytes[..broken.valid_up_to()]);
        let place = TextPosition {
            line: valid.matches('\n').count() + 1,
            column: valid.rsplit('\n').next().unwrap_or("").chars().count() + 1,
        };
        let byte = bytes[broken.valid_up_to()];
        error(place, ParseProblem::NotText(byte))
    })
}

fn error(place: TextPosition, problem: ParseProblem) -> ParseError {
    ParseError { place, problem }
}

/// What stands between two separators.
struct Token<'a> {
    text: &'a str,
    /// By lines and the like, and by all signs; in the end the second is the one that counts.
    row: (usize, usize),
    place: TextPosition,
}

/// One cell of the board to be.
struct CellText {
    tile: u32,
    row: usize,
    place: TextPosition,
}

/// The tokens of a text, up to one more than the largest board has cells: a token is at least
/// one cell, so what follows changes nothing.
fn tokens(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut rows = RowCount::default();
    let mut place = TextPosition { line: 1, column: 1 };
    let mut token: Option<(usize, TextPosition)> = None;
    // The sign since the last token, if there was one.
    let mut sign: Option<char> = None;
    for (offset, c) in text.char_indices().chain([(text.len(), '\n')]) {
        let is_sign = matches!(c, ',' | '/' | '|' | ';');
        if !is_sign && !c.is_whitespace() && !is_bracket(c) && c != '\u{feff}' {
            token.get_or_insert((offset, place));
        } else if let Some((from, place)) = token.take() {
            sign = None;
            let row = rows.of_next_token();
            let text = &text[from..offset];
            tokens.push(Token { text, row, place });
            if tokens.len() > MAX_CELLS {
                break;
            }
        }
        if is_sign && let Some(before) = sign.replace(c) {
            return Err(error(place, ParseProblem::Nothing(before, c)));
        }
        // Bars may frame each line of a board.
        if c == '\n' && sign == Some('|') {
            sign = None;
        }
        rows.pass(c);
        place = match c {
            '\n' => TextPosition {
                line: place.line + 1,
                column: 1,
            },
            _ => TextPosition {
                column: place.column + 1,
                ..place
            },
        };
    }
    // Bars and semicolons part rows only where nothing else does.
    let by_lines = tokens.iter().any(|token| token.row.0 > 0);
    for token in tokens.iter_mut().filter(|_| by_lines) {
        token.row.1 = token.row.0;
    }
    Ok(tokens)
}

fn is_bracket(c: char) -> bool {
    matches!(c, '[' | ']' | '(' | ')' | '{' | '}' | '<' | '>')
}

/// The number of the row, as lines, `/` and closing brackets part rows, and as all signs do.
#[derive(Default)]
struct RowCount {
    rows: (usize, usize),
    ended: (bool, bool),
    has_token: bool,
}

impl RowCount {
    fn of_next_token(&mut self) -> (usize, usize) {
        self.rows.0 += usize::from(self.ended.0 && self.has_token);
        self.rows.1 += usize::from(self.ended.1 && self.has_token);
        (self.ended, self.has_token) = ((false, false), true);
        self.rows
    }

    fn pass(&mut self, c: char) {
        let ends = matches!(c, '\n' | '/' | ']' | ')' | '}' | '>');
        self.ended.0 |= ends;
        self.ended.1 |= ends || matches!(c, '|' | ';');
    }
}

fn is_gap(text: &str) -> bool {
    matches!(text, "0" | "." | "_")
}

/// Whether each character, not each token, is a cell.
///
/// A list of numbers has no letters, and a token of one digit (tile 1) unless it is padded
/// with zeros. Then several of its tokens start with a zero; as characters those would be
/// several gaps. It has a token for each cell, so at least four.
fn is_one_character_a_cell(tokens: &[Token<'_>]) -> bool {
    let is_long = |token: &&Token<'_>| token.text.chars().count() > 1;
    let is_number = |token: &Token<'_>| token.text.bytes().all(|b| b.is_ascii_digit());
    let zeros = tokens.iter().filter(|token| token.text.starts_with('0'));
    let is_padded = tokens.len() >= 4 && zeros.filter(is_long).count() > 1;
    let has_letters = |token: &Token<'_>| token.text.contains(char::is_alphabetic);
    let all_long = tokens.iter().all(|token| is_long(&token));
    // Among numbers of one digit and of more, a letter is a slip.
    let long_numbers = tokens
        .iter()
        .filter(is_long)
        .filter(|token| is_number(token));
    if !all_long && tokens.len() >= 4 && long_numbers.count() > 1 {
        return false;
    }
    all_long && !is_padded
        || tokens.iter().any(has_letters)
        || tokens.iter().filter(is_long).any(|token| !is_number(token))
}

fn cells(tokens: &[Token<'_>]) -> Result<Vec<CellText>, ParseError> {
    if is_one_character_a_cell(tokens) {
        return character_cells(tokens);
    }
    let cell = |token: &Token<'_>| {
        let tile = match token.text {
            gap if is_gap(gap) => Some(0),
            number => number.parse().ok(),
        };
        let not_a_tile = || match token.text.as_bytes() {
            &[letter] if letter.is_ascii_alphabetic() => {
                ParseProblem::LetterAmongNumbers(letter.into())
            }
            _ => ParseProblem::NotATile(excerpt(token.text)),
        };
        Ok(CellText {
            tile: tile.ok_or_else(|| error(token.place, not_a_tile()))?,
            row: token.row.1,
            place: token.place,
        })
    };
    tokens.iter().take(MAX_CELLS + 1).map(cell).collect()
}

fn character_cells(tokens: &[Token<'_>]) -> Result<Vec<CellText>, ParseError> {
    let has_digits = tokens
        .iter()
        .any(|token| token.text.contains(|c| ('1'..='9').contains(&c)));
    let letter_base = if has_digits { 10 } else { 1 };
    let characters = tokens.iter().flat_map(|token| {
        token.text.chars().enumerate().map(move |(index, c)| {
            let column = token.place.column + index;
            let place = TextPosition {
                column,
                ..token.place
            };
            (c, token.row.1, place)
        })
    });
    // A letter far behind those of the board is a slip.
    let count = characters.clone().take(MAX_CHARACTERS).count();
    let most = count.max(MAX_OPTIMAL_CELLS) as u32;
    let cell = |(c, row, place): (char, usize, TextPosition)| {
        let tile = match c {
            '0' | '.' | '_' => Some(0),
            '1'..='9' => Some(u32::from(c) - u32::from('0')),
            'a'..='z' => Some(u32::from(c) - u32::from('a') + letter_base),
            'A'..='Z' => Some(u32::from(c) - u32::from('A') + letter_base),
            _ => None,
        };
        let tile = tile.filter(|&tile| tile < most);
        let not_a_tile = || ParseProblem::NotATile(c.to_string());
        Ok(CellText {
            tile: tile.ok_or_else(|| error(place, not_a_tile()))?,
            row,
            place,
        })
    };
    let cells: Vec<CellText> = characters
        .take(MAX_CHARACTERS + 1)
        .map(cell)
        .collect::<Result<_, _>>()?;
    match cells.get(MAX_CHARACTERS) {
        Some(extra) => Err(error(extra.place, ParseProblem::TooManyCharacters)),
        None => Ok(cells),
    }
}

/// The size that the rows give, where there are rows.
fn size_of_rows(cells: &[CellText]) -> Result<Option<Size>, ParseError> {
    let lengths: Vec<usize> = cells
        .chunk_by(|a, b| a.row == b.row)
        .map(<[_]>::len)
        .collect();
    if lengths.len() == 1 || lengths.iter().all(|&length| length == 1) {
        return Ok(None);
    }
    let cols = lengths[0];
    if let Some(row) = lengths.iter().position(|&length| length != cols) {
        let place = cells.iter().find(|cell| cell.row == row);
        return Err(error(
            place.map_or(cells[0].place, |cell| cell.place),
            ParseProblem::Ragged {
                row: row + 1,
                found: lengths[row],
                expected: cols,
            },
        ));
    }
    Size::new(lengths.len(), cols)
        .map(Some)
        .map_err(|problem| error(cells[0].place, problem.into()))
}
